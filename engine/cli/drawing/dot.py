"""A graph for Graphviz: `ulna graph app.bicep --format dot | dot -Tsvg`."""

from __future__ import annotations

from engine.cli.drawing.nodes import Kind, Picture


def dot(picture: Picture) -> str:
    """Boxes and arrows; a dependency that is no connection is dashed."""
    lines = [f"digraph {_quoted(picture.title)} {{", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    for node in picture.nodes:
        label = _quoted(f"{node.name}\n{node.type}")
        lines.append(f"  {_quoted(node.address)} [label={label}];")
    for node in picture.nodes:
        for to, kind in node.to:
            style = " [style=dashed]" if kind is Kind.DEPENDENCY else ""
            lines.append(f"  {_quoted(node.address)} -> {_quoted(to)}{style};")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
