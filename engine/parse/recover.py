"""Going on after a syntax error: say once what is missing, close the gap, and read what follows as if it were whole.

A gap is closed in one of three ways, the gentlest first: something small that should stand between two tokens is put
there (a separator, a closing bracket); a construct is cut short by ERROR, for which the grammar has a rule wherever
that is useful; and for that, tokens are skipped up to one that can follow. Only this file makes such tokens, so what is
right costs nothing.
"""

from __future__ import annotations

from bisect import bisect_left

from engine.parse import tree
from engine.parse.build_statements import Build
from engine.parse.complain import Complaints
from engine.parse.driver import Action, Stuck, run
from engine.parse.expected import GAPS
from engine.parse.table import Table
from engine.parse.tokens import Tokens
from engine.parse.tree import Broken, Decorator

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_LOOSE = frozenset({"NEWLINE", "COMMA", "RPAR", "RSQB", "RBRACE", "COLON", "STRING_TAIL", "STRING_MIDDLE", "$END"})
"""The tokens at which a skipped stretch may end, wherever they fit."""

_LINE = frozenset({"NEWLINE"})
"""Nothing but the end of the line, even in brackets that the gap itself opens."""

_FIRM = {
    "missing_assign": frozenset({"NEWLINE"}),
    "missing_colon": frozenset({"NEWLINE", "COMMA", "RBRACE", "RSQB"}),
    "missing_key": frozenset({"NEWLINE", "COLON", "RBRACE"}),
    "missing_type_key": frozenset({"NEWLINE", "COLON", "RBRACE"}),
    "missing_name": _LOOSE | {"EQUAL", "IN", "LPAR", "FROM", "WITH", "IDENTIFIER", "STRING", "LBRACE"},
    "missing_member": _LOOSE | {"DOT", "LSQB", "LPAR"},
    "broken_resource_type": _LOOSE | {"EQUAL", "EXISTING"},
    "broken_path": _LOOSE | {"EQUAL", "WITH"},
    "broken_type": _LOOSE | {"EQUAL", "ARROW", "VBAR"},
    "missing_in": frozenset({"COLON", "RSQB", "NEWLINE"}),
    "condition_broken": frozenset({"NEWLINE", "LBRACE", "RSQB"}),
    "broken_close": frozenset({"NEWLINE", "RBRACE", "RSQB", "STRING_TAIL"}),
    "missing_arrow": frozenset({"NEWLINE", "RPAR"}),
    "line_end": frozenset({"NEWLINE"}),
    "broken_statement": _LINE,
}
"""And the gaps that end at other tokens."""

_AFRESH = frozenset(
    {
        "missing_in",
        "missing_name",
        "missing_assign",
        "missing_colon",
        "missing_key",
        "missing_type_key",
        "broken_resource_type",
        "broken_path",
    }
)
"""Gaps that, with something skipped, do not silence the next one."""

_ALWAYS = frozenset({"broken_type", "missing_arrow", "missing_name"})
"""Gaps of a function's declaration, each of which is told however little there is between them."""

_AFTER_CLOSER = _LOOSE | {"EQUAL", "ARROW", "FROM", "LBRACE"}
"""The tokens before which a missing bracket is closed: not those that could go on with what it would enclose."""

_PATIENCE = 12
"""How often recovery may come back to one token before the statement is given up."""


