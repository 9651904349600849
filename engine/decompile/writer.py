"""Expressions and values as Bicep text; the layout is the formatter's work."""

from __future__ import annotations

import json
from typing import Any

from engine.decompile.faults import Refused
from engine.decompile.names import is_identifier
from engine.decompile.scope import Scope
from engine.decompile.simplify import (
    Call,
    Index,
    Joined,
    Literal,
    Member,
    Node,
    is_text,
    plain,
    read,
)
from engine.parse.arm import ExpressionError
from engine.parse.escapes import escaped

_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "less": "<", "lessorequals": "<=", "greater": ">",
    "greaterorequals": ">=", "equals": "==", "and": "&&", "or": "||", "coalesce": "??",
}  # fmt: skip
MAX_DEPTH = 60
"""How deep values and expressions may stand in each other; Bicep itself takes little more."""


def quoted(text: str) -> str:
    """A text between quotes."""
    return f"'{escaped(text)}'"


def bare(text: str) -> str:
    """A text without the parentheses around all of it."""
    if not text.startswith("("):
        return text
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return text[1:-1] if place == len(text) - 1 else text
    return text


class Writer:
    """Writes what one template says; `tight` is how holes of strings are written, without blanks."""

    __slots__ = ("depth", "scope", "tight")

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.tight = False
        self.depth = 0

    # ---------------------------------------------------------------- values

    def value(self, value: Any, pointer: str) -> str:
        """A JSON value."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Refused("Values are nested too deeply", pointer)
        text = self._value(value, pointer)
        self.depth -= 1
        return text

    def _value(self, value: Any, pointer: str) -> str:
        match value:
            case bool():
                return "true" if value else "false"
            case None:
                return "null"
            case int():
                return str(value)
            case float():
                return f"json({quoted(json.dumps(value))})"
            case str():
                node = self.read(value, pointer)
                return quoted(plain(value)) if node is None else self.placed(node, pointer)
            case list():
                items = [self.value(item, f"{pointer}/{place}") for place, item in enumerate(value)]
                return self.array(items)
            case dict():
                return self.object(self.members(value, pointer))
            case _:
                pass
        raise Refused(f"A value of the kind {type(value).__name__} has no place in a template", pointer)

    def placed(self, node: Node, pointer: str) -> str:
        """An expression, whose refusal has a place."""
        try:
            return self.expression(node)
        except Refused as fault:
            raise Refused(fault.message, fault.pointer or pointer, fault.help) from None

    def read(self, text: str, pointer: str) -> Node | None:
        """The expression of a string, None for a plain one."""
        try:
            return read(text)
        except ExpressionError as problem:
            shown = text if len(text) <= 100 else f"{text[:100]}…"
            raise Refused(f"'{shown}' is no expression: {problem.message}", pointer) from None

    def members(self, value: dict[str, Any], pointer: str) -> list[tuple[str, str]]:
        """The properties of an object, its loops among them."""
        from engine.decompile.loops import property_loops

        members: list[tuple[str, str]] = []
        for name, inner in value.items():
            place = f"{pointer}/{name}"
            if name.lower() == "copy" and isinstance(inner, list):
                members += property_loops(self, inner, place)
            else:
                members.append((self.key(name, place), self.value(inner, place)))
        return members

    def key(self, name: str, pointer: str) -> str:
        """The name of a property."""
        node = self.read(name, pointer)
        if node is None:
            name = plain(name)
            return name if is_identifier(name) else quoted(name)
        if isinstance(node, Literal):
            return str(node.value) if is_identifier(str(node.value)) else quoted(str(node.value))
        return self.expression(node) if is_text(node) else f"'${{{self.hole(node)}}}'"

    def object(self, members: list[tuple[str, str]]) -> str:
        """`{ … }`, a line for each property."""
        return "{\n" + "".join(f"{name}: {text}\n" for name, text in members) + "}" if members else "{}"

    def array(self, items: list[str]) -> str:
        """`[ … ]`, a line for each item."""
        return "[\n" + "".join(f"{item}\n" for item in items) + "]" if items else "[]"

    # ---------------------------------------------------------------- expressions

    def expression(self, node: Node) -> str:
        """An expression."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Refused("An expression is nested too deeply", "")
        text = self._expression(node)
        self.depth -= 1
        return text

    def _expression(self, node: Node) -> str:
        match node:
            case Literal(str(said)):
                return quoted(said)
            case Literal(float(number)):
                return f"json({quoted(json.dumps(number))})"
            case Literal(number):
                return str(number)
            case Joined(parts):
                return f"'{''.join(escaped(p) if isinstance(p, str) else f'${{{self.hole(p)}}}' for p in parts)}'"
            case Member(Member(Member(Call() as call, outputs), output), "value") if outputs.lower() == "outputs":
                from engine.decompile.calls import module_output

                found = module_output(self, call, output)
                return found if found is not None else f"{self.base(node.base)}.value"
            case Member(base, name):
                return f"{self.base(base)}.{name}" if is_identifier(name) else f"{self.base(base)}[{quoted(name)}]"
            case Index(base, index):
                from engine.decompile.calls import item

                element = item(self, node)
                return element if element is not None else f"{self.base(base)}[{self.expression(index)}]"
            case Call():
                return self.call(node)

    def hole(self, node: Node) -> str:
        """An expression inside a string."""
        before, self.tight = self.tight, True
        text = self.expression(node)
        self.tight = before
        return text

    def base(self, node: Node) -> str:
        """What is asked for a member: a chain that may end early keeps its end by parentheses."""
        text = self.expression(node)
        early = isinstance(node, Call) and node.name.lower() in ("tryget", "tryindexfromend")
        return f"({text})" if early else text

    def call(self, node: Call) -> str:
        """A call, an operator, a literal, a symbol."""
        from engine.decompile.calls import special

        if (known := special(self, node)) is not None:
            return known
        name, arguments = node.name, node.arguments
        sign = _OPERATORS.get(name.lower())
        if sign and len(arguments) >= 2:
            text: str = self.expression(arguments[0])
            for argument in arguments[1:]:
                text = self.binary(text, sign, self.expression(argument))
            return text
        return f"{self.function(name)}({', '.join(self.expression(a) for a in arguments)})"

    def binary(self, left: str, sign: str, right: str) -> str:
        """`(left + right)`"""
        return f"({left}{sign}{right})" if self.tight else f"({left} {sign} {right})"

    def decorator(self, name: str, argument: str = "") -> str:
        """A decorator in a line of its own, with its namespace if its name is hidden."""
        return f"@{'sys.' if name in self.scope.names.given else ''}{name}({argument})\n"

    def function(self, name: str) -> str:
        """The name of a function, spelled as it is."""
        own = self.scope.functions.get(name.lower())
        if own is not None:
            return own
        from engine.decompile.calls import spelling

        return spelling(name, self.scope.names.given)
