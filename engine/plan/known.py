"""What a plan knows of values before anything is deployed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.contract.resource import Resource
from engine.contract.value import Deferred, Leaf, Output, Properties, Secret, Unknown, Value, is_known, leaves, rewrite
from engine.expand.apply import has_leaf
from engine.expand.desired import Known

Resolve = Callable[[Value, Known], Value]
"""Evaluates what can be with the outputs that are known, as the deployment will; the rest stays as it is."""


class Foresight:
    """The outputs of resources, as far as the plan can know them; grows in the order of the graph."""

    __slots__ = ("_changing", "_complete", "_resolve", "_staying")

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._staying: dict[str, Properties] = {}
        self._changing: dict[str, Properties] = {}
        self._complete: set[str] = set()

    def stays(self, address: str, body: Properties) -> None:
        """A resource that is as it was: everything it reports is known."""
        self._staying[address] = body

    def changes(self, address: str, body: Properties, complete: bool = False) -> None:
        """A resource that changes: only what is in this body is known, and only where it is no `Unknown`.

        It is `complete` if it will report nothing else.
        """
        self._changing[address] = body
        if complete and is_known(body):
            self._complete.add(address)

    def known(self) -> Known:
        """The resources of which every output is known: those that stay, and those whose operator foresees them all."""
        return self._staying | {a: b for a, b in self._changing.items() if a in self._complete}

    def value(self, value: Value) -> Value:
        """The value with all that is known filled in, and `Unknown` where only the deployment knows."""
        if not has_leaf(value) or is_known(value):
            return value
        return rewrite(self._resolve(rewrite(value, self._foreseen), self._staying), _unknown)

    def follows(self, value: Value) -> tuple[str, ...]:
        """The changing resources whose outputs a value reads."""
        read = {leaf.address for leaf in leaves(value) if isinstance(leaf, Output)}
        return tuple(sorted(read & self._changing.keys()))

    def _foreseen(self, leaf: Leaf) -> Value:
        """The leaf with the foreseen outputs of changing resources in it."""
        match leaf:
            case Output(address, path) if address in self._changing and path:  # all of it, nobody foresees
                found = _at(self._changing[address], path)
                return found if is_known(found) else leaf
            case Deferred(function, arguments):
                return Deferred(function, tuple(rewrite(a, self._foreseen) for a in arguments))
            case Output() | Secret() | Unknown():
                return leaf


def _at(value: Value, path: tuple[str | int, ...]) -> Value:
    """What stands at a path, case aside; `Unknown` where nothing does."""
    for key in path:
        if isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        elif isinstance(value, Mapping) and isinstance(key, str):
            value = (
                value[key]
                if key in value
                else next((v for k, v in value.items() if k.lower() == key.lower()), Unknown())
            )
        else:
            return Unknown()
    return value


def _unknown(leaf: Leaf) -> Value:
    match leaf:
        case Secret() | Unknown():
            return leaf
        case Output() | Deferred():
            for inner in leaves(leaf):
                if isinstance(inner, Output):
                    return Unknown(f"known after '{inner.address}' is deployed")
            return Unknown()


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
