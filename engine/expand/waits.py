"""Waits: what `dependsOn` and references come to, as addresses."""

from __future__ import annotations

from engine.contract.value import Value
from engine.diagnostics.suggest import did_you_mean
from engine.expand.functions.signature import OPEN, EvaluationError
from engine.expand.graph import Graph, Module
from engine.expand.once import Waiting
from engine.expand.references import find
from engine.expand.unit import Instance, Unit


def explicit(instance: Instance) -> list[Unit | Instance]:
    """What an instance declares to depend on: its `dependsOn`, and the batch before its own in a serial loop."""
    unit = instance.unit
    evaluator = instance.evaluator
    targets: list[Unit | Instance] = []
    entries = unit.body.get("dependsOn")
    for position, entry in enumerate(entries if isinstance(entries, list | tuple) else ()):
        try:
            named = evaluator.value(entry)
            for text in named if type(named) is list else (named,):
                if type(text) in OPEN:
                    continue  # what it is made of was referred to, and that is a dependency already
                target = _target(unit, text)
                if target is not None:
                    targets.append(target)
        except EvaluationError as error:
            unit.frame.world.report_error(error, f"{unit.pointer}/dependsOn/{position}")
        except Waiting:
            continue
    targets += _batch(instance)
    return targets


def _target(unit: Unit, text: Value) -> Unit | Instance | None:
    if type(text) is not str:
        raise EvaluationError("A dependency must be named by a string")
    found = find(unit.frame, text)
    if found is None:
        if text.startswith("/") and unit.frame.parent is not None:
            return None  # of a template around that is not deployed this time, or of another one
        error = EvaluationError(
            f"'{unit.label}' depends on '{text}', which is no resource of this template",
            did_you_mean(text, unit.frame.units.symbols),
        )
        error.code = "ULN206"
        raise error
    return found


def _batch(instance: Instance) -> list[Unit | Instance]:
    loop, index = instance.unit.loop, instance.index
    if loop is None or index is None or str(loop.get("mode", "")).lower() != "serial":
        return []
    size = loop.get("batchSize", 1)
    size = size if type(size) is int and size > 0 else 1
    batch = index // size - 1
    return [instance.unit.instance(i) for i in range(batch * size, (batch + 1) * size)] if batch >= 0 else []


class Waits:
    """Turns targets into addresses that are there."""

    __slots__ = ("_busy", "_of_module", "graph")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._of_module: dict[str, dict[str, None]] = {}
        self._busy: set[str] = set()

    def resource(self, instance: Instance) -> dict[str, None]:
        """What an instance waits for by itself."""
        found: dict[str, None] = {}
        for target in explicit(instance):
            found.update(dict.fromkeys(self._addresses(target)))
        for touched in (instance.unit.touched, instance.touched):  # what dependsOn itself refers to included
            for address in touched:
                if address not in found and self.graph.is_there(address):
                    found[address] = None
        found.pop(instance.address, None)
        return found

    def module(self, module: Module) -> dict[str, None]:
        """What a module waits for by itself; everything in it waits with it."""
        instance = module.instance
        address = instance.address
        if address not in self._of_module:
            if address in self._busy:
                return {}
            self._busy.add(address)
            self._of_module[address] = self.resource(instance)
            self._busy.discard(address)
        return self._of_module[address]

    def _addresses(self, target: Unit | Instance) -> list[str]:
        graph = self.graph
        if isinstance(target, Instance):
            address = target.address
            module = graph.modules.get(address)
            if module is None:
                return [address] if graph.is_there(address) else []
            return [*module.members] or [*self.module(module)]
        if target.loop is not None and target.address in graph.pending:
            return [target.address]
        try:
            instances = target.instances()
        except (Waiting, EvaluationError):
            return []
        return [address for instance in instances for address in self._addresses(instance)]


def share(waits: dict[str, dict[str, None]], module: Module, own: dict[str, None]) -> None:
    """Let a module's first resources, those that wait for nothing inside of it, wait for what the module waits for."""
    outside = {address: None for address in own if address not in module.members}
    if not outside:
        return
    for address in module.members:
        mine = waits.get(address)
        if mine is not None and mine.keys().isdisjoint(module.members):
            mine.update(outside)
