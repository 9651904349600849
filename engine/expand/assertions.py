"""Assertions: what a template says must hold before anything is deployed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.expand.functions.signature import EvaluationError
from engine.expand.once import Waiting
from engine.parse.arm import Call, Expression, Index, Literal, Member

if TYPE_CHECKING:
    from engine.expand.frame import Frame


def check_assertions(frame: Frame) -> None:
    """Report every assertion of a template that does not hold; one that only the deployment can tell is left alone."""
    asserted = frame.document.get("asserts")
    for name, data in asserted.items() if isinstance(asserted, dict) else ():
        pointer = f"{frame.pointer}/asserts/{name}"
        evaluator = frame.evaluator()
        try:
            held = evaluator.shape(evaluator.value(data))
        except Waiting:
            continue
        except EvaluationError as error:
            frame.world.report_error(error, pointer, frame.address)
            continue
        if held is not True:
            help = ", ".join(_values(frame, data))
            said = f"Here {help}." if help else ""
            frame.world.report("ULN213", f"Assertion '{name}' does not hold", pointer, said, address=frame.address)


def _values(frame: Frame, data: object) -> Iterator[str]:
    """What the parameters in an assertion are, as far as that is short and no secret."""
    from engine.parse.arm import parse_expression

    if not isinstance(data, str) or not (data.startswith("[") and data.endswith("]")):
        return
    for name in dict.fromkeys(_parameters(parse_expression(data[1:-1]))):
        value = frame.parameter(name, frame.evaluator())
        if isinstance(value, bool):
            yield f"'{name}' is {str(value).lower()}"
        elif isinstance(value, str | int) and len(str(value)) <= 60:
            yield f"'{name}' is {value!r}" if isinstance(value, str) else f"'{name}' is {value}"


def _parameters(node: Expression) -> Iterator[str]:
    match node:
        case Call(name, (Literal(str(parameter)),)) if name.lower() == "parameters":
            yield parameter
        case Call(_, arguments):
            for argument in arguments:
                yield from _parameters(argument)
        case Member(base, _):
            yield from _parameters(base)
        case Index(base, index):
            yield from _parameters(base)
            yield from _parameters(index)
        case Literal():
            pass
