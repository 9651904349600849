"""Types that are parts of other types: an item of a tuple or array, what else an object may hold."""

from __future__ import annotations

from engine.check.types import ANY, UNKNOWN, AnyType, ArrayType, ObjectType, TupleType, Type, UnknownType, show
from engine.diagnostics.source import Span
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.declared import Declared

_NAMED = (tree.Name, tree.Member, tree.Index, tree.ItemsAccess, tree.RestAccess, tree.Parameterized, tree.Broken)
"""The kinds of type expressions that a part can be taken of."""


def has_parts(declared: Declared, base: tree.Node) -> bool:
    """Whether a part can be taken of a type expression: only of one that has a name; else that is reported."""
    if isinstance(base, _NAMED):
        return True
    help = "Declare the type by itself."
    declared.report.error("BCP391", base, "A part can only be taken of a type that has a name", help)
    return False


def part_of(declared: Declared, node: tree.Index | tree.ItemsAccess | tree.RestAccess) -> Type:
    """`T[0]`, `T[*]` and `T.*`"""
    if not has_parts(declared, node.base):
        return UNKNOWN
    whole = declared.infer.open(declared.of(node.base))
    if isinstance(whole, AnyType | UnknownType):
        return whole
    match node, whole:
        case tree.Index(index=tree.Integer(value=place) as index), TupleType(items=items):
            if place < len(items):
                return items[place]
            message = f"There is no item {place}: the type has {len(items)}"
            declared.report.error("BCP311", index, message)
        case tree.Index(index=tree.Integer() as index), _:
            declared.report.error("BCP388", index, f"Only a tuple has numbered items, and this is {show(whole)}")
        case tree.ItemsAccess(), ArrayType(item=item):
            return item
        case tree.ItemsAccess(base=base, end=end), _:
            declared.report.error(
                "BCP390", Span(base.end, end), f"Only an array type has one type of items, and this is {show(whole)}"
            )
        case tree.RestAccess(), ObjectType(additional=additional) if additional is not None:
            return additional
        case tree.RestAccess(end=end), _:
            message = f"{show(whole)} says nothing of properties that it does not name"
            declared.report.error("BCP389", Span(end - 1, end), message)
        case _:
            return ANY
    return UNKNOWN
