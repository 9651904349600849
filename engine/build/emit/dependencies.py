"""`dependsOn`: every resource and module that a body refers to, followed through variables and existing resources."""

from __future__ import annotations

from engine.build.emit.declared import Declared
from engine.build.emit.identifiers import identifier
from engine.build.emit.loops import inside
from engine.build.emit.names import seen
from engine.build.emit.references import symbolic
from engine.build.emit.survey import Survey
from engine.build.emit.text import wrap
from engine.build.emit.unit import NO_LOCALS, Locals, Unit
from engine.build.emit.uses import Reference, Uses
from engine.check.symbols import Kind, Symbol
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from collections.abc import Sequence

_ORDER = {c: place for place, c in enumerate("_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz")}
_BOUND = frozenset({Kind.LOOP_ITEM, Kind.LOOP_INDEX, Kind.LAMBDA_PARAMETER})


def culture_key(name: str) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Sorts as people do: punctuation, digits, letters; capitals matter last, and come last."""
    return tuple(_ORDER.get(c, ord(c) + 100) for c in name.lower()), tuple(c.isupper() for c in name)


Seen = tuple[Reference, Locals]
"""A reference, and what loop variables stand for where it was written."""

Element = tuple[Symbol, "str | None"]
"""A variable, and the index at which it is looked at: None for the whole of it."""


class Dependencies:
    """What each resource of a file must wait for."""

    __slots__ = ("_keys", "_through", "survey", "unit")

    def __init__(self, unit: Unit, survey: Survey) -> None:
        self.unit = unit
        self.survey = survey
        self._through: dict[Element, Sequence[Seen]] = {}
        self._keys: dict[str, tuple[tuple[int, ...], tuple[bool, ...]]] = {}

    def of(self, each: Declared) -> list[str]:
        """The entries of its `dependsOn`, sorted."""
        unit = self.unit
        found: dict[Symbol, dict[int, str | None]] = {}
        visited: set[tuple[Symbol, str | None]] = set()
        waiting = self._direct(each.symbol, seen(unit, each, "copyIndex()"))
        waiting.reverse()
        while waiting:
            reference, locals = waiting.pop()
            symbol, index = reference.symbol, reference.index
            if symbol is each.symbol:
                continue
            at = None
            if index is not None and self._closed(index, locals):
                at = unit.text(index, locals)
            other = unit.declared[symbol]
            if other.existing and (reference.weak or not unit.symbolic or symbol in unit.inlined):
                if (symbol, at) not in visited:
                    visited.add((symbol, at))
                    waiting += reversed(self._direct(symbol, seen(unit, other, at)))
                continue
            # The reference compiler tells indexes apart by where they stand: one written twice is listed twice.
            found.setdefault(symbol, {})[0 if at is None else id(index)] = at
        entries = [(unit.declared[symbol], ats) for symbol, ats in found.items()]
        if len(entries) > 1:
            entries.sort(key=lambda entry: self._key(entry[0].name))
        return [self._entry(other, at) for other, ats in entries for at in ([None] if 0 in ats else ats.values())]

    def _key(self, name: str) -> tuple[tuple[int, ...], tuple[bool, ...]]:
        key = self._keys.get(name)
        if key is None:
            key = self._keys[name] = culture_key(name)
        return key

    def _direct(self, symbol: Symbol, locals: Locals) -> list[Seen]:
        """All that a resource's statement refers to, by itself or through variables."""
        survey = self.survey
        found: list[Seen] = []
        for used in (survey.bodies[symbol], survey.placed[symbol], survey.explicit[symbol]):
            if used.variables:
                found += self._expanded(used, locals)
            else:
                found += [(reference, locals) for reference in used.references]
        return found

    def _expanded(self, used: Uses, locals: Locals) -> list[Seen]:
        """References, and those of the variables used; an element of a looped one is seen at its index."""
        found: list[Seen] = [(reference, locals) for reference in used.references]
        for element in self._elements(used, locals):
            found += self._followed(element)
        return found

    def _elements(self, used: Uses, locals: Locals) -> list[Element]:
        """The variables used that lead to a resource, perhaps."""
        found: list[Element] = []
        for variable, index in used.variables:
            own = self.survey.variables.get(variable)
            if own is None or not (own.references or own.variables):
                continue
            at = None
            if index is not None and _loop(variable) is not None and self._closed(index, locals):
                at = self.unit.text(index, locals)
            found.append((variable, at))
        return found

    def _followed(self, element: Element) -> Sequence[Seen]:
        """All that a variable refers to, by itself or through others; each of them is followed once for all its users."""
        through = self._through
        begun: dict[Element, tuple[Locals, list[Element]]] = {}
        waiting = [element]
        while waiting:
            top = waiting[-1]
            if top in through:
                waiting.pop()
            elif top in begun:
                waiting.pop()
                own = self.survey.variables[top[0]].references
                through[top] = _joined([(reference, begun[top][0]) for reference in own], begun[top][1], through)
            else:
                locals, loop = NO_LOCALS, _loop(top[0])
                if top[1] is not None and loop is not None:
                    locals = inside(self.unit, loop, top[1], NO_LOCALS)
                elements = self._elements(self.survey.variables[top[0]], locals)
                begun[top] = locals, elements
                waiting += [e for e in elements if e not in through and e not in begun]
        return through[element]

    def _closed(self, index: tree.Expression, locals: Locals) -> bool:
        """Whether an index means something here: it uses no variable of an inner loop."""
        for node in tree.walk(index):
            if isinstance(node, tree.Name):
                symbol = self.unit.symbol(node)
                if symbol is not None and symbol.kind in _BOUND and symbol not in locals:
                    return False
        return True

    def _entry(self, other: Declared, at: str | None) -> str:
        if self.unit.symbolic:
            return wrap(symbolic(other, at))
        if other.loop is not None and at is None:
            return other.name
        return wrap(identifier(self.unit, other, seen(self.unit, other, at)))


def _loop(variable: Symbol) -> tree.For | None:
    """The loop that makes a variable."""
    value = variable.declaration.value if isinstance(variable.declaration, tree.Var) else None
    return value if isinstance(value, tree.For) else None


def _joined(own: list[Seen], elements: list[Element], through: dict[Element, Sequence[Seen]]) -> Sequence[Seen]:
    """What is seen, each once; what adds nothing to another shares its list, so that a long chain has one."""
    parts = {id(part): part for e in elements if (part := through.get(e))}
    if not own and len(parts) == 1:
        return next(iter(parts.values()))
    found = {(id(reference), id(locals)): (reference, locals) for reference, locals in own}
    for part in parts.values():
        for reference, locals in part:
            found.setdefault((id(reference), id(locals)), (reference, locals))
    return list(found.values())
