"""Going on after a syntax error: say once what is missing, close the gap, and read what follows as if it were whole.

A gap is closed in one of three ways, the gentlest first: something small that should stand between two tokens is put
there (a separator, a closing bracket); a construct is cut short by ERROR, for which the grammar has a rule wherever
that is useful; and for that, tokens are skipped up to one that can follow. Only this file makes such tokens, so what is
right costs nothing.
"""

from __future__ import annotations

from typing import Any

from engine.parse.build_statements import Build
from engine.parse.driver import Action, Stuck, run
from engine.parse.expected import ASSIGNMENT, DANGLING, GAPS, NAMES, STATEMENT, Words
from engine.parse.lexer import MARGIN
from engine.parse.table import Table
from engine.parse.tokens import Problem, Tokens
from engine.parse.tree import Broken, Decorator

_LOOSE = frozenset({"NEWLINE", "COMMA", "RPAR", "RSQB", "RBRACE", "COLON", "STRING_TAIL", "STRING_MIDDLE", "$END"})
"""The tokens at which a skipped stretch may end, wherever they fit."""

_FIRM = {
    "missing_assign": frozenset({"NEWLINE"}),
    "missing_colon": frozenset({"NEWLINE", "COMMA", "RBRACE", "RSQB"}),
    "missing_key": frozenset({"NEWLINE", "COLON", "RBRACE"}),
    "missing_name": _LOOSE | {"EQUAL", "IN", "LPAR", "FROM", "WITH", "IDENTIFIER", "STRING", "LBRACE"},
    "missing_member": _LOOSE | {"DOT", "LSQB", "LPAR"},
    "broken_resource_type": _LOOSE | {"EQUAL", "EXISTING"},
    "broken_path": _LOOSE | {"EQUAL", "WITH"},
    "broken_type": _LOOSE | {"EQUAL", "ARROW", "VBAR"},
    "missing_in": frozenset({"COLON", "RSQB", "NEWLINE"}),
    "condition_broken": frozenset({"NEWLINE", "LBRACE", "RSQB"}),
    "line_end": frozenset({"NEWLINE"}),
    "broken_statement": frozenset({"NEWLINE"}),
}
"""And the gaps that end at other tokens."""

_AFRESH = frozenset(
    {
        "missing_in",
        "missing_name",
        "missing_assign",
        "missing_colon",
        "missing_key",
        "broken_resource_type",
        "broken_path",
    }
)
"""Gaps that, with something skipped, do not silence the next one."""

_AFTER_CLOSER = _LOOSE | {"EQUAL", "ARROW", "FROM", "LBRACE"}
"""The tokens before which a missing bracket is closed: not those that could go on with what it would enclose."""

_MOST_GAPS = 8
"""How many gaps may follow each other directly."""


