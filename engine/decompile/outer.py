"""Nested templates whose expressions see the template around them: what they take from there becomes parameters."""

from __future__ import annotations

import re
from typing import Any

from engine.decompile.declarations import UNKNOWN_TYPE
from engine.decompile.faults import Refused
from engine.decompile.loops import lowered
from engine.decompile.simplify import Call, Index, Joined, Literal, Member, Node, call, index, key, member
from engine.decompile.writer import Writer

_LIFTED = {"reference": "object", "resourceid": "string"}
"""The functions that are evaluated outside, and what they give."""


def lift(template: dict[str, Any], writer: Writer, pointer: str) -> tuple[dict[str, Any], list[tuple[str, Node]]]:
    """The template on its own feet: with parameters for what it took from outside, and what to give it for each."""
    if template.get("parameters"):
        help = "Set expressionEvaluationOptions.scope to inner, or move the parameters out."
        raise Refused("A nested template that sees its surroundings cannot have parameters of its own", pointer, help)
    return _Lifting(writer, pointer).template(template)


class _Lifting:
    """One template on its way."""

    __slots__ = ("given", "pointer", "types", "writer")

    def __init__(self, writer: Writer, pointer: str) -> None:
        self.writer = writer
        self.pointer = pointer
        self.given: dict[str, Node] = {}
        self.types: dict[str, Any] = {}

    def template(self, template: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, Node]]]:
        """The template, and what it takes."""
        inside = {k: self.value(v) for k, v in template.items() if k not in ("$schema", "contentVersion", "parameters")}
        order = sorted(self.given, key=lambda name: self._rank(self.given[name], name))
        parameters = {name: self.types[name] for name in order}
        kept: dict[str, Any] = {k: template[k] for k in ("$schema", "contentVersion") if k in template}
        return {**kept, "parameters": parameters, **inside}, [(name, self.given[name]) for name in order]

    def _rank(self, node: Node, name: str) -> tuple[int, str]:
        """Results of functions first, by name; then variables, then parameters as they come."""
        kind = node.name.lower() if isinstance(node, Call) else ""
        return {"parameters": (2, ""), "variables": (1, "")}.get(kind, (0, name))

    def value(self, value: Any) -> Any:
        """A JSON value with its expressions lifted; a doubled bracket belongs to the nested template and loses one."""
        match value:
            case dict():
                return {self.text(k): self.value(v) for k, v in value.items()}
            case list():
                return [self.value(v) for v in value]
            case str():
                return self.text(value)
            case _:
                return value

    def text(self, text: str) -> str:
        """A string, likewise."""
        if text.startswith("[[") and text.endswith("]"):
            return text[1:]
        node = self.writer.read(text, self.pointer)
        return text if node is None else f"[{arm(self.node(node))}]"

    def node(self, node: Node) -> Node:
        """An expression, with parameters in place of what is outside."""
        match node:
            case Call(name, (Literal(str(wanted)),)) if name.lower() == "parameters":
                symbol = self.writer.scope.declared("parameter", wanted)
                return self.parameter(symbol, node, self._definition(wanted))
            case Call(name, (Literal(str(wanted)),)) if name.lower() == "variables":
                symbol = self.writer.scope.declared("variable", wanted)
                return self.parameter(f"variables_{symbol}", node, {"type": UNKNOWN_TYPE})
            case Member() if isinstance(found := _root(node), Call) and found.name.lower() == "reference":
                return _onto(node, found, self._function(found, node))
            case Call(name, _) if name.lower() in _LIFTED:
                return self._function(node, node)
            case Call(name, arguments):
                return call(name, tuple(self.node(a) for a in arguments))
            case Member(base, name):
                return member(self.node(base), name)
            case Index(base, place):
                return index(self.node(base), self.node(place))
            case Joined(parts):
                return Joined(tuple(p if isinstance(p, str) else self.node(p) for p in parts))
            case Literal():
                return node

    def _function(self, node: Call, whole: Node) -> Node:
        """A parameter for what a function gives; it is named for what is asked of it."""
        first = node.arguments[0] if node.arguments else None
        named: Node = first if isinstance(first, Call) and first.name.lower() == "resourceid" else whole
        name = re.sub(r"[^A-Za-z0-9]+", "_", arm(named)).strip("_")
        return self.parameter(name, node, {"type": _LIFTED[node.name.lower()]})

    def parameter(self, name: str, node: Node, definition: dict[str, Any]) -> Node:
        """A parameter of the nested template."""
        same = next((known for known, other in self.given.items() if key(other) == key(node)), name)
        self.given.setdefault(same, node)
        self.types.setdefault(same, definition)
        return Call("parameters", (Literal(same),))

    def _definition(self, name: str) -> dict[str, Any]:
        """The type of an outer parameter and what is said about it, without its default."""
        fields = lowered(
            self.writer.scope.values.get(f"definition({name.lower()})") or {"type": UNKNOWN_TYPE}, self.pointer
        )
        return {k: v for k, v in fields.items() if k in ("type", "metadata")}


def _root(node: Node) -> Node:
    while isinstance(node, Member):
        node = node.base
    return node


def _onto(node: Node, old: Node, new: Node) -> Node:
    """A chain of members on another value."""
    if node is old:
        return new
    assert isinstance(node, Member)
    return member(_onto(node.base, old, new), node.name)


def arm(node: Node) -> str:
    """An expression in ARM's own spelling."""
    match node:
        case Literal(str(text)):
            return "'" + text.replace("'", "''") + "'"
        case Literal(value):
            return str(value)
        case Call(name, arguments):
            return f"{name}({', '.join(arm(a) for a in arguments)})"
        case Member(base, name):
            return f"{arm(base)}.{name}" if name.isidentifier() else f"{arm(base)}['{name}']"
        case Index(base, place):
            return f"{arm(base)}[{arm(place)}]"
        case Joined(parts):
            return f"concat({', '.join(arm(Literal(p)) if isinstance(p, str) else arm(p) for p in parts)})"
