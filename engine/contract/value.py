"""What a property can hold: JSON, a secret by reference, and what only run time will know.

`Value` is JSON (None, bool, int, float, str, list, dict) with four leaves of our own anywhere inside:

- `Secret`   something that must not be seen: a name and a keyed digest; a `Vault` can open it while the run lasts
- `Output`   what another resource will report at a path, once it is there
- `Deferred` a function of such values, evaluated when all of them are known
- `Unknown`  shown in a plan where a value is known after deploy; operators meet it in `diff` only

`encode` and `decode` turn a value into plain JSON and back: `{"$secret": …}`, `{"$output": …}`, `{"$call": …}`, `{"$unknown": …}`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any, Protocol
else:
    Any = Protocol = object

Value = Any
"""JSON with `Secret`, `Output`, `Deferred` and `Unknown` inside; see the module."""

Properties = Mapping[str, Value]


class Secret(Record):
    """A sensitive value by reference; the digest (HMAC-SHA-256, hex) tells "changed" without telling what."""

    name: str
    digest: str


class Output(Record):
    """The value at `path` in what the resource at `address` reports; the whole of it for an empty path."""

    address: str
    path: tuple[str | int, ...] = ()


class Deferred(Record):
    """A call of an ARM template function with arguments of which some are not known yet."""

    function: str
    arguments: tuple[Value, ...]


class Unknown(Record):
    """A value known after deploy, and why not before."""

    why: str = "known after deploy"


Leaf = Secret | Output | Deferred | Unknown


class Vault(Protocol):
    """Keeps secret values in memory for one run; nothing of it is ever written."""

    def seal(self, value: Value, name: str) -> Secret:
        """A reference to the value, with the digest of its canonical JSON text."""

    def open(self, secret: Secret) -> Value:
        """The value; raises `KeyError` if this run was never told it."""


def compose(template: str, *arguments: Value) -> Value:
    """`format(template, …)`: at once where all arguments are plain, else deferred."""
    if any(isinstance(a, Leaf) for a in arguments):
        return Deferred("format", (template, *arguments))
    return template.format(*arguments)


PLAIN = frozenset({str, int, float, bool, type(None)})
"""What most of a value is made of: nothing is inside."""


def leaves(value: Value) -> Iterator[Leaf]:
    """Every leaf of our own in a value, those inside deferred calls included."""
    stack = [value]
    while stack:
        top = stack.pop()
        if type(top) in PLAIN:
            continue
        if isinstance(top, dict):
            stack.extend(top.values())
        elif isinstance(top, list | tuple):
            stack.extend(top)
        elif isinstance(top, Leaf):
            yield top
            if isinstance(top, Deferred):
                stack.extend(top.arguments)


def needs(value: Value) -> frozenset[str]:
    """The addresses whose outputs must be known before this value is."""
    return frozenset(leaf.address for leaf in leaves(value) if isinstance(leaf, Output))


def is_known(value: Value) -> bool:
    """Whether nothing in it waits for run time; secrets count as known."""
    return all(isinstance(leaf, Secret) for leaf in leaves(value))


def has_secret(value: Value) -> bool:
    """Whether there is a secret anywhere in it."""
    return any(isinstance(leaf, Secret) for leaf in leaves(value))


def revealed(value: Value, reveal: Callable[[Secret], Value]) -> Value:
    """The value with its secrets as plain text, as `Call.reveal` tells them."""
    return rewrite(value, lambda leaf: reveal(leaf) if isinstance(leaf, Secret) else leaf)


def rewrite(value: Value, change: Callable[[Leaf], Value]) -> Value:
    """The value with every leaf replaced; what holds no leaf is returned as it is, not copied."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, dict):
        new = {k: rewrite(v, change) for k, v in value.items()}
        return value if all(new[k] is value[k] for k in new) else new
    if isinstance(value, list | tuple):
        items = [rewrite(v, change) for v in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    return change(value) if isinstance(value, Leaf) else value


_MARKS = frozenset({"$secret", "$output", "$call", "$unknown", "$literal"})


def encode(value: Value) -> Any:
    """Plain JSON for a value."""
    if isinstance(value, dict):
        plain = {k: encode(v) for k, v in value.items()}
        return {"$literal": plain} if len(plain) == 1 and _MARKS & plain.keys() else plain
    if isinstance(value, list | tuple):
        return [encode(v) for v in value]
    match value:
        case Secret(name, digest):
            return {"$secret": [name, digest]}
        case Output(address, path):
            return {"$output": [address, *path]}
        case Deferred(function, arguments):
            return {"$call": [function, *map(encode, arguments)]}
        case Unknown(why):
            return {"$unknown": why}
        case _:
            return value


def decode(data: Any) -> Value:
    """The value that `encode` made this JSON from."""
    if isinstance(data, list):
        return [decode(v) for v in data]
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        match data:
            case {"$literal": plain}:
                return {k: decode(v) for k, v in plain.items()}
            case {"$secret": [name, digest]}:
                return Secret(name, digest)
            case {"$output": [address, *path]}:
                return Output(address, tuple(path))
            case {"$call": [function, *arguments]}:
                return Deferred(function, tuple(decode(a) for a in arguments))
            case {"$unknown": why}:
                return Unknown(why)
            case _:
                pass
    return {k: decode(v) for k, v in data.items()}
