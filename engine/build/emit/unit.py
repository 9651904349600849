"""A file being compiled: what is known of it, and the way from a node to ARM text or JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from engine.build.emit.declared import Declared
from engine.build.emit.text import call, quote, wrap
from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any, TypeVar

    H = TypeVar("H", bound="Handler")

Locals = Mapping[Symbol, str]
"""What loop variables stand for at a place; a looped resource's own symbol maps to the index it is seen at."""

NO_LOCALS: Locals = {}
_NAMESPACE, _EXTENSION = Kind.NAMESPACE, Kind.EXTENSION

Handler = Callable[["Unit", "Any", Locals], "Any"]

TEXT: dict[type[tree.Node], Handler] = {}
VALUE: dict[type[tree.Node], Handler] = {}


def emits_text(*kinds: type[tree.Node]) -> Callable[[H], H]:
    """Register how a kind of node becomes expression text."""
    return lambda handler: (TEXT.update(dict.fromkeys(kinds, handler)), handler)[1]


def emits_value(*kinds: type[tree.Node]) -> Callable[[H], H]:
    """Register how a kind of node becomes a JSON value, where that is not just its text in brackets."""
    return lambda handler: (VALUE.update(dict.fromkeys(kinds, handler)), handler)[1]


class Session:
    """What all files of one build share: how to build, what was found wrong, and what modules compiled to."""

    __slots__ = ("built", "diagnostics", "hashed", "symbolic", "version")

    def __init__(self, *, symbolic: bool = False, version: str = "", hashed: bool = True) -> None:
        self.symbolic = symbolic
        self.hashed = hashed
        self.version = version
        self.diagnostics: list[Diagnostic] = []
        self.built: dict[int, Any] = {}


class Unit:
    """One file being compiled. `seen_from` gives the same unit with another file's bindings, for what was imported."""

    def __init__(self, model: Model, session: Session) -> None:
        self.model = model
        self.bindings = model.bindings
        self.session = session
        self.symbolic = False
        self.extension_key = "extension" if model.config.feature("moduleExtensionConfigs") else "import"
        self.azure: str | None = None
        """The alias of Azure's own extension, where resources must name it."""
        self.declared: dict[Symbol, Declared] = {}
        self.module_items: set[Symbol] = set()
        """Lambda parameters that stand for a module out of a collection."""
        self.inlined: set[Symbol] = set()
        """Variables and existing resources that are replaced where they are used."""
        self.names: dict[Symbol, str] = {}
        """Names of what was imported, by the symbol that its own file declares."""
        self.namespaces: dict[Symbol, str] = {}
        self.loads: dict[int, str] = {}
        """Variables that hold the content of files, by the identity of the call that loads it."""
        self.active: set[Symbol] = set()
        """Variables being inlined: a ring, which `check` refused, must not be followed."""

    def seen_from(self, model: Model) -> Unit:
        """This unit for nodes of another file."""
        if model is self.model:
            return self
        other: Unit = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.model = model
        other.bindings = model.bindings
        return other

    def text(self, node: tree.Node, locals: Locals = NO_LOCALS) -> str:
        """A node as ARM expression text."""
        text: str = TEXT[type(node)](self, node, locals)
        return text

    def value(self, node: tree.Node, locals: Locals = NO_LOCALS) -> Any:
        """A node as JSON, where JSON stands rather than an expression."""
        handler = VALUE.get(type(node))
        return handler(self, node, locals) if handler else wrap(TEXT[type(node)](self, node, locals))

    def texts(self, nodes: Iterable[tree.Node], locals: Locals) -> list[str]:
        """Several nodes as text."""
        return [TEXT[type(node)](self, node, locals) for node in nodes]

    def symbol(self, node: tree.Node) -> Symbol | None:
        """What a node refers to or declares."""
        return self.bindings.get(id(node))

    def variable(self, symbol: Symbol) -> str:
        """A use of a variable that is not inlined."""
        return f"variables({quote(self.name(symbol))})"

    def special(self, function: str, node: tree.Call | tree.MethodCall, locals: Locals) -> str | None:
        """A call of a built-in function that means something of its own in this kind of file."""
        return None

    def loop(self, node: tree.For, locals: Locals) -> str:
        """A loop where ARM can unroll none: a `map`."""
        symbols = self.model.locals.get(id(node), ())
        names = [quote(symbol.name) for symbol in symbols]
        inner = {**locals, **{s: call("lambdaVariables", name) for s, name in zip(symbols, names, strict=True)}}
        return call("map", self.text(node.array, locals), call("lambda", *names, self.text(node.body, inner)))

    def parameter(self, symbol: Symbol) -> str:
        """A use of a parameter."""
        return f"parameters({quote(symbol.name)})"

    def call(self, symbol: Symbol, arguments: list[str]) -> str:
        """A call of a function that the program declares."""
        symbol = original(symbol)
        return call(f"{self.namespaces.get(symbol, '__bicep')}.{self.name(symbol)}", *arguments)

    def name(self, symbol: Symbol) -> str:
        """What a variable, type or function is called in the template."""
        symbol = original(symbol)
        return self.names.get(symbol, symbol.name)

    def inlines(self, symbol: Symbol) -> bool:
        """Whether a variable is replaced by its value here; False within its own value."""
        return symbol in self.inlined and symbol not in self.active

    def error(self, code: str, node: tree.Node, message: str, help: str = "") -> None:
        """Report what only building can find out."""
        label = Label(self.model.source, node.span)
        self.session.diagnostics.append(Diagnostic(code, Severity.ERROR, message, label, help=help))


def original(symbol: Symbol) -> Symbol:
    """The symbol in the file that declares it."""
    while symbol.original is not None and symbol.original is not symbol:
        symbol = symbol.original
    return symbol


def namespace_of(unit: Unit, base: tree.Node) -> str | None:
    """`sys` or `az` if a node names such a namespace."""
    if type(base) is tree.Name:
        symbol = unit.bindings.get(id(base))
        if symbol is None:
            return base.text if base.text in ("sys", "az") else None
        if symbol.kind is _NAMESPACE and symbol.name != "this":
            return symbol.name
        if symbol.kind is _EXTENSION and isinstance(symbol.declaration, tree.Extension):
            spec = symbol.declaration.spec
            return "az" if isinstance(spec, tree.Name) and spec.text == "az" else None
    return None
