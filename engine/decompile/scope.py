"""What the expressions of one template can refer to, and by which symbol."""

from __future__ import annotations

from typing import Any

from engine.decompile.faults import Refused
from engine.decompile.names import Names
from engine.decompile.simplify import Node, whole
from engine.diagnostics.suggest import did_you_mean

DEPLOYMENT = "microsoft.resources/deployments"


class Known:
    """A resource or module of the template."""

    __slots__ = ("copy", "members", "name", "pointer", "symbol", "type", "value", "where", "whole")

    def __init__(
        self,
        symbol: str,
        type: str,
        name: Node,
        copy: str | None,
        pointer: str,
        members: dict[str, Any],
        where: str = "",
    ) -> None:
        self.symbol = symbol
        self.type = type
        self.name = name
        self.copy = copy
        """The name of its loop; None without one."""
        self.pointer = pointer
        self.members = members
        self.value = {name.lower(): value for name, value in members.items()}
        """The same, with keys in lower case."""
        self.whole = whole(name)
        """The key of its name."""
        self.where = where
        """The scope of one that is declared because something points at it, as Bicep."""

    @property
    def is_module(self) -> bool:
        """Whether it is a deployment of its own."""
        return self.type.lower() == DEPLOYMENT


class Loop:
    """A loop around what is being written; `source` is the key of the array whose items it takes, "" if it counts."""

    __slots__ = ("index_used", "item", "item_used", "name", "of_value", "source", "symbol")

    def __init__(self, name: str, symbol: str, item: str = "", source: str = "") -> None:
        self.name = name
        self.symbol = symbol
        self.item = item
        self.source = source
        self.of_value = False
        """Whether it makes a value, in which no other loop may stand; that of a resource does not."""
        self.index_used = False
        self.item_used = False


class Scope:
    """The symbols of one file; `loops` are those around what is being written, the innermost last."""

    __slots__ = (
        "blind",
        "functions",
        "in_body",
        "kinds",
        "loop_types",
        "loops",
        "named",
        "names",
        "parameters",
        "resources",
        "symbols",
        "typed",
        "types",
        "used",
        "values",
        "variables",
    )

    def __init__(self) -> None:
        self.names = Names()
        self.blind = False
        """Whether no resource can be referred to where something is being written."""
        self.in_body = False
        """Whether the body of a resource or module is being written: only there a property can be a loop."""
        self.parameters: dict[str, str] = {}
        self.variables: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.resources: list[Known] = []
        self.kinds: dict[str, list[Known]] = {}
        """The same, by type in lower case."""
        self.named: dict[str, list[Known]] = {}
        """Those that are no loops, by the keys of their names, and of type and name."""
        self.loop_types: set[str] = set()
        self.loops: list[Loop] = []
        self.symbols: dict[str, Known] = {}
        """The resources of a template of version 2 by the names it has for them."""
        self.types: dict[str, str] = {}
        self.typed = False
        """Whether the template is of language version 2, in which types say all."""
        self.values: dict[str, object] = {}
        """What variables and parameters hold as JSON, by `variables(name)` in lower case."""
        self.used: set[str] = set()
        """The resources that what is being written refers to."""

    def declared(self, what: str, name: str) -> str:
        """The symbol of a parameter or variable; refuses what the template does not declare."""
        known = self.parameters if what == "parameter" else self.variables
        found = known.get(name.lower())
        if found is None:
            raise Refused(
                f"The template has no {what} '{name}'", "", did_you_mean(name, known.values()) or f"Declare the {what}."
            )
        return found

    def use(self, known: Known) -> str:
        """The symbol of a resource, noted as used."""
        self.used.add(known.symbol)
        return known.symbol

    def of_type(self, type: str) -> list[Known]:
        """The resources of a type, in lower case."""
        return self.kinds.get(type, [])

    def looped(self, type: str) -> list[Known]:
        """Those of them that are loops."""
        return [known for known in self.of_type(type) if known.copy is not None] if type in self.loop_types else []

    def add(self, known: Known) -> None:
        """One more resource."""
        type = known.type.lower()
        self.resources.append(known)
        self.kinds.setdefault(type, []).append(known)
        if known.copy is not None:
            self.loop_types.add(type)
            return
        for name in (known.whole, f"{type}/{known.whole}"):
            self.named.setdefault(name, []).append(known)

    def loop(self, name: str | None) -> Loop | None:
        """A loop, by its name, or the outermost."""
        if name is None:
            return self.loops[0] if self.loops else None
        return next((loop for loop in reversed(self.loops) if loop.name.lower() == name.lower()), None)
