"""What is wrong around a resource: no environment, no platform for its kind, a part that the platform has not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.app.extensions import extensions_of, reserved
from engine.contract.kinds import KINDS
from engine.contract.operator import Environment
from engine.contract.platform import Capability, Platform, Support
from engine.contract.resource import Resource, body
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.suggest import nearest


def homeless(resource: Resource) -> Diagnostic:
    """That a resource belongs to no environment."""
    message = f"'{resource.name}' belongs to no environment"
    what = resource.type.rpartition("/")[2].removesuffix("s")
    help = f"Name one with '-e', or give the {what} or its application the property 'environment'."
    return Diagnostic("ULN311", Severity.ERROR, message, resource.origin, help=help)


def simulated(resource: Resource, environment: Environment) -> Diagnostic:
    """That nothing is made of it, by the environment's own wish."""
    verb = "started" if resource.type.lower().endswith("/containers") else "made"
    message = f"'{resource.name}' is not {verb}: the environment '{environment.name}' is simulated"
    return Diagnostic("ULN319", Severity.INFO, message, resource.origin)


def is_simulated(environment: Environment | None) -> bool:
    """Whether an environment makes nothing."""
    return environment is not None and environment.properties.get("simulated") is True


def no_platform(resource: Resource, environment: Environment, kinds: tuple[str, ...]) -> Diagnostic:
    """That the kind of an environment has no platform here."""
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


def lacking(resource: Resource, platform: Platform, key: str, what: str) -> Diagnostic:
    """That a platform has no such thing at all, with what its table says to do instead."""
    cell = platform.capabilities.get(key, Capability(Support.UNSUPPORTED))
    message = f"'{resource.name}': {what} is not supported on compute kind '{platform.kind}'"
    if cell.effect and cell.support is Support.UNSUPPORTED:
        message += f": {cell.effect}"
    help = cell.alternative or "Remove it, or deploy to an environment of another kind."
    return Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help)


_EXTENSIONS: Mapping[str, str] = {
    "kubernetesNamespace": "kubernetes",
    "kubernetesMetadata": "kubernetes",
    "aci": "aci",
}
"""The extensions of environments and applications, and the kind that each is for."""


def other_extensions(
    resource: Resource, environment: Environment | None, platform: Platform | None
) -> Iterator[Diagnostic]:
    """Extensions that are for another kind, and that this one makes nothing of: ignored by design, and said to be."""
    if environment is None:
        return
    yield from reserved(resource)
    for extension in extensions_of(body(resource)):
        kind = str(extension.get("kind"))
        capability = platform.capabilities.get(kind) if platform is not None else None
        if capability is not None and capability.support is not Support.IGNORED:
            continue
        if _EXTENSIONS.get(kind, environment.kind) != environment.kind:
            message = f"'{resource.name}': the extension {kind} has no meaning on compute kind '{environment.kind}', and is ignored"
            yield Diagnostic("ULN319", Severity.INFO, message, resource.origin)


def extender_recipe(resource: Resource) -> Iterable[Diagnostic]:
    """Recipes are not part of this engine yet; what is given by hand is."""
    properties = body(resource)
    if properties.get("resourceProvisioning") == "manual" or not (
        properties.get("recipe") or properties.get("resourceProvisioning") == "recipe"
    ):
        return ()
    message = f"The extender '{resource.name}' asks for a recipe, and recipes cannot be run yet"
    help = "Set resourceProvisioning: 'manual', and give its properties and secrets."
    return (Diagnostic("ULN323", Severity.ERROR, message, resource.origin, help=help),)
