"""Run a function on evaluated arguments, or defer it; what is made of a secret is a secret."""

from __future__ import annotations

from collections.abc import Iterable

from engine.contract.value import Deferred, Secret, Value, Vault, rewrite
from engine.expand.functions.find import find
from engine.expand.functions.reading import INDEX, member
from engine.expand.functions.signature import LEAVES, OPEN, EvaluationError, Function, Knowing, NotYet
from engine.expand.lambdas import Lambda

_index = find(INDEX)
assert _index is not None
_INDEX: Function = _index


def apply(function: Function, arguments: list[Value], vault: Vault | None) -> Value:
    """The function's value; a `Deferred` call where it rests on what only run time knows."""
    function.check_count(len(arguments))
    function.check_kinds(arguments)
    if _ready(function.knowing, arguments):
        try:
            return function.run(*arguments)
        except NotYet:
            pass
    secret, waiting = _scan(arguments)
    if secret is not None and not waiting and vault is not None:
        sealed = _sealed(function, arguments, vault, secret.name)
        if sealed is not None:
            return sealed
    return Deferred(function.name, tuple(a.residual() if type(a) is Lambda else a for a in arguments))


def read(base: Value, key: Value, vault: Vault | None) -> Value:
    """`base[key]`, now or later."""
    kind = type(base)
    if (kind is dict or kind is list) and type(key) not in LEAVES:
        return member(base, key)
    return apply(_INDEX, [base, key], vault)


def unseal(value: Value, vault: Vault | None) -> Value:
    """The value with every secret in it opened."""
    if vault is None:
        return value
    return rewrite(value, lambda leaf: _opened(leaf, vault) if type(leaf) is Secret else leaf)


def _opened(secret: Secret, vault: Vault) -> Value:
    try:
        return vault.open(secret)
    except KeyError:
        message = f"The secret '{secret.name}' is not known to this run"
        help = (
            "Pass its parameter again, or keep it in a secret store: containers refer to one without knowing the value"
        )
        raise EvaluationError(message, help) from None


def _ready(knowing: Knowing, arguments: list[Value]) -> bool:
    if knowing is Knowing.NOTHING:
        return True
    deep = knowing is Knowing.ALL
    for argument in arguments:
        kind = type(argument)
        if kind in LEAVES or (deep and (kind is list or kind is dict) and has_leaf(argument)):
            return False
    return True


def has_leaf(value: Value) -> bool:
    """Whether there is any leaf of our own in it."""
    kind = type(value)
    if kind is dict:
        return any(map(has_leaf, value.values()))
    if kind is list or kind is tuple:
        return any(map(has_leaf, value))
    return kind in LEAVES


def is_open(value: Value) -> bool:
    """Whether something in it waits for run time."""
    return _scan((value,))[1]


def _scan(values: Iterable[Value]) -> tuple[Secret | None, bool]:
    """The first secret in some values, and whether anything waits for run time."""
    secret, waiting = None, False
    stack = [*values][::-1]
    while stack:
        value = stack.pop()
        kind = type(value)
        if kind is dict:
            stack.extend(value.values())
        elif kind is list:
            stack.extend(value)
        elif kind is Secret:
            secret = secret or value
        elif kind in OPEN:
            waiting = True
    return secret, waiting


def _sealed(function: Function, arguments: list[Value], vault: Vault, name: str) -> Value | None:
    """The result, sealed, of the call with all secrets opened; None where it rests on more than secrets."""
    opened = [a if type(a) is Lambda else unseal(a, vault) for a in arguments]
    try:
        function.check_kinds(opened)
        result = function.run(*opened)
    except NotYet:
        return None
    except EvaluationError:  # its message may quote the value
        raise EvaluationError(f"{function.name}() refuses the value of the secret '{name}'") from None
    result = unseal(result, vault)
    return None if is_open(result) else vault.seal(result, name)
