"""A checked program: the tree of one file with every name bound, and the models of the files it uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.check.symbols import Kind, Symbol
from engine.diagnostics.diagnostic import Diagnostic
from engine.diagnostics.source import Source
from engine.parse import tree
from engine.template.template import Template


class Model:
    """What `check` knows of a file. Bindings are by the identity of a node: `Name`, `Call`, `MethodCall`,
    `NestedMember`, `ImportItem` and declared `Identifier`s.
    """

    __slots__ = (
        "bindings",
        "diagnostics",
        "file",
        "locals",
        "modules",
        "nested",
        "path",
        "symbols",
        "target_scope",
        "uses",
    )

    def __init__(self, file: tree.File, path: str) -> None:
        self.file = file
        self.path = path
        """Where the file was read from, as `Sources` resolves it; identifies the model."""
        self.target_scope = "resourceGroup"
        self.symbols: dict[str, Symbol] = {}
        """Names of the top level, in order: declared, then imported; outputs are not among them."""
        self.nested: dict[int, dict[str, Symbol]] = {}
        """Nested resources by the identity of the enclosing `tree.Resource`."""
        self.locals: dict[int, tuple[Symbol, ...]] = {}
        """What a `For`, `Lambda` or `Func` declares, by the identity of that node."""
        self.bindings: dict[int, Symbol] = {}
        self.uses: dict[Symbol, list[tree.Node]] = {}
        """Every node that refers to a symbol."""
        self.modules: dict[int, Model | Template] = {}
        """What the path of a `Module`, `Test`, `Import` or `Using` statement leads to, by the statement's identity."""
        self.diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def source(self) -> Source:
        """The text of the file."""
        return self.file.source

    def symbol(self, node: tree.Node) -> Symbol | None:
        """What a node refers to or declares; None if it is unknown or a built-in function."""
        return self.bindings.get(id(node))

    def unused(self, symbol: Symbol) -> bool:
        """Whether nothing refers to it."""
        return not self.uses.get(symbol)

    def of_kind(self, kind: Kind) -> Iterator[Symbol]:
        """The top level's symbols of a kind, in order."""
        return (s for s in self.symbols.values() if s.kind is kind)


Models = Mapping[str, Model]
