"""A graph as text, in the manner of `rad app graph`."""

from __future__ import annotations

from collections.abc import Iterator

from engine.cli.drawing.nodes import Picture


def text(picture: Picture) -> str:
    """Node by node: what leads where, and what it is made of."""
    return "\n".join([f"Displaying application: {picture.title}", *_nodes(picture)]) + "\n"


def _nodes(picture: Picture) -> Iterator[str]:
    if not picture.nodes:
        yield ""
        yield "(empty)"
    for node in picture.nodes:
        yield ""
        yield f"Name: {node.name} ({node.type})" + (f"  {node.state}" if node.state else "")
        outward = [f"  {node.name} -> {to.name} ({to.type})" for to in (picture.find(a) for a, _ in node.to)]
        inward = [f"  {n.name} ({n.type}) -> {node.name}" for n, _ in picture.leading_to(node.address)]
        yield from _section("Connections:", outward + inward)
        yield from _section(
            "Resources:", [f"  {p.name} ({p.type})" + (f"  {p.state}" if p.state else "") for p in node.parts]
        )


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield title
        yield from lines
    else:
        yield f"{title} (none)"
