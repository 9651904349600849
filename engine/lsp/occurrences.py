"""Which name in a file means what: the ground of definition, references, highlight, rename and colours."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.check.types import ResourceType, members_of
from engine.diagnostics.source import Span
from engine.parse import tree
from engine.record import Record


class Target(Record):
    """A declared thing, by the file and place of its name: the same from every file that uses it."""

    path: str
    start: int
    end: int


class Occurrence(Record):
    """A name that means a thing, which is a symbol of `home`; `declares` where it is the declaration itself."""

    start: int
    end: int
    home: Model
    symbol: Symbol
    target: Target | None
    declares: bool = False

    @property
    def span(self) -> Span:
        """Where the name stands."""
        return Span(self.start, self.end)


def origin(model: Model, symbol: Symbol) -> tuple[Model, Symbol]:
    """The thing itself, and its file: what an import stands for, what a parameter file's parameter is for."""
    if symbol.home is not None and symbol.original is not None:
        return symbol.home, symbol.original
    if symbol.kind is Kind.PARAM and isinstance(symbol.declaration, tree.Param):
        used = template_of(model)
        if used is not None and (found := used.symbols.get(symbol.name)) is not None and found.kind is Kind.PARAM:
            return used, found
    return model, symbol


def template_of(model: Model) -> Model | None:
    """The file that a parameter file is for."""
    if not model.path.endswith(".bicepparam"):
        return None
    using = next((s for s in model.file.statements if isinstance(s, tree.Using)), None)
    used = model.modules.get(id(using))
    return used if isinstance(used, Model) else None


def target_of(model: Model, symbol: Symbol) -> Target | None:
    """What a symbol of a file stands for; None for what is declared in no Bicep file."""
    if isinstance(symbol.declaration, tree.ImportItem) and symbol.declaration.alias is not None:
        return _target(model, symbol.declaration.alias)
    home, itself = origin(model, symbol)
    place = name_of(itself)
    return _target(home, place) if place is not None else None


def name_of(symbol: Symbol) -> tree.Node | None:
    """The node that is the name in a declaration."""
    match symbol.declaration:
        case tree.Identifier():
            return symbol.declaration
        case tree.ImportItem(name=name, alias=alias):
            return alias or name
        case tree.Import(wildcard=wildcard):
            return wildcard
        case tree.Extension(alias=alias, spec=spec):
            return alias or (spec if isinstance(spec, tree.Name) else None)
        case None:
            return None
        case node:
            declared = getattr(node, "name", None)
            return declared if isinstance(declared, tree.Identifier) else None


def _target(model: Model, place: tree.Node) -> Target | None:
    span = _inside(place)
    return Target(model.path, span.start, span.end) if span.end > span.start else None


def _inside(place: tree.Node) -> Span:
    """The name in a node: without the quotes of a string."""
    if isinstance(place, tree.Text) and place.end - place.start >= 2:
        return Span(place.start + 1, place.end - 1)
    return place.span


def occurrences(model: Model) -> list[Occurrence]:
    """Every name of a file that means something, in the order of the text."""
    found: dict[tuple[int, int], Occurrence] = {}
    for node, symbol, declares in _named(model):
        span = _inside(node)
        if span.end > span.start:
            target = target_of(model, symbol)
            found.setdefault((span.start, span.end), Occurrence(span.start, span.end, model, symbol, target, declares))
    for node, home, symbol in _foreign(model):
        span = _inside(node)
        if span.end > span.start:
            found[span.start, span.end] = Occurrence(span.start, span.end, home, symbol, target_of(home, symbol))
    return sorted(found.values(), key=lambda o: (o.start, o.end))


def _named(model: Model) -> Iterator[tuple[tree.Node, Symbol, bool]]:
    """Declarations, then uses."""
    declared = [*model.symbols.values(), *model.outputs.values(), *model.extension_symbols]
    for nested in model.nested.values():
        declared += nested.values()
    for locals in model.locals.values():
        declared += locals
    for symbol in declared:
        if isinstance(symbol.declaration, tree.ImportItem) and symbol.declaration.alias is None:
            yield symbol.declaration.name, symbol, False
        elif (place := name_of(symbol)) is not None:
            yield place, symbol, True
    for symbol, nodes in model.uses.items():
        for node in nodes:
            yield (node.name if isinstance(node, _NAMING) else node), symbol, False


_NAMING = tree.Call | tree.MethodCall | tree.Member | tree.NestedMember


def _foreign(model: Model) -> Iterator[tuple[tree.Node, Model, Symbol]]:
    """Names that mean something in another file: what is imported under an alias, parameters and outputs of modules."""
    for symbol in model.symbols.values():
        item = symbol.declaration
        if isinstance(item, tree.ImportItem) and item.alias is not None and symbol.home and symbol.original:
            yield item.name, symbol.home, symbol.original
    for statement in model.file.statements:
        target = model.modules.get(id(statement))
        if isinstance(statement, tree.Module | tree.Test) and isinstance(target, Model):
            for key in parameter_keys(statement.value):
                parameter = target.symbols.get(_text(key))
                if parameter is not None and parameter.kind is Kind.PARAM:
                    yield key, target, parameter
    has_modules = any(isinstance(s, tree.Module) for s in model.file.statements)
    for member in model.nodes(tree.Member) if has_modules else ():
        owner = _outputs_owner(model, member.base)
        if owner is not None and member.name.text in owner.outputs:
            yield member.name, owner, owner.outputs[member.name.text]


def parameter_keys(value: tree.Node) -> Iterator[tree.Identifier | tree.Text]:
    """The keys of the `params` of a module's body."""
    while not isinstance(value, tree.Object):
        if not isinstance(value, tree.For | tree.If):
            return
        value = value.body
    for member in value.members:
        if (
            isinstance(member, tree.Property)
            and _text(member.key) == "params"
            and isinstance(member.value, tree.Object)
        ):
            yield from (m.key for m in member.value.members if isinstance(m, tree.Property))


def _text(key: tree.Identifier | tree.Text) -> str:
    return key.text if isinstance(key, tree.Identifier) else key.literal or ""


def _outputs_owner(model: Model, base: tree.Node) -> Model | None:
    """The file of a module whose `outputs` an expression is."""
    if not isinstance(base, tree.Member) or base.name.text != "outputs":
        return None
    for member in members_of(model.type_of(base.base)):
        if isinstance(member, ResourceType) and member.module:
            target = model.modules.get(id(member.symbol.declaration))
            return target if isinstance(target, Model) else None
    return None
