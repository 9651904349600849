"""Array and object literals in the hole of a string: they are not allowed there, though the rest of the hole is checked.

Only what a lambda gives may be one: it is no value of the hole.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.parse import tree

Say = Callable[[int], None]
"""Told where a literal starts."""

LITERAL = tree.Object | tree.Array | tree.For


def without_literals(node: tree.Node, say: Say) -> tree.Node:
    """The expression with a gap in the place of every literal."""
    match node:
        case tree.Object() | tree.Array() | tree.For():
            say(node.start)
            return tree.Broken(node.start, node.end)
        case tree.Lambda() | tree.Text():
            return node  # a string in a hole has been looked at by itself
        case _:
            pass
    changed = {}
    for name in node.__fields__[2:]:
        value = getattr(node, name)
        if isinstance(value, tree.Node):
            new: object = without_literals(value, say)
        elif isinstance(value, tuple):
            parts = tuple(without_literals(v, say) if isinstance(v, tree.Node) else v for v in value)
            new = parts if any(a is not b for a, b in zip(parts, value, strict=True)) else value
        else:
            continue
        if new is not value:
            changed[name] = new
    return node.replace(**changed) if changed else node
