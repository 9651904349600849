"""The fixes of the language's own findings: what is missing is written, what may be null is said not to be."""

from __future__ import annotations

from collections.abc import Iterable

from engine.check.types import ArrayType, BoolType, IntType, ObjectType, StringLiteral, Type, members_of, show
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.diagnostics.source import Span
from engine.parse import tree


def certain(node: tree.Node) -> Fix:
    """Says of a value that it is not null."""
    loose = isinstance(node, tree.Binary | tree.Ternary | tree.Unary | tree.Lambda)
    edits = (_insert(node.start, "("), _insert(node.end, ")!")) if loose else (_insert(node.end, "!"),)
    return Fix("Say that it is not null", edits, Safety.SUGGESTED)


def certain_before(offset: int) -> Fix:
    """The same of what stands before a dot or bracket."""
    return Fix("Say that it is not null", (_insert(offset, "!"),), Safety.SUGGESTED)


def rename(name: tree.Node, better: str) -> Fix:
    """Writes another name."""
    return Fix(f"Write {better}", (Edit(name.span, better),), Safety.UNSAFE)


def complete(text: str, body: tree.Object, missing: Iterable[tuple[str, Type]]) -> Fix:
    """Adds the properties that are missing, each with the plainest value of its type, to be filled in by a person."""
    each = [f"{_key(name)}: {plainest(type)}" for name, type in missing]
    last = body.members[-1].end if body.members else body.start + 1
    line = text.rfind("\n", 0, body.start) + 1
    indent = text[line : len(text) - len(text[line:].lstrip(" \t"))]
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = "".join(f"{newline}{indent}  {added}" for added in each)
    end = text.find(newline, last, body.end)
    if end >= 0:  # behind what is said of the last one
        edit = _insert(end, lines)
    elif body.members:
        edit = _insert(last, "".join(f", {added}" for added in each))
    else:
        edit = Edit(
            Span(last, last if text[last : body.end - 1].strip() else body.end - 1), f"{lines}{newline}{indent}"
        )
    return Fix("Add what is missing", (edit,), Safety.SUGGESTED)


def plainest(type: Type) -> str:
    """The plainest value of a type, as it is written."""
    first = members_of(type)[0]
    match first:
        case StringLiteral():
            return show(first)
        case IntType():
            return "0"
        case BoolType():
            return "false"
        case ArrayType():
            return "[]"
        case ObjectType():
            return "{}"
        case _:
            literal = show(first)
            return literal if literal in ("true", "false") or literal.lstrip("-").isdigit() else "''"


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else f"'{name}'"


def _insert(at: int, text: str) -> Edit:
    return Edit(Span(at, at), text)
