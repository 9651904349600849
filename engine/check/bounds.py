"""Whether a value that is known lies within the bounds that decorators set."""

from __future__ import annotations

from engine.check.types import IntLiteral, StringLiteral, TupleType
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer


def check_bounds(infer: Infer, statement: tree.Param | tree.Output, value: tree.Node) -> None:
    """The default of a parameter or the value of an output."""
    if not statement.decorators:
        return
    match infer.type(value):
        case IntLiteral(value=number):
            _within(infer, statement, value, number, "Value", "BCP328", "BCP327")
        case StringLiteral(value=text):
            _within(infer, statement, value, len(text), "Length", "BCP333", "BCP332")
        case TupleType(items=items):
            _within(infer, statement, value, len(items), "Length", "BCP333", "BCP332")
        case _:
            pass


def _within(
    infer: Infer, statement: tree.Statement, value: tree.Node, found: int, what: str, below: str, above: str
) -> None:
    for decorator in statement.decorators:
        name = infer.model.decorators.get(id(decorator))
        call = decorator.expression
        arguments = call.arguments if isinstance(call, tree.Call | tree.MethodCall) else ()
        bound = infer.type(arguments[0]) if len(arguments) == 1 and name in (f"min{what}", f"max{what}") else None
        if not isinstance(bound, IntLiteral):
            continue
        noun = "value" if what == "Value" else "length"
        if name == f"min{what}" and found < bound.value:
            infer.report.error(below, value, f"The {noun} is {found}, and must be at least {bound.value}")
        elif name == f"max{what}" and found > bound.value:
            infer.report.error(above, value, f"The {noun} is {found}, and must be at most {bound.value}")
