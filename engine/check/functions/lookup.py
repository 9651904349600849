"""Which built-in function a name means, in which namespace."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.functions.az import AZ
from engine.check.functions.signature import Function, Table, Trait
from engine.check.functions.sys import SYS
from engine.check.functions.this import THIS

NAMESPACES: dict[str, Table] = {"sys": SYS, "az": AZ, "this": THIS}


def find(namespace: str, name: str, *, params_file: bool = False) -> Function | None:
    """The function of a namespace, as seen from a `.bicep` or a `.bicepparam` file."""
    table = NAMESPACES[namespace]
    function = table.get(name)
    if function is None and namespace == "az" and name.startswith("list") and name != "list*":
        # `listKeys`, `listAnything`: every POST action of a resource type is a function.
        star = AZ.get("list*")
        assert star
        function = star.replace(name=name)
    if function is None:
        return None
    only_there = Trait.PARAMS_ONLY in function.traits
    visible = only_there or namespace == "sys" if params_file else not only_there
    return function if visible else None


def names(namespace: str, *, params_file: bool = False) -> Iterator[str]:
    """The names of a namespace that can be called, for did-you-mean."""
    for name in NAMESPACES[namespace]:
        if name != "list*" and find(namespace, name, params_file=params_file):
            yield name
