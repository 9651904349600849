"""Grammar to table: `python -m engine.parse.generate` writes `tables/*.table` anew; lark does the work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.parse.table import SYMBOLS

HERE = Path(__file__).parent
GRAMMARS = {"bicep": ("file", "parameters_file"), "expression": ("expression",)}
"""Each grammar's start symbols."""


def grammar(name: str, **options: Any) -> Any:
    """The grammar as lark has it."""
    from lark import Lark

    text = (HERE.parent.parent / "grammar" / f"{name}.lark").read_text(encoding="utf-8")
    return Lark(
        text, parser="lalr", start=list(GRAMMARS[name]), keep_all_tokens=True, maybe_placeholders=True, **options
    )


def table(name: str, **options: Any) -> str:
    """The text of a table, in the sections that `Table` reads."""
    lark = grammar(name, **options)
    parse_table = lark.parser.parser._parse_table
    terminals = ["$END", *sorted({t.name for t in lark.terminals} | _declared(lark))]
    terminal_numbers = {t: n for n, t in enumerate(terminals)}
    rules = sorted(lark.rules, key=_rule_key)
    lefts = sorted({r.origin.name for r in rules})
    symbols = terminal_numbers | {n: i for i, n in enumerate(lefts)}
    states = _ordered(parse_table)
    state_numbers = {s: n for n, s in enumerate(states)}
    rule_numbers = {_rule_key(r): n for n, r in enumerate(rules)}

    rows = []
    for actions in (parse_table.states[s] for s in states):
        groups: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
        for symbol, (kind, target) in actions.items():
            action = state_numbers[target] if kind.name == "Shift" else ~rule_numbers[_rule_key(target)]
            groups[symbol not in terminal_numbers].setdefault(action, []).append(symbols[symbol])
        rows.append("\t".join(map(_encode, groups)))

    defined = sorted(lark.terminals, key=lambda t: t.name)
    words = [f"{t.name} {t.pattern.value}" for t in defined if t.pattern.type == "str"]
    patterns = [f"{t.name} {_escape(t.pattern.to_regexp())}" for t in defined if t.pattern.type == "re"]
    starts = [f"{name} {state_numbers[state]}" for name, state in sorted(parse_table.start_states.items())]
    heading = f"Generated from grammar/{name}.lark by python -m engine.parse.generate"
    sections = [[heading], starts, terminals, words, patterns, [_rule(r, lefts) for r in rules], rows]
    return "\n\n".join("\n".join(s) for s in sections) + "\n"


def _declared(lark: Any) -> set[str]:
    """The terminals that have no text: `%declare`d ones, which only recovery and the lexer make."""
    return {s.name for r in lark.rules for s in r.expansion if s.is_term} | {"UNKNOWN"}


def _rule_key(rule: Any) -> tuple[str, tuple[str, ...], str]:
    """What tells a rule from all others; a list of it has the same order in every process."""
    return rule.origin.name, tuple(s.name for s in rule.expansion), rule.alias or ""


def _ordered(parse_table: Any) -> list[Any]:
    """The states in an order that is the same in every process: as met from the start, symbol by symbol."""
    found = dict.fromkeys(state for _, state in sorted(parse_table.start_states.items()))
    queue = list(found)
    for state in queue:
        for _, (kind, target) in sorted(parse_table.states[state].items(), key=lambda item: item[0]):
            if kind.name == "Shift" and target not in found:
                found[target] = None
                queue.append(target)
    assert len(queue) == len(parse_table.states)
    return queue


def _escape(pattern: str) -> str:
    """The pattern on one line."""
    return pattern.replace("\t", r"\t").replace("\n", r"\n").replace("\r", r"\r")


def _encode(groups: dict[int, list[int]]) -> str:
    """As `table.py` decodes it: `symbols action,action,… action symbols action symbols …`."""
    if not groups:
        return ""
    alone = [(symbols[0], action) for action, symbols in sorted(groups.items()) if len(symbols) == 1]
    shared = [(action, sorted(symbols)) for action, symbols in sorted(groups.items()) if len(symbols) > 1]
    parts = ["".join(SYMBOLS[s] for s, _ in alone), ",".join(str(a) for _, a in alone)]
    for action, symbols in shared:
        parts += [str(action), "".join(SYMBOLS[s] for s in symbols)]
    return " ".join(parts)


def _rule(rule: Any, lefts: list[str]) -> str:
    """`name left length holes…`; a nameless rule of one symbol is a mere step up, named `-`."""
    empty = rule.options.empty_indices or ()
    name = rule.alias or ("-" if len(rule.expansion) == 1 and not any(empty) else rule.origin.name)
    holes = [str(place) for place, absent in enumerate(empty) if absent]
    return " ".join([name, str(lefts.index(rule.origin.name)), str(len(rule.expansion)), *holes])


def path(name: str) -> Path:
    """Where a table is kept."""
    return HERE / "tables" / f"{name}.table"


if __name__ == "__main__":
    for each in GRAMMARS:
        path(each).parent.mkdir(exist_ok=True)
        path(each).write_text(table(each), encoding="utf-8", newline="\n")
