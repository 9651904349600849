"""Saying what is missing where a parse stands still, once for each cause."""

from __future__ import annotations

from engine.parse.expected import ASSIGNMENT, ENDS, GAPS, NAMES, PATHS, STATEMENT, Words, dangling
from engine.parse.lookahead import Lookahead
from engine.parse.tokens import Problem
from engine.parse.tree import Binary, Decorator, Identifier, Unary


class Complaints(Lookahead):
    """A parse that stands still, and says why."""

    __slots__ = ()

    def report(self, token: int, rule: str, whole: bool) -> None:
        """Find the words for a cut."""
        states = self.states
        if rule == "broken_statement" and not self._open_line(token):
            self._say_statement(token)
        elif whole and rule == "line_end":
            line_end = ENDS.get(self._statement_word(*ENDS), rule)
            self.say(token, "assign_or_line_end" if self.fits(states, "EQUAL") else line_end)
        elif whole and rule == "broken_type" and self.fits(states, "EQUAL") and self.name(token) == "NEWLINE":
            self.say(token, "missing_assign")
        elif whole:
            self.say(token, self._specific(rule, token))
        else:
            self.say(token, self._wanted())

    def _open_line(self, token: int) -> bool:
        """Whether the statement has begun before the token."""
        return bool(self.values) and not isinstance(self.values[-1], list) and self.before() != "NEWLINE"

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
        if self.fits(self.states, "STRING_TAIL"):
            return "interpolation"
        if self.fits(self.states, "COMMA") and self.fits(self.states, "NEWLINE"):
            return "missing_separator"
        return next((rule for name, rule in wants if self.fits(self.states, name)), "broken")

    def _specific(self, rule: str, token: int) -> str:
        before = self.before()
        if rule == "broken_path":
            word = self._statement_word("MODULE", "TEST", "USING", "EXTENDS", "IMPORT")
            return PATHS.get(word, rule)
        if rule == "broken" and before == "EXTENSION":
            return "extension_spec"
        if rule == "broken" and before == "AT":
            return "decorator"
        if rule == "broken_type" and before == "VBAR" and self.name(token) == "NEWLINE":
            return "union_member"
        if rule == "broken" and before == "EQUAL" and self._statement_word() == "TEST":
            return "test_body"
        return rule

    def _statement_word(self, *more: str) -> str:
        """The word that the statement began with; of `more` words, if given, only one of those."""
        for value in reversed(self.values):
            if isinstance(value, int) and self.name(value) in (more or NAMES):
                return self.name(value)
        return ""

    def say(self, token: int, rule: str, narrow: bool = False) -> None:
        """Report a gap before a token, unless nothing was read since the last one."""
        if rule == "missing_name" and self.before() == "AS" and self._statement_word("IMPORT"):
            rule = "wildcard_name" if self._wildcard() else "import_alias"
        code, what, help = GAPS[rule]
        if rule == "missing_name":
            word = self.before()
            if word in NAMES:
                code, what = NAMES[word]
        self._add(token, (code, what, help), narrow)

    def _wildcard(self) -> bool:
        """Whether the statement imports a whole file."""
        return any(isinstance(v, int) and self.name(v) == "STAR" for v in self.values[-3:])

    def _add(self, token: int, words: Words, narrow: bool = False) -> None:
        lasting = bool(self.values) and isinstance(self.values[-1], Unary | Binary)  # what is missing is missing in it
        if (
            token == self.resumed
            and not lasting
            and not (self.name(token - 1) == "TARGETSCOPE" or (token > 1 and self.name(token - 2) == "TYPE"))
        ):
            return
        if token in self.tokens.spoilt and self.name(token) == "UNKNOWN":
            return
        code, what, help = words
        start, end = self.tokens.starts[token], self.tokens.ends[token]
        name = self.name(token)
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
        if token == self.resumed or token in self.tokens.spoilt:
            return
        start, end = self.tokens.starts[token], self.tokens.ends[token]
        in_parameters = not self.fits(self.states, "OUTPUT")
        code, what, help = ASSIGNMENT if in_parameters else STATEMENT
        self.tokens.problems.append(Problem(code, start, end, f"'{self._shown(start, end)}' {what}", help))

    def say_dangling(self, token: int, rule: str) -> None:
        """Report decorators with nothing below them, once their gap is on the stack."""
        decorators: list[Decorator] = self.values[-2]
        last = decorators[-1]
        member = rule == "dangling_member"
        names = (getattr(d.expression, "name", None) for d in decorators)
        code, message, help = dangling([n.text for n in names if isinstance(n, Identifier)])
        if not any(last.start <= p.start <= last.end for p in self.tokens.problems):
            self.tokens.problems.append(Problem(code, last.start, last.end, message, help))
        if self.name(token) != "$END" and not member:
            start, end = self.tokens.starts[token], self.tokens.ends[token]
            code, what, help = STATEMENT
            self.tokens.problems.append(Problem(code, start, end, f"'{self._shown(start, end)}' {what}", help))
