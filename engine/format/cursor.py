"""The tokens of a file with the comments that belong to them, read once from start to end.

A comment on the line of a token before it belongs to that token, unless that is an opening bracket, an operator or the
like, which never owns what follows it; else it belongs to the token after it. What stands on a line of its own is laid out
on a line of its own, before the token that follows. So nothing written in a comment can be lost: every token takes its
comments along.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from engine.diagnostics.source import Source
from engine.format.document import HARD, Doc, Document, Suffix, extended
from engine.parse.lexer import MARGIN
from engine.parse.parser import TERMINALS, tokens
from engine.parse.tree import File

_NEWLINE = re.compile(r"\r\n?|\n")
_COMMA, _BRACE, _CLOSING_BRACE = (TERMINALS[name] for name in ("COMMA", "LBRACE", "RBRACE"))
_OPENERS = frozenset(TERMINALS[name] for name in ("LPAR", "LSQB", "LBRACE"))
_CLOSERS = frozenset(TERMINALS[name] for name in ("RPAR", "RSQB", "RBRACE"))
_OWNERLESS = _OPENERS | frozenset(
    TERMINALS[name]
    for name in ("AT", "STRING_HEAD", "STRING_MIDDLE", "EQUAL", "ARROW", "COLON", "COMMA", "LESSTHAN", "VBAR")
)
"""The tokens that own no comment after them."""

_PATIENCE = 2000
"""How many tokens are searched for a brace that somebody forgot."""


class Comments:
    """The comments of one token: `above` on lines of their own, `before` and `after` on its line."""

    __slots__ = ("above", "after", "before", "start")

    def __init__(self) -> None:
        self.above: list[tuple[bool, str]] = []
        """Each with whether an empty line stands before it."""
        self.before: list[str] = []
        self.after: list[str] = []
        self.start = -1
        """Where the first one of `before` stands."""

    def copy(self) -> Comments:
        """The same comments, to be given out again."""
        other = Comments()
        other.above, other.after, other.before, other.start = [*self.above], [*self.after], [*self.before], self.start
        return other


class Cursor:
    """Where the layout of a file has got to; `at` is the next token, never a newline."""

    __slots__ = ("at", "comments", "end", "ends", "kinds", "line_end", "newline", "starts", "text")

    def __init__(self, file: File, line_end: str) -> None:
        self.line_end = line_end
        source: Source = file.source
        read = tokens(source)
        self.text = source.text
        self.kinds = read.kinds
        self.starts = read.starts
        self.ends = read.ends
        self.newline = TERMINALS["NEWLINE"]
        self.end = len(read.kinds) - 1
        self.at = 0
        self.comments: dict[int, Comments] = {}
        self._attach(file)
        self._settle()

    # -------------------------------------------------------------- comments

    def _attach(self, file: File) -> None:
        """Give every comment and pragma to a token."""
        found = [(c.start, c.end, self.plain(c.start, c.end)) for c in file.comments]
        for pragma in file.pragmas:
            found.append((pragma.start, pragma.end, f"#{pragma.kind} {' '.join(c.text for c in pragma.codes)}"))
        found = self._joined(sorted(found))
        lasts = self._last_on_line(found)
        previous, before, alone = 0, -2, False  # the comment before: where it ends, its owner, its standing
        for (start, end, text), last in zip(found, lasts, strict=True):
            owner, following = self._neighbours(start)
            left = max(previous, self.ends[owner] if owner >= 0 else 0)
            alone = owner < 0 or (alone and owner == before) or self._breaks(left, start)
            previous, before = end, owner
            if not alone and (self.kinds[owner] not in _OWNERLESS or (last and self.kinds[owner] == _COMMA)):
                self._of(owner).after.append(text)
            elif last or (alone and self.kinds[following] in _CLOSERS) or following == self.end:
                self._of(following).above.append((self.blank_before(start), text))
            else:
                said = self._of(following)
                said.start = start if said.start < 0 else said.start
                said.before.append(text)

    def _neighbours(self, start: int) -> tuple[int, int]:
        """The tokens around a comment, newlines apart."""
        following = bisect_left(self.starts, start)
        owner = following - 1
        while owner >= 0 and self.kinds[owner] == self.newline:
            owner -= 1
        while following < self.end and self.kinds[following] == self.newline:
            following += 1
        return owner, following

    def _last_on_line(self, found: list[tuple[int, int, str]]) -> list[bool]:
        """Of each comment, whether its line ends before the next token."""
        lasts: list[bool] = []
        after, following = -1, -1  # where the next comment starts, and before which token it stands
        for start, end, _ in reversed(found):
            token = self._neighbours(start)[1]
            same = token == following
            ends = self._breaks(end, after if same else self.starts[token])
            lasts.append(ends or (same and lasts[-1]))
            after, following = start, token
        return lasts[::-1]

    def _joined(self, found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """The comments, those behind a pragma on its line made part of it."""
        if not any(text.startswith("#") for _, _, text in found):
            return found
        joined: list[tuple[int, int, str]] = []
        for start, end, text in found:
            if joined and joined[-1][2].startswith("#") and not self._parted(joined[-1][1], start):
                joined[-1] = (joined[-1][0], end, f"{joined[-1][2].rstrip()} {text}")
            else:
                joined.append((start, end, text))
        return joined

    def _parted(self, start: int, end: int) -> bool:
        """Whether a line ends between two places, or a token stands there."""
        return self._breaks(start, end) or bisect_left(self.starts, start) < bisect_left(self.starts, end)

    def _of(self, token: int) -> Comments:
        return self.comments.setdefault(token, Comments())

    def _breaks(self, start: int, end: int) -> bool:
        text = self.text
        return text.find("\n", start, end) >= 0 or text.find("\r", start, end) >= 0

    def plain(self, start: int, end: int) -> str:
        """A stretch of text, with the line ends of what is written."""
        text = self.text[start:end].rstrip("\r\n")
        return _NEWLINE.sub(self.line_end, text)

    def blank_before(self, offset: int) -> bool:
        """Whether an empty line stands right before an offset."""
        text, at = self.text, offset
        while at and text[at - 1] in " \t\r\n":
            at -= 1
        return len(_NEWLINE.findall(text, at, offset)) > 1

    # -------------------------------------------------------------- tokens

    @property
    def start(self) -> int:
        """Where the next token starts."""
        return self.starts[self.at]

    @property
    def starts_line(self) -> bool:
        """Whether the next token is the first of its line."""
        return (
            self.at == 0 or self._breaks(self.ends[self.at - 1], self.start) or self.kinds[self.at - 1] == self.newline
        )

    @property
    def commented(self) -> bool:
        """Whether comments stand above the next token."""
        said = self.comments.get(self.at)
        return said is not None and bool(said.above)

    @property
    def blank(self) -> bool:
        """Whether an empty line stands before the next token and its comments."""
        said = self.comments.get(self.at)
        return self.blank_before(self.starts[self.at] if said is None or said.start < 0 else said.start)

    def looks_at(self, sign: str) -> bool:
        """Whether the next token is this one."""
        return self.text.startswith(sign, self.starts[self.at]) and self.ends[self.at] - self.starts[self.at] == len(
            sign
        )

    def follows(self, sign: str) -> bool:
        """Whether the token after the next is this one."""
        return self.text.startswith(sign, self.starts[self.at + 1])

    def breaks_after(self) -> bool:
        """Whether the line ends, or a comment ends it, right after the next token."""
        at = self.at
        return self._breaks(self.ends[at], self.starts[at + 1]) or self.kinds[at + 1] == self.newline

    def take(self) -> Document:
        """The next token, with its comments."""
        at = self.at
        text = self.text[self.starts[at] : self.ends[at]]
        if "\r" in text:
            text = self.plain(self.starts[at], self.ends[at])
        self.at += 1
        self._settle()
        return self._dressed(at, text) if at in self.comments else text

    def joined(self, document: Document) -> Document:
        """What the next token stands right behind, with what is said between the two, if that can own it."""
        said = self.comments.get(self.at)
        if said is None or not (said.above or said.before):
            return document
        if self.kinds[self._neighbours(self.start)[0]] in _OWNERLESS:
            return document
        for comment in [comment for _, comment in self.above()] + self.before():
            document = extended(document, trailing(comment))
        return document

    def drop(self) -> list[Document]:
        """Leave the next token out: what is said after it comes back, the rest goes to the token that follows."""
        at = self.at
        self.at += 1
        self._settle()
        if (said := self.comments.pop(at, None)) is None:
            return []
        if said.above or said.before:
            heir = self._of(self.at)
            heir.above[:0] = said.above
            heir.before[:0] = said.before
        return [trailing(comment) for comment in said.after]

    def above(self) -> list[tuple[bool, str]]:
        """The comments on lines of their own before the next token, handed over to whoever asks."""
        said = self.comments.get(self.at)
        if said is None or not said.above:
            return []
        lines, said.above = said.above, []
        return lines

    def before(self) -> list[str]:
        """The comments on its line before the next token, handed over to whoever asks."""
        said = self.comments.get(self.at)
        if said is None or not said.before:
            return []
        comments, said.before = said.before, []
        return comments

    def skip_to(self, offset: int) -> None:
        """Go on with the first token at or after an offset."""
        self.at = min(self.end, max(self.at, bisect_left(self.starts, offset)))
        self._settle()

    def has_read(self, end: int) -> bool:
        """Whether all tokens up to a place have been read, and none beyond it."""
        last = self.at - 1
        while last > 0 and (self.kinds[last] == self.newline or self.starts[last] == self.ends[last]):
            last -= 1
        return self.ends[last] == end

    def saved(self, limit: int) -> tuple[int, dict[int, Comments | None]]:
        """Where it is, and the comments from there up to a place, and of the token there, as they are given out now."""
        tokens = range(self.at, min(self.end, bisect_left(self.starts, limit)) + 1)
        comments = self.comments
        return self.at, {at: said.copy() if (said := comments.get(at)) is not None else None for at in tokens}

    def back_to(self, saved: tuple[int, dict[int, Comments | None]]) -> None:
        """Go back to where it was, with the comments that were there."""
        self.at, comments = saved
        for at, said in comments.items():
            if said is not None:
                self.comments[at] = said
            else:
                self.comments.pop(at, None)

    def verbatim(self, end: int) -> Document:
        """The text from the next token and its comments on to a place, as it stands there, and the comments after it."""
        first = self.at
        said = self.comments.get(first)
        start = self.starts[first] if said is None or said.start < 0 else said.start
        self.skip_to(max(end, self.starts[first] + 1))
        last = self.at - 1
        while last > first and self.kinds[last] == self.newline:
            last -= 1
        text = self.plain(start, max(self.ends[last], self.ends[first]))
        above = self._lines(said.above) if said is not None else []
        after = self.comments[last].after if last in self.comments else []
        return Doc(*above, text, *map(trailing, after))

    def end_of_line(self, offset: int) -> int:
        """Where the last token ends that is on the line of an offset."""
        at = max(0, bisect_left(self.starts, offset + 1) - 1)
        while at < self.end and self.kinds[at] != self.newline:
            at += 1
        return self.ends[at - 1] if at else 0

    def unclosed(self, start: int, end: int) -> list[int]:
        """The kinds of brackets that are opened in a stretch of text and not closed, the innermost last."""
        open_: list[int] = []
        for kind in self.kinds[bisect_left(self.starts, start) : bisect_left(self.starts, end)]:
            if kind in _OPENERS:
                open_.append(kind)
            elif kind in _CLOSERS and open_:
                open_.pop()
        return open_

    def closing_brace(self, start: int) -> int | None:
        """Where the brace ends that closes one left open before a place; what a line opens that looks like a statement is its own."""
        open_, own = 1, -1
        first = bisect_left(self.starts, start)
        for at in range(first, min(self.end, first + _PATIENCE)):
            kind = self.kinds[at]
            if MARGIN.match(self.text, self.starts[at]):
                own = 0
            elif kind == self.newline:
                own = -1
            elif kind == _BRACE:
                open_, own = (open_, own + 1) if own >= 0 else (open_ + 1, own)
            elif kind == _CLOSING_BRACE:
                open_, own = (open_, own - 1) if own > 0 else (open_ - 1, own)
                if not open_:
                    return self.ends[at]
        return None

    def _settle(self) -> None:
        kinds, at = self.kinds, self.at
        while at < self.end and (kinds[at] == self.newline or self.starts[at] == self.ends[at]):
            at += 1
        self.at = at

    def _dressed(self, at: int, text: Document) -> Document:
        said = self.comments[at]
        parts = self._lines(said.above)
        for comment in said.before:
            parts += [Suffix(comment), HARD] if comment.startswith("#") else [comment, " "]
        parts.append(text)
        parts += [trailing(comment) for comment in said.after]
        return Doc(*parts)

    def _lines(self, above: list[tuple[bool, str]]) -> list[Document]:
        return [part for _, comment in above for part in (Suffix(comment), HARD)]


def trailing(comment: str) -> Document:
    """A comment after something on its line; a pragma begins one of its own."""
    return Suffix(comment) if comment.startswith(("//", "#")) else f" {comment}"
