"""Names of resources: their own, their parents', and those that the compiler makes up for modules."""

from __future__ import annotations

from engine.build.emit.declared import Declared
from engine.build.emit.loops import inside
from engine.build.emit.text import call, quote
from engine.build.emit.unit import NO_LOCALS, Locals, Unit
from engine.build.emit.uses import target

_LONGEST = 64
"""A deployment's name may be no longer."""


def seen(unit: Unit, each: Declared, at: str | None) -> Locals:
    """The locals in which the body of a resource is read, seen at an index of its loop."""
    if each.loop is None or at is None:
        return NO_LOCALS
    return {**inside(unit, each.loop, at, NO_LOCALS), each.symbol: at}


def parent_of(unit: Unit, each: Declared, locals: Locals) -> tuple[Declared, Locals] | None:
    """The resource that this one is a child of: the one around it, or what `parent` names."""
    if each.enclosing is not None:
        return each.enclosing, NO_LOCALS
    node = each.properties.get("parent")
    if node is None or (picked := target(unit, node)) is None or picked[0] is each.symbol:
        return None
    symbol, at = picked
    return unit.declared[symbol], seen(unit, unit.declared[symbol], None if at is None else unit.text(at, locals))


def name_of(unit: Unit, each: Declared, locals: Locals) -> str:
    """Its own name, as text: as declared, or made up."""
    node = each.properties.get("name")
    if node is not None:
        return unit.text(node, locals)
    return made_up(each, locals) if each.module else "''"


def made_up(each: Declared, locals: Locals) -> str:
    """The name of a module that declares none: unique for the deployment that it is a part of."""
    unique = f"uniqueString({quote(each.symbol.name)}, deployment().name)"
    if each.loop is None:
        return call("format", quote(f"{each.symbol.name[: _LONGEST - 14]}-{{0}}"), unique)
    at = locals.get(each.symbol, "copyIndex()")
    return call("format", quote(f"{each.symbol.name[: _LONGEST - 18]}-{{0}}-{{1}}"), at, unique)


def name_segments(unit: Unit, each: Declared, locals: Locals) -> list[str]:
    """The names that identify it, one for each part of its type: its parents' first."""
    own = name_of(unit, each, locals)
    if (parent := parent_of(unit, each, locals)) is not None:
        return [*name_segments(unit, *parent), own]
    if each.segments > 1 and each.extension is None:
        return [f"split({own}, '/')[{place}]" for place in range(each.segments)]
    return [own]


def full_name(unit: Unit, each: Declared, locals: Locals) -> str | None:
    """The name that ARM wants of a child, `format('{0}/{1}', parent, child)`; None for what has no parent."""
    if parent_of(unit, each, locals) is None:
        return None
    names = name_segments(unit, each, locals)
    return call("format", quote("/".join(f"{{{place}}}" for place in range(len(names)))), *names)
