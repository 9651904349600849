"""ARM's expressions in fewer words: `concat` and `format` become one text with holes, whatever their nesting."""

from __future__ import annotations

import re
from typing import cast

from engine.parse.arm import Call, Expression, Index, Literal, Member, parse_expression
from engine.record import Record

__all__ = ["Call", "Index", "Joined", "Literal", "Member", "Node"]  # the nodes, ARM's and ours


class Joined(Record):
    """A text: literal pieces and values in turn."""

    parts: tuple[str | Node, ...]


Node = Expression | Joined


# ARM's own nodes hold joined texts as well; their types do not know it.


def call(name: str, arguments: tuple[Node, ...]) -> Call:
    """A call of simplified arguments."""
    return Call(name, cast("tuple[Expression, ...]", arguments))


def member(base: Node, name: str) -> Member:
    """A member of a simplified base."""
    return Member(cast("Expression", base), name)


def index(base: Node, place: Node) -> Index:
    """A place of a simplified base."""
    return Index(cast("Expression", base), cast("Expression", place))


_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\d+)\}|[{}]")


def read(text: str) -> Node | None:
    """The expression of a JSON string, simplified; None for a plain text."""
    if not (text.startswith("[") and text.endswith("]")) or text.startswith("[["):
        return None
    return simplify(parse_expression(text[1:-1]))


def plain(text: str) -> str:
    """What a plain JSON string says: its first bracket may be doubled."""
    return text[1:] if text.startswith("[[") else text


def simplify(node: Node) -> Node:
    """The same value, said more shortly."""
    match node:
        case Call(name, arguments):
            simple = tuple(simplify(a) for a in arguments)
            match name.lower():
                case "concat":
                    return _concat(name, simple)
                case "format" if simple and isinstance(simple[0], Literal) and isinstance(simple[0].value, str):
                    return _format(name, simple[0].value, simple[1:])
            return call(name, simple)
        case Member(base, name):
            return member(simplify(base), name)
        case Index(base, place):
            inner = simplify(place)
            if isinstance(inner, Literal) and isinstance(inner.value, str) and inner.value.isidentifier():
                return member(simplify(base), inner.value)
            return index(simplify(base), inner)
        case _:
            return node


def _concat(name: str, arguments: tuple[Node, ...]) -> Node:
    """A text if one of the arguments is one; else it may as well join arrays."""
    if any(is_text(a) for a in arguments) and all(map(_fits_a_hole, arguments)):
        return join(arguments)
    return call(name, arguments)


def _fits_a_hole(node: Node) -> bool:
    """Whether it can stand inside a string, where there is no room for arrays and objects."""
    return not any(isinstance(n, Call) and n.name.lower() in ("createarray", "createobject") for n in walk(node))


def _format(name: str, pattern: str, arguments: tuple[Node, ...]) -> Node:
    parts: list[str | Node] = []
    at = 0
    for match in _PLACEHOLDER.finditer(pattern):
        parts.append(pattern[at : match.start()])
        at = match.end()
        if match[1] is not None:
            if int(match[1]) >= len(arguments):
                return call(name, (Literal(pattern), *arguments))
            argument = arguments[int(match[1])]
            if not _fits_a_hole(argument):
                return call(name, (Literal(pattern), *arguments))
            parts.append(argument)
        elif match[0] in ("{{", "}}"):
            parts.append(match[0][0])
        else:  # a form of its own, such as {0:D2}
            return call(name, (Literal(pattern), *arguments))
    return join((*parts, pattern[at:]))


def join(parts: tuple[str | Node, ...]) -> Node:
    """Pieces as one text: neighbours are merged, and what is one value alone is that value."""
    merged: list[str | Node] = []
    for part in _flat(parts):
        if isinstance(part, str) and merged and isinstance(last := merged[-1], str):
            merged[-1] = last + part
        elif part != "":
            merged.append(part)
    if not merged:
        return Literal("")
    if len(merged) == 1:
        return Literal(only) if isinstance(only := merged[0], str) else only
    return Joined(tuple(merged))


def _flat(parts: tuple[str | Node, ...]) -> list[str | Node]:
    flat: list[str | Node] = []
    for part in parts:
        if isinstance(part, Joined):
            flat += _flat(part.parts)
        elif isinstance(part, Literal):
            flat.append(str(part.value))
        else:
            flat.append(part)
    return flat


def parts_of(node: Node) -> tuple[str | Node, ...]:
    """The pieces of a text, or the one value it is."""
    match node:
        case Joined(parts):
            return parts
        case Literal(value):
            return (str(value),)
        case _:
            return (node,)


def unsplit(node: Node) -> Node:
    """A name told without what it was split off: `split('a/b', '/')[1]` is `b`, and all pieces of a text are the text."""
    parts = parts_of(node)
    told: list[str | Node] = []
    at = 0
    while at < len(parts):
        part, end = parts[at], at + 1
        if not isinstance(part, str) and (cut := _cut(part)) is not None:
            text, place = cut
            found = pieces(text)
            if len(found) > 1:
                part = found[place] if place < len(found) else part
            elif place == 0:
                while parts[end : end + 1] == ("/",) and _is_cut(parts[end + 1 : end + 2], text, (end - at + 1) // 2):
                    end += 2
                part = text if end > at + 1 else part
        told.append(part)
        at = end
    return join(tuple(told))


def _cut(node: Node) -> tuple[Node, int] | None:
    """The text and the place of `split(text, '/')[place]`."""
    match node:
        case Index(Call(name, (text, Literal("/"))), Literal(int(place))) if name.lower() == "split" and place >= 0:
            return text, place
        case _:
            return None


def _is_cut(parts: tuple[str | Node, ...], text: Node, place: int) -> bool:
    cut = None if not parts or isinstance(parts[0], str) else _cut(parts[0])
    return cut is not None and cut[1] == place and key(cut[0]) == key(text)


def pieces(text: Node) -> list[Node]:
    """What stands between the slashes of a text."""
    found: list[list[str | Node]] = [[]]
    for part in parts_of(text):
        first, *more = part.split("/") if isinstance(part, str) else (part,)
        found[-1].append(first)
        found += [[piece] for piece in more]
    return [join(tuple(piece)) for piece in found]


def is_text(node: Node) -> bool:
    """Whether it can only be a string."""
    return isinstance(node, Joined) or (isinstance(node, Literal) and isinstance(node.value, str))


def key(node: Node) -> str:
    """A text that is the same for expressions that mean the same, whatever their letters' case."""
    match node:
        case Literal(value):
            return str(value).lower()
        case Joined(parts):
            return "".join(p.lower() if isinstance(p, str) else f"${{{key(p)}}}" for p in parts)
        case Call(name, arguments):
            inner = ",".join(key(a) for a in arguments)
            return f"{name.lower()}({inner})"
        case Member(base, name):
            return f"{key(base)}.{name.lower()}"
        case Index(base, index):
            return f"{key(base)}[{key(index)}]"


def whole(node: Node) -> str:
    """The key of a text that a name may be part of: a single value stands in a hole as well."""
    return key(node) if is_text(node) else f"${{{key(node)}}}"


def walk(node: Node) -> list[Node]:
    """The expression and all below it, parents first."""
    found: list[Node] = [node]
    match node:
        case Joined(parts):
            for part in parts:
                found += [] if isinstance(part, str) else walk(part)
        case Call(_, arguments):
            for argument in arguments:
                found += walk(argument)
        case Member(base, _):
            found += walk(base)
        case Index(base, index):
            found += [*walk(base), *walk(index)]
        case Literal():
            pass
    return found
