"""The operator `app`: owns environments, applications, extenders and containers, which live in the log alone.

A container becomes what the platform of its environment makes of it, and reports that as its outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from engine.app.capability import check as check_capabilities
from engine.app.lower import lower
from engine.app.runtimes import check_runtimes
from engine.app.schema import check
from engine.contract.difference import compare
from engine.contract.kinds import KINDS
from engine.contract.operator import (
    Applied,
    Bid,
    Call,
    Children,
    Difference,
    Environment,
    Keep,
    Observed,
    Rendering,
    Undecided,
    View,
)
from engine.contract.platform import Grouping, Platform, Support
from engine.contract.resource import OUTPUTS, Resource, body
from engine.contract.value import Properties
from engine.diagnostics.diagnostic import Diagnostic, Severity, has_errors
from engine.diagnostics.suggest import nearest

_SERVED = frozenset(f"applications.core/{t}" for t in ("environments", "applications", "containers", "extenders"))


class Platforms(Protocol):
    """Where compute kinds come from."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds there are."""

    def platform(self, kind: str) -> Platform | None:
        """The platform of a kind."""


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
        """A container to its native parts; the others stay what they are."""
        match resource.type.lower().partition("/")[2]:
            case "containers":
                return self._container(resource, view)
            case "environments":
                return _with(self._environment(resource, view))
            case "extenders":
                return _with(_recipe(resource))
            case "applications":
                return self._application(resource, view)
            case _:
                return Keep()

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

    def _container(self, resource: Resource, view: View) -> Rendering:
        environment = view.environment
        if environment is None:
            message = f"'{resource.name}' belongs to no environment"
            help = "Name one with '-e', or give the container or its application the property 'environment'."
            return _with([Diagnostic("ULN311", Severity.ERROR, message, resource.origin, help=help)])
        if body(resource).get("resourceProvisioning") == "manual":
            return Keep()
        if environment.properties.get("simulated") is True:
            message = f"'{resource.name}' is not started: the environment '{environment.name}' is simulated"
            return _with([Diagnostic("ULN319", Severity.INFO, message, resource.origin)])
        platform = self.platforms.platform(environment.kind)
        if platform is None:
            return _with([_no_platform(resource, environment, self.platforms.kinds)])
        problems = list(check_runtimes(resource, environment, platform, self.platforms.kinds))
        lowered = lower(resource, view, platform)
        problems.extend(lowered.problems)
        if lowered.needs:
            return Undecided(lowered.needs)
        if lowered.workload is None:
            return _with(problems)
        problems.extend(check_capabilities(lowered.workload, platform))
        if has_errors(problems):
            return _with(problems)
        match platform.workload(lowered.workload, view):
            case Undecided() as undecided:
                return undecided
            case children:
                return children.replace(diagnostics=(*problems, *children.diagnostics), waits=lowered.waits)

    def _application(self, resource: Resource, view: View) -> Rendering:
        """What its containers share, where the platform makes something of it."""
        environment = view.environment
        platform = self.platforms.platform(environment.kind) if environment is not None else None
        problems = tuple(_other_extensions(resource, environment, platform))
        simulated = environment is not None and environment.properties.get("simulated") is True
        if simulated or not isinstance(platform, Grouping):
            return _with(problems)
        made = platform.application(resource, view)
        return made.replace(diagnostics=(*problems, *made.diagnostics)) if made.resources else _with(problems)

    def _environment(self, resource: Resource, view: View) -> Iterable[Diagnostic]:
        """Its compute kind must be there, and its block what the kind allows."""
        environment = view.environment
        if environment is None or not environment.kind:
            return ()
        platform = self.platforms.platform(environment.kind)
        if platform is None:
            return [_no_platform(resource, environment, self.platforms.kinds)]
        compute = body(resource).get("compute", {})
        wrong = check(compute, platform.environment_schema, f"'{resource.name}'", resource.origin, ("compute",))
        return [*wrong, *_other_extensions(resource, environment, platform)]


def _with(problems: Iterable[Diagnostic]) -> Rendering:
    found = tuple(problems)
    return Children((), {}, found) if found else Keep()


_EXTENSIONS = {"kubernetesNamespace": "kubernetes", "kubernetesMetadata": "kubernetes", "aci": "aci"}
"""The extensions of environments and applications, and the kind that each is for."""


def _other_extensions(
    resource: Resource, environment: Environment | None, platform: Platform | None
) -> Iterable[Diagnostic]:
    """Extensions that are for another kind, and that this one makes nothing of: ignored by design, and said to be."""
    extensions = body(resource).get("extensions")
    for extension in extensions if environment is not None and isinstance(extensions, list | tuple) else ():
        kind = extension.get("kind") if isinstance(extension, Mapping) else None
        capability = platform.capabilities.get(str(kind)) if platform is not None else None
        if capability is not None and capability.support is not Support.IGNORED:
            continue
        if environment is not None and _EXTENSIONS.get(str(kind), environment.kind) != environment.kind:
            message = f"'{resource.name}': the extension {kind} has no meaning on compute kind '{environment.kind}', and is ignored"
            yield Diagnostic("ULN319", Severity.INFO, message, resource.origin)


def _recipe(resource: Resource) -> list[Diagnostic]:
    """Recipes are not part of this engine yet; what is given by hand is."""
    properties = body(resource)
    if properties.get("resourceProvisioning") == "manual" or not (
        properties.get("recipe") or properties.get("resourceProvisioning") == "recipe"
    ):
        return []
    message = f"The extender '{resource.name}' asks for a recipe, and recipes cannot be run yet"
    help = "Set resourceProvisioning: 'manual', and give its properties and secrets."
    return [Diagnostic("ULN323", Severity.ERROR, message, resource.origin, help=help)]


def _no_platform(resource: Resource, environment: Environment, kinds: tuple[str, ...]) -> Diagnostic:
    message = f"No installed provider has the compute kind '{environment.kind}' of the environment '{environment.name}'"
    if environment.kind in kinds:
        message = f"The provider of the compute kind '{environment.kind}' of the environment '{environment.name}' cannot be used"
        return Diagnostic("ULN310", Severity.ERROR, message, resource.origin, help="Install it again, or update it.")
    near = nearest(environment.kind, kinds)
    have = f"Installed kinds: {', '.join(kinds) or 'none'}."
    if near is not None:
        return Diagnostic("ULN310", Severity.ERROR, message, resource.origin, help=f"Did you mean '{near}'?")
    wanted = f"Install the provider for it. {have}" if environment.kind in KINDS else have
    return Diagnostic("ULN310", Severity.ERROR, message, resource.origin, help=wanted)
