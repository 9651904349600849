"""Late values where ARM needs early ones: what decides whether, how often, where and under which name something is deployed."""

from __future__ import annotations

from collections.abc import Iterator

from engine.build.emit.declared import Declared
from engine.build.emit.unit import Unit, namespace_of, original
from engine.build.emit.uses import IDENTITY, NEEDS_INLINING, member_name, target
from engine.check.body import properties_of
from engine.check.symbols import Kind, Symbol
from engine.check.types import DiscriminatedType, ObjectType, StringLiteral, members_of
from engine.parse import tree

_EARLY = frozenset({"name", "parent", "scope", "location", "kind", "subscriptionId", "resourceGroup", "managedBy"})
_EARLY |= {"extendedLocation", "zones", "placement", "plan", "sku", "identity", "managedByExtended", "tags", "asserts"}
"""Properties that ARM has to know before anything is deployed."""

_WHOLE = frozenset({"parent", "scope"})
"""Properties that name another resource as such."""

_OURS = ("applications.", "radius.", "ulna.")
"""Types that are none of ARM's, in whichever form they are written: they may wait for what they need."""

_USABLE = "Of other resources only id, name, type and apiVersion can be used here."


class Lateness:
    """Finds what only run time knows, in the expressions of one file."""

    __slots__ = ("_late", "unit")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._late: dict[Symbol, bool] = {}

    def parts(self, node: tree.Node) -> Iterator[tree.Node]:
        """The parts of an expression that are late, the outermost of each, in order."""
        unit = self.unit
        match node:
            case tree.Resource() | tree.Identifier():
                return
            case tree.Name():
                symbol = unit.bindings.get(id(node))
                if symbol is not None and (
                    self.variable(original(symbol)) if symbol.kind is Kind.VAR else symbol in unit.declared
                ):
                    yield node
                return
            case tree.NestedMember():
                if target(unit, node) is not None:
                    yield node
                return
            case tree.Member() | tree.Index():
                if (picked := target(unit, node.base)) is not None:
                    if self._early(picked[0], node):
                        yield from () if picked[1] is None else self.parts(picked[1])
                    elif isinstance(node, tree.Index) and target(unit, node) is not None:
                        yield node.base  # one of a collection, and nothing read of it
                    else:
                        yield node
                    return
            case tree.MethodCall():
                if target(unit, node.base) is not None:
                    yield node
                    return
                if namespace_of(unit, node.base):
                    yield from self._call(node)
                    return
            case tree.Call():
                if unit.bindings.get(id(node)) is None:
                    yield from self._call(node)
                    return
            case _:
                pass
        for child in tree.children(node):
            yield from self.parts(child)

    def _call(self, node: tree.Call | tree.MethodCall) -> Iterator[tree.Node]:
        if NEEDS_INLINING.fullmatch(node.name.text):
            yield node
        elif node.name.text != "nameof":
            for argument in node.arguments:
                yield from self.parts(argument)

    def _early(self, symbol: Symbol, node: tree.Member | tree.Index) -> bool:
        """Whether the declaration of a resource settles what is read of it."""
        each = self.unit.declared[symbol]
        read = member_name(node)
        if read is None and isinstance(node, tree.Index) and not node.from_end:
            known = members_of(self.unit.model.type_of(node.index))
            names = {m.value if isinstance(m, StringLiteral) else "" for m in known}
        else:
            names = {read or ""}
        return each.extension is None and names <= ({"name"} if each.module else IDENTITY)

    def variable(self, symbol: Symbol) -> bool:
        """Whether a variable of this file leads, directly or through others, to a late value."""
        known = self._late.get(symbol)
        if known is None:
            self._late[symbol] = False  # a ring of variables is refused elsewhere
            declaration = symbol.declaration
            own = isinstance(declaration, tree.Var) and self.unit.symbol(declaration.name) is symbol
            known = own and next(self.parts(declaration.value), None) is not None  # type: ignore[union-attr]
            self._late[symbol] = known
        return known


def check_lateness(unit: Unit) -> None:
    """Report late values where ARM needs early ones."""
    lateness = Lateness(unit)
    for statement in unit.model.file.statements:
        match statement:
            case tree.Var(value=tree.For(array=array, body=body)):
                what = f"The loop of variable '{statement.name.text}'"
                _report(lateness, "BCP178", array, f"How often {what[:1].lower()}{what[1:]} runs")
                for part in lateness.parts(body):
                    message = f"{what} uses a value that is known only once a resource is deployed"
                    unit.error("BCP182", part, message, "Loop where the variable is used, in an output or a property.")
            case tree.Func(body=body):
                for part in lateness.parts(body):
                    message = (
                        f"Function '{statement.name.text}' uses a value that is known only once a resource is deployed"
                    )
                    unit.error("BCP341", part, message, "Pass the value as an argument.")
            case tree.Extension(config=tree.Object() as config):
                for part in lateness.parts(config):
                    message = "What an extension is configured with must be known before anything is deployed"
                    unit.error("BCP444", part, message, "Configure it where the file is used as a module.")
            case _:
                pass
    _calls(lateness)
    for each in unit.declared.values():
        if (each.extension is None and not each.type.lower().startswith(_OURS)) or unit.model.type_data.get(
            each.symbol
        ) is not None:
            _placement(lateness, each)


