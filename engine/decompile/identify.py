"""Which resource of the template an id, a name or a loop means, and which of a loop's."""

from __future__ import annotations

import re

from engine.decompile.scope import Known, Scope
from engine.decompile.simplify import (
    Call,
    Index,
    Joined,
    Literal,
    Member,
    Node,
    call,
    join,
    key,
    parts_of,
    read,
    unsplit,
    whole,
)
from engine.parse.arm import ExpressionError
from engine.record import Record

_IDS = {
    "resourceid": 2, "subscriptionresourceid": 1, "managementgroupresourceid": 1, "tenantresourceid": 0, "extensionresourceid": 1,
}  # fmt: skip
"""The functions that give ids, and how many arguments may stand before the type."""

_INDEXED = re.compile(r"(\w+)\[(\d+)\]")


class Found(Record):
    """A resource; `index` is which one of its loop is meant, None for all of them or where there is no loop."""

    known: Known
    index: Node | None = None


class Id(Record):
    """What a function that gives an id is told: what comes before the type, the type, the name with its slashes; and which it is."""

    before: tuple[Node, ...]
    type: str
    name: Node
    function: str


def id_of(node: Node) -> Id | None:
    """The parts of an id, if it is the call of a function that gives one."""
    if not isinstance(node, Call) or (most := _IDS.get(node.name.lower())) is None:
        return None
    for place, argument in enumerate(node.arguments[: most + 1]):
        if isinstance(argument, Literal) and isinstance(argument.value, str) and "/" in argument.value:
            return Id(
                node.arguments[:place],
                argument.value.strip("/"),
                slashed(node.arguments[place + 1 :]),
                node.name.lower(),
            )
    return None


def slashed(names: tuple[Node, ...]) -> Node:
    """Names below each other as one."""
    return unsplit(join(tuple(part for name in names for part in ("/", name))[1:]))


def find(scope: Scope, node: Node) -> Found | None:
    """What a value of `dependsOn`, `scope` or `reference` names: by id, by type and name, by name, by its symbol or loop."""
    if scope.blind:
        return None
    if (parts := id_of(node)) is not None:
        return _chosen(scope, parts.type.lower(), parts.name, parts.before)
    match node:
        case Literal(str(text)):
            if (found := _symbolic(scope, text)) is not None:
                return found
        case Joined((str(first), place, "]")) if not isinstance(place, str) and first.endswith("["):
            known = scope.symbols.get(first[:-1].lower())
            if known is not None and known.copy is not None:
                return Found(known, place)
        case _:
            pass
    if (told := _held(scope, node)) is not None and (found := find(scope, told)) is not None:
        return found
    alike = scope.named.get(whole(node), [])
    if len(alike) == 1:
        return Found(alike[0])
    return None if alike else _typed(scope, node)


def _held(scope: Scope, node: Node) -> Node | None:
    """The id that a variable holds."""
    match node:
        case Call(name, (Literal(str(variable)),)) if name.lower() == "variables":
            value = scope.values.get(f"variables({variable.lower()})")
            try:
                inner = read(value) if isinstance(value, str) else None
            except ExpressionError:  # it is refused where it stands
                return None
            return inner if inner is not None and id_of(inner) is not None else None
        case _:
            return None


def _symbolic(scope: Scope, text: str) -> Found | None:
    """By a symbol of the template itself, or by the name of a loop."""
    if text.lower() in scope.symbols:
        return Found(scope.symbols[text.lower()])
    if (match := _INDEXED.fullmatch(text)) and match[1].lower() in scope.symbols:
        return Found(scope.symbols[match[1].lower()], Literal(int(match[2])))
    looped = (r for r in scope.resources if r.copy is not None and r.copy.lower() == text.lower())
    return next((Found(known) for known in looped), None)


