"""A checked program: the tree of one file with every name bound, and the models of the files it uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.check.resource_type import ResourceTypeName
from engine.check.symbols import Kind, Symbol
from engine.check.types import ANY, Type
from engine.config.config import Config
from engine.diagnostics.diagnostic import Diagnostic
from engine.diagnostics.source import Source
from engine.parse import tree
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from collections.abc import Callable
    from typing import TypeVar

    from engine.check.functions.signature import Function, Overload
    from engine.check.passes import Checks
    from engine.check.type_index import TypeData, TypeIndex
    from engine.check.type_names import TypeNames
    from engine.sources.port import Sources
    from engine.sources.reference import Artifact

    R = TypeVar("R")
    N = TypeVar("N", bound=tree.Node)


class Model:
    """What `check` knows of a file. Bindings are by the identity of a node: `Name`, `Call`, `MethodCall`,
    `NestedMember`, `ImportItem` and declared `Identifier`s.
    """

    __slots__ = (
        "_answers",
        "_index",
        "artifacts",
        "bindings",
        "builtins",
        "checks",
        "config",
        "cyclic",
        "decorators",
        "diagnostics",
        "extension_symbols",
        "extension_types",
        "extensions",
        "file",
        "functions",
        "imported",
        "listing",
        "locals",
        "missing",
        "modules",
        "nested",
        "outputs",
        "path",
        "resource_types",
        "sources",
        "symbol_types",
        "symbols",
        "target_scope",
        "type_data",
        "type_names",
        "types",
        "unfetched",
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
        self.outputs: dict[str, Symbol] = {}
        """Outputs, in order: a naming scope of their own."""
        self.bindings: dict[int, Symbol] = {}
        self.builtins: dict[int, Function] = {}
        """The built-in function that a `Call`, `MethodCall` or decorator calls."""
        self.uses: dict[Symbol, list[tree.Node]] = {}
        """Every node that refers to a symbol."""
        self.modules: dict[int, Model | Template] = {}
        """What the path of a `Module`, `Test`, `Import` or `Using` statement leads to, by the statement's identity."""
        self.imported: dict[tuple[Symbol, str], Symbol] = {}
        """What is reached through a `import * as ns`, by the namespace's symbol and the name."""
        self.extension_symbols: tuple[Symbol, ...] = ()
        """What the `extension` statements declare."""
        self.extensions: dict[Symbol, Symbol] = {}
        """The extension each resource belongs to, where it belongs to one."""
        self.cyclic: set[Symbol] = set()
        """The symbols whose declarations refer to themselves, directly or through others."""
        self.resource_types: dict[Symbol, ResourceTypeName] = {}
        """The full type of each resource, nested ones with that of what they are nested in."""
        self.types: dict[int, Type] = {}
        """The type of every expression that was looked at; `any` where it is not known. Ask with `type_of`."""
        self.symbol_types: dict[Symbol, Type] = {}
        """The type of what each symbol stands for."""
        self.functions: dict[Symbol, Overload] = {}
        """The signatures of the file's own functions."""
        self.decorators: dict[int, str] = {}
        """The name of every decorator that exists, without its namespace, by the identity of the `Decorator`."""
        self.config: Config = Config()
        self.type_names: TypeNames | None = None
        """The types that somebody has given, by name or whole; None where nobody has."""
        self.type_data: dict[Symbol, TypeData | None] = {}
        """What is known of the types of resources, where that was asked; see `catalogue.data_of`."""
        self.extension_types: dict[int, TypeIndex] = {}
        """The types of the extensions that come with data, by the identity of their `extension` statement."""
        self.sources: Sources | None = None
        """What it was read through: `load*` functions read more."""
        self.artifacts: tuple[Artifact, ...] = ()
        """What the file names in registries and repositories."""
        self.missing: tuple[Artifact, ...] = ()
        """Those of them that are not in the cache."""
        self.unfetched: tuple[Artifact, ...] = ()
        """Extensions that are not in the cache: one can do without their types."""
        self.checks: Checks | None = None
        """What is left to be checked; None where nothing is."""
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self.listing: Callable[[], dict[type[tree.Node], list[tree.Node]]] | None = None
        """What lists the nodes of the file by kind, where somebody can do that without a walk."""
        self._answers: dict[Callable[[Model], object], object] = {}
        self._index: dict[type[tree.Node], list[tree.Node]] | None = None

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

    def builtin(self, node: tree.Node) -> Function | None:
        """The built-in function that a call calls; None if it is the user's own, a method or unknown."""
        return self.builtins.get(id(node))

    def extension_of(self, resource: Symbol) -> Symbol | None:
        """The extension a resource belongs to; None for plain ARM resources."""
        return self.extensions.get(resource)

    def type_of(self, node: tree.Node) -> Type:
        """The type of an expression; `any` where it is not known."""
        found = self.types.get(id(node))
        if found is None and self.checks is not None:
            self._check(node)
            found = self.types.get(id(node))
        return ANY if found is None else found

    def type_of_symbol(self, symbol: Symbol) -> Type | None:
        """The type of what a symbol stands for; None where it is not known."""
        if self.checks is not None and symbol not in self.symbol_types and symbol.declaration is not None:
            self._check(symbol.declaration)
        return self.symbol_types.get(symbol)

    def signature(self, symbol: Symbol) -> Overload | None:
        """The signature of one of the file's own functions."""
        if self.checks is not None and symbol not in self.functions and symbol.declaration is not None:
            self._check(symbol.declaration)
        return self.functions.get(symbol)

    def _check(self, node: tree.Node) -> None:
        """Checks the statement that a node is in."""
        from bisect import bisect_right

        at = bisect_right(self.file.statements, node.start, key=lambda s: s.start) - 1
        if at >= 0 and self.checks is not None:
            self.checks.statement(self.file.statements[at])

    def nodes(self, kind: type[N]) -> Sequence[N]:
        """All nodes of a kind in the file, in order: the tree is walked once for all kinds."""
        if self._index is None:
            self._index = self.listing() if self.listing is not None else tree.by_kind((self.file,))
        found: Sequence[N] = self._index.get(kind, ())  # type: ignore[assignment]  # listed under their own type
        return found

    def once(self, question: Callable[[Model], R]) -> R:
        """The answer to a question about the whole file, once it is checked; worked out when it is first asked."""
        if question not in self._answers:
            self._answers[question] = question(self)
        answer: R = self._answers[question]  # type: ignore[assignment]  # kept under who gave it
        return answer

    def has_decorator(self, node: tree.Statement | tree.TypeProperty | tree.TupleItem, name: str) -> bool:
        """Whether a statement or member carries a decorator, with or without its namespace."""
        return any(self.decorators.get(id(d)) == name for d in node.decorators)

    def everything(self) -> Iterator[Model]:
        """This model and those of all files it leads to, each once, this one first."""
        seen, stack = {self.path}, [self]
        while stack:
            top = stack.pop()
            yield top
            for used in top.modules.values():
                if isinstance(used, Model) and used.path not in seen:
                    seen.add(used.path)
                    stack.append(used)

    def of_kind(self, kind: Kind) -> Iterator[Symbol]:
        """The top level's symbols of a kind, in order."""
        return (s for s in self.symbols.values() if s.kind is kind)
