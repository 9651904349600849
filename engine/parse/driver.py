"""The loop over an LALR table: tokens in, the start symbol's value out.

What makes it quick: a rule without an action only changes the state, and a chain of such rules (`primary` → `unary` →
`product` → …) depends on nothing but the state below and the next token. So after each shift and each reduction
the state at the end of the chain, and what to do in it, is looked up in one step; it is worked out when first met.
A rule with an action of one child that comes first in the chain (a name that is a reference) is part of that step.
"""

from __future__ import annotations

from engine.parse.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from collections.abc import Callable, Sequence
    from typing import Any

    Action = Callable[..., Any]

    Step = tuple[int, int, int, dict[int, "Step"]]
    """The rule of one child to reduce by, or NONE; the state after it and the chain; the rule to reduce by in that
    state, or SHIFT, STUCK or DONE; and the steps that may follow: of a shift by the token after the one that is shifted,
    of a reduction by the state that is left below."""
else:
    Action = Step = object

NONE, SHIFT, STUCK, DONE = -1, -1, -2, -3


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
    lengths, lefts, gotos = table.lengths, table.lefts, table.gotos
    push_state, push_value, pop_value = states.append, values.append, values.pop
    _, _, rule, steps = _step(table, states[-1], kinds[at])
    while True:
        if rule >= 0:
            length = lengths[rule]
            if length == 3:
                third, second = pop_value(), pop_value()
                value = actions[rule](pop_value(), second, third)
                del states[-3:]
            elif length == 1:
                value = actions[rule](pop_value())
                del states[-1]
            elif length:
                children = values[-length:]
                del values[-length:], states[-length:]
                value = actions[rule](*children)
            else:
                value = actions[rule]()
            below = states[-1]
            step = steps.get(below)
            if step is None:
                table.row(below)
                step = steps[below] = _settle(table, below, gotos[below][lefts[rule]], kinds[at])
            leaf, state, rule, steps = step
            push_value(value if leaf < 0 else actions[leaf](value))
            push_state(state)
        elif rule == SHIFT:
            following = kinds[at + 1]
            step = steps.get(following)
            if step is None:
                state = states[-1]
                step = steps[following] = _settle(table, state, table.row(state)[kinds[at]], following)
            leaf, state, rule, steps = step
            push_value(at if leaf < 0 else actions[leaf](at))
            push_state(state)
            at += 1
        elif rule == DONE:
            return values[-1]
        else:
            raise Stuck(at)


def _settle(table: Table, below: int, state: int, kind: int) -> Step:
    """The step to the state that is left after all rules without an action, when `state` was entered from `below`."""
    leaf = NONE
    while True:
        row = table.row(state)
        if not row and not table.gotos[state]:
            return leaf, state, DONE, {}
        action = row.get(kind)
        if action is None or action >= 0:
            break
        rule = table.rules[~action]
        if rule.length != 1 or (rule.name and leaf != NONE):
            break
        if rule.name:
            leaf = ~action
        table.row(below)
        state = table.gotos[below][rule.left]
    return leaf, *_step(table, state, kind)[1:]


def _step(table: Table, state: int, kind: int) -> Step:
    """What to do in a state at a token."""
    action = table.row(state).get(kind)
    if action is None:
        return NONE, state, STUCK, {}
    if action >= 0:
        return NONE, state, SHIFT, table.shifts.setdefault((state, kind), {})
    return NONE, state, ~action, table.chains.setdefault((table.lefts[~action], kind), {})
