"""What a text names: a resource or module of the graph, by symbol, id, or name; or a resource outside of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.contract.value import Output, Value
from engine.diagnostics.suggest import did_you_mean
from engine.expand.functions.signature import EvaluationError
from engine.expand.modules import Report
from engine.expand.once import Waiting
from engine.expand.scopes import type_in
from engine.expand.unit import Instance, Unit

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator
    from engine.expand.frame import Frame


def find(frame: Frame, text: str) -> Unit | Instance | None:
    """The unit or instance of that symbol, id, or name; None where it is not in the graph."""
    at: Frame | None = frame
    while at is not None:
        found = at.units.symbol(text)
        if found is not None:
            return found
        at = at.around
    if text.startswith("/"):
        return _by_id(frame, text)
    at = frame
    while at is not None:
        named = by_name(at, text)
        if named is not None:
            return named
        at = at.around
    return None


def _by_id(frame: Frame, id: str) -> Instance | None:
    type, key = type_in(id), id.lower().rstrip("/")
    if not type:
        return None
    tried: list[Frame] = []
    around: Frame | None = frame
    while around is not None:
        tried.append(around)
        around = around.parent
    for at in [*tried, *(f for f in frame.world.frames if f not in tried)]:
        found = _ids(at, type).get(key)
        if found is not None:
            return found
    return None


def _ids(frame: Frame, type: str) -> dict[str, Instance]:
    """By id in lower case, the instances of a type."""
    found = frame.units.ids.get(type)
    if found is None:
        once = frame.world.once
        instances = list(_instances(frame.units.of_type(type)))
        ready = [i for i in instances if not once.is_busy((i, "id"))]
        found = _index_ids(ready)
        if len(ready) == len(instances):
            frame.units.ids[type] = found
    return found


def _instances(units: list[Unit]) -> Iterator[Instance]:
    for unit in units:
        try:
            yield from unit.instances()
        except (Waiting, EvaluationError):
            continue


def _index_ids(instances: list[Instance]) -> dict[str, Instance]:
    found: dict[str, Instance] = {}
    for instance in instances:
        try:
            found.setdefault(instance.identity().id.lower(), instance)
        except (Waiting, EvaluationError):
            continue
    return found


def by_name(frame: Frame, text: str) -> Instance | None:
    """The instance of a name, or of `Namespace/type/name`, in a frame."""
    names = frame.world.once.get((frame, "names"), ("the names of", frame.address), lambda: _names(frame))
    return names.get(text.lower())


def _names(frame: Frame) -> dict[str, Instance]:
    found: dict[str, Instance] = {}
    for instance in _instances(frame.units.listed):
        if frame.world.once.is_busy((instance, "id")):
            continue
        try:
            name = instance.identity().path
        except (Waiting, EvaluationError):
            continue
        found.setdefault(name.lower(), instance)
        namespace, *types = instance.unit.type.split("/")
        pairs = [part for pair in zip(types, name.split("/"), strict=False) for part in pair]
        found.setdefault("/".join([namespace, *pairs]).lower(), instance)
        found.setdefault(f"{instance.unit.type}/{name}".lower(), instance)
    return found


# ---------------------------------------------------------------- reference()


def read(evaluator: Evaluator, text: str, api_version: str, full: bool) -> Value:
    """What `reference(text, apiVersion, 'full')` is."""
    world = evaluator.frame.world
    found = find(evaluator.frame, text)
    if found is None:
        if not text.startswith("/"):
            help = did_you_mean(text, evaluator.frame.units.symbols)
            raise EvaluationError(f"'{text}' is no resource of this template", help)
        address = world.outside(text, api_version)
        evaluator.touch((address,))
        return world.output(address, () if full else ("properties",))
    instance = one_of(found, text)
    return report_of(evaluator, instance, full)


def one_of(found: Unit | Instance, text: str) -> Instance:
    """The instance that is meant; an error for a loop without an index, or an index outside of it."""
    if isinstance(found, Unit):
        if found.loop is not None:
            raise EvaluationError(f"'{text}' is a loop: refer to one of it, as '{text}[0]'")
        return found.instance(None)
    try:
        count = found.unit.count()
    except Waiting:
        return found
    if found.index is not None and (count is None or found.index >= count):
        has = "is no loop" if count is None else "has 1 item" if count == 1 else f"has {count} items"
        raise EvaluationError(f"There is no '{text}': '{found.unit.label}' {has}")
    return found


def report_of(evaluator: Evaluator, instance: Instance, full: bool) -> Value:
    """What an instance reports, as far as it is known."""
    unit, world = instance.unit, evaluator.frame.world
    whole = full or unit.extension
    try:
        unit.count()
        present = instance.present()
    except Waiting:
        evaluator.touch((instance.address,))
        return Output(instance.address, () if whole else ("properties",))
    if not present:
        raise EvaluationError(
            f"'{instance.label}' is not deployed, because its condition is false",
            "Read it only where the same condition holds, or with '.?'",
        )
    if unit.is_module:
        return Report(instance, "full" if full else "properties", evaluator)
    evaluator.touch((instance.address,))
    world.instances.setdefault(instance.address, instance)
    return world.output(instance.address, () if whole else ("properties",))
