"""Makes a symbol of everything a file declares, and finds names that are declared twice."""

from __future__ import annotations

from collections.abc import Iterable

from engine.check.model import Model
from engine.check.report import Report
from engine.check.symbols import Kind, Symbol
from engine.parse import tree

KINDS: dict[type[tree.Statement], Kind] = {
    tree.Param: Kind.PARAM,
    tree.ResourceParam: Kind.PARAM,
    tree.Var: Kind.VAR,
    tree.Resource: Kind.RESOURCE,
    tree.Module: Kind.MODULE,
    tree.TypeDeclaration: Kind.TYPE,
    tree.Func: Kind.FUNC,
    tree.Output: Kind.OUTPUT,
    tree.Metadata: Kind.METADATA,
    tree.Assert: Kind.ASSERT,
    tree.Test: Kind.TEST,
}

RESERVED = ("az", "sys")
"""Names of the namespaces that are always there; no symbol may be called so."""


def declare(model: Model, imported: list[Symbol], report: Report) -> None:
    """Fills `symbols`, `outputs` and `nested`, and binds the identifiers that declare."""
    apart: dict[Kind, list[Symbol]] = {}
    visible: list[Symbol] = []
    for statement in model.file.statements:
        kind = KINDS.get(type(statement))
        if kind is None:
            _declare_extension(model, statement, visible)
            continue
        symbol = _declare(model, statement, kind)
        if kind in (Kind.OUTPUT, Kind.METADATA):
            apart.setdefault(kind, []).append(symbol)
        else:
            visible.append(symbol)
            if isinstance(statement, tree.Resource):
                declare_nested(model, symbol, statement, report)
    for symbol in [*visible, *imported]:
        if symbol.name:
            model.symbols.setdefault(symbol.name, symbol)
    for symbol in apart.get(Kind.OUTPUT, ()):
        if symbol.name:
            model.outputs.setdefault(symbol.name, symbol)
    model.extension_symbols = tuple(s for s in visible if s.kind is Kind.EXTENSION)
    report_doubles(report, [s for s in (*visible, *imported) if s.kind is not Kind.BASE], "BCP028")
    for symbol in visible:
        place = declaring_identifier(symbol)
        if symbol.name in RESERVED and place is not None:
            report.error("BCP084", place, f"The name '{symbol.name}' is that of a namespace", "Choose another.")
    for kind, symbols in apart.items():
        code = "BCP145" if kind in (Kind.OUTPUT, Kind.METADATA) else "BCP028"
        report_doubles(report, symbols, code)


def _declare(model: Model, statement: tree.Statement, kind: Kind, parent: Symbol | None = None) -> Symbol:
    name: tree.Identifier = getattr(statement, "name")  # noqa: B009  every kind in the table has one
    symbol = Symbol(name.text, kind, statement, parent)
    model.bindings[id(name)] = symbol
    model.bindings[id(statement)] = symbol
    return symbol


def _declare_extension(model: Model, statement: tree.Statement, visible: list[Symbol]) -> None:
    if isinstance(statement, tree.Extends):
        visible.append(Symbol("base", Kind.BASE, statement))
    if not isinstance(statement, tree.Extension):
        return
    name = statement.alias or statement.spec
    if isinstance(name, tree.Name) and name.text == "az":
        return  # the namespace itself, told once more
    if isinstance(name, tree.Identifier | tree.Name) and name.text:
        symbol = Symbol(name.text, Kind.EXTENSION, statement)
        model.bindings[id(name)] = symbol
        model.bindings[id(statement)] = symbol
        visible.append(symbol)


def declare_nested(model: Model, parent: Symbol, resource: tree.Resource, report: Report) -> None:
    """Fills `nested` for the resources inside a resource's body, and theirs; iterative."""
    stack = [(parent, resource)]
    while stack:
        symbol, outer = stack.pop()
        inner = [m for m in body_members(outer.value) if isinstance(m, tree.Resource)]
        if not inner:
            continue
        symbols = [_declare(model, child, Kind.RESOURCE, symbol) for child in inner]
        report_doubles(report, symbols, "BCP028")
        by_name: dict[str, Symbol] = {}
        for child in symbols:
            if child.name:
                by_name.setdefault(child.name, child)
        model.nested[id(outer)] = by_name
        stack.extend(zip(symbols, inner, strict=True))


def body_of(value: tree.Node) -> tree.Object | None:
    """The object in the value of a resource or module, inside its loop and condition."""
    while isinstance(value, tree.For | tree.If | tree.Parenthesized):
        value = value.inner if isinstance(value, tree.Parenthesized) else value.body
    return value if isinstance(value, tree.Object) else None


def body_members(value: tree.Node) -> tuple[tree.Node, ...]:
    """The members of that object, none if it could not be read."""
    body = body_of(value)
    return body.members if body else ()


def key_text(key: tree.Node) -> str | None:
    """The name of a property; None where it has holes."""
    return key.text if isinstance(key, tree.Identifier) else key.literal if isinstance(key, tree.Text) else None


def report_doubles(report: Report, symbols: Iterable[Symbol], code: str) -> None:
    """Reports every declaration of a name that has several in one scope."""
    by_name: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        if symbol.name:
            by_name.setdefault(symbol.name, []).append(symbol)
    for name, same in by_name.items():
        if len(same) > 1:
            for symbol in same:
                what = symbol.kind.capitalize() if code == "BCP145" else "Name"
                place = declaring_identifier(symbol)
                if place is not None:
                    report.error(
                        code, place, f"{what} '{name}' is declared more than once", "Rename or remove one of them."
                    )


def declaring_identifier(symbol: Symbol) -> tree.Node | None:
    """The identifier that declares a symbol: where findings about the declaration point."""
    node = symbol.declaration
    match node:
        case tree.Extension(alias=alias, spec=spec):
            return alias or spec
        case tree.ImportItem(name=name, alias=alias):
            return alias or name
        case tree.Import(wildcard=wildcard):
            return wildcard
        case tree.Identifier():
            return node
        case None:
            return None
        case _:
            return getattr(node, "name", node)
