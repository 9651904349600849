"""Which part of a template was written where: a place for each resource, parameter, variable, output and type."""

from __future__ import annotations

from engine.diagnostics.diagnostic import Label
from engine.diagnostics.source import Source
from engine.parse import tree
from engine.template.template import Template


class Origins:
    """Places by JSON pointer, as they are collected."""

    __slots__ = ("found", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: dict[str, Label] = {}

    def add(self, section: str, name: str, statement: tree.Statement) -> None:
        """A named thing of a section."""
        self.at(f"/{section}/{name}", statement)

    def at(self, pointer: str, statement: tree.Statement) -> None:
        """What a statement became."""
        name = getattr(statement, "name", statement)
        self.found[pointer] = Label(self.source, name.span)

    def below(self, pointer: str, nested: Template) -> None:
        """The places of a nested template, in the file that it came from."""
        for below, label in nested.origins.items():
            self.found[pointer + below] = label
