"""What a function may ask of whoever evaluates it: the template's evaluator, or the resolver of deferred values."""

from __future__ import annotations

from typing import Any, Protocol

from engine.contract.value import Value

Argument = Any
"""An argument not evaluated yet: a node of an expression, or a value with deferred parts."""


class Stepwise:
    """Something that is read step by step, so that only what is asked for is evaluated."""

    __slots__ = ()

    def read(self, key: Value, host: Any) -> Value:
        """One step further: a value, or something to be read on."""
        raise NotImplementedError

    def whole(self) -> Value:
        """All of it, as a value."""
        raise NotImplementedError


class Host(Protocol):
    """Evaluates arguments, knows lambda variables, and opens and seals secrets.

    `locals` are the lambda variables in scope, by lower-case name; `depth` counts the lambdas around that are
    evaluated without arguments.
    """

    locals: dict[str, Value]
    depth: int

    def evaluate(self, argument: Argument) -> Value:
        """Its value, deferred parts and all."""

    def attempt(self, argument: Argument) -> Value:
        """Its value, or a deferred failure: for what may turn out not to be needed."""

    def unseal(self, value: Value) -> Value:
        """What a secret holds; any other value as it is."""

    def seal(self, value: Value, name: str) -> Value:
        """A secret, now or once the value is known."""
