"""An LALR table as stored: its rows are decoded when a parse first reaches them."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine.parse.driver import Step

SYMBOLS = bytes([*range(33, 127), *range(161, 256)]).decode("latin-1")
"""The characters that stand for symbols, by their number."""

_NUMBERS = bytes(max(0, SYMBOLS.find(chr(code))) for code in range(256))


class Rule:
    """A production: `name` of its action ("" hands the one child up), its left side, how many symbols it takes.

    `holes` are the places at which an optional symbol is absent, so an action always sees the same arguments.
    """

    __slots__ = ("holes", "left", "length", "name")

    def __init__(self, name: str, left: int, length: int, holes: tuple[int, ...]) -> None:
        self.name = name
        self.left = left
        self.length = length
        self.holes = holes


class Table:
    """States, rules and terminals of one grammar.

    `words` maps the text of a keyword or punctuation to its terminal, `patterns` a terminal's name to its regular
    expression. A row maps a terminal to an action: a state to shift to, or `~rule` to reduce by.
    """

    __slots__ = (
        "_rows", "actions", "chains", "gotos", "lefts", "lengths", "patterns", "rules", "shifts", "starts", "terminals",
        "words",
    )  # fmt: skip

    def __init__(self, path: str) -> None:
        with open(path, encoding="utf-8", newline="\n") as file:  # noqa: PTH123  pathlib costs start-up time
            sections = file.read().split("\n\n")
        _heading, starts, terminals, words, patterns, rules, rows = sections
        self.terminals = {name: number for number, name in enumerate(terminals.split("\n"))}
        self.starts = {name: int(state) for name, _, state in (s.partition(" ") for s in starts.split("\n"))}
        self.words = {text: self.terminals[name] for name, _, text in (w.partition(" ") for w in words.split("\n"))}
        self.patterns = {name: text for name, _, text in (p.partition(" ") for p in patterns.split("\n"))}
        self.rules = [_rule(line) for line in rules.split("\n")]
        self._rows = rows.rstrip("\n").split("\n")
        self.actions: list[dict[int, int] | None] = [None] * len(self._rows)
        self.gotos: list[dict[int, int]] = [{}] * len(self._rows)
        self.lengths = [r.length for r in self.rules]
        self.lefts = [r.left for r in self.rules]
        self.shifts: dict[tuple[int, int], dict[int, Step]] = {}
        self.chains: dict[tuple[int, int], dict[int, Step]] = {}

    def row(self, state: int) -> dict[int, int]:
        """What to do in a state, by terminal; decoded once."""
        row = self.actions[state]
        if row is None:
            terminals, _, gotos = self._rows[state].partition("\t")
            row = self.actions[state] = _decode(terminals)
            self.gotos[state] = _decode(gotos)
        return row


def _rule(line: str) -> Rule:
    name, left, length, *holes = line.split(" ")
    return Rule(name if name != "-" else "", int(left), int(length), tuple(map(int, holes)))


def _decode(text: str) -> dict[int, int]:
    """A row: symbols with an action each, and then symbols that share one; a symbol is one character."""
    if not text:
        return {}
    symbols, actions, *shared = text.split(" ")
    row = (
        dict(zip(symbols.encode("latin-1").translate(_NUMBERS), map(int, actions.split(",")), strict=True))
        if symbols
        else {}
    )
    for action, symbols in zip(shared[::2], shared[1::2], strict=True):
        row |= dict.fromkeys(symbols.encode("latin-1").translate(_NUMBERS), int(action))
    return row


def load(name: str) -> Table:
    """The generated table of a grammar: `load("bicep")`."""
    return Table(os.path.join(os.path.dirname(__file__), "tables", f"{name}.table"))  # noqa: PTH118, PTH120  pathlib costs start-up time
