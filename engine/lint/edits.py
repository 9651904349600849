"""Edits that several rules offer."""

from __future__ import annotations

from engine.check.model import Model
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.diagnostics.source import Span
from engine.parse import tree


def remove_statement(model: Model, node: tree.Node, title: str) -> Fix:
    """Takes a declaration away, with its decorators and its line."""
    text, end = model.source.text, node.end
    while end < len(text) and text[end] in " \t":
        end += 1
    if text.startswith("//", end):
        # What is said behind it is said of it.
        while end < len(text) and text[end] not in "\r\n":
            end += 1
    if text.startswith("\r\n", end):
        end += 2
    elif end < len(text) and text[end] in "\r\n":
        end += 1
    return Fix(title, (Edit(Span(node.start, end), ""),), Safety.UNSAFE)


def replace(node: tree.Node | Span, text: str, title: str, safety: Safety = Safety.SAFE) -> Fix:
    """Writes a text in place of a node."""
    return Fix(title, (Edit(Span(node.start, node.end), text),), safety)


def text_of(model: Model, node: tree.Node) -> str:
    """The text of a node."""
    return model.source.text[node.start : node.end]
