"""What a template function is: a name, what it takes, how much of its arguments it must know, and the code."""

from __future__ import annotations

from collections.abc import Callable

from engine.contract.value import Deferred, Output, Secret, Unknown, Value
from engine.record import Record
from engine.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


class EvaluationError(Exception):
    """An expression has no value; `place` is the JSON path to it below whatever was evaluated, outermost first.

    `declared` is the pointer of the declaration that it does not agree with, if it is of one.
    """

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place: list[str] = []
        self.pointer: str | None = None
        self.declared = ""
        self.expression = ""
        self.cycle = False
        self.code = "ULN204"
        self.help = help


class NotYet(Exception):
    """A function met something inside an argument that it must know, and that only run time will."""


class Knowing(Words):
    """What must be known of the arguments before a function can run."""

    ALL = "all"
    SHAPE = "shape"
    """Only that a list is a list of so many, and which keys an object has; not what they hold."""
    NOTHING = "nothing"


STRING, INT, BOOL, ARRAY, OBJECT, NULL, FLOAT, LAMBDA = 1, 2, 4, 8, 16, 32, 64, 128
ANY = 127
NUMBER = INT | FLOAT

_KINDS: dict[type, int] = {
    str: STRING,
    int: INT,
    bool: BOOL,
    list: ARRAY,
    dict: OBJECT,
    type(None): NULL,
    float: FLOAT,
}
_NAMES = {
    STRING: "a string",
    INT: "an integer",
    BOOL: "a boolean",
    ARRAY: "an array",
    OBJECT: "an object",
    NULL: "null",
    FLOAT: "a decimal number",
    LAMBDA: "a lambda",
}
LEAVES = frozenset((Secret, Output, Deferred, Unknown))
OPEN = frozenset((Output, Deferred, Unknown))
"""Leaves that wait for run time."""


def kind_of(value: Value) -> int:
    """The kind of a value; a lambda is anything else."""
    return _KINDS.get(type(value), LAMBDA)


def describe(kinds: int) -> str:
    """Kinds as people say them: "a string or an array"."""
    return " or ".join(name for kind, name in _NAMES.items() if kinds & kind)


class Function(Record):
    """One function. `parameters` are the kinds by position, `least` how many must be given, `rest` the kind of further
    ones (0: no more are taken). A `special` one gets its arguments unevaluated, with the evaluator as second argument.
    """

    name: str
    run: Callable[..., Value]
    parameters: tuple[int, ...] = ()
    least: int = 0
    rest: int = 0
    knowing: Knowing = Knowing.ALL
    special: bool = False

    def check_count(self, count: int) -> None:
        """Refuse too few or too many arguments."""
        most = len(self.parameters)
        if self.least <= count and (self.rest or count <= most):
            return
        if self.rest:
            wanted = f"at least {self.least}"
        elif self.least == most:
            wanted = str(most)
        else:
            wanted = f"{self.least} to {most}"
        plural = "" if wanted in ("1", "at least 1") else "s"
        raise EvaluationError(f"{self.name}() takes {wanted} argument{plural}, and {count} are given")

    def check_kinds(self, arguments: list[Value]) -> None:
        """Refuse an argument of a kind it does not take; leaves pass."""
        most = len(self.parameters)
        for i, argument in enumerate(arguments):
            wanted = self.parameters[i] if i < most else self.rest
            kind = _KINDS.get(type(argument), LAMBDA)
            if not wanted & kind and type(argument) not in LEAVES:
                raise self.refuse(i, f"must be {describe(wanted)}, not {describe(kind)}")

    def refuse(self, index: int, why: str) -> EvaluationError:
        """The error for one argument, counted from 0."""
        return EvaluationError(f"Argument {index + 1} of {self.name}() {why}")


class Library:
    """The functions of one theme; `declare` is the decorator that adds one."""

    __slots__ = ("functions",)

    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}

    def declare(
        self,
        name: str,
        *parameters: int,
        least: int | None = None,
        rest: int = 0,
        knowing: Knowing = Knowing.ALL,
    ) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
        """Add a function that works on evaluated arguments; all parameters must be given unless `least` says fewer."""

        def add(run: Callable[..., Value]) -> Callable[..., Value]:
            least_ = len(parameters) if least is None else least
            self.functions[name.lower()] = Function(name, run, parameters, least_, rest, knowing)
            return run

        return add

    def special(self, name: str, least: int, most: int | None = None, *, rest: bool = False) -> Callable[..., Any]:
        """Add a function that gets `(arguments, evaluator)`, and evaluates its arguments itself, if at all."""

        def add(run: Callable[..., Value]) -> Callable[..., Value]:
            parameters = (ANY,) * (least if most is None else most)
            self.functions[name.lower()] = Function(name, run, parameters, least, ANY if rest else 0, special=True)
            return run

        return add
