"""The entry: `parse(source)` gives the file's tree and what is wrong with its syntax."""

from __future__ import annotations

import gc

from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Source, Span
from engine.parse.build_statements import Build
from engine.parse.depth import fold_brackets, fold_levels
from engine.parse.driver import Stuck, bind, run
from engine.parse.lexer import Lexer
from engine.parse.table import load
from engine.parse.tokens import Tokens
from engine.parse.tree import File

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_TABLE = load("bicep")
_LEXER = Lexer(_TABLE)
TERMINALS = _TABLE.terminals
"""The kinds of tokens by the names that the grammar has for them."""


def parse(source: Source) -> tuple[File, tuple[Diagnostic, ...]]:
    """The tree of a `.bicep` file, or of a `.bicepparam` file if the source's name ends so."""
    collecting = gc.isenabled()
    gc.disable()  # a tree has many nodes and no circles
    try:
        return _parse(source, "parameters_file" if source.name.endswith(".bicepparam") else "file")
    finally:
        if collecting:
            gc.enable()


def tokens(source: Source) -> Tokens:
    """The tokens of a text, for those who print it again."""
    return _LEXER.tokens(source.text)


def _parse(source: Source, start: str) -> tuple[File, tuple[Diagnostic, ...]]:
    tokens = _LEXER.tokens(source.text)
    if tokens.deep:
        fold_brackets(tokens, _TABLE)
    build = Build(tokens)
    actions = bind(_TABLE, build)
    states: list[int] = [_TABLE.starts[start]]
    values: list[Any] = []
    try:
        statements = run(_TABLE, tokens.kinds, actions, states, values, 0)
    except Stuck as stuck:
        from engine.parse.recover import Recovery  # most programs never need it

        statements = Recovery(_TABLE, tokens, build, actions, states, values).parse(stuck.token)
    if tokens.deep:
        statements = [fold_levels(s, tokens.problems) for s in statements]
    file = File(0, len(source.text), source, tuple(statements), tuple(tokens.comments), tuple(tokens.pragmas))
    diagnostics = [
        Diagnostic(p.code, Severity.ERROR, p.message, Label(source, Span(p.start, p.end)), (), p.help)
        for p in tokens.problems
    ]
    diagnostics.sort(key=lambda d: d.sort_key)
    return file, tuple(diagnostics)
