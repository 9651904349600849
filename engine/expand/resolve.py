"""Deferred values, evaluated once outputs are known."""

from __future__ import annotations

from collections.abc import Callable

from engine.contract.listing import called, is_call, parts
from engine.contract.value import Deferred, Output, Properties, Secret, Value, Vault
from engine.expand.apply import apply, is_open, read, unseal
from engine.expand.functions.find import find
from engine.expand.functions.reading import find_key, has_key
from engine.expand.functions.signature import OPEN, EvaluationError
from engine.expand.host import Argument

Lookup = Callable[[str], Properties | None]
"""What `reference(…, 'full')` of the resource at an address is, or None while it is not there."""


def resolve(value: Value, lookup: Lookup, vault: Vault | None = None) -> Value:
    """The value with everything evaluated that rests on known outputs; what is still unknown stays.

    Raises `EvaluationError` where an output is missing or a function refuses its arguments. Without a vault, functions of
    secrets stay deferred.
    """
    return Resolver(lookup, vault).evaluate(value)


class Resolver:
    """The `Host` of functions whose arguments are values."""

    __slots__ = ("_lookup", "_vault", "depth", "locals")

    def __init__(self, lookup: Lookup, vault: Vault | None) -> None:
        self._lookup = lookup
        self._vault = vault
        self.locals: dict[str, Value] = {}
        self.depth = 0

    def evaluate(self, argument: Argument) -> Value:
        """The value as far as it is known."""
        kind = type(argument)
        if kind is dict:
            made = {k: self.evaluate(v) for k, v in argument.items()}
            return argument if all(made[k] is v for k, v in argument.items()) else made
        if kind is list:
            items = [self.evaluate(v) for v in argument]
            return argument if all(a is b for a, b in zip(items, argument, strict=True)) else items
        if kind is tuple:
            return [self.evaluate(v) for v in argument]
        if kind is Output:
            return self._output(argument)
        if kind is Deferred:
            return self._call(argument)
        return argument

    def attempt(self, argument: Argument) -> Value:
        """The value, or a deferred failure."""
        try:
            return self.evaluate(argument)
        except EvaluationError as error:
            return Deferred("fail", (error.message,))

    def unseal(self, value: Value) -> Value:
        """What a secret holds."""
        return unseal(value, self._vault)

    def seal(self, value: Value, name: str) -> Value:
        """A secret, once the value is known."""
        return seal(value, name, self._vault)

    def _call(self, call: Deferred) -> Value:
        function = find(call.function)
        assert function is not None, call.function
        if function.special:
            function.check_count(len(call.arguments))
            return function.run(call.arguments, self)
        return apply(function, [self.evaluate(a) for a in call.arguments], self._vault)

    def _output(self, output: Output) -> Value:
        body = self._lookup(output.address)
        if body is None:
            return output
        return follow(output, body, self._vault)


def follow(output: Output, body: Properties, vault: Vault | None) -> Value:
    """The value at an output's path in what its resource reports."""
    value: Value = dict(body)
    for position, key in enumerate(output.path):
        if position == 0 and is_call(key):
            value = listed(value, str(key))
            continue
        try:
            value = read(value, key, vault)
        except EvaluationError as error:
            shown = ".".join(map(str, output.path))
            raise EvaluationError(f"'{output.address}' has no output '{shown}': {error.message}") from None
        if type(value) in OPEN:
            for rest in output.path[position + 1 :]:
                value = read(value, rest, vault)
            break
    return value


def listed(body: dict[str, Value], call: str) -> Value:
    """What a list function of a resource gives: its output of that name, else, for listSecrets(), the secrets among its properties."""
    if has_key(body, call):
        return find_key(body, call)
    properties = body.get("properties")
    if type(properties) is dict and has_key(properties, call):
        return find_key(properties, call)
    if call.lower() == "listsecrets()" and type(properties) is dict and has_key(properties, "secrets"):
        return find_key(properties, "secrets")
    name, asked = parts(call)
    if len(asked) == 1:  # with an API version alone: who is not Azure has one answer for all of them
        return listed(body, called(name))
    raise EvaluationError(f"The resource does not offer {call}")


def seal(value: Value, name: str, vault: Vault | None) -> Value:
    """A secret now, or `[secret]` to become one; null stays null."""
    if type(value) is Secret or value is None:
        return value
    if vault is None or is_open(value):
        return value if _seals(value) else Deferred("[secret]", (value, name))
    return vault.seal(unseal(value, vault), name)


def _seals(value: Value) -> bool:
    return type(value) is Deferred and value.function == "[secret]"
