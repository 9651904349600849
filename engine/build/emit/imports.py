"""What other files bring into a template: everything imported, and all that this needs in turn."""

from __future__ import annotations

from collections.abc import Iterator

from engine.build.emit.armimports import Foreign, foreign_items
from engine.build.emit.dependencies import culture_key
from engine.build.emit.loads import find_loads
from engine.build.emit.signature import definition, function
from engine.build.emit.unit import Unit
from engine.build.emit.uses import LOADS
from engine.build.emit.variables import Section
from engine.check.model import Model
from engine.check.references import REGISTRY
from engine.check.symbols import Kind, Symbol
from engine.parse import tree
from engine.sources.port import relative

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_KINDS = (Kind.VAR, Kind.TYPE, Kind.FUNC)


class Imported:
    """One thing from another file: the name it gets here, and the file, as seen from this one."""

    __slots__ = ("alias", "content", "home", "kind", "name", "original", "source", "symbol")

    def __init__(self, kind: Kind, original: str, source: str, alias: str | None) -> None:
        self.kind = kind
        self.original = original
        self.source = source
        self.alias = alias
        """The name that the file gives it; None for what is only needed by others."""
        self.name = alias or original
        self.symbol: Symbol | None = None
        self.home: Model | None = None
        self.content: Any = None
        """What it is in an ARM JSON template, or what a loaded file holds."""


class Imports:
    """All that a file imports; tells its unit the names, then writes them into the sections."""

    __slots__ = ("items", "unit")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.items = _closure(unit)
        _rename(unit, self.items)

    def variables(self, section: Section) -> None:
        """Add the variables."""
        for each in self._sorted(Kind.VAR):
            if each.home is None:
                each.content.write(section, each.name)
            elif each.symbol is None:
                section.values[each.name] = each.content
            elif isinstance(each.symbol.declaration, tree.Var):
                section.add(self.unit.seen_from(each.home), each.name, each.symbol.declaration.value)

    def definitions(self, found: dict[str, Any]) -> None:
        """Add the types."""
        for each in self._sorted(Kind.TYPE):
            if each.symbol is not None and isinstance(each.symbol.declaration, tree.TypeDeclaration):
                assert each.home is not None
                schema = definition(self.unit.seen_from(each.home), each.symbol.declaration, imported=True)
            else:
                schema = each.content.schema()
            found[each.name] = _marked(schema, each)

    def functions(self, spaces: dict[str, dict[str, Any]]) -> None:
        """Add the functions, by namespace."""
        for each in self._sorted(Kind.FUNC):
            if each.symbol is not None and isinstance(each.symbol.declaration, tree.Func):
                assert each.home is not None
                content = function(self.unit.seen_from(each.home), each.symbol.declaration, imported=True)
            else:
                content = each.content.schema()
            space, _, name = each.name.rpartition(".")
            spaces.setdefault(space or "__bicep", {})[name] = _marked(content, each)

    def _sorted(self, kind: Kind) -> list[Imported]:
        return sorted((i for i in self.items if i.kind is kind), key=lambda i: culture_key(i.name))


def _marked(content: dict[str, Any], each: Imported) -> dict[str, Any]:
    """With a note of where it is from."""
    note = {"sourceTemplate": each.source}
    if each.alias is not None and each.alias != each.original:
        note["originalIdentifier"] = each.original
    metadata = {k: v for k, v in content.get("metadata", {}).items() if k != "__bicep_export!"}
    return {**content, "metadata": {**metadata, "__bicep_imported_from!": note}}


def _seen(path: str, home: Model | None, folder: str) -> str:
    """How a file is named that something is imported from: by its way from here, or by the reference to the artifact."""
    name = home.source.name if home is not None else path
    return name if name.startswith(REGISTRY) else relative(path, folder)