def _typed(scope: Scope, node: Node) -> Found | None:
    """By `Type/of/it/name`, for one of a loop."""
    pieces = parts_of(node)
    if not pieces or not isinstance(first := pieces[0], str):
        return None
    for type in sorted(scope.loop_types):
        if first.lower().startswith(f"{type}/"):
            return _chosen(scope, type, join((first[len(type) + 1 :], *pieces[1:])), ())
    return None


def _chosen(scope: Scope, type: str, name: Node, before: tuple[Node, ...]) -> Found | None:
    """The resource of a type and name; of several, the first that is where the id says."""
    found = [Found(known) for known in scope.named.get(f"{type}/{whole(name)}", []) if known.type.lower() == type]
    if not found:
        for known in scope.looped(type):
            if (index := which(known, name)) is not None:
                found.append(Found(known, index))
    if len(found) > 1:
        found = [f for f in found if _is_there(f.known, before)] or found
    return found[0] if found else None


def _is_there(known: Known, before: tuple[Node, ...]) -> bool:
    """Whether what stands before the type of an id tells where the resource goes."""
    said = [known.value.get(name) for name in ("resourcegroup", "subscriptionid", "scope")]
    told = " ".join(key(node) for node in before)
    return all(str(text).strip("[]").lower() in told for text in said if text) if any(said) else not before


# ---------------------------------------------------------------- which of a loop


def which(known: Known, name: Node) -> Node | None:
    """The index at which a resource of a loop has this name."""
    bound: list[Node] = []
    if not _same(known.name, name, bound) or not bound:
        return None
    return bound[0] if all(key(other) == key(bound[0]) for other in bound) else None


def _same(pattern: Node, node: Node, bound: list[Node]) -> bool:
    """Whether a pattern with `copyIndex()` is this expression; `bound` takes what stands for each index."""
    match pattern:
        case Call(name, arguments) if name.lower() == "copyindex":
            offset = next((a for a in arguments if not (isinstance(a, Literal) and isinstance(a.value, str))), None)
            bound.append(_without(node, offset))
            return True
        case Call(name, arguments):
            return (
                isinstance(node, Call)
                and node.name.lower() == name.lower()
                and len(node.arguments) == len(arguments)
                and all(_same(p, n, bound) for p, n in zip(arguments, node.arguments, strict=True))
            )
        case Member(base, name):
            return isinstance(node, Member) and node.name.lower() == name.lower() and _same(base, node.base, bound)
        case Index(base, place):
            return isinstance(node, Index) and _same(base, node.base, bound) and _same(place, node.index, bound)
        case Joined():
            return _same_text(list(pattern.parts), list(parts_of(node)), bound)
        case Literal():
            return key(pattern) == key(node)


def _same_text(pattern: list[str | Node], parts: list[str | Node], bound: list[Node]) -> bool:
    """The same for texts; an index that is a number is part of the text around it."""
    while pattern:
        if not parts:
            return False
        wanted, part = pattern.pop(0), parts.pop(0)
        match wanted, part:
            case str(), str():
                if not part.lower().startswith(wanted.lower()):
                    return False
                if rest := part[len(wanted) :]:
                    parts.insert(0, rest)
            case Call(name, _), str(text) if name.lower() == "copyindex":
                digits = re.match(r"\d+", text)
                if digits is None or not _same(wanted, Literal(int(digits[0])), bound):
                    return False
                if rest := text[digits.end() :]:
                    parts.insert(0, rest)
            case _:
                if isinstance(wanted, str) or isinstance(part, str) or not _same(wanted, part, bound):
                    return False
    return not parts


def _without(node: Node, offset: Node | None) -> Node:
    """The index that comes to this with the offset added."""
    if offset is None:
        return node
    match node, offset:
        case Call(name, arguments), _ if name.lower() in ("copyindex", "add") and key(offset) in map(key, arguments):
            rest = tuple(a for a in arguments if key(a) != key(offset))
            return rest[0] if name.lower() == "add" and len(rest) == 1 else call(name, rest)
        case Literal(int(number)), Literal(int(added)):
            return Literal(number - added)
        case _:
            return call("sub", (node, offset))
