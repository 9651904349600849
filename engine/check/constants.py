"""Values that must be there when the file is compiled: metadata and the arguments of decorators."""

from __future__ import annotations

from engine.check.types import UNKNOWN
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer


def constant(infer: Infer, node: tree.Node) -> None:
    """Reports each part of the expression that is no literal."""
    stack = [node]
    while stack:
        top = stack.pop()
        match top:
            case tree.Text(holes=holes) if not holes:
                continue
            case tree.Integer() | tree.Boolean() | tree.Null() | tree.Broken() | tree.Identifier():
                continue
            case tree.Unary(operator="-", operand=operand):
                stack.append(operand)
            case tree.Array() | tree.Object() | tree.Property() | tree.Parenthesized():
                stack.extend(tree.children(top))
            case _ if (
                infer.type(top) is UNKNOWN or infer.report.says(top, "BCP059", "BCP063", "BCP079", "BCP080")
            ) and not isinstance(top, tree.Spread):
                continue  # what is wrong with it has been said
            case _:
                infer.report.error("BCP032", top, "This must be a literal: it is used while the file is compiled")
