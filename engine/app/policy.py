"""What an environment forbids those who deploy to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.app.lowered import Part
from engine.app.runtimes import runtime_of
from engine.contract.app import Gateway, Workload
from engine.contract.operator import Environment
from engine.contract.resource import Resource
from engine.contract.value import Leaf, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import Path, place


def forbidden(part: Part, environment: Environment) -> Iterator[Diagnostic]:
    """What in it the policy of the environment does not allow."""
    for what, help, *path in _broken(part, _policy(environment)):
        yield _diagnostic(part.resource, what, help, environment, tuple(path))


def forbidden_blocks(resource: Resource, environment: Environment) -> Iterator[Diagnostic]:
    """The block for the kind of the environment, where it allows none; as the resource is written, before any overlay."""
    kind = environment.kind
    if _policy(environment).get("runtimes") == "forbid" and runtime_of(resource, kind) is not None:
        help = "Remove the block, or ask those who own the environment to set it in their overlay."
        yield _diagnostic(resource, f"runtimes.{kind}", help, environment, ("runtimes", kind))


def _policy(environment: Environment) -> Mapping[str, Any]:
    policy = environment.properties.get("policy")
    return policy if isinstance(policy, Mapping) else {}


def _broken(part: Part, policy: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    if isinstance(part, Gateway):
        allowed = policy.get("gateways")
        if allowed == "forbid":
            yield "gateways", "Remove it, or deploy to another environment."
        elif allowed == "internal" and not part.internal:
            yield "gateways that are not internal", "Add 'internal: true'.", "internal"
    if isinstance(part, Workload):
        yield from _images(part, policy.get("images"))
        most = policy.get("maxReplicas")
        asked = max(part.replicas, part.autoscale.maximum if part.autoscale is not None else 0)
        if isinstance(most, int) and asked > most:
            yield (
                f"more than {most} replicas of a container, and {asked} are asked for",
                f"Ask for {most} at most.",
                "extensions",
            )


def _images(workload: Workload, allowed: Value) -> Iterator[tuple[str, ...]]:
    if not isinstance(allowed, list | tuple) or not allowed or any(isinstance(a, Leaf) for a in allowed):
        return  # nothing is asked, or it is not known what
    help = f"Images must begin with {' or '.join(repr(a) for a in allowed)}."
    for container in workload.containers:
        if container.image is None:
            continue
        if not isinstance(container.image, str):
            yield f"the image of '{container.name}', which is not known before the deployment", help, "container"
        elif not any(name.startswith(a) for name in _names(container.image) for a in allowed):
            yield f"the image '{container.image}'", help, "container", "image"


def _names(image: str) -> tuple[str, ...]:
    """An image as it is written, and as it is meant: `redis` is `docker.io/library/redis`."""
    first, slash, _ = image.partition("/")
    if slash and (first == "localhost" or "." in first or ":" in first):
        return (image,)
    return image, f"docker.io/{image}" if slash else f"docker.io/library/{image}"


def _diagnostic(resource: Resource, what: str, help: str, environment: Environment, path: Path) -> Diagnostic:
    message = f"'{resource.name}': the policy of the environment '{environment.name}' does not allow {what}"
    return Diagnostic("ULN331", Severity.ERROR, message, place(resource.origin, path), help=help)
