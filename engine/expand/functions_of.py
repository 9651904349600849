"""A template's own functions: their table, and calling one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from engine.contract.value import Value
from engine.diagnostics.suggest import did_you_mean
from engine.expand.functions.signature import EvaluationError
from engine.expand.schema import check

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator
    from engine.expand.frame import Frame

MAX_DEPTH = 50


def user_functions(section: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """By lower-case qualified name: the name as declared, and the declaration."""
    return {
        f"{space.get('namespace', '')}.{name}".lower(): (f"{space.get('namespace', '')}.{name}", declaration)
        for space in section or ()
        for name, declaration in space.get("members", {}).items()
    }


def call(frame: Frame, name: str, arguments: list[Value], asker: Evaluator) -> Value:
    """The value of a user function: its output, evaluated with nothing but its parameters."""
    found = frame.functions.get(name.lower())
    if found is None:
        raise EvaluationError(f"There is no function '{name}'", _near(name, frame))
    spelled, declaration = found
    parameters = declaration.get("parameters", ())
    if len(parameters) != len(arguments):
        plural = "" if len(parameters) == 1 else "s"
        raise EvaluationError(f"{spelled}() takes {len(parameters)} argument{plural}, and {len(arguments)} are given")
    for position, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True)):
        problem = check(argument, parameter, frame.document)
        if problem is not None:
            raise EvaluationError(f"Argument {position + 1} of {spelled}(): {problem}")
    evaluator = frame.evaluator({})
    evaluator.arguments = {str(p["name"]).lower(): a for p, a in zip(parameters, arguments, strict=True)}
    evaluator.depth = asker.depth
    return evaluator.value(declaration.get("output", {}).get("value"))


def _near(name: str, frame: Frame) -> str:
    from engine.expand.functions.find import every

    own = [spelled for spelled, _ in frame.functions.values()]
    return did_you_mean(name, [*own, *(f.name for f in every().values() if f.name.isalnum())])
