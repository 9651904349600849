"""What the expressions of one template can refer to, and by which symbol."""

from __future__ import annotations

from typing import Any

from engine.decompile.names import Names
from engine.decompile.simplify import Call, Literal, Node, join, whole


class Known:
    """A resource or module of the template."""

    __slots__ = ("copy", "members", "name", "pointer", "symbol", "type", "value")

    def __init__(
        self, symbol: str, type: str, name: Node, copy: str | None, pointer: str, members: dict[str, Any]
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


class Loop:
    """A loop around what is being written; `source` is the key of the array whose items it takes, "" if it counts."""

    __slots__ = ("index_used", "item", "item_used", "name", "source", "symbol")

    def __init__(self, name: str, symbol: str, item: str = "", source: str = "") -> None:
        self.name = name
        self.symbol = symbol
        self.item = item
        self.source = source
        self.index_used = False
        self.item_used = False


class Scope:
    """The symbols of one file; `loops` are those around what is being written, the innermost last."""

    __slots__ = (
        "functions",
        "loops",
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
        self.parameters: dict[str, str] = {}
        self.variables: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.resources: list[Known] = []
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

    def use(self, known: Known) -> str:
        """The symbol of a resource, noted as used."""
        self.used.add(known.symbol)
        return known.symbol

    def by_id(self, type: str, names: tuple[Node, ...]) -> Known | None:
        """The resource, none of a loop, that a type and the parts of a name lead to."""
        slashed: list[str | Node] = [p for name in names for p in ("/", name)][1:]
        wanted, wanted_type = whole(join(tuple(slashed))), type.strip("/").lower()
        return next(
            (r for r in self.resources if r.copy is None and r.type.lower() == wanted_type and whole(r.name) == wanted),
            None,
        )

    def by_reference(self, node: Node) -> Known | None:
        """What a value of `dependsOn`, `scope` or `reference` names: by id, by type and name, by name, or by its loop."""
        match node:
            case Call(name, (Literal(str(type)), *names)) if name.lower() == "resourceid" and "/" in type:
                return self.by_id(type, tuple(names))
            case Literal(str(text)):
                if text.lower() in self.symbols:
                    return self.symbols[text.lower()]
                for known in self.resources:
                    if known.copy is not None and known.copy.lower() == text.lower():
                        return known
            case _:
                pass
        wanted = whole(node)
        full = [r for r in self.resources if r.copy is None and f"{r.type.lower()}/{whole(r.name)}" == wanted]
        alike = full or [r for r in self.resources if r.copy is None and whole(r.name) == wanted]
        return alike[0] if len(alike) == 1 else None

    def loop(self, name: str | None) -> Loop | None:
        """A loop, by its name, or the outermost."""
        if name is None:
            return self.loops[0] if self.loops else None
        return next((loop for loop in reversed(self.loops) if loop.name.lower() == name.lower()), None)
