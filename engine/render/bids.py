"""Who owns a resource: operators bid, the highest bid wins, a tie is nobody's, a pin beats all. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.contract.operator import Bid, Operator, View
from engine.contract.resource import Resource
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.suggest import did_you_mean
from engine.record import Record

ANNOTATION = "ulna.operator"
"""The key, in the `tags` of a resource, that pins it to an operator."""


class Offer(Record):
    """An operator and what it bid."""

    operator: Operator
    bid: Bid


def offers(resource: Resource, operators: Iterable[Operator], view: View) -> tuple[Offer, ...]:
    """The bids for a resource, highest first; among equals in the order of names."""
    made = [Offer(o, b) for o in operators if (b := o.bid(resource, view)) is not None]
    return tuple(sorted(made, key=lambda o: (-o.bid.score, o.operator.name))) if len(made) > 1 else tuple(made)


def pin_of(resource: Resource) -> str | None:
    """The operator that a resource is pinned to: by `pin`, or by the tag `ulna.operator`."""
    if resource.pin is not None:
        return resource.pin
    tags = resource.properties.get("tags")
    pinned = tags.get(ANNOTATION) if isinstance(tags, dict) else None
    return pinned if isinstance(pinned, str) else None


def choose(
    resource: Resource, operators: Iterable[Operator], view: View, absent: Callable[[], str]
) -> Operator | Diagnostic:
    """The operator that owns a resource, or why none does.

    `absent` gives the help for a type that nobody bids for.
    """
    candidates = tuple(operators)
    pin = pin_of(resource)
    if pin is not None:
        return _pinned(resource, pin, candidates, view)
    best = offers(resource, candidates, view)
    if not best:
        message = f"No operator serves the resource type '{resource.type}@{resource.api_version}'"
        return _problem("ULN301", resource, message, absent())
    tied = [o.operator.name for o in best if o.bid.score == best[0].bid.score]
    if len(tied) > 1:
        names = f"{', '.join(repr(n) for n in tied[:-1])} and {tied[-1]!r}"
        message = f"The operators {names} bid the same ({best[0].bid.score}) for '{resource.address}', so none of them owns it"
        return _problem("ULN302", resource, message, f"Settle it with the tag {ANNOTATION}: '{tied[0]}'.")
    return best[0].operator


def plain(name: str) -> str:
    """The name of an operator as a template says it: without the environment that it is for."""
    return name.partition("@")[0]


def _pinned(resource: Resource, pin: str, operators: tuple[Operator, ...], view: View) -> Operator | Diagnostic:
    by_name = {plain(o.name): o for o in operators}
    if pin not in by_name:
        message = f"'{resource.address}' is pinned to the operator '{pin}', which does not exist"
        known = f"Operators for '{resource.type}': {', '.join(sorted(by_name))}." if by_name else ""
        help = " ".join(s for s in (did_you_mean(pin, by_name), known) if s)
        return _problem("ULN303", resource, message, help or f"No operator serves '{resource.type}'.")
    if by_name[pin].bid(resource, view) is None:
        message = f"'{resource.address}' is pinned to the operator '{pin}', which declines it"
        return _problem("ULN304", resource, message, "Pin it to another operator, or remove the pin.")
    return by_name[pin]


def _problem(code: str, resource: Resource, message: str, help: str) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, resource.origin, help=help)