def _closure(unit: Unit) -> list[Imported]:
    model, folder = unit.model, unit.model.path.rpartition("/")[0]
    found: dict[Any, Imported] = {}
    waiting: list[Any] = []

    def want(symbol: Symbol, home: Model | None, alias: str | None) -> None:
        while symbol.original is not None:
            home, symbol = symbol.home, symbol.original
        if symbol in found:
            found[symbol].alias = found[symbol].alias or alias
        elif home is not None:
            each = found[symbol] = Imported(symbol.kind, symbol.name, _seen(home.path, home, folder), alias)
            each.symbol, each.home = symbol, home
            waiting.append(each)

    def want_foreign(item: Foreign, alias: str | None) -> None:
        key = item.key
        if key in found:
            found[key].alias = found[key].alias or alias
            found[key].content.symbols += item.symbols
        else:
            item.names = tables.setdefault(id(item.template), {})
            each = found[key] = Imported(item.kind, item.name, _seen(item.path, None, folder), alias)
            each.content = item
            waiting.append(each)

    tables: dict[int, dict[tuple[Kind, str], str]] = {}
    for symbol, alias, home in _roots(model):
        if symbol.original is not None:
            want(symbol, symbol.home, alias)
        elif (item := foreign_items(home, symbol)) is not None:
            want_foreign(item, alias)
    while waiting:
        each = waiting.pop()
        if each.home is None:
            for item in each.content.needs():
                want_foreign(item, None)
            continue
        home = each.home
        for node in tree.walk(each.symbol.declaration):
            symbol = home.bindings.get(id(node))
            if symbol is not None and symbol.kind in _KINDS and symbol is not each.symbol:
                if (
                    symbol.original is None
                    and symbol.home is None
                    and isinstance(symbol.declaration, (tree.ImportItem, tree.Import))
                ):
                    if (item := foreign_items(home, symbol)) is not None:
                        want_foreign(item, None)
                elif symbol.kind in _KINDS:
                    want(symbol, home, None)
    items = list(found.values())
    return [*items, *_loaded(unit, items, folder)]


def _roots(model: Model) -> Iterator[tuple[Symbol, str | None, Model]]:
    """What the file itself imports: with its name there, or through a namespace."""
    for statement in model.file.statements:
        if isinstance(statement, tree.Import):
            for item in statement.items:
                symbol = model.bindings.get(id(item))
                if symbol is not None and symbol.kind in _KINDS:
                    yield symbol, symbol.name, model
    for symbol in model.imported.values():
        yield symbol, None, model


def _loaded(unit: Unit, items: list[Imported], folder: str) -> list[Imported]:
    """Contents of files that imported variables load: variables of the file that loads them."""
    found: list[Imported] = []
    for home in {id(i.home): i.home for i in items if i.home is not None}.values():
        if "load" not in home.source.text:
            continue
        loads = dict(find_loads(unit.seen_from(home)))
        used = {
            unit.loads[id(node)]
            for each in items
            if each.home is home and each.kind is Kind.VAR and each.symbol is not None and each.symbol.declaration
            for node in tree.walk(each.symbol.declaration)
            if isinstance(node, (tree.Call, tree.MethodCall)) and node.name.text in LOADS and id(node) in unit.loads
        }
        for name in sorted(used):
            each = Imported(Kind.VAR, name, _seen(home.path, home, folder), None)
            each.home, each.content = home, loads[name]
            found.append(each)
    return found


def _rename(unit: Unit, items: list[Imported]) -> None:
    """Give what the file does not name a name of its own: `_1.name`, a number for each source."""
    numbers: dict[str, int] = {}
    for each in sorted((i for i in items if i.alias is None), key=lambda i: (i.source, i.original)):
        number = numbers.setdefault(each.source, len(numbers) + 1)
        each.name = f"_{number}.{each.original}"
    renamed = {(i.home, i.original): i.name for i in items if i.home is not None and i.original.startswith("$fxv#")}
    for each in items:
        if each.alias is not None:
            each.name = each.alias
        symbols = each.content.symbols if isinstance(each.content, Foreign) else [each.symbol] if each.symbol else []
        for symbol in symbols:
            space, _, name = each.name.rpartition(".")
            if each.kind is Kind.FUNC:
                unit.namespaces[symbol] = space or "__bicep"
                unit.names[symbol] = name
            else:
                unit.names[symbol] = each.name
        if isinstance(each.content, Foreign):
            each.content.names[each.kind, each.original] = each.name
    for home in {id(i.home): i.home for i in items if i.home is not None}.values():
        for node in _load_calls(home, unit):
            if (new := renamed.get((home, unit.loads[id(node)]))) is not None:
                unit.loads[id(node)] = new


def _load_calls(home: Model, unit: Unit) -> Iterator[tree.Node]:
    if "load" in home.source.text:
        for statement in home.file.statements:
            yield from (node for node in tree.walk(statement) if id(node) in unit.loads)
