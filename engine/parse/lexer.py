"""Text to tokens: one regular expression made of the grammar's terminals, and a stack of open braces and strings."""

from __future__ import annotations

from engine.contract.patterns import pattern
from engine.diagnostics.source import Span
from engine.parse.table import Table
from engine.parse.tokens import Problem, Tokens
from engine.parse.tree import Identifier, Pragma

SUSPICIOUS_DEPTH = 90
"""Tokens that may each add a level of nesting; with more of them in sight the tree's true depth is measured."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

STATEMENT_WORDS = frozenset(
    [
        "targetScope",
        "metadata",
        "param",
        "var",
        "resource",
        "module",
        "output",
        "type",
        "func",
        "import",
        "extension",
        "assert",
        "test",
        "using",
        "extends",
        "extensionConfig",
    ]
)
"""The words that start a statement."""

_BRACE = -1
"""On the stack of open things: a brace. A hole in a string is the number of its dollars, 0 in a single-line string."""

_TRIVIA = r"(?:[ \t\r\n]|//[^\r\n]*|/\*[\s\S]*?\*/)*"
_PRAGMA = r"(?a)#(disable-next-line|disable-diagnostics|restore-diagnostics)(?![\w-])((?:[ \t]+[\w-]+)*)[ \t]*"


_WITHOUT_NAME = r"targetScope[ \t]*=(?!=)|import[ \t]*\{|import[ \t]+\*[ \t]+as\b"
MARGIN = pattern(rf"(?<![^\r\n])(?:(?:{'|'.join(sorted(STATEMENT_WORDS))})[ \t]+[A-Za-z_']|{_WITHOUT_NAME}|@[A-Za-z])")
"""What starts a statement, where it stands at the very start of a line; nothing else in a file looks like it."""

_NEXT_WORD = pattern(rf"{_TRIVIA}([A-Za-z]+\b)?")


def _escaped(sign: str) -> str:
    return "".join(f"\\{c}" for c in sign)


class Lexer:
    """The lexer of one table."""

    __slots__ = ("body", "brackets", "kinds", "regex", "special", "words")

    def __init__(self, table: Table) -> None:
        patterns = table.patterns
        self.kinds = table.terminals
        self.words = {w: k for w, k in table.words.items() if w not in "{}()[]?:|,"}
        self.brackets = {w: k for w, k in table.words.items() if w in "{}()[]?:|,"}
        self.special = frozenset(self.kinds[name] for name in ("LPAR", "EQUAL", "ARROW"))
        signs = sorted((w for w in self.words if not w[0].isalpha() and w != "/"), key=len, reverse=True)
        self.body = patterns["STRING"][1:-1]
        self.regex = pattern(
            r"[ \t]*(?:"
            rf"({patterns['IDENTIFIER']}|{'|'.join(map(_escaped, signs))}|/(?![/*]))"
            rf"|([{{}}()\[\]?:|,])|({patterns['NEWLINE']})|({patterns['MULTILINE']})|((?!''')'{self.body}(?:'|\$\{{))"
            rf"|({patterns['INTEGER']})|(//[^\r\n]*|/\*[\s\S]*?\*/)|([^ \t]))"
        )

    def tokens(self, text: str) -> Tokens:
        """The tokens of a text, whatever it holds."""
        run = _Run(self, text)
        at = 1 if text.startswith("\ufeff") else 0
        while at >= 0:
            at = run.stretch(at)
        run.finish()
        return run.out


class _Run:
    """One text on its way through the lexer."""

    __slots__ = ("holes", "lexer", "line", "mark", "out", "stack", "text", "weight", "weights")

    def __init__(self, lexer: Lexer, text: str) -> None:
        self.lexer = lexer
        self.text = text
        self.out = Tokens(text)
        self.stack: list[int] = []
        self.holes = 0
        self.weights: list[int] = []  # tokens before each open bracket, since the line or the bracket around it began
        self.weight = 0
        self.mark = 0
        self.line = 0  # the mark of the line before, which this one may turn out to continue

    def add(self, kind: str, start: int, end: int) -> None:
        """One more token."""
        self.out.kinds.append(self.lexer.kinds[kind])
        self.out.starts.append(start)
        self.out.ends.append(end)

    def problem(self, code: str, start: int, end: int, message: str, help: str) -> None:
        """Something wrong with the characters."""
        self.out.problems.append(Problem(code, start, end, message, help))

    def stretch(self, at: int) -> int:
        """Tokens from `at` up to what needs a closer look; returns where to go on, -1 at the end."""
        lexer, out = self.lexer, self.out
        kinds, words, named = out.kinds, lexer.words, lexer.kinds
        add_kind, add_start, add_end = kinds.append, out.starts.append, out.ends.append
        identifier, newline, string, word_for = (named[n] for n in ("IDENTIFIER", "NEWLINE", "STRING", "FOR"))
        text, deep = self.text, SUSPICIOUS_DEPTH
        special = lexer.special
        last = kinds[-1] if kinds else newline
        for match in lexer.regex.finditer(text, at):
            group = match.lastindex
            if group == 1:
                kind = words.get(match[1], identifier)
                if kind == word_for and not self._opens_loop():
                    kind = identifier
            elif group == 3:
                if self.weight + len(kinds) - self.mark > deep:
                    out.deep = True
                if self.holes:
                    self._close_strings(match.start(3))
                    last = 0
                if last == newline or (last in special and not self._counts(last, match.end(3))):
                    continue
                kind = newline
                self.line, self.mark = self.mark, len(kinds) + 1
            elif group == 2:
                sign = match[2]
                kind = lexer.brackets[sign]
                if sign in "([{":
                    self._open(sign)
                else:
                    if last == newline and kinds and (sign in ":)?|" or (sign == "," and self._in_parentheses())):
                        self._drop_newline()
                    if sign in ")]}" and self._close(sign):
                        return self._piece(match.start(2))
            elif group == 5:
                kind = string
                if text[match.end(5) - 1] == "{":
                    kind = named["STRING_HEAD"]
                    self.stack.append(0)
                    self.holes += 1
            elif group == 7:
                out.comments.append(Span(*match.span(7)))
                continue
            elif group == 8:
                return self._odd(match.start(8))
            else:
                kind = named["MULTILINE" if group == 4 else "INTEGER"]
            start, end = match.span(group)  # type: ignore[arg-type]
            add_kind(kind)
            add_start(start)
            add_end(end)
            last = kind
        return -1

    def finish(self) -> None:
        """What every text ends with."""
        length = len(self.text)
        if self.holes:
            self._close_strings(length)
        if self.weight + len(self.out.kinds) - self.mark > SUSPICIOUS_DEPTH:
            self.out.deep = True
        if self._last() != self.lexer.kinds["NEWLINE"]:
            self.add("NEWLINE", length, length)
        self.add("$END", length, length)

    # -------------------------------------------------------------- newlines and brackets

    def _last(self, back: int = 1) -> int:
        """A token just read; a file starts as if after a newline."""
        kinds = self.out.kinds
        return kinds[-back] if len(kinds) >= back else self.lexer.kinds["NEWLINE"]

    def _opens_loop(self) -> bool:
        named = self.lexer.kinds
        last = self._last()
        return last == named["LSQB"] or (last == named["NEWLINE"] and self._last(2) == named["LSQB"])

    def _counts(self, last: int, end: int) -> bool:
        """Whether a newline that ends there means anything, after `(`, `=` or `=>`."""
        named = self.lexer.kinds
        if last == named["LPAR"]:
            return MARGIN.match(self.text, end) is not None
        match = _NEXT_WORD.match(self.text, end)
        word = match[1] if match else None
        return word != "if" if last == named["EQUAL"] else word in STATEMENT_WORDS

    def _drop_newline(self) -> None:
        """Join a line to the one before, which its first sign continues."""
        self.out.kinds.pop()
        self.out.starts.pop()
        self.out.ends.pop()
        self.mark = self.line

    def _in_parentheses(self) -> bool:
        """Whether the innermost open bracket is a parenthesis; asked only of a comma that starts a line."""
        named, closed = self.lexer.kinds, 0
        for kind in reversed(self.out.kinds):
            if kind in (named["RPAR"], named["RSQB"], named["RBRACE"]):
                closed += 1
            elif kind in (named["LPAR"], named["LSQB"], named["LBRACE"]):
                if not closed:
                    return kind == named["LPAR"]
                closed -= 1
        return False

    def _open(self, sign: str) -> None:
        place = len(self.out.kinds)
        self.weights.append(place - self.mark)
        self.weight += place - self.mark
        self.mark = place
        if self.weight > SUSPICIOUS_DEPTH:
            self.out.deep = True
        if sign == "{":
            self.stack.append(_BRACE)

    def _close(self, sign: str) -> bool:
        """A closing bracket; whether it is the end of a hole."""
        if sign == "}" and self.stack:
            if self.stack[-1] != _BRACE:
                return True
            self.stack.pop()
        if self.weights:
            before = self.weights.pop()
            self.weight -= before
            self.mark = min(self.mark, len(self.out.kinds)) - before
        return False

    # -------------------------------------------------------------- strings

    def _close_strings(self, at: int) -> None:
        """End all strings whose hole is still open where a line ends: no hole spans lines."""
        self._unterminated(at, at)
        while self.holes:
            if self.stack.pop() != _BRACE:
                self.holes -= 1
                self.out.spoilt.add(len(self.out.kinds))
                self.add("STRING_TAIL", at, at)

    def _unterminated(self, start: int, end: int) -> None:
        """A string that the line's end cuts off, or the file's; there perhaps amid an escape sequence."""
        rest = self.text[start:end]
        if end < len(self.text):
            code, help = "BCP004", "Close it with a single quote, or use '''…'''."
        elif (len(rest) - len(rest.rstrip("\\"))) % 2:
            code, help = "BCP005", "Complete the escape sequence, and close the string with a single quote."
        else:
            code, help = "BCP003", "Close it with a single quote."
        where = "on its line" if code == "BCP004" else "before the file's"
        self.problem(code, start, end, f"The string has no end {where}", help)

    def _piece(self, start: int) -> int:
        """The piece of a string after a hole, from the hole's brace on."""
        dollars = self.stack[-1]
        if dollars:
            return self._multiline_piece(start, start + 1, dollars, "STRING_MIDDLE", "STRING_TAIL")
        match = pattern(rf"\}}{self.lexer.body}('|\$\{{)").match(self.text, start)
        if match and match[1] == "${":
            self.add("STRING_MIDDLE", start, match.end())
            return match.end()
        self.stack.pop()
        self.holes -= 1
        if match is None:
            return self._spoilt("STRING_TAIL", start)
        self.add("STRING_TAIL", start, match.end())
        return match.end()

    def _spoilt(self, kind: str, start: int) -> int:
        """A string or its last piece, without its closing quote: up to the end of the line."""
        match = pattern(r"[^\r\n]*").match(self.text, start)
        assert match
        self._unterminated(start, match.end())
        self.out.spoilt.add(len(self.out.kinds))
        self.add(kind, start, match.end())
        return match.end()

    def _multiline_piece(self, start: int, inside: int, dollars: int, more: str, done: str) -> int:
        """A piece of a multi-line string, up to its quotes or the next hole."""
        hole = rf"|\$*\${{{dollars}}}\{{" if dollars else ""
        match = pattern(rf"'{{3,}}{hole}").search(self.text, inside)
        if more == "STRING_MIDDLE":
            self.stack.pop()
            self.holes -= 1
        end = match.end() if match else len(self.text)
        if match and match[0][-1] == "{":
            self.stack.append(dollars)
            self.holes += 1
            self.add(more, start, end)
            return end
        if not match:
            self.problem("BCP140", start, end, "The multi-line string has no end", "Close it with three quotes: '''.")
            self.out.spoilt.add(len(self.out.kinds))
        self.add(done, start, end)
        return end

    # -------------------------------------------------------------- the rest

    def _odd(self, start: int) -> int:
        """What the regular expression does not know: strings with dollars or without end, pragmas, odd characters."""
        text = self.text
        if text.startswith("'''", start):
            return self._multiline_piece(start, start + 3, 0, "", "MULTILINE")
        if text[start] == "'":
            return self._spoilt("STRING", start)
        if text.startswith("/*", start):
            self.problem("BCP002", start, len(text), "The comment has no end", "Close it with */.")
            self.out.comments.append(Span(start, len(text)))
            return len(text)
        if text[start] == "$":
            return self._dollars(start)
        if text[start] == "#" and (match := pattern(_PRAGMA).match(text, start)):
            line = pattern(r"[\r\n]").split(text[max(0, start - 500) : start])[-1]
            if not line.strip(" \t\ufeff"):
                return self._pragma(start, match)
        return self._unknown(start)

    def _dollars(self, start: int) -> int:
        """A run of dollars: with three quotes it starts a string, alone it has no meaning."""
        match = pattern(r"(\$+)(''')?").match(self.text, start)
        assert match
        if match[2]:
            return self._multiline_piece(start, match.end(), len(match[1]), "STRING_HEAD", "MULTILINE")
        for at in range(start, match.end()):
            self._unknown(at)
        return match.end()

    def _unknown(self, start: int) -> int:
        sign = self.text[start]
        if sign == '"':
            self.problem("BCP103", start, start + 1, "A double quote has no meaning", "Write strings in single quotes.")
        else:
            shown = sign if sign.isprintable() else ascii(sign)[1:-1]
            self.problem("BCP001", start, start + 1, f"The character '{shown}' has no meaning here", "Remove it.")
        self.add("UNKNOWN", start, start + 1)
        return start + 1

    def _pragma(self, start: int, match: re.Match[str]) -> int:
        codes = tuple(
            Identifier(m.start() + match.start(2), m.end() + match.start(2), m[0])
            for m in pattern(r"[^ \t]+").finditer(match[2])
        )
        end = match.end()
        if not codes:
            help = f"List the codes after it: #{match[1]} no-unused-params"
            self.problem("BCP226", end, end, f"The pragma '{match[1]}' names no diagnostic", help)
        self.out.pragmas.append(Pragma(start, codes[-1].end if codes else match.end(1), match[1], codes))
        return end
