"""A unit: one entry of a template's `resources`, and its instances: one, or one for each index of its loop."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engine.contract.resource import join
from engine.contract.value import Value
from engine.expand.functions.signature import EvaluationError, describe, kind_of
from engine.expand.identity import Identity, identify
from engine.expand.loops import count_of
from engine.expand.once import Waiting
from engine.expand.world import settle

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator
    from engine.expand.frame import Frame

DEPLOYMENT = "microsoft.resources/deployments"
_INDEXED = re.compile(r"(.+)\[(\d+)\]")


class Unit:
    """One declaration. `symbol` is its symbolic name, or the name of its loop; empty where it has neither.

    `above` is the resource it is nested in, which gives it the first part of its type and name.
    """

    __slots__ = (
        "_instances",
        "above",
        "api_version",
        "body",
        "existing",
        "extension",
        "frame",
        "key",
        "loop",
        "pointer",
        "symbol",
        "touched",
        "type",
    )

    def __init__(self, frame: Frame, key: str, body: Mapping[str, Any], pointer: str, above: Unit | None) -> None:
        self.frame = frame
        self.key = key
        self.body = body
        self.pointer = pointer
        self.above = above
        own, _, version = str(body.get("type", "")).partition("@")
        nested = above is not None and own.count("/") <= above.type.count("/")
        self.type: str = f"{above.type}/{own}" if nested and above else own
        self.api_version = str(body.get("apiVersion", version))
        self.extension = bool(version)
        self.existing = body.get("existing") is True
        self.touched: dict[str, None] = {}
        self._instances: dict[int | None, Instance] = {}
        loop = body.get("copy") or (above.loop if above else None)
        self.loop: dict[str, Any] | None = dict(loop) if isinstance(loop, Mapping) else None
        symbolic = isinstance(frame.document.get("resources"), Mapping)
        self.symbol = key if symbolic else str(self.loop.get("name", "")) if self.loop else ""

    @property
    def is_module(self) -> bool:
        """Whether it deploys a template of its own."""
        return self.type.lower() == DEPLOYMENT and not self.existing

    @property
    def address(self) -> str:
        """The address of the unit as a whole; for a resource without a symbol, that of its one instance."""
        return join(self.frame.address, self.symbol) if self.symbol else self.instance(None).address

    @property
    def label(self) -> str:
        """What people call it."""
        name = str(self.body.get("name", ""))
        return self.symbol or (name if name[:1] not in ("", "[") else self.type)

    def count(self) -> int | None:
        """How many there are; None where it is no loop. Raises `Waiting`."""
        if self.loop is None:
            return None
        return self.frame.world.once.get((self, "count"), ("the loop of", self), self._count)

    def _count(self) -> int:
        evaluator = self.frame.evaluator()
        assert self.loop is not None
        try:
            count = count_of(evaluator, self.loop.get("count"))
            self.touched = evaluator.touched
            count = evaluator.shape(count)
        except EvaluationError as error:
            settle(error, f"{self.pointer}/copy/count")
            raise
        return int(count)

    def instance(self, index: int | None) -> Instance:
        """The instance at an index of its loop; the only one for None."""
        found = self._instances.get(index)
        if found is None:
            found = self._instances[index] = Instance(self, index)
        return found

    def instances(self) -> list[Instance]:
        """All of them. Raises `Waiting` while their number is not known."""
        count = self.count()
        return [self.instance(None)] if count is None else [self.instance(i) for i in range(count)]


class Instance:
    """One resource or module that a declaration asks for, if its condition holds."""

    __slots__ = ("_address", "_evaluator", "_identity", "index", "indexes", "unit")

    def __init__(self, unit: Unit, index: int | None) -> None:
        self.unit = unit
        self.index = index
        self.indexes: dict[str, Value] = unit.frame.indexes
        if index is not None and unit.loop is not None:
            self.indexes = {**self.indexes, "": index, str(unit.loop.get("name", "")).lower(): index}
        self._evaluator: Evaluator | None = None
        self._address = ""
        self._identity: Identity | None = None
        if unit.symbol:
            self._address = join(unit.frame.address, unit.symbol if index is None else f"{unit.symbol}[{index}]")

    @property
    def evaluator(self) -> Evaluator:
        """Its own evaluator, which knows the loop's index, and collects all that the instance refers to."""
        if self._evaluator is None:
            self._evaluator = self.fresh_evaluator()
        return self._evaluator

    def fresh_evaluator(self) -> Evaluator:
        """Another one, for what is evaluated on its own."""
        return self.unit.frame.evaluator(self.indexes)

    @property
    def touched(self) -> dict[str, None]:
        """The addresses it referred to so far."""
        return self.evaluator.touched

    @property
    def address(self) -> str:
        """Its address. Without a symbol it is made of the last part of its type and its name."""
        if not self._address:
            unit = self.unit
            try:
                name = self.identity().path
            except (Waiting, EvaluationError):
                name = f"#{unit.key}"
            name = name.replace("/", ".")
            kind = unit.type.rpartition("/")[2]
            own = name if unit.is_module else f"{kind}:{name}"
            self._address = unit.frame.units.unique(join(unit.frame.address, own))
        return self._address

    @property
    def label(self) -> str:
        """What people call it."""
        return self.unit.label if self.index is None else f"{self.unit.label}[{self.index}]"

    def present(self) -> bool:
        """Whether its condition holds, and that of the resource it is nested in. Raises `Waiting`."""
        if "condition" not in self.unit.body and self.unit.above is None:
            return True
        return self.unit.frame.world.once.get((self, "?"), ("the condition of", self), self._present)

    def _present(self) -> bool:
        unit = self.unit
        if unit.above is not None and not unit.above.instance(self.index if unit.above.loop else None).present():
            return False
        evaluator = self.evaluator
        try:
            condition = evaluator.shape(evaluator.value(unit.body.get("condition", True)))
            if type(condition) is not bool:
                raise EvaluationError(f"A condition must be a boolean, not {describe(kind_of(condition))}")
        except EvaluationError as error:
            settle(error, f"{unit.pointer}/condition")
            raise
        return condition

    def identity(self) -> Identity:
        """Its name, scope and id. Raises `Waiting` while its name is not known."""
        if self._identity is None:
            once = self.unit.frame.world.once
            self._identity = once.get((self, "id"), ("the name of", self), lambda: identify(self))
        return self._identity

    def static(self, key: str) -> Value:
        """Its name, id, type or apiVersion, which are known before it is deployed; None for any other key."""
        match key:
            case "type":
                return self.unit.type
            case "apiversion":
                return self.unit.api_version
            case "name":
                return self.identity().name
            case "id":
                return self.identity().id
            case _:
                return None


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


