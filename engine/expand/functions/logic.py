"""Logic, and what is evaluated only when it is needed: if, and, or, coalesce, lambdas."""

from __future__ import annotations

from engine.contract.value import Deferred, Value
from engine.expand.functions.signature import (
    BOOL,
    OPEN,
    STRING,
    EvaluationError,
    Library,
    describe,
    kind_of,
)
from engine.expand.host import Argument, Host
from engine.expand.lambdas import Lambda

LIBRARY = Library()


@LIBRARY.declare("true")
def true() -> bool:
    """True."""
    return True


@LIBRARY.declare("false")
def false() -> bool:
    """False."""
    return False


@LIBRARY.declare("null")
def null() -> None:
    """Nothing."""


@LIBRARY.declare("not", BOOL)
def not_(value: bool) -> bool:
    """The opposite."""
    return not value


@LIBRARY.declare("fail", STRING)
def fail(message: str) -> Value:
    """Stops the deployment with a message."""
    raise EvaluationError(message or "The template gave up, without saying why: fail('')")


@LIBRARY.special("if", 3)
def if_(arguments: tuple[Argument, ...], host: Host) -> Value:
    """The second argument where the first is true, else the third; the other one is not looked at."""
    condition = host.evaluate(arguments[0])
    known = _truth("if", 1, condition, host)
    if known is None:
        return Deferred("if", (condition, host.attempt(arguments[1]), host.attempt(arguments[2])))
    return host.evaluate(arguments[1 if known else 2])


@LIBRARY.special("and", 2, rest=True)
def and_(arguments: tuple[Argument, ...], host: Host) -> Value:
    """Whether all are true; those after the first false one are not looked at."""
    return _until("and", False, arguments, host)


@LIBRARY.special("or", 2, rest=True)
def or_(arguments: tuple[Argument, ...], host: Host) -> Value:
    """Whether one is true; those after the first true one are not looked at."""
    return _until("or", True, arguments, host)


def _until(name: str, stop: bool, arguments: tuple[Argument, ...], host: Host) -> Value:
    for position, argument in enumerate(arguments):
        value = host.evaluate(argument)
        known = _truth(name, position + 1, value, host)
        if known is None:
            rest = [*map(host.attempt, arguments[position + 1 :])] or [not stop]
            return Deferred(name, (value, *rest))
        if known is stop:
            return stop
    return not stop


def _truth(function: str, position: int, value: Value, host: Host) -> bool | None:
    """The boolean, out of a secret too, or None while it is unknown."""
    value = host.unseal(value)
    if type(value) is bool:
        return value
    if type(value) in OPEN:
        return None
    raise EvaluationError(f"Argument {position} of {function}() must be a boolean, not {describe(kind_of(value))}")


@LIBRARY.special("coalesce", 1, rest=True)
def coalesce(arguments: tuple[Argument, ...], host: Host) -> Value:
    """The first that is not null; those after it are not looked at."""
    for position, argument in enumerate(arguments):
        value = host.evaluate(argument)
        if type(value) in OPEN:
            rest = arguments[position + 1 :]
            return Deferred("coalesce", (value, *map(host.attempt, rest))) if rest else value
        if host.unseal(value) is not None:
            return value
    return None


@LIBRARY.special("lambda", 1, rest=True)
def lambda_(arguments: tuple[Argument, ...], host: Host) -> Value:
    """A function without a name: its parameters' names, then its body."""
    *names, body = arguments
    return Lambda(tuple(str(host.evaluate(name)) for name in names), body, host)


@LIBRARY.special("lambdaVariables", 1)
def lambda_variables(arguments: tuple[Argument, ...], host: Host) -> Value:
    """A parameter of the lambda around."""
    name = str(host.evaluate(arguments[0]))
    found = host.locals.get(name.lower(), host)
    if found is host:
        raise EvaluationError(f"There is no lambda variable '{name}' here")
    return found


@LIBRARY.special("[secret]", 2)
def secret(arguments: tuple[Argument, ...], host: Host) -> Value:
    """A value that becomes a secret of this name as soon as it is known; no template can call it."""
    return host.seal(host.evaluate(arguments[0]), str(arguments[1]))
