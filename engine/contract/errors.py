"""The few kinds of failure an operator reports; `client.py` of a provider maps everything else to these, once.

    OperatorError
    ├── Transient        try again later (throttled, not reachable, busy); retried with back-off
    │   └── Unreachable  nobody has answered there yet: a run that ends ends with it, one that stays waits for whoever will
    ├── Terminal         it will not work until something changes; the resource fails, others go on
    └── Blocked          it waits for another resource

Any other exception out of an operator is a bug of the provider, and is reported as one.
"""

from __future__ import annotations


class OperatorError(Exception):
    """A failure with a reason people can act on, and optionally a help sentence."""

    def __init__(self, reason: str, help: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.help = help


class Transient(OperatorError):
    """Try again; `after` is a number of seconds the other side asked for."""

    def __init__(self, reason: str, help: str = "", after: float | None = None) -> None:
        super().__init__(reason, help)
        self.after = after


class Unreachable(Transient):
    """Nobody has answered at that place in this run: it may be another than was meant, or nothing was started there.

    A place that did answer before is expected back: that it is away now is `Transient`.
    """


class Terminal(OperatorError):
    """Trying again cannot help; someone has to change something."""


class Blocked(OperatorError):
    """Cannot go on before the resource at `address` does."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(reason)
        self.address = address