class Units:
    """A frame's units, in the order of the template, and the ways to find one."""

    __slots__ = ("_by_type", "_symbols", "_taken", "frame", "ids", "listed")

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.listed: list[Unit] = []
        self._symbols: dict[str, Unit] = {}
        self._by_type: dict[str, list[Unit]] = {}
        self._taken: set[str] = set()
        self.ids: dict[str, dict[str, Instance]] = {}
        self._add(frame.document.get("resources"), f"{frame.pointer}/resources", None)

    def _add(self, section: Any, pointer: str, above: Unit | None) -> None:
        entries: Iterator[tuple[str, Any]]
        if isinstance(section, Mapping):
            entries = iter(section.items())
        elif isinstance(section, list | tuple):
            entries = ((str(i), body) for i, body in enumerate(section))
        else:
            return
        for key, body in entries:
            place = f"{pointer}/{_escaped(key) if '/' in key or '~' in key else key}"
            if type(body) is not dict or type(body.get("type")) is not str:
                self.frame.world.report("ULN209", f"The resource '{key}' has no type", place)
                continue
            loop = body.get("copy", {"count": 1})
            if type(loop) is not list and not (type(loop) is dict and "count" in loop):
                self.frame.world.report("ULN209", f"The loop of resource '{key}' needs a 'name' and a 'count'", place)
                continue
            unit = Unit(self.frame, key, body, place, above)
            self.listed.append(unit)
            self._by_type.setdefault(unit.type.lower(), []).append(unit)
            if unit.symbol:
                self._symbols[unit.symbol.lower()] = unit
            if "resources" in body:
                self._add(body["resources"], f"{place}/resources", unit)

    def __iter__(self) -> Iterator[Unit]:
        return iter(self.listed)

    @property
    def symbols(self) -> list[str]:
        """All symbolic names."""
        return [unit.symbol for unit in self._symbols.values()]

    def of_type(self, type: str) -> list[Unit]:
        """Those of a type, given in lower case."""
        return self._by_type.get(type, [])

    def symbol(self, text: str) -> Unit | Instance | None:
        """What `sym`, or `sym[3]`, names."""
        found = self._symbols.get(text.lower())
        if found is not None or not text.endswith("]"):
            return found
        match = _INDEXED.fullmatch(text)
        unit = self._symbols.get(match[1].lower()) if match else None
        return unit.instance(int(match[2])) if unit and match else None

    def unique(self, address: str) -> str:
        """The address, with a number behind it if it is taken."""
        own, number = address, 2
        while own in self._taken:
            own, number = f"{address}~{number}", number + 1
        self._taken.add(own)
        return own
