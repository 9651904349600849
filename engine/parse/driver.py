"""The loop over an LALR table: tokens in, the start symbol's value out.

Two things make it quick. A reduction by a rule without an action is a mere change of state, and a chain of them
(`primary` → `unary` → `product` → …) depends only on the state below and the next token, so its end is remembered.
And a reduction is done with plain lists: states and values lie beside each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.parse.table import Table

Action = Callable[..., Any]


class Stuck(Exception):
    """No action for a token: where it is, and the stacks at that moment."""

    def __init__(self, token: int, states: list[int], values: list[Any]) -> None:
        super().__init__(token)
        self.token = token
        self.states = states
        self.values = values


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

    A token's value is its number. Raises `Stuck` without having touched the stacks beyond the last legal step.
    """
    rows, gotos, rules, chains, decode = table.actions, table.gotos, table.rules, table.chains, table.row
    push_state, push_value = states.append, values.append
    lengths = [r.length for r in rules]
    lefts = [r.left for r in rules]
    state, kind = states[-1], kinds[at]
    while True:
        action = (rows[state] or decode(state)).get(kind)
        if action is None:
            raise Stuck(at, states, values)
        if action >= 0:
            push_state(action)
            push_value(at)
            at += 1
            state, kind = action, kinds[at]
            continue
        rule = ~action
        length = lengths[rule]
        if length:
            value = actions[rule](*values[-length:])
            del values[-length:], states[-length:]
        else:
            value = actions[rule]()
        push_value(value)
        below = states[-1]
        left = lefts[rule]
        key = (below, left, kind)
        following = chains.get(key)
        if following is None:
            following = chains[key] = _chain(table, below, left, kind)
        state = following
        if state < 0:
            return value
        push_state(state)


def _chain(table: Table, below: int, left: int, kind: int) -> int:
    """The state after reducing to `left` and then by every rule that has no action; -1 when the start symbol is done."""
    table.row(below)
    while True:
        state = table.gotos[below].get(left)
        assert state is not None, (below, left)
        row = table.row(state)
        if not row and not table.gotos[state]:
            return -1
        action = row.get(kind)
        if action is None or action >= 0:
            return state
        rule = table.rules[~action]
        if rule.name or rule.length != 1:
            return state
        left = rule.left
