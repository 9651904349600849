"""Pins that are given on the command line: which operator owns a resource, whatever the file says. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from engine.contract.resource import Resource
from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.suggest import did_you_mean
from engine.expand.desired import Desired


def pinned(desired: Desired, given: Iterable[str]) -> Desired:
    """The graph with these pins, each `name=operator`; the name is a resource's own, its address, or the end of that.

    Raises `UlnaError` for a text that is no pin, and for a name that fits nothing, unless parts are still undecided.
    """
    for text in given:
        name, equals, operator = text.partition("=")
        if not (name and equals and operator):
            raise UlnaError.of("ULN503", f"'{text}' is no NAME=OPERATOR", "Write --operator cache=docker.", exit_code=2)
        found = {r.address for r in desired.resources if _is_called(r, name) and not r.existing}
        if not found and not desired.pending:
            names = [str(r.name) for r in desired.resources if not r.existing]
            help = did_you_mean(name, names) or f"There are: {', '.join(sorted(set(names)))}."
            raise UlnaError.of(
                "ULN338", f"There is no resource '{name}' to be pinned to '{operator}'", help, exit_code=2
            )
        pinned = (r.replace(pin=operator) if r.address in found else r for r in desired.resources)
        desired = desired.replace(resources=tuple(pinned))
    return desired


def _is_called(resource: Resource, name: str) -> bool:
    return name in (resource.address, resource.name) or resource.address.endswith(f"/{name}")
