"""What a built-in function is, and the notation its table is written in.

A line is `name(parameters) returns #trait #trait`; several lines of one name are its overloads. A parameter is a type,
`type?` where it may be left out, `type...` where one or more may be given and `type*` where none or more may.
`lambda1-2:bool` is a lambda of one or two parameters that gives a bool. Lines are read when a function is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.types import AMBIENT, ANY, NEVER, NULL, ArrayType, LambdaType, Type, union
from engine.contract.patterns import pattern
from engine.record import Record
from engine.words import Words


class Trait(Words):
    """What is special about a function."""

    COMPILE_TIME = "compile"
    """Replaced by its value while compiling."""
    INLINE = "inline"
    """Can only be evaluated while the deployment runs: a variable that calls it is inlined."""
    DEFAULT_ONLY = "default"
    """Only in the default value of a parameter."""
    PARAMS_ONLY = "params"
    """Only in a `.bicepparam` file."""
    LITERAL_PATH = "path"
    """Its first argument is the path of a file, relative to this one."""
    DEPRECATED = "deprecated"
    """There is a better way."""
    SECURE = "secure"
    """Returns a secret."""


class Overload(Record):
    """One way to call a function: `parameters`, of which `minimum` are needed, the last repeated if `variadic`."""

    parameters: tuple[Type, ...]
    minimum: int
    variadic: bool
    returns: Type

    def parameter(self, index: int) -> Type:
        """The type of the argument at a place."""
        return self.parameters[min(index, len(self.parameters) - 1)]

    def accepts(self, count: int) -> bool:
        """Whether it can be called with so many arguments."""
        return self.minimum <= count and (self.variadic or count <= len(self.parameters))


class Function(Record):
    """A built-in function, or decorator."""

    namespace: str
    name: str
    overloads: tuple[Overload, ...]
    traits: frozenset[Trait] = frozenset()

    @property
    def minimum(self) -> int:
        """The least number of arguments."""
        return min(o.minimum for o in self.overloads)

    @property
    def maximum(self) -> int | None:
        """The greatest number of arguments; None without limit."""
        return None if any(o.variadic for o in self.overloads) else max(len(o.parameters) for o in self.overloads)


# Compiled when first used: most programs call few functions.
_LINE = r"(\w+\*?)\((.*?)\) ([\w|\[\]-]+)((?: #\w+)*)$"
_PARAMETER = r"([\w|\[\]:-]+)(\?|\.\.\.|\*)?$"


class Table:
    """The functions of a namespace by name, read line by line on demand."""

    __slots__ = ("_lines", "_read", "namespace")

    def __init__(self, namespace: str, text: str) -> None:
        self.namespace = namespace
        self._read: dict[str, Function] = {}
        self._lines: dict[str, list[str]] = {}
        for line in text.strip().splitlines():
            self._lines.setdefault(line[: line.index("(")], []).append(line)

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def get(self, name: str) -> Function | None:
        """The function of a name."""
        if name not in self._read and name in self._lines:
            parsed = [_read(line) for line in self._lines[name]]
            self._read[name] = Function(
                self.namespace, name, tuple(o for o, _ in parsed), frozenset().union(*(traits for _, traits in parsed))
            )
        return self._read.get(name)


def _read(line: str) -> tuple[Overload, frozenset[Trait]]:
    match = pattern(_LINE).match(line)
    assert match, line
    _, inside, returns, traits = match.groups()
    parameters, minimum, variadic = [], 0, False
    for text in inside.split(", ") if inside else ():
        found = pattern(_PARAMETER).match(text)
        assert found, line
        parameters.append(_type(found[1]))
        minimum += found[2] in (None, "...")
        variadic = variadic or found[2] in ("...", "*")
    overload = Overload(tuple(parameters), minimum, variadic, _type(returns))
    return overload, frozenset(Trait(t.lstrip("#")) for t in traits.split())


def _type(text: str) -> Type:
    if "|" in text and not text.endswith("[]"):
        return union(*map(_type, text.split("|")))
    if text.endswith("[]"):
        return ArrayType(_type(text[:-2]))
    if text.startswith("lambda"):
        counts, _, returns = text[6:].partition(":")
        low, _, high = counts.partition("-")
        return LambdaType((ANY,) * int(high or low), int(low), _type(returns) if returns else ANY)
    if text in ("never", "null"):
        return NEVER if text == "never" else NULL
    return AMBIENT[text]
