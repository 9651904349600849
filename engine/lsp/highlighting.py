"""Colours by meaning: what a parameter is, what a type, what a function, whatever it looks like."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.symbols import Kind
from engine.lsp.analysis import Analysis
from engine.parse import tree
from engine.parse.tree import File

TYPES = (
    "namespace", "type", "parameter", "variable", "property", "function", "decorator", "keyword", "comment", "string",
    "number", "operator", "class", "macro",
)  # fmt: skip
MODIFIERS = ("declaration", "readonly", "defaultLibrary")

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
    for token in (*_names(analysis), *_nodes(analysis.file), *_trivia(analysis.file)):
        if token[1] > token[0]:
            found.setdefault(token[0], token)
    lines: list[Token] = []
    end = 0
    for start in sorted(found):
        token = found[start]
        if start >= end:
            lines += _by_line(analysis.text, token)
            end = token[1]
    return lines


def numbers(analysis: Analysis) -> list[int]:
    """The tokens as the protocol has them: five numbers each, relative to the one before."""
    data: list[int] = []
    before_line = before_column = 0
    positions = analysis.positions
    for start, end, type, modifiers in tokens(analysis):
        line, column = positions.position(start)
        data += (
            line - before_line,
            column - before_column if line == before_line else column,
            positions.length(start, end),
            TYPES.index(type),
            sum(1 << MODIFIERS.index(m) for m in modifiers),
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


def _nodes(file: File) -> Iterator[Token]:
    for node in tree.walk(file):
        match node:
            case tree.Decorator(start=start, expression=expression):
                yield start, start + 1, "decorator", ()
                if isinstance(expression, tree.Name):
                    yield expression.start, expression.end, "decorator", ()
            case tree.Statement(keyword=keyword):
                yield keyword.start, keyword.end, "keyword", ()
            case tree.Property(key=key):
                yield key.start, key.end, "property", ()
            case tree.TypeProperty(key=key) if key is not None:
                yield key.start, key.end, "property", ()
            case tree.Member(name=name) | tree.MethodCall(name=name):
                yield name.start, name.end, "property" if isinstance(node, tree.Member) else "function", ()
            case tree.Text():
                yield from _string(node)
            case tree.Integer():
                yield node.start, node.end, "number", ()
            case tree.Boolean() | tree.Null():
                yield node.start, node.end, "keyword", ()
            case tree.Name(text=text) if text in ("string", "int", "bool", "object", "array", "any"):
                yield node.start, node.end, "type", ("defaultLibrary",)
            case tree.Binary(operator=operator, operator_start=start):
                yield start, start + len(operator), "operator", ()
            case _:
                pass


def _string(node: tree.Text) -> Iterator[Token]:
    """The text around the holes, with the marks that open and close them."""
    at = node.start
    for hole in node.holes:
        yield at, hole.start, "string", ()
        at = hole.end
    yield at, node.end, "string", ()


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
