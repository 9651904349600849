"""Edits that several rules offer."""

from __future__ import annotations

from engine.check.model import Model
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.diagnostics.source import Span
from engine.parse import tree


def remove_statement(model: Model, node: tree.Node, title: str) -> Fix:
    """Takes a declaration away, with its decorators and its line."""
    text = model.source.text
    end = _blanks(text, node.end)
    if text.startswith("//", end):
        end = _line_end(text, end)  # what is said behind it is said of it
    if text[end : end + 1] in ("\r", "\n"):
        end = _next_line(text, end)
    return Fix(title, (Edit(Span(node.start, end), ""),), Safety.UNSAFE)


def remove_member(model: Model, node: tree.Node, title: str, safety: Safety = Safety.UNSAFE) -> Fix:
    """Takes an item of a list or a property of an object away, with its line or its comma.

    A comment behind it goes with it, unless the fix is to be a safe one: then it stays.
    """
    text, start, end = model.source.text, node.start, node.end
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    after = _blanks(text, end)
    if text.startswith(",", after):
        after = _blanks(text, after + 1)
    alone = start == 0 or text[start - 1] in "\r\n"
    if alone and text.startswith("//", after):
        if safety is Safety.SAFE:
            return Fix(title, (Edit(Span(node.start, after), ""),), safety)
        after = _line_end(text, after)
    if alone and text[after : after + 1] in ("\r", "\n"):
        return Fix(title, (Edit(Span(start, _next_line(text, after)), ""),), safety)
    if "," in text[end:after]:
        return Fix(title, (Edit(Span(node.start, after), ""),), safety)
    if start > 0 and text[start - 1] == ",":
        return Fix(title, (Edit(Span(start - 1, end), ""),), safety)
    return Fix(title, (Edit(node.span, ""),), safety)


def _blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _line_end(text: str, at: int) -> int:
    while at < len(text) and text[at] not in "\r\n":
        at += 1
    return at


def _next_line(text: str, at: int) -> int:
    return at + (2 if text.startswith("\r\n", at) else 1 if at < len(text) else 0)


def replace(node: tree.Node | Span, text: str, title: str, safety: Safety = Safety.SAFE) -> Fix:
    """Writes a text in place of a node."""
    return Fix(title, (Edit(Span(node.start, node.end), text),), safety)


def free_name(model: Model, name: str) -> str:
    """A name that nothing in the file has yet: this one, or this one with a number."""
    found, number = name, 1
    while found in model.symbols:
        number += 1
        found = f"{name}{number}"
    return found


def text_of(model: Model, node: tree.Node) -> str:
    """The text of a node."""
    return model.source.text[node.start : node.end]
