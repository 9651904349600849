"""The loop over an LALR table: tokens in, the start symbol's value out.

What makes it quick: a rule without an action only changes the state, and a chain of such rules (`primary` → `unary` →
`product` → …) depends on nothing but the state below and the next token. So after each shift and each reduction
the state at the end of the chain, and what to do in it, is looked up in one step; it is worked out when first met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.parse.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

Action = Callable[..., "Any"]

STUCK = -(10**9)
"""What to do where the table has nothing for a token."""


class Stuck(Exception):
    """No action for a token: which one. The stacks are as they were after the last legal step."""

    def __init__(self, token: int) -> None:
        super().__init__(token)
        self.token = token


def bind(table: Table, builder: object) -> list[Action]:
    """One callable a rule: the builder's method of the rule's name."""
    return [_bind(getattr(builder, r.name), r.holes) if r.name else _up for r in table.rules]


def _up(child: Any) -> Any:
    return child


def _bind(method: Action, holes: tuple[int, ...]) -> Action:
    """The method, with None given for what is absent."""
    if not holes:
        return method

    def padded(*children: Any) -> Any:
        full = list(children)
        for place in holes:
            full.insert(place, None)
        return method(*full)

    return padded


def run(
    table: Table, kinds: Sequence[int], actions: list[Action], states: list[int], values: list[Any], at: int
) -> Any:
    """Parse on from token `at`, with the stacks as they are; the last token must be `$END` (0).

    A token's value is its number. Raises `Stuck` where there is no way on.
    """
    shifts, chains, lengths, lefts = table.shifts, table.chains, table.lengths, table.lefts
    push_state, push_value, pop_state = states.append, values.append, states.pop
    state, kind = states[-1], kinds[at]
    action = table.row(state).get(kind, STUCK)
    while True:
        if action >= 0:
            push_value(at)
            at += 1
            following = kinds[at]
            key = (state << 20) | (kind << 10) | following
            step = shifts.get(key)
            if step is None:
                step = shifts[key] = _settle(table, state, action, following)
            state, action = step
            kind = following
            push_state(state)
            continue
        if action == STUCK:
            raise Stuck(at)
        rule = ~action
        length = lengths[rule]
        if length == 1:
            values[-1] = actions[rule](values[-1])
            pop_state()
        elif length:
            arguments = values[-length:]
            del values[-length:], states[-length:]
            push_value(actions[rule](*arguments))
        else:
            push_value(actions[rule]())
        below = states[-1]
        left = lefts[rule]
        key = (below << 20) | (left << 10) | kind
        step = chains.get(key)
        if step is None:
            table.row(below)
            step = chains[key] = _settle(table, below, table.gotos[below][left], kind)
        state, action = step
        if state < 0:
            return values[-1]
        push_state(state)


def _settle(table: Table, below: int, state: int, kind: int) -> tuple[int, int]:
    """The state that is left after all rules without an action, and what to do in it; -1 when all is read."""
    while True:
        row = table.row(state)
        if not row and not table.gotos[state]:
            return -1, STUCK
        action = row.get(kind, STUCK)
        if action >= 0 or action == STUCK:
            return state, action
        rule = table.rules[~action]
        if rule.name or rule.length != 1:
            return state, action
        table.row(below)
        state = table.gotos[below][rule.left]
