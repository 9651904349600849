"""A graph for Mermaid, which Markdown pages of many hosts draw."""

from __future__ import annotations

from engine.cli.drawing.nodes import Kind, Picture


def mermaid(picture: Picture) -> str:
    """A flow chart from left to right; a dependency that is no connection is dotted."""
    number = {node.address: f"n{i}" for i, node in enumerate(picture.nodes)}
    lines = ["flowchart LR"]
    for node in picture.nodes:
        lines.append(f'    {number[node.address]}["{_escaped(node.name)}<br/><small>{_escaped(node.type)}</small>"]')
    for node in picture.nodes:
        for to, kind in node.to:
            arrow = "-.->" if kind is Kind.DEPENDENCY else "-->"
            lines.append(f"    {number[node.address]} {arrow} {number[to]}")
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """Mermaid's own entities: quotes and angle brackets would end the label."""
    return text.replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
