"""What a plan knows of values before anything is deployed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.contract.resource import Resource
from engine.contract.value import Deferred, Leaf, Output, Properties, Secret, Unknown, Value, is_known, leaves, rewrite
from engine.expand.desired import Known

Resolve = Callable[[Value, Known], Value]
"""Evaluates what can be with the outputs that are known, as the deployment will."""


class Foresight:
    """The outputs of resources, as far as the plan can know them; grows in the order of the graph."""

    __slots__ = ("_bodies", "_changing", "_resolve")

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._bodies: dict[str, Properties] = {}
        self._changing: set[str] = set()

    def stays(self, address: str, body: Properties) -> None:
        """A resource that is as it was: everything it reports is known."""
        self._bodies[address] = body

    def changes(self, address: str, body: Properties) -> None:
        """A resource that changes: only what is in this body is known, and only where it is no `Unknown`."""
        self._bodies[address] = body
        self._changing.add(address)

    def known(self) -> Known:
        """What can be relied on by address: all that resources report which stay, or are foreseen as a whole."""
        return {a: b for a, b in self._bodies.items() if a not in self._changing or is_known(dict(b))}

    def value(self, value: Value) -> Value:
        """The value with all that is known filled in, and `Unknown` where only the deployment knows."""
        if all(isinstance(leaf, Secret) for leaf in leaves(value)):
            return value
        return rewrite(value, self._leaf)

    def follows(self, value: Value) -> tuple[str, ...]:
        """The changing resources whose outputs a value reads."""
        read = {leaf.address: None for leaf in leaves(value) if isinstance(leaf, Output)}
        return tuple(sorted(a for a in read if a in self._changing))

    def _leaf(self, leaf: Leaf) -> Value:
        match leaf:
            case Output(address, path):
                return self._output(address, path)
            case Deferred(function, arguments):
                seen = tuple(self.value(a) for a in arguments)
                for argument in leaves(list(seen)):
                    if isinstance(argument, Unknown):
                        return argument
                return self._resolve(Deferred(function, seen), {})
            case Secret() | Unknown():
                return leaf

    def _output(self, address: str, path: tuple[str | int, ...]) -> Value:
        body: Value = self._bodies.get(address)
        if body is None:
            return Unknown(f"known after '{address}' is deployed")
        if address not in self._changing:
            return self._resolve(Output(address, path), self._bodies)
        for key in path:
            found = _child(body, key)
            if found is _MISSING:
                return Unknown(f"known after '{address}' is deployed")
            body = found
        if not path or not is_known(body):  # what else the whole of it will hold, nobody knows
            return Unknown(f"known after '{address}' is deployed")
        return body


_MISSING = object()


def _child(value: Value, key: str | int) -> Value:
    """The property (case does not count) or item at a key."""
    if isinstance(value, list):
        return value[key] if isinstance(key, int) and key < len(value) else _MISSING
    if isinstance(value, Mapping) and isinstance(key, str):
        if key in value:
            return value[key]
        return next((v for k, v in value.items() if k.lower() == key.lower()), _MISSING)
    return _MISSING


def body(resource: Resource, outputs: Properties) -> dict[str, Value]:
    """What `reference(…, 'full')` gives of a resource with these outputs."""
    written = resource.properties.get("properties")
    return {
        **resource.properties,
        "id": resource.id,
        "name": resource.name,
        "type": resource.type,
        "apiVersion": resource.api_version,
        "properties": {**(written if isinstance(written, dict) else {}), **outputs},
    }
