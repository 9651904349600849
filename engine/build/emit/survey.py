"""One look at a file before anything is written: what each of its statements refers to."""

from __future__ import annotations

from engine.build.emit.declared import Declared
from engine.build.emit.unit import Unit
from engine.build.emit.uses import Reference, Uses, target, uses
from engine.check.symbols import Kind, Symbol
from engine.parse import tree

_APART = frozenset({"parent", "scope", "dependsOn"})
"""Properties that say where and when, not what: looked at on their own."""


class Survey:
    """Uses by statement: `bodies` of resources and modules, `placed` their parent, scope and name, `explicit` their
    `dependsOn`, `variables` of the file, `others` of outputs, parameters, assertions and extensions.
    """

    __slots__ = ("bodies", "explicit", "others", "placed", "variables")

    def __init__(self, unit: Unit) -> None:
        self.variables: dict[Symbol, Uses] = {}
        self.others = Uses()
        for statement in unit.model.file.statements:
            match statement:
                case tree.Var():
                    if (symbol := unit.symbol(statement.name)) is not None:
                        self.variables[symbol] = uses(unit, statement.value)
                case tree.Output() | tree.Assert() | tree.Metadata():
                    _add(self.others, uses(unit, statement.value))
                case tree.Param():
                    _add(self.others, uses(unit, statement.value))
                case tree.Extension():
                    _add(self.others, uses(unit, statement.config))
                case _:
                    pass
        self.bodies: dict[Symbol, Uses] = {}
        self.placed: dict[Symbol, Uses] = {}
        self.explicit: dict[Symbol, Uses] = {}
        for symbol, each in unit.declared.items():
            self.bodies[symbol] = _body(unit, each)
            self.placed[symbol] = _placed(unit, each)
            self.explicit[symbol] = uses(unit, each.properties.get("dependsOn"))


def _add(to: Uses, more: Uses) -> None:
    to.references += more.references
    to.variables += more.variables
    to.runtime |= more.runtime
    to.late |= more.late


def _body(unit: Unit, each: Declared) -> Uses:
    nodes: list[tree.Node] = list(each.conditions)
    if each.loop is not None:
        nodes.append(each.loop.array)
    for member in each.body.members if each.body else ():
        if not (
            isinstance(member, tree.Property) and isinstance(member.key, tree.Identifier) and member.key.text in _APART
        ):
            nodes.append(member)
    return uses(unit, *nodes)


def _placed(unit: Unit, each: Declared) -> Uses:
    """What says which resource it is and where; being read only for that, other resources are weak references."""
    found = uses(unit, each.properties.get("name"))
    for key in ("parent", "scope"):
        node = each.properties.get(key)
        if node is None:
            continue
        if (picked := target(unit, node)) is not None:
            found.references.append(Reference(*picked, True, False, unit))
            if picked[1] is not None:
                _add(found, uses(unit, picked[1]))
        else:
            _add(found, uses(unit, node))
    if each.enclosing is not None:
        found.references.append(Reference(each.enclosing.symbol, None, True, False, unit))
    return found


def find_inlined(unit: Unit, survey: Survey) -> set[Symbol]:
    """Variables, and existing resources, that only run time can give a value: they stand where they are used."""
    users: dict[Symbol, list[Symbol]] = {}
    found: set[Symbol] = set()
    existing = {s: survey.placed[s] for s, each in unit.declared.items() if each.existing}
    for symbol, used in (*survey.variables.items(), *existing.items()):
        for variable, _ in used.variables:
            users.setdefault(variable, []).append(symbol)
        for reference in used.references:
            users.setdefault(reference.symbol, []).append(symbol)
        if used.runtime:
            found.add(symbol)
    waiting = list(found)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user not in found:
                found.add(user)
                waiting.append(user)
    return {s for s in found if s.kind is Kind.VAR or s in existing}
