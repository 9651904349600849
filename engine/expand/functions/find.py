"""Find a template function by its name; a theme's module is loaded when no theme loaded before has the name."""

from __future__ import annotations

from _thread import RLock  # what `threading` would hand out, without its price
from importlib import import_module

from engine.expand.functions.signature import Function

_THEMES = ("reading", "strings", "logic", "resources", "arrays", "objects", "numbers", "lambdas", "conversions")
_RARE = ("comparison", "scopes", "encoding", "hashing", "dates", "network", "azure")

_found: dict[str, Function] = {}
_waiting = [*reversed((*_THEMES, *_RARE))]
_loading = RLock()
"""Held while a theme is loaded: who looks meanwhile must not find that nothing waits, and nothing is there yet."""


def find(name: str) -> Function | None:
    """The function of this name, in whatever case; None where there is none."""
    if name in _found:
        return _found[name]
    key = name.lower()
    if key in _found:
        found = _found[name] = _found[key]  # from now on under this spelling too
        return found
    with _loading:
        while key not in _found and _waiting:
            module = import_module(f"engine.expand.functions.{_waiting.pop()}")
            _found.update(module.LIBRARY.functions)
    return _found.get(key)


def every() -> dict[str, Function]:
    """All functions, by lower-case name."""
    find("")
    return {name: function for name, function in _found.items() if name == function.name.lower()}
