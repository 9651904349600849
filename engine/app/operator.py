"""The operator `app`: owns the resources of the app model, which live in the log alone.

A container, gateway, secret store or volume becomes what the platform of its environment makes of it, and reports that as
its outputs; so does an environment, where its platform needs something for itself. Portable types report what follows of
where they are. What the environment sets over a resource is merged first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from engine.app.capability import check as check_capabilities
from engine.app.connections import url_of
from engine.app.extensions import reserved
from engine.app.lower import lower
from engine.app.lowered import Lowered
from engine.app.overlay import Overlaid, check_overlaid, check_overlay, has_overlay, told
from engine.app.policy import forbidden, forbidden_blocks
from engine.app.portable import PORTABLE, Service, is_manual, recipe_problem
from engine.app.runtimes import block_schema, check_runtimes
from engine.app.schema import check
from engine.app.stores import listed, lower_store
from engine.app.surroundings import (
    extender_recipe,
    homeless,
    is_simulated,
    lacking,
    no_platform,
    other_extensions,
    simulated,
)
from engine.contract.app import DaprComponent, Workload
from engine.contract.difference import compare
from engine.contract.operator import (
    Applied,
    Bid,
    Call,
    Children,
    Difference,
    Keep,
    Observed,
    Rendering,
    Undecided,
    View,
)
from engine.contract.platform import (
    DaprComponents,
    Gateways,
    Grounding,
    Grouping,
    Platform,
    SecretStores,
    Volumes,
    endpoint_of,
)
from engine.contract.resource import OUTPUTS, Resource, body
from engine.contract.value import Properties, is_known
from engine.diagnostics.diagnostic import Diagnostic, has_errors
from engine.record import Record

CORE = ("applications", "containers", "environments", "extenders", "gateways", "secretStores", "volumes")
DAPR = ("configurationStores", "pubSubBrokers", "secretStores", "stateStores")
_DAPR = frozenset(f"applications.dapr/{t.lower()}" for t in DAPR)
_SERVED = frozenset(f"applications.core/{t.lower()}" for t in CORE) | PORTABLE | _DAPR


class Platforms(Protocol):
    """Where compute kinds come from."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds there are."""

    def platform(self, kind: str) -> Platform | None:
        """The platform of a kind."""


class _Way(Record):
    """How a type is rendered: how it is lowered, which part of a platform takes it, what people and tables call that."""

    lower: Callable[[Resource, View, Platform], Lowered]
    part: type | None
    method: str
    key: str
    label: str


def _gateway(resource: Resource, view: View, platform: Platform) -> Lowered:
    from engine.app.gateways import lower_gateway

    return lower_gateway(resource, view, platform)


def _volume(resource: Resource, view: View, platform: Platform) -> Lowered:
    from engine.app.volumes import lower_volume

    return lower_volume(resource, view, platform)


def _component(resource: Resource, view: View, platform: Platform) -> Lowered:
    from engine.app.dapr import lower_dapr

    return lower_dapr(resource, view)


_WAYS: Mapping[str, _Way] = {
    "applications.core/containers": _Way(lower, None, "workload", "", "a container"),
    "applications.core/gateways": _Way(_gateway, Gateways, "gateway", "gateways", "a gateway"),
    "applications.core/secretstores": _Way(
        lambda r, v, p: lower_store(r, v), SecretStores, "secret_store", "secretStores.generic", "a secret store"
    ),
    "applications.core/volumes": _Way(_volume, Volumes, "volume", "volume.persistent", "a volume"),
    **dict.fromkeys(
        _DAPR,
        _Way(_component, DaprComponents, "dapr_component", "daprSidecar", "a Dapr building block"),
    ),
}


