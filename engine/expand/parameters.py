"""Parameters: binding arguments to declarations, defaults, and everything that can be wrong with that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from engine.contract.value import Value
from engine.diagnostics.suggest import did_you_mean
from engine.expand.functions.signature import EvaluationError
from engine.expand.once import Waiting
from engine.expand.schema import check, follow, is_secure, seal_parts
from engine.expand.world import settle

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator
    from engine.expand.frame import Frame, Given


def bind(frame: Frame, name: str, declaration: Mapping[str, Any], given: Given | None) -> tuple[Value, tuple[str, ...]]:
    """A parameter's value, checked, sealed where it is secure, and the addresses it refers to."""
    evaluator = frame.evaluator()
    place = f"{frame.pointer}/parameters/{name}"
    touched: tuple[str, ...] = ()
    value = None
    if given is not None:
        value, touched = given()
    if value is None and "defaultValue" in declaration:
        evaluator.default_of = name
        try:
            value = evaluator.value(declaration["defaultValue"])
        except EvaluationError as error:
            settle(error, f"{place}/defaultValue")
            raise
        touched = tuple(evaluator.touched)
    elif given is None and declaration.get("nullable") is not True and "defaultValue" not in declaration:
        raise settle(_missing(frame, name), place)
    secure = is_secure(declaration, frame.document)
    problem = check(evaluator.unseal(value) if secure else value, declaration, frame.document)
    if problem is not None:
        what = f"The value of parameter '{name}' does not fit: {problem}"
        unfit = EvaluationError(what if not secure else f"The value of the secure parameter '{name}' does not fit")
        unfit.code = "ULN203"
        if given is not None and frame.instance is not None:  # a module is told where it was given the value
            unfit.declared, place = place, f"{frame.instance.unit.pointer}/properties/parameters/{name}/value"
        raise settle(unfit, place)
    return seal_parts(value, declaration, frame.document, evaluator.seal, name), touched


def _missing(frame: Frame, name: str) -> EvaluationError:
    error = EvaluationError(f"Parameter '{name}' has no value")
    error.code = "ULN202"
    return error


def check_root(frame: Frame, given: Iterable[str]) -> None:
    """Report every unknown, missing and unfitting argument of the root template."""
    world = frame.world
    declared = {key: name for key, (name, _) in frame.declared.items()}
    for name in given:
        if name.lower() not in declared:
            help = did_you_mean(name, declared.values()) or (
                f"It declares {', '.join(repr(n) for n in declared.values())}" if declared else "It declares none"
            )
            world.report("ULN201", f"The template has no parameter '{name}'", f"/parameters/{name}", help)
    missing = [
        name
        for key, (name, declaration) in frame.declared.items()
        if key not in frame.given and "defaultValue" not in declaration and not _nullable(declaration, frame)
    ]
    if missing:
        names = ", ".join(f"'{n}'" for n in missing)
        plural = "" if len(missing) == 1 else "s"
        verb = "has" if len(missing) == 1 else "have"
        how = " ".join(f"-p {n}=…" for n in missing)
        world.report(
            "ULN202",
            f"Parameter{plural} {names} {verb} no value",
            f"/parameters/{missing[0]}",
            f"Pass {how}, or give a default in the template",
        )
    check_values(frame, frozenset(name.lower() for name in missing))


def check_values(frame: Frame, skip: frozenset[str] = frozenset()) -> None:
    """Report every parameter whose value does not fit."""
    evaluator = frame.evaluator()
    for key, (name, _) in frame.declared.items():
        if key not in skip:
            _ask(evaluator, frame.parameter, name, f"parameters/{name}")


def check_variables(frame: Frame) -> None:
    """Report every variable that cannot be had, whether or not anything refers to it: so does Azure."""
    evaluator = frame.evaluator()
    for name, _, loop in frame.variables.values():
        _ask(evaluator, frame.variable, name, f"variables/{'copy' if loop else name}")


def _ask(evaluator: Evaluator, get: Callable[[str, Evaluator], Value], name: str, place: str) -> None:
    """Report what is wrong with a value, unless it waits for others."""
    frame = evaluator.frame
    try:
        get(name, evaluator)
    except EvaluationError as error:
        frame.world.report_error(error, f"{frame.pointer}/{place}", frame.address)
    except Waiting:
        pass


def _nullable(declaration: Mapping[str, Any], frame: Frame) -> bool:
    return follow(declaration, frame.document).get("nullable") is True
