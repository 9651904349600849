"""Regions of a file, and the names each of them declares: one hides what is declared in the region around it."""

from __future__ import annotations

from engine.check.symbols import Kind, Symbol

IN_FUNC = (Kind.FUNC, Kind.VAR, Kind.WILDCARD, Kind.TYPE, Kind.EXTENSION, Kind.UNKNOWN)
"""What the body of a user's function can see of the file."""


class Scope:
    """Names of one region, and the region around it; `func` regions see less of the file."""

    __slots__ = ("func", "names", "outer", "this")

    def __init__(
        self, names: dict[str, Symbol], outer: Scope | None, *, func: bool = False, this: bool = False
    ) -> None:
        self.names = names
        self.outer = outer
        self.func: bool = func or (outer is not None and outer.func)
        self.this: bool = this or (outer is not None and outer.this)
        """Whether it is in a resource body, where `this` has a meaning."""


FILE = Scope({}, None)
AFTER = Scope({}, None)
"""Marks a node on the stack whose children are bound."""
