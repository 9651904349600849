"""Colours by meaning: what a parameter is, what a type, what a function, whatever it looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.check.model import Model
from engine.check.symbols import Kind
from engine.check.types import AMBIENT
from engine.lsp.analysis import Analysis
from engine.parse import tree
from engine.parse.tree import File

TYPES = (
    "namespace", "type", "parameter", "variable", "property", "function", "decorator", "keyword", "comment", "string",
    "number", "operator", "class", "macro",
)  # fmt: skip
MODIFIERS = ("declaration", "readonly", "defaultLibrary")
_NUMBERS = {name: number for number, name in enumerate(TYPES)}
_BITS = {name: 1 << number for number, name in enumerate(MODIFIERS)}

_LONG = ("comment", "string")
"""What can go over the ends of lines."""

Token = tuple[int, int, str, tuple[str, ...]]
"""Start and end, one of `TYPES`, and some of `MODIFIERS`."""

_KINDS = {
    Kind.PARAM: "parameter",
    Kind.TYPE: "type",
    Kind.FUNC: "function",
    Kind.RESOURCE: "class",
    Kind.MODULE: "class",
    Kind.TEST: "class",
    Kind.NAMESPACE: "namespace",
    Kind.WILDCARD: "namespace",
    Kind.EXTENSION: "namespace",
    Kind.FUNC_PARAMETER: "parameter",
    Kind.LAMBDA_PARAMETER: "parameter",
}


def tokens(analysis: Analysis) -> list[Token]:
    """The coloured stretches in order; none overlaps another or goes over the end of a line."""
    found: dict[int, Token] = {}
    for token in (*_names(analysis), *_nodes(analysis.model), *_trivia(analysis.file)):
        if token[1] > token[0]:
            found.setdefault(token[0], token)
    lines: list[Token] = []
    end = 0
    for start in sorted(found):
        token = found[start]
        if start >= end:
            if token[2] in _LONG:
                lines += _by_line(analysis.text, token)
            else:
                lines.append(token)
            end = token[1]
    return lines


def numbers(analysis: Analysis) -> list[int]:
    """The tokens as the protocol has them: five numbers each, relative to the one before."""
    data: list[int] = []
    before_line = before_column = line = 0
    positions, starts = analysis.positions, analysis.model.source.starts
    for start, end, type, modifiers in tokens(analysis):
        while line + 1 < len(starts) and starts[line + 1] <= start:
            line += 1
        column = positions.length(starts[line], start)
        data += (
            line - before_line,
            column - before_column if line == before_line else column,
            positions.length(start, end),
            _NUMBERS[type],
            sum(map(_BITS.__getitem__, modifiers)),
        )
        before_line, before_column = line, column
    return data


def _names(analysis: Analysis) -> Iterator[Token]:
    for o in analysis.occurrences:
        kind = _KINDS.get(o.symbol.kind, "variable")
        yield o.start, o.end, kind, ("declaration",) if o.declares else ()
    calls: list[tree.Call | tree.MethodCall] = [
        *analysis.model.nodes(tree.Call),
        *analysis.model.nodes(tree.MethodCall),
    ]
    for node in calls:
        if analysis.model.builtin(node) is not None:
            yield node.name.start, node.name.end, "function", ("defaultLibrary",)


def _nodes(model: Model) -> Iterator[Token]:
    for kind, paint in _PAINTS.items():
        for node in model.nodes(kind):
            yield from paint(node)


def _decorator(node: tree.Decorator) -> Iterator[Token]:
    yield node.start, node.start + 1, "decorator", ()
    if isinstance(node.expression, tree.Name):
        yield node.expression.start, node.expression.end, "decorator", ()


def _name(node: tree.Name) -> Iterator[Token]:
    if node.text in AMBIENT:
        yield node.start, node.end, "type", ("defaultLibrary",)


def _key(node: tree.Property | tree.TypeProperty) -> Iterator[Token]:
    if node.key is not None:
        yield node.key.start, node.key.end, "property", ()


def _string(node: tree.Text) -> Iterator[Token]:
    """The text around the holes, with the marks that open and close them."""
    at = node.start
    for hole in node.holes:
        yield at, hole.start, "string", ()
        at = hole.end
    yield at, node.end, "string", ()


def _whole(type: str) -> Callable[[Any], Iterable[Token]]:
    """Of one colour from start to end."""
    return lambda node: ((node.start, node.end, type, ()),)


# A key that is a text is a key: of two that begin at one place, the first counts.
_PAINTS: dict[type[tree.Node], Callable[[Any], Iterable[Token]]] = {
    **dict.fromkeys(tree.Statement.__subclasses__(), lambda node: _whole("keyword")(node.keyword)),
    tree.Decorator: _decorator,
    tree.Property: _key,
    tree.TypeProperty: _key,
    tree.Member: lambda node: _whole("property")(node.name),
    tree.MethodCall: lambda node: _whole("function")(node.name),
    tree.Text: _string,
    tree.Integer: _whole("number"),
    tree.Boolean: _whole("keyword"),
    tree.Null: _whole("keyword"),
    tree.Name: _name,
    tree.Binary: lambda node: ((node.operator_start, node.operator_start + len(node.operator), "operator", ()),),
}


def _trivia(file: File) -> Iterator[Token]:
    for comment in file.comments:
        yield comment.start, comment.end, "comment", ()
    for pragma in file.pragmas:
        yield pragma.start, pragma.end, "macro", ()


def _by_line(text: str, token: Token) -> Iterator[Token]:
    start, end, type, modifiers = token
    at = start
    for line in text[start:end].splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        if bare:
            yield at, at + len(bare), type, modifiers
        at += len(line)
