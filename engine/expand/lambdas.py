"""A lambda with what surrounds it: applied to arguments, or kept for later with its own names left open."""

from __future__ import annotations

from engine.contract.value import Deferred, Value
from engine.expand.functions.signature import EvaluationError
from engine.expand.host import Argument, Host


class Lambda:
    """Callable with at least as many arguments as it has names."""

    __slots__ = ("body", "host", "locals", "names")

    def __init__(self, names: tuple[str, ...], body: Argument, host: Host) -> None:
        self.names = names
        self.body = body
        self.host = host
        self.locals = host.locals

    def __call__(self, *arguments: Value) -> Value:
        """The body's value for these arguments."""
        if len(self.names) > len(arguments):
            raise EvaluationError(f"The lambda names {len(self.names)} variables, and gets {len(arguments)} values")
        host, saved = self.host, self.host.locals
        host.locals = {**self.locals, **{n.lower(): a for n, a in zip(self.names, arguments, strict=False)}}
        try:
            return host.evaluate(self.body)
        finally:
            host.locals = saved

    def residual(self) -> Deferred:
        """`lambda(names…, body)`, closed but for its own names, which differ from those of all lambdas around it."""
        host, saved = self.host, self.host.locals
        names = tuple(f"{n.partition('#')[0]}#{host.depth}" for n in self.names)
        free = {n.lower(): Deferred("lambdaVariables", (new,)) for n, new in zip(self.names, names, strict=True)}
        host.locals = {**self.locals, **free}
        host.depth += 1
        try:
            return Deferred("lambda", (*names, host.attempt(self.body)))
        finally:
            host.depth -= 1
            host.locals = saved
