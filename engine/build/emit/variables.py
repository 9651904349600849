"""The `variables` of a template: loops, contents of files, the file's own, and those imported."""

from __future__ import annotations

from collections.abc import Iterable

from engine.build.emit.decorators import description
from engine.build.emit.loops import copy
from engine.build.emit.secure import decorated
from engine.build.emit.types import schema
from engine.build.emit.unit import Unit
from engine.check.symbols import Symbol
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


class Section:
    """Variables as they are collected: those that loop apart from the others."""

    __slots__ = ("loops", "values")

    def __init__(self) -> None:
        self.loops: list[dict[str, Any]] = []
        self.values: dict[str, Any] = {}

    def add(self, unit: Unit, name: str, value: tree.Expression) -> None:
        """One variable."""
        if isinstance(value, tree.For):
            self.loops.append(copy(unit, name, value, {}))
        else:
            self.values[name] = unit.value(value)

    def document(self) -> dict[str, Any]:
        """All of them as JSON."""
        return {"copy": self.loops, **self.values} if self.loops else self.values


def own_variables(unit: Unit, symbols: Iterable[Symbol], section: Section) -> None:
    """The file's own variables, but for those that stand where they are used."""
    for symbol in symbols:
        if symbol not in unit.inlined and isinstance(symbol.declaration, tree.Var):
            section.add(unit, symbol.name, symbol.declaration.value)


def exported_variables(unit: Unit) -> list[dict[str, Any]]:
    """What other files may import of them, for the metadata."""
    found = []
    for statement in unit.model.file.statements:
        if isinstance(statement, tree.Var) and decorated(statement.decorators, "export"):
            entry: dict[str, Any] = {"name": statement.name.text}
            if (text := description(unit, statement.decorators)) is not None:
                entry["description"] = text
            if statement.type is not None:
                entry["type"] = schema(unit, statement.type)
            found.append(entry)
    return sorted(found, key=lambda entry: entry["name"])