def _calls(lateness: Lateness) -> None:
    """What is asked of the platform, and what of a resource that exists, must be known early too."""
    model, unit = lateness.unit.model, lateness.unit
    hidden = {e.symbol for e in unit.declared.values() if e.existing and _hidden(lateness, e)}
    calls: list[tree.Call | tree.MethodCall] = [*model.nodes(tree.Call), *model.nodes(tree.MethodCall)]
    for call in calls:
        if NEEDS_INLINING.fullmatch(call.name.text) and unit.bindings.get(id(call)) is None:
            for part in (p for argument in call.arguments for p in lateness.parts(argument)):
                message = f"What '{call.name.text}' is given must be known before anything is deployed, and this is not"
                unit.error("BCP181", part, message, _USABLE)
    for each in unit.declared.values() if hidden else ():
        _waits(lateness, each, hidden)
    asked: list[tree.Member | tree.MethodCall] = [*model.nodes(tree.Member), *model.nodes(tree.MethodCall)]
    for node in asked if hidden else ():
        picked = target(unit, node.base)
        if picked is None or picked[0] not in hidden or node.name.text in IDENTITY:
            continue
        if isinstance(node, tree.MethodCall) or node.name.text in _READ:
            message = f"Which '{picked[0].name}' is meant is known only once a resource is deployed, so only its name can be asked"
            unit.error("BCP307", node, message, _USABLE)


def _waits(lateness: Lateness, each: Declared, hidden: set[Symbol]) -> None:
    """What is named by what only run time knows is no resource of the template: it waits for none, and none for it."""
    unit, name = lateness.unit, each.symbol.name
    given = properties_of(each.body).get("dependsOn") if each.body is not None else None
    if given is None or each.module:
        return
    if each.symbol in hidden:
        message = f"'{name}' cannot depend on others: which is meant is known only once a resource is deployed"
        unit.error("BCP433", given, message, "Remove 'dependsOn'.")
        return
    for node in tree.find(given.value, tree.Name):
        symbol = unit.model.symbol(node)
        if symbol in hidden:
            message = (
                f"'{name}' cannot depend on '{symbol.name}': which is meant is known only once a resource is deployed"
            )
            unit.error("BCP434", node, message, "Depend on what its name is taken from.")


_READ = _EARLY | {"properties"}
"""What is read of a resource that exists by asking the platform."""


def _hidden(lateness: Lateness, each: Declared) -> bool:
    """Whether a resource that exists is named by what only run time knows."""
    named = (each.properties[key] for key in ("name", "scope", "parent") if key in each.properties)
    return any(
        not (node is each.properties.get("scope") or node is each.properties.get("parent"))
        or target(lateness.unit, part) is None
        for node in named
        for part in lateness.parts(node)
    )


def _placement(lateness: Lateness, each: Declared) -> None:
    """Nothing late may decide what is deployed, how often, and where."""
    name = each.symbol.name
    statement = each.statement.value
    body = statement.body if isinstance(statement, tree.For) else statement
    if each.loop is not None:
        _report(lateness, "BCP178", each.loop.array, f"How often '{name}' is deployed")
    if isinstance(body, tree.If) and not (each.module and lateness.unit.model.modules.get(id(each.statement)) is None):
        _condition(lateness, body.condition, name)
    if each.existing or each.symbol in lateness.unit.model.cyclic:
        return
    early = _early_by_data(lateness.unit, each)
    for key, node in each.properties.items():
        if type(node) is tree.Text and not node.holes:
            continue
        if key not in early or (each.module and key not in ("name", "scope")):
            continue
        for part in lateness.parts(node):
            if key in _WHOLE and target(lateness.unit, part) is not None:
                continue
            message = f"Property '{key}' of '{name}' must be known before anything is deployed, and this value is not"
            lateness.unit.error("BCP120", part, message, _USABLE)


def _early_by_data(unit: Unit, each: Declared) -> frozenset[str]:
    """The properties that must be known early, with those of which type data say so."""
    known = unit.model.type_data.get(each.symbol)
    if known is None:
        return _EARLY if each.extension is None else frozenset()
    variants = known.body.members.values() if isinstance(known.body, DiscriminatedType) else (known.body,)
    found = {
        n
        for v in variants
        if isinstance(v, ObjectType)
        for n in each.properties
        if n in v.properties and v.properties[n].constant
    }
    return _EARLY | found if each.extension is None else frozenset(found)


def _condition(lateness: Lateness, node: tree.Node, name: str) -> None:
    for part in lateness.parts(node):
        if isinstance(part, tree.Call | tree.MethodCall) and (
            isinstance(part, tree.Call) or namespace_of(lateness.unit, part.base)
        ):
            message = f"'{part.name.text}' cannot be called in a condition: it needs what is deployed"
            lateness.unit.error("BCP066", part.name, message)
        else:
            message = f"Whether '{name}' is deployed depends on a value that is known only once a resource is deployed"
            lateness.unit.error("BCP177", part, message, _USABLE)


def _report(lateness: Lateness, code: str, node: tree.Node, what: str) -> None:
    for part in lateness.parts(node):
        message = f"{what} depends on a value that is known only once a resource is deployed"
        lateness.unit.error(code, part, message, _USABLE)