class Recovery(Complaints):
    """One parse, from start to end, through whatever is wrong."""

    __slots__ = ("_again", "_where")

    def __init__(
        self, table: Table, tokens: Tokens, build: Build, actions: list[Action], states: list[int], values: list[Any]
    ) -> None:
        super().__init__(table, tokens, build, actions, states, values)
        self._where = -1
        self._again = 0

    def parse(self, stuck: int) -> Any:
        """The start symbol's value, from the token on at which the driver was stuck, with its stacks."""
        while True:
            at = self._recover(stuck)
            try:
                found = run(self.table, self.tokens.kinds, self.actions, self.states, self.values, at)
            except Stuck as again:
                stuck = again.token
            else:
                # What was taken back and read again is told once.
                told = {(p.code, p.start, p.end): p for p in reversed(self.tokens.problems)}
                self.tokens.problems[:] = reversed(told.values())
                return found

    def _recover(self, token: int) -> int:
        """Close the gap before a token, and say so; returns the token to go on with."""
        self._again = self._again + 1 if token == self._where else 0
        self._where = token
        if self._again > _PATIENCE:
            return self._abandon(token)
        name = self.name(token)
        start = self.tokens.starts[token]
        gap = Broken(start, start)
        for word in (token - 1, token):
            if word >= 0 and (self.at_margin(word) or self.name(word) == "$END") and self._inside(word):
                earlier = self._swallowed(word)
                if earlier is not None or self.name(word) != "$END":
                    return self._finish(word if earlier is None else earlier, gap)
        if (at := self._unlist(token, name)) is not None:
            return at
        if (at := self._separate(token, name, gap)) is not None:
            return at
        if (at := self._close(token, name, gap)) is not None:
            return at
        if name == "$END" and self.fits(self.states, "NEWLINE"):
            self.push("NEWLINE", token - 1)
            return token
        return self._cut(token)

    def _inside(self, word: int) -> bool:
        """Whether a statement's first word was taken for something inside brackets that are still open."""
        keep = self._keep(word)
        return keep > 2 and self._within(self.states[:keep])

    def _swallowed(self, word: int) -> int | None:
        """The first word of a statement, or its first decorator's, that open brackets took for something inside them.

        The statement and what follows it are taken off the stacks.
        """
        for at in range(2, len(self.values)):
            value = self.values[at]
            begun = isinstance(value, int) and value < word and self.name(value) == "RESOURCE"
            if begun and self.at_margin(value) and self._inside_at(at):
                del self.states[at + 1 :], self.values[at:]
                return int(value)
            for place, part in enumerate(value if isinstance(value, list) else ()):
                if not isinstance(part, tree.Resource | Decorator):
                    continue
                first = bisect_left(self.tokens.starts, part.start)
                if first < word and self.at_margin(first) and self._inside_at(at):
                    del self.states[at + 2 :], self.values[at + 1 :]
                    del value[place:]
                    if not value:
                        del self.states[at + 1 :], self.values[at:]
                    return first
        return None

    def _inside_at(self, place: int) -> bool:
        """Whether a place on the stack is within a statement."""
        return self._within(self.states[: place + 1])

    def _within(self, states: list[int]) -> bool:
        """Whether no statement can start, not even below decorators, where none but those can."""
        decorated = self.fits(states, "PARAM") and not self.fits(states, "IDENTIFIER")
        return not decorated and not self.fits(states, "$END")

    def _keep(self, word: int) -> int:
        """How many states there were before a token."""
        keep = len(self.states)
        while keep > 1 and self.start_of(self.values[keep - 2]) >= self.tokens.starts[word]:
            keep -= 1
        return keep

    def _finish(self, word: int, gap: Broken) -> int:
        """End a statement whose brackets are open where the next one starts at the margin."""
        keep = self._keep(word)
        del self.states[keep:], self.values[keep - 1 :]
        place = word - 1 if word and self.name(word - 1) == "NEWLINE" else word
        if self.resumed != place:
            self.resumed = -1
        for _ in range(10 * len(self.states)):
            fed = self.fed(self.states, "NEWLINE")
            if fed and not self._within(fed):
                break
            if self.fits(self.states, "MISSING_CLOSER"):
                self.say(place, self._closer())
                self.push("MISSING_CLOSER", gap)
            elif cut := self.fed(self.states, "ERROR"):
                rule = self._rule(cut)
                self.say(place, rule if rule in GAPS else "line_end")
                self.push("ERROR", gap)
            else:
                return self._abandon(word)
            self.resumed = place
        self.push("NEWLINE", word - 1)
        return self._go_on(word)

    def _separate(self, token: int, name: str, gap: Broken) -> int | None:
        """Put a separator between two items."""
        fed = self.fed(self.states, "MISSING_SEPARATOR")
        if fed is None or name == "$END":
            return None
        following = token
        if name == "NEWLINE":
            following = token + 1
            if self.name(following) == "$END" or self.at_margin(following):
                return None
        if not self.fits(fed, self.name(following)) or self.name(following) in ("LSQB", "MINUS", "BANG"):
            return None
        comma = name == "NEWLINE" and self._reduces(fed, "missing_comma")
        self.say(token, "missing_comma" if comma else "missing_separator", narrow=True)
        self.push("MISSING_SEPARATOR", gap)
        return self._go_on(following)

    def _close(self, token: int, name: str, gap: Broken) -> int | None:
        """Close brackets that are still open."""
        count = self.closings(self.states, name) if name in _AFTER_CLOSER else None
        if count is None and name == "$END":
            count = self.closings(self.states, "NEWLINE")
        if count is None and name in ("NEWLINE", "$END") and self.fits(self.states, "MISSING_CLOSER"):
            count = 1
        if not count:
            return None
        for _ in range(count):
            if not self._says_itself():
                self.say(token, self._closer())
            self.push("MISSING_CLOSER", gap)
            self.resumed = token
        return self._go_on(token)

    def _says_itself(self) -> bool:
        """Whether what is closed is wrong for being empty, and says so when it is built."""
        if self.before() != "LPAR":
            return False
        if len(self.values) > 1 and isinstance(self.values[-2], int) and self.name(self.values[-2]) == "FOR":
            return True
        after = self.table.gotos[self.states[-1]].values()
        return any(
            self.table.rules[~a].name in ("group_empty", "loop_pair") for s in after for a in self._reductions(s)
        )

    def _reduces(self, states: list[int], rule: str) -> bool:
        """Whether what was just fed makes a rule."""
        return any(self.table.rules[~a].name == rule for a in self._reductions(states[-1]))

    def _reductions(self, state: int) -> list[int]:
        return [a for a in self.table.row(state).values() if a < 0]

    def _closer(self) -> str:
        """The rule of the closing bracket that fits."""
        fed = self.fed(self.states, "MISSING_CLOSER")
        assert fed
        return next(
            (self.table.rules[~a].name for a in self.table.row(fed[-1]).values() if a < 0), "missing_close_brace"
        )

    def _cut(self, token: int) -> int:
        """Cut short the innermost construct that may be, and skip to what can follow it."""
        states = self.states
        keep = len(states)
        fed = None
        while keep and (fed := self.fed(states[:keep], "ERROR")) is None:
            keep -= 1
        assert fed, "a statement can always be cut short"
        whole = keep == len(states)
        rule = self._rule(fed)
        dangling = rule in ("add_dangling", "dangling_member")
        if not dangling:
            self.report(token, rule, whole)
        ends = self._ends(rule)
        stays = rule in ("dangling_member", "missing_member")
        stop = token if stays else self._stop(token, fed, ends)
        start = self.tokens.starts[token]
        end = self.tokens.ends[stop - 1] if stop > token else start
        if not whole:
            start = min(start, self.start_of(self.values[keep - 1]))
            end = max(end, start)
        del self.states[keep:], self.values[keep - 1 :]
        self.push("ERROR", Broken(start, end))
        if dangling:
            self.say_dangling(token, rule)
        listed = rule in _ALWAYS and self._statement_word() == "FUNC" and not self._lacks_parameters()
        afresh = listed or (stop > token and rule in _AFRESH) or (rule == "missing_member" and stays)
        self.resumed = -1 if afresh else stop
        self.build.quiet.add(stop)
        if self.name(stop) == "$END" and not self.fits(self.states, "$END") and self.fits(self.states, "NEWLINE"):
            self.push("NEWLINE", stop - 1)
        return stop

    def _lacks_parameters(self) -> bool:
        """Whether a function has no opening parenthesis: then nothing more is told of it."""
        words = [i for i, v in enumerate(self.values) if isinstance(v, int) and self.name(v) == "FUNC"]
        return bool(words) and any(isinstance(v, Broken) for v in self.values[words[-1] + 2 : words[-1] + 3])

    def _unlist(self, token: int, name: str) -> int | None:
        """In parentheses, where a comma or the end must stand: skip to the end of the line, or of what is around."""
        fed = self.fed(self.states, "ERROR")
        if fed is None or self._rule(fed) != "broken_close":
            return None
        at = token + 1 if name == "NEWLINE" else token
        if self.name(at) in ("NEWLINE", "$END", "RBRACE", "RSQB", "STRING_TAIL", "STRING_MIDDLE") or self.at_margin(at):
            return None
        self.say(at, "broken_close")
        stop = self._stop(at, fed, _FIRM["broken_close"])
        self.push("ERROR", Broken(self.tokens.starts[at], self.tokens.ends[stop - 1]))
        self.build.quiet.add(stop)
        return self._go_on(stop)

    def _ends(self, rule: str) -> frozenset[str]:
        """The tokens at which a gap may end, in this statement."""
        ends = _FIRM.get(rule, _LOOSE)
        match rule, self._statement_word():
            case "missing_name", _ if self.before() == "VAR":
                return ends - {"EQUAL"}
            case "broken_path", "MODULE" | "TEST":
                return _LINE
            case "broken_type", "FUNC" if self.before() == "RPAR":
                return frozenset({"NEWLINE", "RPAR"})
            case "missing_assign", "RESOURCE" | "MODULE" | "TEST":
                return _LINE | {"LBRACE"}
            case _:
                return ends

    def _abandon(self, token: int) -> int:
        """Give the whole statement up, and go on with the next line: the way out where no gap can be closed."""
        keep = min(2, len(self.states))
        start = min((self.start_of(v) for v in self.values[keep - 1 :]), default=self.tokens.starts[token])
        while self.name(token) not in ("NEWLINE", "$END"):
            token += 1
        del self.states[keep:], self.values[keep - 1 :]
        self.push("ERROR", Broken(start, max(start, self.tokens.ends[token - 1] if token else 0)))
        if self.name(token) == "$END":
            self.push("NEWLINE", token - 1)
        return self._go_on(token)

    def _go_on(self, token: int) -> int:
        self.resumed = token
        return token

    def _stop(self, token: int, fed: list[int], ends: frozenset[str]) -> int:
        """The first token from `token` on that fits after the gap."""
        tokens, nested = self.tokens, 0
        kinds = tokens.kinds
        while True:
            name = self.name(token)
            if name == "$END":
                return token
            if name == "COMMA" and self.name(token + 1) == "COMMA" and self.fits(fed, "NEWLINE"):
                token += 1
                continue
            apart = nested == 0 or ends is _LINE or (name == "NEWLINE" and self.at_margin(token + 1))
            if apart and (name in ends or name == "NEWLINE") and self.reachable(fed, name):
                return token
            if name in ("LBRACE", "LSQB", "LPAR", "STRING_HEAD"):
                nested += 1
            elif name in ("RBRACE", "RSQB", "RPAR", "STRING_TAIL") and nested:
                nested -= 1
            token += 1
            assert token < len(kinds)

    def _rule(self, fed: list[int]) -> str:
        """The grammar's name for the gap."""
        row = self.table.row(fed[-1])
        names = {self.table.rules[~a].name for a in row.values() if a < 0}
        if len(names) == 1:
            return names.pop()
        for name in ("condition_broken", "broken_loop"):
            if any(name == self._later(fed, kind) for kind in ("LBRACE", "NEWLINE", "RSQB")):
                return name
        after = self.fed(fed, "NEWLINE")
        if after and any(
            self.table.rules[~a].name == "add_dangling" for a in self.table.row(after[-1]).values() if a < 0
        ):
            return "add_dangling"
        return "line_end"

    def _later(self, fed: list[int], name: str) -> str:
        """The rule that a token after the gap leads to, for gaps inside a rule."""
        if name == "LBRACE" and self.fits(fed, "LBRACE"):
            return "condition_broken"
        if name == "RSQB" and self.fits(fed, "RSQB"):
            return "broken_loop"
        return ""
