"""What the table allows from where a parse stands: the questions that recovery asks it, and the step it then takes."""

from __future__ import annotations

from engine.parse.build_statements import Build
from engine.parse.driver import Action
from engine.parse.lexer import MARGIN
from engine.parse.table import Table
from engine.parse.tokens import Tokens

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_MOST_GAPS = 8
"""How many gaps may follow each other directly."""


class Lookahead:
    """A parse that stands still: its stacks, its tokens, and what fits next."""

    __slots__ = ("actions", "build", "names", "resumed", "states", "table", "tokens", "values")

    def __init__(
        self, table: Table, tokens: Tokens, build: Build, actions: list[Action], states: list[int], values: list[Any]
    ) -> None:
        self.table = table
        self.tokens = tokens
        self.build = build
        self.actions = actions
        self.states = states
        self.values = values
        self.names = {number: name for name, number in table.terminals.items()}
        self.resumed = -1  # where the last recovery went on

    def fed(self, states: list[int], name: str) -> list[int] | None:
        """The states after a token, or None where it does not fit. Nothing is changed."""
        kind = self.table.terminals[name]
        states = list(states)
        while True:
            row = self.table.row(states[-1])
            action = row.get(kind)
            if action is None:
                return None
            if action >= 0:
                states.append(action)
                return states
            rule = self.table.rules[~action]
            if rule.length:
                del states[-rule.length :]
            following = self.table.gotos[states[-1]][rule.left] if self.table.row(states[-1]) is not None else -1
            if not self.table.row(following) and not self.table.gotos[following]:
                return states
            states.append(following)

    def fits(self, states: list[int], name: str) -> bool:
        """Whether a token could come next."""
        return self.fed(states, name) is not None

    def closings(self, states: list[int], name: str) -> int | None:
        """How many brackets have to be closed before a token fits; None if that does not help."""
        current: list[int] | None = states
        count = 0
        while current is not None:
            if self.fits(current, name):
                return count
            current = self.fed(current, "MISSING_CLOSER")
            count += 1
        return None

    def reachable(self, states: list[int], name: str) -> bool:
        """Whether a token fits once some more gaps before it are closed."""
        current: list[int] | None = states
        for _ in range(_MOST_GAPS):
            if current is None:
                return False
            if self.closings(current, name) is not None:
                return True
            current = self.fed(current, "ERROR") or self.fed(current, "MISSING_CLOSER")
        return False

    def push(self, name: str, value: Any) -> None:
        """Feed one made-up token for real."""
        kind = self.table.terminals[name]
        states, values, rules = self.states, self.values, self.table.rules
        while True:
            action = self.table.row(states[-1])[kind]
            if action >= 0:
                states.append(action)
                values.append(value)
                return
            rule = rules[~action]
            children = values[len(values) - rule.length :]
            del values[len(values) - rule.length :], states[len(states) - rule.length :]
            values.append(self.actions[~action](*children))
            self.table.row(states[-1])
            states.append(self.table.gotos[states[-1]][rule.left])
            self.table.row(states[-1])

    def name(self, token: int) -> str:
        """The name of a token's terminal."""
        return self.names[self.tokens.kinds[token]]

    def before(self) -> str:
        """The terminal last shifted, if it is still on the stack as such."""
        value = self.values[-1] if self.values else None
        return self.name(value) if isinstance(value, int) else ""

    def start_of(self, value: Any) -> int:
        """Where a value on the stack begins."""
        if isinstance(value, int):
            return self.tokens.starts[value]
        if isinstance(value, list | tuple):
            return min((self.start_of(v) for v in value if v is not None), default=len(self.tokens.text))
        return value.start if hasattr(value, "start") else len(self.tokens.text)

    def at_margin(self, token: int) -> bool:
        """Whether a token is the first word of a statement, at the very start of a line."""
        return MARGIN.match(self.tokens.text, self.tokens.starts[token]) is not None
