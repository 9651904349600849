"""The `runtimes` of a container: the block for this kind is checked and used, the others are passed over and said so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.app.schema import check
from engine.contract.difference import dotted
from engine.contract.kinds import KINDS
from engine.contract.operator import Environment
from engine.contract.platform import Blocks, Platform
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value
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
    """What is wrong in the matching block of a resource, and what is passed over."""
    schema = block_schema(resource.type, platform)
    yield from check_blocks(body(resource).get("runtimes"), schema, resource, ("runtimes",), environment, installed)


def check_blocks(
    runtimes: Value,
    schema: Mapping[str, Any] | None,
    resource: Resource,
    path: tuple[str, ...],
    environment: Environment,
    installed: Iterable[str],
) -> Iterator[Diagnostic]:
    """The same of blocks that stand at a path in a resource; `schema` is that of the environment's kind."""
    kinds = {*KINDS, *installed}
    for key, block in runtimes.items() if isinstance(runtimes, Mapping) else ():
        here = (*path, key)
        if key == environment.kind:
            if schema is not None:
                yield from check(block, schema, f"'{resource.name}'", resource.origin, here)
            continue
        words = f"'{resource.name}': {dotted(here)} is ignored"
        if key in kinds:
            message = f"{words}, the environment '{environment.name}' is of kind '{environment.kind}'"
            yield Diagnostic("ULN315", Severity.INFO, message, place(resource.origin, here))
        else:
            near = nearest(key, kinds)
            help = f"Did you mean '{near}'?" if near else f"Compute kinds: {', '.join(sorted(kinds))}."
            message = f"{words}, there is no compute kind '{key}'"
            yield Diagnostic("ULN316", Severity.WARNING, message, place(resource.origin, here), help=help)


def block_schema(type: str, platform: Platform) -> Mapping[str, Any] | None:
    """What the block may hold: that of a container is always known, that of a gateway or volume if the platform says so."""
    type = type.rpartition("/")[2].lower()
    if type == "containers":
        return platform.runtime_schema
    return platform.block_schema(type) if isinstance(platform, Blocks) else None
