"""What a piece of code refers to: resources, variables, functions that need run time. One walk, no text."""

from __future__ import annotations

from engine.build.emit.declared import Declared
from engine.build.emit.unit import Unit, namespace_of, original
from engine.check.symbols import Kind, Symbol
from engine.check.types import DiscriminatedType
from engine.contract.patterns import pattern
from engine.parse import tree
from engine.record import Record

NEEDS_INLINING = pattern(
    r"(?a)reference|list[A-Z]\w*|toLogicalZones?|toPhysicalZones?|externalInput|readCliArg|readEnvVar"
)
"""Functions that ARM evaluates only where they stand, never in `variables`."""

LOADS = frozenset(
    {"loadTextContent", "loadFileAsBase64", "loadJsonContent", "loadYamlContent", "loadDirectoryFileInfo"}
)
"""Functions that read files while building."""

IDENTITY = frozenset({"id", "name", "type", "apiVersion"})
"""Properties of a resource that its declaration settles."""

_VAR = Kind.VAR
_RESOURCES = frozenset({Kind.RESOURCE, Kind.MODULE})
_LEAVES = frozenset(
    {tree.Integer, tree.Boolean, tree.Null, tree.Identifier, tree.Broken, tree.Resource, tree.Decorator, tree.Param}
)
_FIELDS: dict[type[tree.Node], tuple[str, ...]] = {
    tree.Text: ("holes",),
    tree.Array: ("items",),
    tree.Object: ("members",),
    tree.Property: ("key", "value"),
    tree.Spread: ("value",),
    tree.Unary: ("operand",),
    tree.Binary: ("left", "right"),
    tree.Ternary: ("condition", "then", "otherwise"),
    tree.Parenthesized: ("inner",),
    tree.NonNull: ("base",),
    tree.Member: ("base",),
    tree.Index: ("base", "index"),
    tree.Call: ("arguments",),
    tree.MethodCall: ("base", "arguments"),
    tree.Lambda: ("body",),
    tree.For: ("array", "body"),
    tree.If: ("condition", "body"),
}


class Reference(Record):
    """One use of a resource or module. A weak one reads only what its declaration settles; `index` is None for a whole
    collection and for what is no collection; `bare` is a use of the thing itself, with no member read.
    """

    symbol: Symbol
    index: tree.Expression | None
    weak: bool
    bare: bool
    unit: Unit


class Uses:
    """All that some code refers to."""

    __slots__ = ("late", "references", "runtime", "variables")

    def __init__(self) -> None:
        self.references: list[Reference] = []
        self.variables: list[tuple[Symbol, tree.Expression | None]] = []
        """Variables with the index that picks an element, if one follows at once."""
        self.runtime = False
        """Whether it has to stand where it is used: it may read what only run time knows."""
        self.late = False
        """Whether it certainly does: it calls such a function, or reads such a property."""


def uses(unit: Unit, *nodes: tree.Node | None) -> Uses:
    """What the nodes refer to, nested resources left out."""
    found = Uses()
    for node in nodes:
        if node is not None:
            _walk(unit, node, found)
    return found


def target(unit: Unit, node: tree.Node) -> tuple[Symbol, tree.Expression | None] | None:
    """The resource or module that a node names, and the index if it picks one of a collection."""
    kind = type(node)
    while kind is tree.NonNull or kind is tree.Parenthesized:
        node = node.base if isinstance(node, tree.NonNull) else node.inner  # type: ignore[attr-defined]
        kind = type(node)
    if kind is tree.Name or kind is tree.NestedMember:
        symbol = unit.bindings.get(id(node))
        if symbol is not None and symbol.kind in _RESOURCES and symbol in unit.declared:
            return symbol, None
    elif kind is tree.Index:
        assert isinstance(node, tree.Index)
        base = target(unit, node.base)
        if base is not None and base[1] is None and unit.declared[base[0]].loop is not None:
            return base[0], node.index
    return None


