"""A frame: one use of one template, the root's or a module's, with its parameters, variables, functions and resources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from engine.contract.value import Value
from engine.diagnostics.suggest import did_you_mean
from engine.expand.evaluate import Evaluator
from engine.expand.form import sound
from engine.expand.functions.signature import EvaluationError
from engine.expand.functions_of import call as call_own
from engine.expand.functions_of import user_functions
from engine.expand.loops import repeat
from engine.expand.parameters import bind
from engine.expand.schema import is_secure
from engine.expand.scopes import Level
from engine.expand.unit import Units
from engine.expand.world import World, settle

if TYPE_CHECKING:
    from engine.expand.unit import Instance

Given = Callable[[], tuple[Value, tuple[str, ...]]]
"""An argument: its value and the addresses it refers to, computed when asked."""


class Frame:
    """Everything is computed when first asked for, so that order in the template does not matter.

    `around` is the frame whose parameters, variables and functions an outer-scoped nested deployment uses, with its loop
    indexes in `indexes`.
    """

    __slots__ = (
        "address",
        "around",
        "declared",
        "document",
        "functions",
        "given",
        "indexes",
        "instance",
        "level",
        "parent",
        "pointer",
        "units",
        "variables",
        "world",
    )

    def __init__(
        self,
        world: World,
        document: Mapping[str, Any],
        pointer: str,
        address: str,
        level: Level,
        given: Mapping[str, Given],
        instance: Instance | None = None,
        around: Frame | None = None,
    ) -> None:
        self.world = world
        self.document = document = sound(document, lambda message, at: world.report("ULN209", message, pointer + at))
        self.pointer = pointer
        self.address = address
        self.level = level
        self.given = given
        self.instance = instance
        self.parent: Frame | None = instance.unit.frame if instance else None
        self.around = around
        self.indexes: dict[str, Value] = dict(instance.indexes) if instance and around else {}
        self.declared = {k.lower(): (k, v) for k, v in _section(document, "parameters").items()}
        self.variables = _variables(_section(document, "variables"))
        self.functions = user_functions(document.get("functions", ()))
        self.units: Units = Units(self)
        world.frames.append(self)

    def evaluator(self, indexes: dict[str, Value] | None = None) -> Evaluator:
        """A fresh evaluator within this frame."""
        return Evaluator(self, self.indexes if indexes is None else indexes)

    @property
    def home(self) -> Frame:
        """The frame whose parameters and scope its expressions see: itself, or the one around."""
        return self if self.around is None else self.around.home

    # ------------------------------------------------------------ names

    def parameter(self, name: str, asker: Evaluator) -> Value:
        """A parameter's value: the argument, or the default."""
        if asker.arguments is not None:
            return _known(name, asker.arguments, "parameter of the function")
        if self.around is not None:
            return self.around.parameter(name, asker)
        key = name.lower()
        if key not in self.declared:
            raise EvaluationError(
                f"There is no parameter '{name}'", did_you_mean(name, (n for n, _ in self.declared.values()))
            )
        spelled = self.declared[key][0]
        value, touched = self.world.once.get((self, "p", key), ("parameter", spelled), lambda: self._parameter(key))
        if touched:
            asker.touch(touched)
        return value

    def _parameter(self, key: str) -> tuple[Value, tuple[str, ...]]:
        name, declaration = self.declared[key]
        return bind(self, name, declaration, self.given.get(key))

    def variable(self, name: str, asker: Evaluator) -> Value:
        """A variable's value."""
        if self.around is not None:
            return self.around.variable(name, asker)
        key = name.lower()
        if key not in self.variables:
            raise EvaluationError(
                f"There is no variable '{name}'", did_you_mean(name, (v[0] for v in self.variables.values()))
            )
        value, touched = self.world.once.get((self, "v", key), ("variable", name), lambda: self._variable(key))
        if touched:
            asker.touch(touched)
        return value

    def _variable(self, key: str) -> tuple[Value, tuple[str, ...]]:
        name, data, loop = self.variables[key]
        evaluator = self.evaluator()
        try:
            value = repeat(evaluator, loop, name) if loop else evaluator.value(data)
        except EvaluationError as error:
            settle(error, f"{self.pointer}/variables/{'copy' if loop else name}")
            raise
        self.world.budget.weigh(value, f"variable '{name}'")
        return value, tuple(evaluator.touched)

    def call(self, name: str, arguments: list[Value], asker: Evaluator) -> Value:
        """A function of the template's own."""
        if self.around is not None:
            return self.around.call(name, arguments, asker)
        return call_own(self, name, arguments, asker)

    # ------------------------------------------------------------ outputs

    def output_names(self) -> tuple[str, ...]:
        """The names of the outputs, as declared."""
        return tuple(_section(self.document, "outputs"))

    def output(self, name: str, asker: Evaluator) -> Value:
        """An output's value; raises `KeyError` where its condition is false, and an error where there is none."""
        outputs = _section(self.document, "outputs")
        spelled = next((n for n in outputs if n.lower() == name.lower()), None)
        if spelled is None:
            raise EvaluationError(f"There is no output '{name}'", did_you_mean(name, outputs))
        value, touched = self.world.once.get(
            (self, "o", spelled), ("output", spelled), lambda: self._output(spelled, outputs[spelled])
        )
        if touched:
            asker.touch(touched)
        return value

    def _output(self, name: str, declaration: Mapping[str, Any]) -> tuple[Value, tuple[str, ...]]:
        evaluator = self.evaluator()
        try:
            if evaluator.shape(evaluator.value(declaration.get("condition", True))) is False:
                return ABSENT, ()
            loop = declaration.get("copy")
            value = repeat(evaluator, dict(loop), "") if loop else evaluator.value(declaration.get("value"))
            if is_secure(declaration, self.document):
                value = evaluator.seal(value, name)
        except EvaluationError as error:
            settle(error, f"{self.pointer}/outputs/{name}")
            raise
        self.world.budget.weigh(value, f"output '{name}'")
        return value, tuple(evaluator.touched)


ABSENT = object()
"""Stands for an output whose condition is false."""


def _section(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = document.get(name)
    return section if isinstance(section, Mapping) else {}


def _variables(section: Mapping[str, Any]) -> dict[str, tuple[str, Any, dict[str, Any] | None]]:
    """By lower-case name: the name, the data, and the loop if it is one."""
    found: dict[str, tuple[str, Any, dict[str, Any] | None]] = {}
    for name, data in section.items():
        if name == "copy" and isinstance(data, list):
            for loop in data:
                found[str(loop.get("name", "")).lower()] = (str(loop.get("name", "")), None, dict(loop))
        else:
            plain = "copy" if name == "[string('copy')]" else name
            found[plain.lower()] = (plain, data, None)
    return found


def _known(name: str, table: Mapping[str, Value], what: str) -> Value:
    if name.lower() not in table:
        raise EvaluationError(f"There is no {what} '{name}'", did_you_mean(name, table))
    return table[name.lower()]
