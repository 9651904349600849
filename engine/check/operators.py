"""The types of what operators give, and the operands they refuse."""

from __future__ import annotations

from engine.check.assign import assignable
from engine.check.fold import Failure, folded
from engine.check.types import BOOL, INT, STRING, UNKNOWN, IntLiteral, Type, show, union, without_null
from engine.diagnostics.source import Span
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})
ORDER = frozenset({"<", "<=", ">", ">="})
TEXTUAL = frozenset({"=~", "!~"})


def unary(infer: Infer, node: tree.Unary) -> Type:
    """`!x` and `-x`"""
    if node.operator == "-" and isinstance(node.operand, tree.Integer):
        return IntLiteral(-node.operand.value)
    operand = infer.type(node.operand)
    wanted = BOOL if node.operator == "!" else INT
    if operand is UNKNOWN:
        return UNKNOWN
    if not assignable(operand, wanted, infer.resolve):
        message = f"Operator '{node.operator}' needs a {show(wanted)}, and its operand is {show(operand)}"
        infer.report.error("BCP044", node, message)
        return UNKNOWN
    return attempt(infer, node, "!" if node.operator == "!" else "negative", (operand,)) or wanted


def attempt(infer: Infer, place: tree.Node | Span, name: str, operands: tuple[Type, ...]) -> Type | None:
    """What is certainly the result; that there certainly is none is reported."""
    try:
        return folded(name, operands)
    except Failure as failure:
        infer.report.warning("BCP234", place, f"This will fail when it is evaluated: {failure}")
        return None


def binary(infer: Infer, node: tree.Binary) -> Type:
    """`a + b` and the like; a long chain of them is walked down its left side without recursion."""
    chain: list[tree.Binary] = []
    first: tree.Node = node
    while isinstance(first, tree.Binary) and id(first) not in infer.model.types:
        chain.append(first)
        first = first.left
    left = infer.type(first)
    for each in reversed(chain):
        left = _apply(infer, each, left, infer.type(each.right))
        infer.model.types[id(each)] = left
    return left


def _apply(infer: Infer, node: tree.Binary, left: Type, right: Type) -> Type:
    operator = node.operator
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    result: Type = BOOL
    operands: tuple[Type, ...] = ()
    if operator in ARITHMETIC:
        result, operands = INT, (INT,)
    elif operator in ORDER:
        operands = (INT, STRING)
    elif operator in TEXTUAL:
        operands = (STRING,)
    elif operator in ("&&", "||"):
        operands = (BOOL,)
    elif operator == "??":
        return union(without_null(left), right)
    fits = any(assignable(left, t, infer.resolve) and assignable(right, t, infer.resolve) for t in operands)
    if operands and not fits:
        help = "Strings are joined by interpolation: '${a}${b}'." if operator == "+" and STRING in (left, right) else ""
        message = f"Operator '{operator}' cannot be applied to {show(left)} and {show(right)}"
        infer.report.error("BCP045", node, message, help)
        return UNKNOWN
    if operator in ("/", "%") and right == IntLiteral(0):
        infer.report.error("BCP410", node.right, "Nothing can be divided by 0")
        return UNKNOWN
    return attempt(infer, node, operator, (left, right)) or result


def condition(infer: Infer, node: tree.Node, place: Span | None = None) -> bool:
    """Whether a condition is a bool; else that is reported."""
    found = infer.type(node)
    if assignable(found, BOOL, infer.resolve):
        return True
    infer.report.error("BCP046", place or node, f"A condition must be a bool, and this is {show(found)}")
    return False