def member_name(node: tree.Node) -> str | None:
    """`x` of `.x` and `['x']`."""
    if type(node) is tree.Member:
        return node.name.text
    if type(node) is tree.Index and not node.from_end and type(node.index) is tree.Text:
        return node.index.literal
    return None


def _walk(unit: Unit, node: tree.Node, found: Uses) -> None:
    kind = type(node)
    if kind is tree.Name:
        symbol = unit.bindings.get(id(node))
        if symbol is not None:
            if symbol.kind is _VAR:
                found.variables.append((original(symbol), None))
            elif symbol.kind in _RESOURCES and symbol in unit.declared:
                _refer(unit, symbol, None, None, found)
        return
    if kind is tree.Member or kind is tree.Index:
        if (picked := target(unit, node)) is not None:  # collection[i], and nothing read of it
            _refer(unit, *picked, None, found)
            return
        base = node.base  # type: ignore[attr-defined]
        if kind is tree.Index and type(base) is tree.Name:
            variable = unit.bindings.get(id(base))
            if variable is not None and variable.kind is _VAR:
                found.variables.append((original(variable), node.index))  # type: ignore[attr-defined]
                _walk(unit, node.index, found)  # type: ignore[attr-defined]
                return
        if (picked := target(unit, base)) is not None:
            _refer(unit, *picked, member_name(node) or "?", found)
            if kind is tree.Index:
                _walk(unit, node.index, found)  # type: ignore[attr-defined]
            return
    elif kind is tree.NestedMember:
        if (picked := target(unit, node)) is not None:
            _refer(unit, *picked, None, found)
        return
    elif kind is tree.MethodCall:
        assert isinstance(node, tree.MethodCall)
        if (picked := target(unit, node.base)) is not None:
            _refer(unit, *picked, "()", found)
            for argument in node.arguments:
                _walk(unit, argument, found)
            return
        if namespace_of(unit, node.base):
            _call(unit, node.name.text, node.arguments, found)
            return
    elif kind is tree.Call:
        assert isinstance(node, tree.Call)
        if unit.bindings.get(id(node)) is None:
            _call(unit, node.name.text, node.arguments, found)
            return
    for field in _FIELDS.get(kind, ()):
        value = getattr(node, field)
        for item in value if type(value) is tuple else (value,):
            below = type(item)
            if below is tree.Property:
                if type(item.key) is tree.Text and item.key.holes:
                    _walk(unit, item.key, found)
                item = item.value
                below = type(item)
            if below not in _LEAVES and not (below is tree.Text and not item.holes):
                _walk(unit, item, found)


def _call(unit: Unit, name: str, arguments: tuple[tree.Expression, ...], found: Uses) -> None:
    if name == "nameof":  # waits for what it names, and reads nothing of it
        runtime, late, known = found.runtime, found.late, len(found.references)
        for argument in arguments:
            _walk(unit, argument, found)
        found.runtime, found.late = runtime, late
        found.references[known:] = [r.replace(bare=False) for r in found.references[known:]]
        return
    if NEEDS_INLINING.fullmatch(name):
        found.runtime = found.late = True
    for argument in arguments:
        _walk(unit, argument, found)


def _told_apart(unit: Unit, symbol: Symbol) -> bool:
    """Whether the body of a resource is one of several, by type data: what is read of one, the reference compiler inlines."""
    data = unit.model.type_data.get(symbol)
    return data is not None and isinstance(data.body, DiscriminatedType)


def _refer(unit: Unit, symbol: Symbol, index: tree.Expression | None, read: str | None, found: Uses) -> None:
    """Note a use; `read` is the member read of it, `()` a method, None the thing itself."""
    each: Declared = unit.declared[symbol]
    weak = each.extension is None and (read in IDENTITY or read == "()")
    found.references.append(Reference(symbol, index, weak, read is None, unit))
    if index is not None:
        _walk(unit, index, found)
    early = each.extension is None and (read == "name" if each.module else read in IDENTITY)
    found.runtime |= not early or _told_apart(unit, symbol)
    found.late |= not early and read is not None and read != "?"
