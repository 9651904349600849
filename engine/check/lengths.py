"""Whether a value lies within the bounds that a type sets: how long a text or an array is, how large a number."""

from __future__ import annotations

from engine.check.types import (
    ArrayType,
    IntLiteral,
    IntType,
    StringLiteral,
    StringType,
    TupleType,
    Type,
    members_of,
    without_null,
)
from engine.diagnostics.diagnostic import Severity
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

Bounds = tuple[int | None, int | None]
"""At least and at most."""


def check_bounds_of(infer: Infer, node: tree.Node, value: Type, target: Type, severity: Severity) -> None:
    """Reports a value that is certainly out of bounds, or may be: then it is a warning."""
    wanted = [m for m in members_of(without_null(target)) if isinstance(m, StringType | IntType | ArrayType)]
    if len(wanted) != 1 or len(members_of(without_null(target))) != 1:
        return
    if isinstance(wanted[0], StringType) and wanted[0].pattern is not None and isinstance(value, StringLiteral):
        _match(infer, node, value.value, wanted[0].pattern, severity)
    low, high = wanted[0].minimum, wanted[0].maximum
    if low is None and high is None:
        return
    number = isinstance(wanted[0], IntType)
    least, most = _number(value) if number else _length(infer, node, value)
    what = "The value" if number else "The length"
    under, over, maybe_under, maybe_over = (
        ("BCP328", "BCP327", "BCP329", "BCP330") if number else ("BCP333", "BCP332", "BCP334", "BCP335")
    )
    if most is not None and low is not None and most < low:
        infer.report.add(under, severity, node, f"{what} is at most {most}, and must be at least {low}")
    elif least is not None and high is not None and least > high:
        infer.report.add(over, severity, node, f"{what} is at least {least}, and must be at most {high}")
    else:
        if least is not None and low is not None and least < low:
            infer.report.warning(maybe_under, node, f"{what} may be as little as {least}, and must be at least {low}")
        if most is not None and high is not None and most > high:
            infer.report.warning(maybe_over, node, f"{what} may be as much as {most}, and must be at most {high}")


def _match(infer: Infer, node: tree.Node, text: str, pattern: str, severity: Severity) -> None:
    """Reports a text that is of another form; a pattern that cannot be read here says nothing."""
    import re

    try:
        fits = re.search(pattern, text) is not None
    except (re.error, OverflowError, RecursionError):
        return
    if not fits:
        infer.report.add("BCP416", severity, node, f"'{text}' is not of the form /{pattern}/")


def _number(value: Type) -> Bounds:
    match value:
        case IntLiteral(value=number):
            return number, number
        case IntType(minimum=minimum, maximum=maximum):
            return minimum, maximum
        case _:
            return None, None


def _length(infer: Infer, node: tree.Node, value: Type) -> Bounds:
    while isinstance(node, tree.Parenthesized):
        node = node.inner
    match value:
        case StringLiteral(value=text):
            return len(text), len(text)
        case TupleType(items=items):
            return len(items), len(items)
        case StringType() if isinstance(node, tree.Text) and node.holes:
            return _put_together(infer, node) or None, None
        case StringType(minimum=minimum, maximum=maximum) | ArrayType(minimum=minimum, maximum=maximum):
            return minimum, maximum
        case _:
            return None, None


def _put_together(infer: Infer, node: tree.Text) -> int:
    """How long a text with holes is at least."""
    length = sum(map(len, node.parts))
    for hole in node.holes:
        match infer.type(hole):
            case StringLiteral(value=text):
                length += len(text)
            case StringType(minimum=minimum):
                length += minimum or 0
            case _:
                pass
    return length
