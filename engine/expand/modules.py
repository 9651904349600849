"""Modules: resources of type Microsoft.Resources/deployments, flattened into the graph, their outputs plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.contract.value import Output, Value
from engine.expand.frame import ABSENT, Frame, Given
from engine.expand.functions.signature import EvaluationError
from engine.expand.host import Stepwise
from engine.expand.identity import scope_of
from engine.expand.once import Waiting
from engine.expand.scopes import Level, kind_of_schema
from engine.expand.world import settle

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator
    from engine.expand.unit import Instance


def frame_of(instance: Instance) -> Frame:
    """The frame of a module's template."""
    once = instance.unit.frame.world.once
    return once.get((instance, "frame"), ("the module", instance), lambda: _frame(instance))


def _frame(instance: Instance) -> Frame:
    unit = instance.unit
    properties = unit.body.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    template = properties.get("template")
    if not isinstance(template, Mapping):
        if "templateLink" in properties and unit.frame.world.scope.placeholders is not None:
            raise Waiting(frozenset())  # who predicts goes on without it
        what = "a linked template" if "templateLink" in properties else "no template"
        error = EvaluationError(
            f"The module '{unit.label}' has {what}, and only templates in the file itself can be deployed",
            "Refer to it as a module of a Bicep file, which is compiled in",
        )
        error.code = "ULN207"
        raise settle(error, f"{unit.pointer}/properties/templateLink")
    options = properties.get("expressionEvaluationOptions")
    inner = isinstance(options, Mapping) and str(options.get("scope", "")).lower() == "inner"
    scope = scope_of(instance.evaluator, unit.body, unit.frame.level)
    if not isinstance(scope, Level):
        raise settle(EvaluationError(f"The scope of module '{unit.label}' is no scope but a resource"), unit.pointer)
    kind = kind_of_schema(template)
    level = scope if "scope" in unit.body or scope.kind == kind else scope.replace(kind=kind)
    pointer = f"{unit.pointer}/properties/template"
    given = _arguments(instance, properties.get("parameters")) if inner else {}
    around = None if inner else unit.frame
    return Frame(unit.frame.world, template, pointer, instance.address, level, given, instance, around)


def _arguments(instance: Instance, section: Any) -> dict[str, Given]:
    """A module's arguments, each evaluated in the frame around when it is asked for."""
    if not isinstance(section, Mapping):
        return {}
    return {name.lower(): _argument(instance, name, data) for name, data in section.items() if name != "copy"}


def _argument(instance: Instance, name: str, data: Any) -> Given:
    def compute() -> tuple[Value, tuple[str, ...]]:
        evaluator = instance.fresh_evaluator()
        try:
            value = _given(evaluator, data)
        except EvaluationError as error:
            settle(error, f"{instance.unit.pointer}/properties/parameters/{name}")
            raise
        return value, tuple(evaluator.touched)

    return compute


def _given(evaluator: Evaluator, data: Any) -> Value:
    """`{value}` or `{reference: {keyVault, secretName}}`; the whole may be an expression that gives one of them."""
    if isinstance(data, Mapping) and "value" in data:
        return evaluator.value(data["value"])
    whole = evaluator.value(data)
    if type(whole) is dict:
        if "reference" in whole:
            return _vault_secret(evaluator, whole["reference"])
        return whole.get("value")
    return evaluator.call("[]", whole, "value")


def _vault_secret(evaluator: Evaluator, reference: Value) -> Value:
    """The value of a key vault's secret: an output of that secret, which exists already."""
    vault = evaluator.shape(evaluator.call("tryGet", reference, "keyVault", "id"))
    name = evaluator.shape(evaluator.call("tryGet", reference, "secretName"))
    if type(vault) is not str or type(name) is not str:
        raise EvaluationError("A reference to a key vault needs 'keyVault.id' and 'secretName'")
    world = evaluator.frame.world
    address = world.outside(f"{vault}/secrets/{name}", "")
    evaluator.touch((address,))
    return world.output(address, ("properties", "value"))


class Report(Stepwise):
    """What `reference()` of a module is, read step by step so that only the outputs that are asked for are evaluated.

    `place` is where in it we are: "full", "properties", "outputs", an output's name, or "secure" for the plain values that
    listOutputsWithSecureValues() gives.
    """

    __slots__ = ("asker", "instance", "name", "place")

    def __init__(self, instance: Instance, place: str, asker: Evaluator, name: str = "") -> None:
        self.instance = instance
        self.place = place
        self.asker = asker
        self.name = name

    def read(self, key: Value, host: Evaluator) -> Value:
        """One step further."""
        step = (self.place, key.lower() if isinstance(key, str) else key)
        match step:
            case ("full", "properties"):
                return Report(self.instance, "properties", host)
            case ("properties", "outputs"):
                return Report(self.instance, "outputs", host)
            case ("outputs", str()):
                self._output(str(key), host)
                return Report(self.instance, "output", host, str(key))
            case ("output", "value"):
                return self._output(self.name, host)
            case ("secure", str()):
                return self._output(str(key), host)
            case ("full", str() as name) if (static := self.instance.static(name)) is not None:
                return static
            case _:
                return host.read(self.whole(), key)

    def whole(self) -> Value:
        """All of it."""
        match self.place:
            case "output":
                return self._described(self.name)
            case "secure" | "outputs":
                plain = self.place == "secure"
                frame = frame_of(self.instance)
                found = {n: self._maybe(n) if plain else self._described(n) for n in frame.output_names()}
                return {n: v for n, v in found.items() if v is not None}
            case "properties":
                outputs = Report(self.instance, "outputs", self.asker).whole()
                return {"provisioningState": "Succeeded", "mode": "Incremental", "outputs": outputs}
            case _:
                known = {key: self.instance.static(key.lower()) for key in ("id", "name", "type", "apiVersion")}
                return {**known, "properties": Report(self.instance, "properties", self.asker).whole()}

    def _described(self, name: str) -> Value:
        frame = frame_of(self.instance)
        outputs = frame.document.get("outputs", {})
        kind = next((d.get("type") for n, d in outputs.items() if n.lower() == name.lower()), None)
        value = self._maybe(name)
        return None if value is None and self._absent(name) else {"type": kind or "Object", "value": value}

    def _absent(self, name: str) -> bool:
        return frame_of(self.instance).output(name, self.asker) is ABSENT

    def _maybe(self, name: str) -> Value:
        return None if self._absent(name) else frame_of(self.instance).output(name, self.asker)

    def _output(self, name: str, evaluator: Evaluator) -> Value:
        try:
            value = frame_of(self.instance).output(name, evaluator)
        except Waiting as waiting:
            evaluator.touch(tuple(sorted(waiting.needs)))
            return Output(self.instance.address, ("properties", "outputs", name, "value"))
        if value is ABSENT:
            raise EvaluationError(
                f"The output '{name}' of module '{self.instance.label}' is not there: its condition is false"
            )
        return value
