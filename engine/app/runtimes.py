"""The `runtimes` of a container: the block for this kind is checked and used, the others are passed over and said so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.app.schema import check
from engine.contract.kinds import KINDS
from engine.contract.operator import Environment
from engine.contract.platform import Blocks, Platform
from engine.contract.resource import Resource, body
from engine.contract.value import Properties
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place
from engine.diagnostics.suggest import nearest


def runtime_of(resource: Resource, kind: str) -> Properties | None:
    """The block for a kind; None if there is none, which is not the same as an empty one."""
    runtimes = body(resource).get("runtimes")
    block = runtimes.get(kind) if isinstance(runtimes, Mapping) else None
    return block if isinstance(block, Mapping) else None


def check_runtimes(
    resource: Resource, environment: Environment, platform: Platform, installed: Iterable[str]
) -> Iterator[Diagnostic]:
    """What is wrong in the matching block, and what is passed over."""
    runtimes = body(resource).get("runtimes")
    kinds = {*KINDS, *installed}
    for key, block in runtimes.items() if isinstance(runtimes, Mapping) else ():
        if key == environment.kind:
            schema = _schema(resource, platform)
            if schema is not None:
                yield from check(block, schema, f"'{resource.name}'", resource.origin, ("runtimes", key))
        elif key in kinds:
            message = f"'{resource.name}': runtimes.{key} is ignored, the environment '{environment.name}' is of kind '{environment.kind}'"
            yield Diagnostic("ULN315", Severity.INFO, message, place(resource.origin, ("runtimes", key)))
        else:
            near = nearest(key, kinds)
            message = f"'{resource.name}': runtimes.{key} is ignored, there is no compute kind '{key}'"
            help = f"Did you mean '{near}'?" if near else f"Compute kinds: {', '.join(sorted(kinds))}."
            where = place(resource.origin, ("runtimes", key))
            yield Diagnostic("ULN316", Severity.WARNING, message, where, help=help)


def _schema(resource: Resource, platform: Platform) -> Mapping[str, Any] | None:
    """What the block may hold: that of a container is always known, that of a gateway or volume if the platform says so."""
    type = resource.type.rpartition("/")[2].lower()
    if type == "containers":
        return platform.runtime_schema
    return platform.block_schema(type) if isinstance(platform, Blocks) else None
