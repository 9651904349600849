"""How deep a program may nest, and what becomes of what nests deeper: one message, and no tree below.

Whoever walks the tree by recursion, at up to four calls a level, must not run out of stack; so the limit is set where
that still works. Brackets are counted before parsing. What nests without brackets, as in `1 + 1 + …`, is
measured on the tree, and only where the lexer has seen enough tokens for it.
"""

from __future__ import annotations

from engine.parse import tree
from engine.parse.table import Table
from engine.parse.tokens import Problem, Tokens

MAX_BRACKETS = 180
"""How many brackets and holes may be open at once."""

MAX_LEVELS = 200
"""How many nodes may stand above each other."""

_OPENERS = ("LBRACE", "LSQB", "LPAR", "STRING_HEAD")
_CLOSERS = ("RBRACE", "RSQB", "RPAR", "STRING_TAIL")


def _problem(start: int, end: int) -> Problem:
    message = "The program nests too deeply here"
    return Problem("ULN001", start, end, message, "Give the inner part a name with 'var', and use the name here.")


def fold_brackets(tokens: Tokens, table: Table) -> None:
    """Put one UNKNOWN in the place of every stretch whose brackets nest too deeply."""
    openers = {table.terminals[name] for name in _OPENERS}
    closers = {table.terminals[name] for name in _CLOSERS}
    kinds, open_, first = tokens.kinds, 0, -1
    folds: list[tuple[int, int]] = []
    for place, kind in enumerate(kinds):
        if kind in openers:
            open_ += 1
            if open_ > MAX_BRACKETS and first < 0:
                first = place
        elif kind in closers:
            open_ = max(0, open_ - 1)
            if first >= 0 and open_ == MAX_BRACKETS:
                folds.append((first, place))
                first = -1
    if first >= 0:
        folds.append((first, len(kinds) - 3))
    for first, last in reversed(folds):
        _fold(tokens, first, max(first, last), table.terminals["UNKNOWN"])


def _fold(tokens: Tokens, first: int, last: int, unknown: int) -> None:
    start, end = tokens.starts[first], tokens.ends[last]
    tokens.problems.append(_problem(start, tokens.ends[first]))
    tokens.kinds[first : last + 1] = [unknown]
    tokens.starts[first : last + 1] = [start]
    tokens.ends[first : last + 1] = [end]
    gone = last - first
    tokens.spoilt = {t if t < first else t - gone for t in tokens.spoilt if not first <= t <= last} | {first}


def fold_levels(statement: tree.Statement, problems: list[Problem]) -> tree.Statement:
    """The statement, with `Broken` for each of its parts that nests too deeply."""
    changes: dict[str, object] = {}
    for field in statement.__fields__:
        value = getattr(statement, field)
        if isinstance(value, tree.Node):
            if (problem := _too_deep(value)) is not None:
                _say_once(problem, value, problems)
                changes[field] = tree.Broken(value.start, value.end)
        elif type(value) is tuple:
            deep = [(item, _too_deep(item)) for item in value if isinstance(item, tree.Node)]
            if any(problem for _, problem in deep):
                for item, problem in deep:
                    if problem:
                        _say_once(problem, item, problems)
                changes[field] = tuple(item for item, problem in deep if not problem)
    return statement.replace(**changes) if changes else statement


def _say_once(problem: Problem, node: tree.Node, problems: list[Problem]) -> None:
    if not any(p.code == "ULN001" and node.start <= p.start <= node.end for p in problems):
        problems.append(problem)


def _too_deep(node: tree.Node) -> Problem | None:
    level = [node]
    for _ in range(MAX_LEVELS):
        level = [child for each in level for child in tree.children(each)]
        if not level:
            return None
    return _problem(level[0].start, level[0].end)
