"""A tree as one line of text, for tests: kinds and what they hold, without places."""

from __future__ import annotations

from engine.diagnostics.diagnostic import Diagnostic
from engine.diagnostics.source import Source, Span
from engine.parse import tree
from engine.parse.parser import parse


def sketch(value: object) -> str:
    """`Binary(+ Name(a) Integer(1))`"""
    match value:
        case tree.Identifier() | tree.Name():
            return f"{'' if isinstance(value, tree.Identifier) else '$'}{value.text or '?'}"
        case tree.Text(parts=parts, holes=holes):
            pieces = [repr(parts[0]), *(f"{sketch(h)} {p!r}" for h, p in zip(holes, parts[1:], strict=True))]
            return " ".join(pieces) if not holes else f"<{' '.join(pieces)}>"
        case tree.Integer() | tree.Boolean():
            return str(value.value)
        case tree.Null():
            return "null"
        case tree.Broken():
            return "Broken"
        case tree.Node():
            skipped = {"start", "end", "keyword", "operator_start", "source", "comments", "pragmas"}
            fields = [getattr(value, f) for f in value.__fields__ if f not in skipped]
            shown = [sketch(f) for f in fields if f not in ((), None, False)]
            return f"{type(value).__name__}({' '.join(shown)})"
        case tuple():
            return f"[{' '.join(map(sketch, value))}]"
        case Span() | str() | bool():
            return str(value).lower() if isinstance(value, bool) else str(value)
    raise AssertionError(value)


def read(text: str, name: str = "main.bicep") -> tuple[tree.File, tuple[Diagnostic, ...]]:
    """Parse a text."""
    return parse(Source(name, text))


def statement(text: str, name: str = "main.bicep") -> str:
    """The sketch of the one statement of a correct text."""
    file, diagnostics = read(text, name)
    assert not diagnostics, diagnostics
    assert len(file.statements) == 1
    return sketch(file.statements[0])


def value(text: str) -> str:
    """The sketch of a correct expression."""
    file, diagnostics = read(f"var x = {text}\n")
    assert not diagnostics, diagnostics
    (var,) = file.statements
    assert isinstance(var, tree.Var)
    return sketch(var.value)


def kind(text: str) -> str:
    """The sketch of a correct type."""
    file, diagnostics = read(f"type x = {text}\n")
    assert not diagnostics, diagnostics
    (declared,) = file.statements
    assert isinstance(declared, tree.TypeDeclaration)
    return sketch(declared.value)
