"""ARM template expressions, the text inside `"[…]"`: the nodes, and `parse_expression`."""

from __future__ import annotations

from engine.contract.patterns import pattern
from engine.parse.driver import Stuck, bind, run
from engine.parse.table import load
from engine.record import Record


class Literal(Record):
    """A string, an integer or a float. (`true()`, `false()` and `null()` are calls.)"""

    value: str | int | float


class Call(Record):
    """`name(arguments)`; the name keeps its qualifier: `__bicep.area`."""

    name: str
    arguments: tuple[Expression, ...]


class Member(Record):
    """`base.name`"""

    base: Expression
    name: str


class Index(Record):
    """`base[index]`"""

    base: Expression
    index: Expression


Expression = Literal | Call | Member | Index


class ExpressionError(Exception):
    """Text that is no expression; `offset` is where reading it failed."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


MAX_DEPTH = 200
"""How deep calls, members and indexes may nest, so that whoever walks the tree by recursion has stack enough."""


class _Build:
    """One method a rule of `grammar/expression.lark`."""

    __slots__ = ("texts",)

    def __init__(self) -> None:
        self.texts: list[str] = []

    def whole(self, value: Expression) -> Expression:
        return value

    def member(self, base: Expression, dot: int, name: int) -> Member:
        return Member(base, self.texts[name])

    def index(self, base: Expression, opener: int, index: Expression, closer: int) -> Index:
        return Index(base, index)

    def string(self, token: int) -> Literal:
        return Literal(self.texts[token][1:-1].replace("''", "'"))

    def integer(self, token: int) -> Literal:
        return Literal(int(self.texts[token]))

    def float_(self, token: int) -> Literal:
        return Literal(float(self.texts[token]))

    def call_empty(self, name: str, opener: int, closer: int) -> Call:
        return Call(name, ())

    def call(self, name: str, opener: int, arguments: list[Expression], closer: int) -> Call:
        return Call(name, tuple(arguments))

    def parenthesized(self, opener: int, value: Expression, closer: int) -> Expression:
        return value

    def function(self, name: int) -> str:
        return self.texts[name]

    def qualified(self, base: str, dot: int, name: int) -> str:
        return f"{base}.{self.texts[name]}"

    def first(self, value: Expression) -> list[Expression]:
        return [value]

    def following(self, values: list[Expression], comma: int, value: Expression) -> list[Expression]:
        values.append(value)
        return values


_TABLE = load("expression")
_BUILD = _Build()
_ACTIONS = bind(_TABLE, _BUILD)
_REGEXES = ("NAME", "STRING", "FLOAT", "INTEGER")
_TOKEN = pattern(
    r"(?a)[ \t\r\n]*(?:" + "|".join(f"({_TABLE.patterns[name]})" for name in _REGEXES) + r"|([^ \t\r\n])|$)"
)
_KINDS = (0, *(_TABLE.terminals[name] for name in _REGEXES))
_START = _TABLE.starts["expression"]


def parse_expression(text: str) -> Expression:
    """The tree of an expression, without its outer brackets; raises `ExpressionError`."""
    words = _TABLE.words
    kinds: list[int] = []
    texts: list[str] = []
    starts: list[int] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        group = match.lastindex
        if group is None:
            break
        token = match[group]
        if group < 5:
            kinds.append(_KINDS[group])
        else:
            kind = words.get(token)
            if kind is None:
                what = "A string that is never closed" if token == "'" else f"The character {token!r} has no meaning"
                raise ExpressionError(what, match.start(group))
            kinds.append(kind)
            depth += 1  # a bound only: every level costs at least one of these
        texts.append(token)
        starts.append(match.start(group))
    kinds.append(0)
    starts.append(len(text))
    _BUILD.texts = texts
    try:
        tree: Expression = run(_TABLE, kinds, _ACTIONS, [_START], [], 0)
    except Stuck as stuck:
        raise _error(stuck.token, texts, starts) from None
    except ValueError:  # CPython converts no more than some thousand digits
        raise ExpressionError("A number has too many digits", 0) from None
    if depth > MAX_DEPTH:
        _check_depth(tree)
    return tree


def _error(token: int, texts: list[str], starts: list[int]) -> ExpressionError:
    if token == len(texts):
        return ExpressionError("The expression ends too early" if texts else "The expression is empty", starts[token])
    return ExpressionError(f"Unexpected '{texts[token]}'", starts[token])


def _check_depth(tree: Expression) -> None:
    """Refuse what nests too deeply; iterative itself."""
    level: list[Expression] = [tree]
    for _ in range(MAX_DEPTH):
        below: list[Expression] = []
        for node in level:
            match node:
                case Call():
                    below.extend(node.arguments)
                case Member():
                    below.append(node.base)
                case Index():
                    below.append(node.base)
                    below.append(node.index)
                case Literal():
                    pass
        if not below:
            return
        level = below
    raise ExpressionError(f"The expression nests deeper than {MAX_DEPTH} levels", 0)