class AppOperator:
    """See the module."""

    name = "app"
    effects = False

    def __init__(self, platforms: Platforms) -> None:
        self.platforms = platforms

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits the types of the app model."""
        return Bid(100, "the app model") if resource.type.lower() in _SERVED else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """A part of the app model to its native parts; the others stay what they are."""
        type = resource.type.lower()
        if type == "applications.core/environments":
            return self._environment(resource, view)
        problems: tuple[Diagnostic, ...] = ()
        environment = view.environment
        if environment is not None:
            problems = tuple(forbidden_blocks(resource, environment))
            if has_overlay(environment):
                set_here = tuple(told(resource, view))
                view = Overlaid(view)
                resource = view.of(resource)
                problems += (*set_here, *(check_overlaid(resource) if set_here else ()))
        if has_errors(problems):
            return _with(problems)
        match self._render(resource, view):
            case Children() as made if problems:
                return made.replace(diagnostics=(*problems, *made.diagnostics))
            case Keep() if problems:
                return _with(problems)
            case made:
                return made

    def _render(self, resource: Resource, view: View) -> Rendering:
        type = resource.type.lower()
        if type in PORTABLE:
            return self._portable(resource, view)
        if type in _WAYS:
            return self._part(resource, view, _WAYS[type])
        if type == "applications.core/extenders":
            return _with(extender_recipe(resource))
        return self._application(resource, view)

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Everything changes in place: only the log knows it."""
        return compare(resource, applied, None)

    def outputs(self, resource: Resource) -> Properties:
        """What a composite reports, as far as its children are known."""
        outputs: Properties = resource.properties.get(OUTPUTS, {})
        return outputs

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """It is as it was last declared."""
        return self.create(resource, token, call)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Nothing to do outside."""
        return Observed(resource.address, token, resource.properties, self.outputs(resource))

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Nothing to do outside."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Nothing to do outside."""

    # ------------------------------------------------------------ parts that a platform renders

    def _part(self, resource: Resource, view: View, way: _Way) -> Rendering:
        """What the platform makes of a part: checked against the runtimes, the table, and the policy."""
        environment = view.environment
        if environment is None:
            return _with([homeless(resource)])
        provisioning = body(resource).get("resourceProvisioning")
        if way.method == "dapr_component" and provisioning != "manual":
            return _with([recipe_problem(resource)])
        if way.method == "workload" and provisioning == "manual":
            return Keep()
        if is_simulated(environment):
            return Children((), _own_outputs(resource), (simulated(resource, environment),))
        platform = self.platforms.platform(environment.kind)
        if platform is None:
            return _with([no_platform(resource, environment, self.platforms.kinds)])
        problems = [*check_runtimes(resource, environment, platform, self.platforms.kinds), *reserved(resource)]
        lowered = way.lower(resource, view, platform)
        problems.extend(lowered.problems)
        if lowered.needs:
            return Undecided(lowered.needs)
        if lowered.record is None:
            return _with(problems)
        of_block = len(problems) - len(lowered.problems)
        problems.extend(_capable(lowered, platform, way))
        problems.extend(forbidden(lowered.record, environment))
        if has_errors(problems):
            if not has_errors(problems[of_block:]):
                problems.extend(_besides_block(lowered.record, platform, way, view))
            return _with(problems)
        made = getattr(platform, way.method)(lowered.record, view)
        if isinstance(made, Undecided):
            return made
        assert isinstance(made, Children)
        inside = {} if "endpoints" in made.outputs else _inside(lowered.record, view, platform)
        outputs = {**inside, **made.outputs, **_own_outputs(resource)}
        return made.replace(outputs=outputs, diagnostics=(*problems, *made.diagnostics), waits=lowered.waits)

    def _portable(self, resource: Resource, view: View) -> Rendering:
        """What follows of where a portable type is."""
        if not is_manual(body(resource)):
            return _with([recipe_problem(resource)])
        environment = view.environment
        service = Service(
            resource, view, self.platforms.platform(environment.kind) if environment is not None else None
        )
        if service.needs:
            return Undecided(service.needs)
        if has_errors(service.problems):
            return _with(service.problems)
        return Children((), service.outputs(), waits=service.gates.all())

    def _application(self, resource: Resource, view: View) -> Rendering:
        """What its containers share, where the platform makes something of it."""
        environment = view.environment
        platform = self.platforms.platform(environment.kind) if environment is not None else None
        problems = tuple(other_extensions(resource, environment, platform))
        if is_simulated(environment) or not isinstance(platform, Grouping):
            return _with(problems)
        made = platform.application(resource, view)
        problems = (*problems, *made.diagnostics)
        return made.replace(diagnostics=problems) if made.resources else _with(problems)

    def _environment(self, resource: Resource, view: View) -> Rendering:
        """Its compute kind must be there, and its block what the kind allows; then, what the platform needs for itself."""
        environment = view.environment
        if environment is None or not environment.kind:
            return Keep()
        platform = self.platforms.platform(environment.kind)
        if platform is None:
            return _with([no_platform(resource, environment, self.platforms.kinds)])
        compute = body(resource).get("compute", {})
        wrong = check(compute, platform.environment_schema, f"'{resource.name}'", resource.origin, ("compute",))
        set_there = check_overlay(resource, environment, platform, self.platforms.kinds)
        problems = (*wrong, *other_extensions(resource, environment, platform), *set_there)
        if has_errors(problems) or is_simulated(environment) or not isinstance(platform, Grounding):
            return _with(problems)
        made = platform.environment(resource, view)
        return made if isinstance(made, Undecided) else made.replace(diagnostics=(*problems, *made.diagnostics))


def _capable(lowered: Lowered, platform: Platform, way: _Way) -> Iterable[Diagnostic]:
    """What its table says; that it has no such part at all, where its table does not."""
    record = lowered.record
    assert record is not None
    told = [] if isinstance(record, DaprComponent) else list(check_capabilities(record, platform))
    if way.part is not None and not isinstance(platform, way.part) and not has_errors(told):
        told.append(lacking(record.resource, platform, way.key, way.label))
    return told


def _besides_block(record: Any, platform: Platform, way: _Way, view: View) -> Iterable[Diagnostic]:
    """What the platform says of a part whose block it does not allow, had that been written as it was probably meant."""
    from engine.app.meant import meant

    schema = block_schema(record.resource.type, platform)
    block = meant(record.runtime, schema, 1) if schema is not None else None
    if block is None or not is_known(block):
        return ()
    made = getattr(platform, way.method)(record.replace(runtime=block), view)
    return made.diagnostics if isinstance(made, Children) else ()


def _inside(record: Any, view: View, platform: Platform) -> Properties:
    """The URL of each port as other containers have it, where the platform says of none that people reach it."""
    if not isinstance(record, Workload) or not record.ports:
        return {}
    reached = {p.name: url_of(endpoint_of(platform, record, p, view)) for p in record.ports}
    return {"endpoints": reached, "internal": True}


def _own_outputs(resource: Resource) -> dict[str, Any]:
    """What a part reports whatever the platform."""
    match resource.type.lower():
        case "applications.core/secretstores":
            return {"listSecrets()": listed(body(resource))}
        case type if type in _DAPR:
            return {"componentName": str(resource.name)}
        case _:
            return {}


def _with(problems: Iterable[Diagnostic]) -> Rendering:
    found = tuple(problems)
    return Children((), {}, found) if found else Keep()
