"""Makes symbols of what a file imports."""

from __future__ import annotations

from engine.check import exports
from engine.check.model import Model
from engine.check.report import Report
from engine.check.spelling import suggestion
from engine.check.symbols import Kind, Symbol
from engine.diagnostics.diagnostic import has_errors
from engine.diagnostics.source import Span
from engine.parse import tree


def import_symbols(model: Model, report: Report) -> list[Symbol]:
    """One symbol for each item and wildcard of the import statements, bound to its node.

    What an unreadable file would have brought in is a symbol too, so that its uses are not reported again.
    """
    symbols: list[Symbol] = []
    for statement in model.file.statements:
        if not isinstance(statement, tree.Import):
            continue
        target = model.modules.get(id(statement))
        twice = exports.ambiguous(target) if target is not None else []
        if statement.wildcard is not None:
            symbol = Symbol(statement.wildcard.text, Kind.WILDCARD, statement, home=_home(model, statement))
            model.bindings[id(statement.wildcard)] = symbol
            model.bindings[id(statement)] = symbol
            symbols.append(symbol)
            _whole(statement, statement.wildcard, twice, report)
        for item in statement.items:
            symbols.append(_item(model, statement, item, twice, report))
    _doubles(symbols, report)
    return symbols


def _whole(statement: tree.Import, name: tree.Identifier, twice: list[str], report: Report) -> None:
    """Everything of a template can be imported at once only if each name there means one thing."""
    if twice:
        listed = ", ".join(f"'{n}'" for n in twice)
        star = report.source.text.rfind("*", statement.start, name.start)
        message = f"'{_path(statement)}' exports more than one thing as {listed}"
        report.error("BCP374", Span(star, name.end), message, "Import by name what means one thing.")


def _doubles(symbols: list[Symbol], report: Report) -> None:
    """One thing needs one name: reports the items that bring it in under several."""
    by_origin: dict[tuple[int, str], list[tuple[Symbol, tree.ImportItem]]] = {}
    for symbol in symbols:
        item = symbol.declaration
        if isinstance(item, tree.ImportItem) and symbol.home is not None and symbol.original is not None:
            by_origin.setdefault((id(symbol.home), symbol.original.name), []).append((symbol, item))
    for (_, name), same in by_origin.items():
        if len(same) > 1:
            names = ", ".join(f"'{symbol.name}'" for symbol, _ in same)
            for _, item in same:
                message = f"'{name}' is imported more than once, as {names}"
                report.error("BCP362", item, message, "Import it once, and use that name.")


def _home(model: Model, statement: tree.Import) -> Model | None:
    target = model.modules.get(id(statement))
    return target if isinstance(target, Model) else None


def _item(model: Model, statement: tree.Import, item: tree.ImportItem, twice: list[str], report: Report) -> Symbol:
    name = item.name.text if isinstance(item.name, tree.Identifier) else item.name.literal or ""
    local = item.alias.text if item.alias else name
    target = model.modules.get(id(statement))
    symbol = exports.imported_symbol(target, name, local, item) if target is not None else None
    if symbol is not None and name in twice:
        report.error("BCP373", item.name, f"'{name}' cannot be imported: '{_path(statement)}' exports several of it")
        symbol = Symbol(local, Kind.UNKNOWN, item)
    elif symbol is None:
        if target is not None and name and not (isinstance(target, Model) and has_errors(target.diagnostics)):
            near = suggestion(name, exports.exported(target))
            help = f"Did you mean '{near}'?" if near else "Put @export() before its declaration, if it is there."
            report.error("BCP360", item.name, f"'{name}' is not exported by '{_path(statement)}'", help)
        symbol = Symbol(local, Kind.UNKNOWN, item)
    for node in (item, item.name, item.alias):
        if node is not None:
            model.bindings[id(node)] = symbol
    return symbol


def _path(statement: tree.Import) -> str:
    return (statement.path.literal or "") if isinstance(statement.path, tree.Text) else ""
