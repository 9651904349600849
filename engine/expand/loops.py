"""Copy loops: how many, and what a property loop makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.contract.value import Deferred, Value
from engine.expand.functions.signature import OPEN, EvaluationError, describe, kind_of

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator

MAX_COUNT = 100_000
"""A bound against a slip of the pen, far above the 800 of Azure."""


def copies_in(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The property loops of an object."""
    loops = data.get("copy")
    if type(loops) is not list or not all(type(c) is dict and "count" in c for c in loops):
        return []
    return loops


def count_of(evaluator: Evaluator, raw: Any) -> Value:
    """How often a loop runs, or what it rests on."""
    count = evaluator.unseal(evaluator.value(raw))
    if type(count) in OPEN:
        return count
    if type(count) is not int:
        raise EvaluationError(f"The count of a loop must be an integer, not {describe(kind_of(count))}")
    if not 0 <= count <= MAX_COUNT:
        raise EvaluationError(f"The count of a loop must lie between 0 and {MAX_COUNT}, and is {count}")
    return count


def copy_properties(evaluator: Evaluator, loops: list[dict[str, Any]]) -> dict[str, Value]:
    """The arrays that the property loops of one object make, by property."""
    made = {}
    for position, loop in enumerate(loops):
        name = str(loop.get("name", ""))
        try:
            made[name] = repeat(evaluator, loop, name)
        except EvaluationError as error:
            if error.pointer is None:
                error.place += [str(position), "copy"]
            raise
    return made


def repeat(evaluator: Evaluator, loop: dict[str, Any], name: str) -> Value:
    """The array of a loop's inputs; a deferred map where only run time knows how many."""
    count = count_of(evaluator, loop["count"])
    data = loop.get("input")
    if type(count) is int:
        return [_input(evaluator, data, name, index) for index in range(count)]
    variable = f"{name or 'copy'}#{evaluator.depth}"
    evaluator.depth += 1
    try:
        body = _input(evaluator, data, name, Deferred("lambdaVariables", (variable,)))
    except EvaluationError as error:
        body = Deferred("fail", (error.message,))
    finally:
        evaluator.depth -= 1
    return Deferred("map", (Deferred("range", (0, count)), Deferred("lambda", (variable, body))))


def _input(evaluator: Evaluator, data: Any, name: str, index: Value) -> Value:
    outer = evaluator.indexes
    evaluator.indexes = {"": index, **outer, name.lower(): index}
    try:
        return evaluator.value(data)
    except EvaluationError as error:
        if error.pointer is None:
            error.place.append("input")
        raise
    finally:
        evaluator.indexes = outer