class Recovery:
    """One parse, from start to end, through whatever is wrong."""

    __slots__ = ("_again", "_resumed", "_where", "actions", "build", "names", "states", "table", "tokens", "values")

    def __init__(self, table: Table, tokens: Tokens, build: Build, actions: list[Action], start: int) -> None:
        self.table = table
        self.tokens = tokens
        self.build = build
        self.actions = actions
        self.states = [start]
        self.values: list[Any] = []
        self.names = {number: name for name, number in table.terminals.items()}
        self._resumed = -1
        self._where = -1
        self._again = 0

    def parse(self, at: int) -> Any:
        """The start symbol's value; tokens from `at` on."""
        while True:
            try:
                return run(self.table, self.tokens.kinds, self.actions, self.states, self.values, at)
            except Stuck as stuck:
                at = self._recover(stuck.token)

    # -------------------------------------------------------------- what the table allows

    def _fed(self, states: list[int], name: str) -> list[int] | None:
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

    def _fits(self, states: list[int], name: str) -> bool:
        return self._fed(states, name) is not None

    def _closings(self, states: list[int], name: str) -> int | None:
        """How many brackets have to be closed before a token fits; None if that does not help."""
        current: list[int] | None = states
        count = 0
        while current is not None:
            if self._fits(current, name):
                return count
            current = self._fed(current, "MISSING_CLOSER")
            count += 1
        return None

    def _reachable(self, states: list[int], name: str) -> bool:
        """Whether a token fits once some more gaps before it are closed."""
        current: list[int] | None = states
        for _ in range(_MOST_GAPS):
            if current is None:
                return False
            if self._closings(current, name) is not None:
                return True
            current = self._fed(current, "ERROR") or self._fed(current, "MISSING_CLOSER")
        return False

    def _push(self, name: str, value: Any) -> None:
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

    def _name(self, token: int) -> str:
        return self.names[self.tokens.kinds[token]]

    # -------------------------------------------------------------- the three ways

    def _recover(self, token: int) -> int:
        """Close the gap before a token, and say so; returns the token to go on with."""
        self._again = self._again + 1 if token == self._where else 0
        self._where = token
        if self._again > _MOST_GAPS + 4:
            return self._abandon(token)
        name = self._name(token)
        start = self.tokens.starts[token]
        gap = Broken(start, start)
        if token and self._at_margin(token - 1) and self._inside(token - 1):
            return self._finish(token - 1, gap)
        if self._at_margin(token) and self._inside(token):
            return self._finish(token, gap)
        if (at := self._separate(token, name, gap)) is not None:
            return at
        if (at := self._close(token, name, gap)) is not None:
            return at
        if name == "$END" and self._fits(self.states, "NEWLINE"):
            self._push("NEWLINE", token - 1)
            return token
        return self._cut(token)

    def _inside(self, word: int) -> bool:
        """Whether a statement's first word was taken for something inside brackets that are still open."""
        keep = self._keep(word)
        return keep > 2 and not self._fits(self.states[:keep], "$END")

    def _keep(self, word: int) -> int:
        """How many states there were before a token."""
        keep = len(self.states)
        while keep > 1 and self._start_of(self.values[keep - 2]) >= self.tokens.starts[word]:
            keep -= 1
        return keep

    def _finish(self, word: int, gap: Broken) -> int:
        """End a statement whose brackets are open where the next one starts at the margin."""
        keep = self._keep(word)
        del self.states[keep:], self.values[keep - 1 :]
        place = word - 1 if word and self._name(word - 1) == "NEWLINE" else word
        if self._resumed != place:
            self._resumed = -1
        for _ in range(10 * len(self.states)):
            fed = self._fed(self.states, "NEWLINE")
            if fed and self._fits(fed, "$END"):
                break
            if self._fits(self.states, "MISSING_CLOSER"):
                self._say(place, self._closer())
                self._push("MISSING_CLOSER", gap)
            elif self._fits(self.states, "ERROR"):
                self._say(place, "line_end")
                self._push("ERROR", gap)
            else:
                return self._abandon(word)
            self._resumed = place
        self._push("NEWLINE", word - 1)
        return self._go_on(word)

    def _separate(self, token: int, name: str, gap: Broken) -> int | None:
        """Put a separator between two items."""
        fed = self._fed(self.states, "MISSING_SEPARATOR")
        if fed is None or name == "$END":
            return None
        following = token
        if name == "NEWLINE":
            following = token + 1
            if self._name(following) == "$END" or self._at_margin(following):
                return None
        if not self._fits(fed, self._name(following)) or self._name(following) in ("LSQB", "MINUS", "BANG"):
            return None
        self._say(token, "missing_separator", narrow=True)
        self._push("MISSING_SEPARATOR", gap)
        return self._go_on(following)

    def _close(self, token: int, name: str, gap: Broken) -> int | None:
        """Close brackets that are still open."""
        count = self._closings(self.states, name) if name in _AFTER_CLOSER else None
        if count is None and name == "$END":
            count = self._closings(self.states, "NEWLINE")
        if count is None and name in ("NEWLINE", "$END") and self._fits(self.states, "MISSING_CLOSER"):
            count = 1
        if not count:
            return None
        for _ in range(count):
            if self._before() != "LPAR":  # of empty parentheses there is something else to say
                self._say(token, self._closer())
            self._push("MISSING_CLOSER", gap)
            self._resumed = token
        return self._go_on(token)

    def _closer(self) -> str:
        """The rule of the closing bracket that fits."""
        fed = self._fed(self.states, "MISSING_CLOSER")
        assert fed
        return next(
            (self.table.rules[~a].name for a in self.table.row(fed[-1]).values() if a < 0), "missing_close_brace"
        )

    def _cut(self, token: int) -> int:
        """Cut short the innermost construct that may be, and skip to what can follow it."""
        states = self.states
        keep = len(states)
        fed = None
        while keep and (fed := self._fed(states[:keep], "ERROR")) is None:
            keep -= 1
        assert fed, "a statement can always be cut short"
        whole = keep == len(states)
        rule = self._rule(fed)
        if rule != "add_dangling":
            self._report(token, rule, whole)
        ends = _FIRM.get(rule, _LOOSE)
        if rule == "missing_name" and self._before() == "VAR":
            ends -= {"EQUAL"}
        stop = self._stop(token, fed, ends)
        start = self.tokens.starts[token]
        end = self.tokens.ends[stop - 1] if stop > token else start
        if not whole:
            start = min(start, self._start_of(self.values[keep - 1]))
            end = max(end, start)
        del self.states[keep:], self.values[keep - 1 :]
        self._push("ERROR", Broken(start, end))
        if rule == "add_dangling":
            self._say_dangling(token)
        self._resumed = -1 if stop > token and rule in _AFRESH else stop
        self.build.quiet.add(stop)
        if self._name(stop) == "$END" and not self._fits(self.states, "$END") and self._fits(self.states, "NEWLINE"):
            self._push("NEWLINE", stop - 1)
        return stop

    def _abandon(self, token: int) -> int:
        """Give the whole statement up, and go on with the next line: the way out where no gap can be closed."""
        keep = min(2, len(self.states))
        start = min((self._start_of(v) for v in self.values[keep - 1 :]), default=self.tokens.starts[token])
        while self._name(token) not in ("NEWLINE", "$END"):
            token += 1
        del self.states[keep:], self.values[keep - 1 :]
        self._push("ERROR", Broken(start, max(start, self.tokens.ends[token - 1] if token else 0)))
        if self._name(token) == "$END":
            self._push("NEWLINE", token - 1)
        return self._go_on(token)

    def _go_on(self, token: int) -> int:
        self._resumed = token
        return token

    def _stop(self, token: int, fed: list[int], ends: frozenset[str]) -> int:
        """The first token from `token` on that fits after the gap."""
        tokens, nested = self.tokens, 0
        kinds = tokens.kinds
        while True:
            name = self._name(token)
            if name == "$END":
                return token
            if name == "COMMA" and self._name(token + 1) == "COMMA" and self._fits(fed, "NEWLINE"):
                token += 1
                continue
            apart = nested == 0 or (name == "NEWLINE" and self._at_margin(token + 1))
            if apart and (name in ends or name == "NEWLINE") and self._reachable(fed, name):
                return token
            if name in ("LBRACE", "LSQB", "LPAR", "STRING_HEAD"):
                nested += 1
            elif name in ("RBRACE", "RSQB", "RPAR", "STRING_TAIL") and nested:
                nested -= 1
            token += 1
            assert token < len(kinds)

    def _at_margin(self, token: int) -> bool:
        """Whether a token is the first word of a statement, at the very start of a line."""
        return MARGIN.match(self.tokens.text, self.tokens.starts[token]) is not None

    def _rule(self, fed: list[int]) -> str:
        """The grammar's name for the gap."""
        row = self.table.row(fed[-1])
        names = {self.table.rules[~a].name for a in row.values() if a < 0}
        if len(names) == 1:
            return names.pop()
        for name in ("condition_broken", "broken_loop"):
            if any(name == self._later(fed, kind) for kind in ("LBRACE", "NEWLINE", "RSQB")):
                return name
        after = self._fed(fed, "NEWLINE")
        if after and any(
            self.table.rules[~a].name == "add_dangling" for a in self.table.row(after[-1]).values() if a < 0
        ):
            return "add_dangling"
        return "line_end"

    def _later(self, fed: list[int], name: str) -> str:
        """The rule that a token after the gap leads to, for gaps inside a rule."""
        if name == "LBRACE" and self._fits(fed, "LBRACE"):
            return "condition_broken"
        if name == "RSQB" and self._fits(fed, "RSQB"):
            return "broken_loop"
        return ""

    def _start_of(self, value: Any) -> int:
        """Where a value on the stack begins."""
        if isinstance(value, int):
            return self.tokens.starts[value]
        if isinstance(value, list | tuple):
            return min((self._start_of(v) for v in value if v is not None), default=len(self.tokens.text))
        return value.start if hasattr(value, "start") else len(self.tokens.text)

    # -------------------------------------------------------------- what is said

    def _report(self, token: int, rule: str, whole: bool) -> None:
        """Find the words for a cut."""
        states = self.states
        if rule == "broken_statement" and not self._open_line(token):
            self._say_statement(token)
        elif whole and rule == "line_end":
            self._say(token, "assign_or_line_end" if self._fits(states, "EQUAL") else rule)
        elif whole and rule == "broken_type" and self._fits(states, "EQUAL") and self._name(token) == "NEWLINE":
            self._say(token, "missing_assign")
        elif whole:
            self._say(token, self._specific(rule))
        else:
            self._say(token, self._wanted())

    def _open_line(self, token: int) -> bool:
        """Whether the statement has begun before the token."""
        return bool(self.values) and not isinstance(self.values[-1], list) and self._before() != "NEWLINE"

    def _wanted(self) -> str:
        """What could stand here, where a construct was left unfinished."""
        wants = [
            ("INTEGER", "broken"),
            ("COLON", "missing_colon"),
            ("RPAR", "missing_close_parenthesis"),
            ("RSQB", "missing_close_bracket"),
            ("RBRACE", "missing_close_brace"),
            ("EQUAL", "missing_assign"),
            ("ARROW", "missing_arrow"),
            ("NEWLINE", "line_end"),
            ("LPAR", "missing_open"),
            ("LBRACE", "broken_condition_body"),
        ]
        if self._fits(self.states, "STRING_TAIL"):
            return "interpolation"
        if self._fits(self.states, "COMMA") and self._fits(self.states, "NEWLINE"):
            return "missing_separator"
        return next((rule for name, rule in wants if self._fits(self.states, name)), "broken")

    def _specific(self, rule: str) -> str:
        before = self._before()
        if rule == "broken_path":
            return {"MODULE": "module_path", "TEST": "test_path"}.get(self._statement_word(), rule)
        if rule == "broken" and before == "AT":
            return "decorator"
        return rule

    def _before(self) -> str:
        """The terminal last shifted, if it is still on the stack as such."""
        value = self.values[-1] if self.values else None
        return self._name(value) if isinstance(value, int) else ""

    def _statement_word(self) -> str:
        for value in reversed(self.values):
            if isinstance(value, int) and self._name(value) in NAMES:
                return self._name(value)
        return ""

    def _say(self, token: int, rule: str, narrow: bool = False) -> None:
        """Report a gap before a token, unless nothing was read since the last one."""
        code, what, help = GAPS[rule]
        if rule == "missing_name":
            word = self._before()
            if word == "MODULE" and self._name(token) == "NEWLINE":
                code, what, help = GAPS["module_path"]
            elif word in NAMES:
                code, what = NAMES[word]
        self._add(token, (code, what, help), narrow)

    def _add(self, token: int, words: Words, narrow: bool = False) -> None:
        if token == self._resumed and not (
            self._name(token - 1) == "TARGETSCOPE" or (token > 1 and self._name(token - 2) == "TYPE")
        ):
            return
        if token in self.tokens.spoilt and self._name(token) == "UNKNOWN":
            return
        code, what, help = words
        start, end = self.tokens.starts[token], self.tokens.ends[token]
        name = self._name(token)
        if name in ("NEWLINE", "$END"):
            end = start
            message = f"The {'file' if name == '$END' else 'line'} ends where {what} should stand"
        else:
            message = f"Expected {what}, found '{self._shown(start, end)}'"
        self.tokens.problems.append(Problem(code, start, start if narrow else end, message, help))

    def _shown(self, start: int, end: int) -> str:
        text = self.tokens.text[start:end]
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
        return text if len(text) <= 30 else text[:29] + "…"

    def _say_statement(self, token: int) -> None:
        if token == self._resumed or token in self.tokens.spoilt:
            return
        start, end = self.tokens.starts[token], self.tokens.ends[token]
        in_parameters = not self._fits(self.states, "OUTPUT")
        code, what, help = ASSIGNMENT if in_parameters else STATEMENT
        self.tokens.problems.append(Problem(code, start, end, f"'{self._shown(start, end)}' {what}", help))

    def _say_dangling(self, token: int) -> None:
        last: Decorator = self.values[-2][-1]
        code, message, help = DANGLING
        if not any(last.start <= p.start <= last.end for p in self.tokens.problems[-3:]):
            self.tokens.problems.append(Problem(code, last.start, last.end, message, help))
        if self._name(token) != "$END":
            start, end = self.tokens.starts[token], self.tokens.ends[token]
            code, what, help = STATEMENT
            self.tokens.problems.append(Problem(code, start, end, f"'{self._shown(start, end)}' {what}", help))
