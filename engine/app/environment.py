"""Where a resource goes: the environment it names, or its application does, or the one that is deployed to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.contract.operator import Environment
from engine.contract.resource import OUTPUTS, Resource, body, short
from engine.contract.value import Leaf, Properties, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.suggest import nearest

ENVIRONMENTS = "applications.core/environments"

Find = Callable[[str], Resource | None]


def id_of(type: str, name: str, group: str = "default") -> str:
    """The id of an app-model resource: `/planes/radius/local/resourceGroups/default/providers/Applications.Core/…`."""
    return f"/planes/radius/local/resourceGroups/{group}/providers/{type}/{name}"


def default_environment(group: str = "default") -> Environment:
    """What is there when nobody made an environment: local processes, named `default`."""
    id = id_of("Applications.Core/environments", "default", group)
    return Environment("default", "process", id, {"compute": {"kind": "process"}})


def from_resource(resource: Resource) -> Environment:
    """The environment that a resource declares."""
    properties = body(resource)
    compute = properties.get("compute")
    kind = compute.get("kind") if isinstance(compute, Mapping) else None
    return Environment(str(resource.name), kind if isinstance(kind, str) else "", str(resource.id), dict(properties))


def reported(resource: Resource, outputs: Properties) -> Properties:
    """What an environment that was deployed says of its infrastructure; `outputs` are all that it reported."""
    inner = outputs.get("properties", {})
    return {name: inner[name] for name in resource.properties.get(OUTPUTS, {}) if name in inner}


def environment_of(resource: Resource, find: Find, given: Environment | None) -> Environment | Diagnostic | None:
    """The environment of a resource; None outside of any; a diagnostic where it names one that is not there."""
    if resource.type.lower() == ENVIRONMENTS:
        return from_resource(resource)
    named = _named(resource, find)
    if not isinstance(named, str) or not named:
        return given
    declared = find(named)
    if declared is not None and declared.type.lower() == ENVIRONMENTS and not declared.existing:
        return from_resource(declared)
    if given is not None and _is(given, named):
        return given
    return _missing(resource, named, given)


def _named(resource: Resource, find: Find) -> Value:
    """The id of the environment it names, itself or through its application."""
    properties = body(resource)
    if (own := properties.get("environment")) is not None:
        return own
    application = properties.get("application")
    if isinstance(application, str) and application and (found := find(application)) is not None:
        return body(found).get("environment")
    return None


def _is(environment: Environment, id: str) -> bool:
    """Whether an id, or a bare name, means this environment."""
    lower = id.lower()
    return lower in (environment.id.lower(), environment.name.lower()) or (
        lower.rpartition("/providers/")[2] == f"{ENVIRONMENTS}/{environment.name.lower()}"
    )


def _missing(resource: Resource, id: str, given: Environment | None) -> Diagnostic:
    message = f"'{resource.name}' goes to the environment '{short(id)}', which is not declared here"
    if given is None:
        return Diagnostic("ULN311", Severity.ERROR, message, resource.origin, help="Name the environment with '-e'.")
    message += f" and is not the one that is deployed to ('{given.name}')"
    near = nearest(short(id), [given.name])
    help = f"Did you mean '{near}'?" if near else f"Deploy with '-e {short(id)}', or use the parameter 'environment'."
    return Diagnostic("ULN311", Severity.ERROR, message, resource.origin, help=help)


def application_of(resource: Resource, find: Find) -> tuple[str, Resource | None]:
    """The name of the application of a resource, and the application where it is declared."""
    id = body(resource).get("application")
    if id is None or isinstance(id, Leaf):
        return "", None
    found = find(str(id))
    return (str(found.name) if found is not None else short(id)), found
