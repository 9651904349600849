"""`dependsOn`: every resource and module that a body refers to, followed through variables and existing resources."""

from __future__ import annotations

from engine.build.emit.declared import Declared
from engine.build.emit.identifiers import identifier
from engine.build.emit.names import seen
from engine.build.emit.references import symbolic
from engine.build.emit.survey import Survey
from engine.build.emit.text import wrap
from engine.build.emit.unit import Unit
from engine.build.emit.uses import Reference, Uses
from engine.check.symbols import Kind, Symbol
from engine.parse import tree

_ORDER = {c: place for place, c in enumerate("_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz")}
_BOUND = frozenset({Kind.LOOP_ITEM, Kind.LOOP_INDEX, Kind.LAMBDA_PARAMETER})


def culture_key(name: str) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Sorts as people do: punctuation, digits, letters; capitals matter last, and come last."""
    return tuple(_ORDER.get(c, ord(c) + 100) for c in name.lower()), tuple(c.isupper() for c in name)


class Dependencies:
    """What each resource of a file must wait for."""

    __slots__ = ("_keys", "_through", "survey", "unit")

    def __init__(self, unit: Unit, survey: Survey) -> None:
        self.unit = unit
        self.survey = survey
        self._through: dict[Symbol, list[Reference]] = {}
        self._keys: dict[str, tuple[tuple[int, ...], tuple[bool, ...]]] = {}

    def of(self, each: Declared) -> list[str]:
        """The entries of its `dependsOn`, sorted."""
        found: dict[Symbol, dict[int, str | None]] = {}
        locals = seen(self.unit, each, "copyIndex()")
        own = self.unit.model.locals.get(id(each.loop), ()) if each.loop else ()
        visited = {each.symbol}
        waiting = [(reference, own) for reference in self._direct(each.symbol)]
        waiting.reverse()
        while waiting:
            reference, bound = waiting.pop()
            symbol = reference.symbol
            if symbol is each.symbol:
                continue
            other = self.unit.declared[symbol]
            if other.existing and (reference.weak or not self.unit.symbolic or symbol in self.unit.inlined):
                if symbol not in visited:
                    visited.add(symbol)
                    waiting += [(r, ()) for r in reversed(self._direct(symbol))]
                continue
            at = None
            if reference.index is not None and self._closed(reference.index, bound):
                at = self.unit.text(reference.index, locals if bound is own else {})
            # The reference compiler tells indexes apart by where they stand: one written twice is listed twice.
            found.setdefault(symbol, {})[0 if at is None else id(reference.index)] = at
        entries = [(self.unit.declared[symbol], ats) for symbol, ats in found.items()]
        entries.sort(key=lambda entry: self._key(entry[0].name))
        return [self._entry(other, at) for other, ats in entries for at in ([None] if 0 in ats else ats.values())]

    def _key(self, name: str) -> tuple[tuple[int, ...], tuple[bool, ...]]:
        key = self._keys.get(name)
        if key is None:
            key = self._keys[name] = culture_key(name)
        return key

    def _direct(self, symbol: Symbol) -> list[Reference]:
        """All that a resource's statement refers to, by itself or through variables."""
        survey = self.survey
        found: list[Reference] = []
        for used in (survey.bodies[symbol], survey.placed[symbol], survey.explicit[symbol]):
            found += self._expanded(used)
        return found

    def _expanded(self, used: Uses) -> list[Reference]:
        if not used.variables:
            return used.references
        found = list(used.references)
        for variable in used.variables:
            found += self._reached(variable)
        return found

    def _reached(self, variable: Symbol) -> list[Reference]:
        """What a variable leads to, by way of others."""
        known = self._through.get(variable)
        if known is None:
            visited = {variable}
            waiting = [variable]
            known = []
            while waiting:
                used = self.survey.variables.get(waiting.pop())
                if used is not None:
                    known += used.references
                    for further in used.variables:
                        if further not in visited:
                            visited.add(further)
                            waiting.append(further)
            self._through[variable] = known
        return known

    def _closed(self, index: tree.Expression, bound: tuple[Symbol, ...]) -> bool:
        """Whether an index means something where `dependsOn` stands: it uses no variable of an inner loop."""
        for node in tree.walk(index):
            if isinstance(node, tree.Name):
                symbol = self.unit.symbol(node)
                if symbol is not None and symbol.kind in _BOUND and symbol not in bound:
                    return False
        return True

    def _entry(self, other: Declared, at: str | None) -> str:
        if self.unit.symbolic:
            return wrap(symbolic(other, at))
        if other.loop is not None and at is None:
            return other.name
        return wrap(identifier(self.unit, other, seen(self.unit, other, at)))
