"""From the place of a declaration to that of a part of it: the property of a body, the default of a parameter."""

from __future__ import annotations

from collections.abc import Sequence

from engine.diagnostics.diagnostic import Label
from engine.parse import tree

_SCOPES = frozenset({"scope", "resourceGroup", "subscriptionId", "location"})
"""What the property `scope` of a module becomes."""


def pinpoint(label: Label, steps: Sequence[str]) -> Label:
    """The place of what a Bicep declaration made at a path below it in the template; the nearest one around that is written.

    `label` is the place of the declaration's name. The file is read again: that is for those who tell an error.
    """
    from engine.parse.parser import parse

    file, _ = parse(label.source)
    for node in tree.walk(file):
        name = getattr(node, "name", None) if isinstance(node, tree.Statement) else None
        if isinstance(name, tree.Identifier) and name.span == label.span:
            found = _part(node, list(steps))
            return label.replace(span=found.span) if found is not None else label
    return label


def _part(statement: tree.Node, steps: list[str]) -> tree.Node | None:
    match statement, steps:
        case tree.Param(value=tree.Node() as value), ["defaultValue", *rest]:
            return _below(value, rest)
        case tree.Param(type=tree.Node() as type), [_, *_]:
            return type
        case tree.Output(value=value), _:
            return _below(value, steps[1:])
        case ((tree.Var(value=value) | tree.Assert(value=value)), _):
            return _below(value, steps)
        case ((tree.Resource() | tree.Module()), [_, *_]):
            return _of_body(statement, steps)
        case _:
            return None


def _of_body(statement: tree.Resource | tree.Module, steps: list[str]) -> tree.Node | None:
    value: tree.Node = statement.value
    while isinstance(value, tree.For | tree.If | tree.Parenthesized):
        match value, steps:
            case tree.If(condition=condition), ["condition", *_]:
                return condition
            case tree.For(array=array), ["copy", *_]:
                return array
            case tree.Parenthesized(inner=inner), _:
                value = inner
            case ((tree.For(body=body) | tree.If(body=body)), _):
                value = body
    if not isinstance(value, tree.Object):
        return None
    if isinstance(statement, tree.Module):
        match steps:
            case ["properties", "parameters", name, *rest]:
                steps = ["params", name, *rest[1:]]
            case [step, *_] if step in _SCOPES:
                steps = ["scope"]
    found = _below(value, steps)
    if found is value and steps[:1] == ["properties"]:
        found = _below(value, steps[1:])  # of an extension: its whole body stands there
    return found if found is not value else None


def _below(node: tree.Node, steps: list[str]) -> tree.Node:
    """As far down a path of keys and positions as the literals go."""
    for step in steps:
        while isinstance(node, tree.Parenthesized):
            node = node.inner
        following: tree.Node | None = None
        match node:
            case tree.Object(members=members):
                named = (m for m in members if isinstance(m, tree.Property) and _key(m) == step)
                following = next((m.value for m in named), None)
            case tree.Array(items=items) if step.isdigit() and int(step) < len(items):
                following = items[int(step)]
            case _:
                pass
        if following is None or isinstance(following, tree.Spread):
            return node
        node = following
    return node


def _key(member: tree.Property) -> str | None:
    return member.key.text if isinstance(member.key, tree.Identifier) else member.key.literal
