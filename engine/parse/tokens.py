"""What the lexer hands on: the tokens of a text, its comments and pragmas, and what was wrong with its characters."""

from __future__ import annotations

from engine.diagnostics.source import Span
from engine.parse.tree import Pragma


class Problem:
    """A diagnostic in the making: code, place, message, help."""

    __slots__ = ("code", "end", "help", "message", "start")

    def __init__(self, code: str, start: int, end: int, message: str, help: str = "") -> None:
        self.code = code
        self.start = start
        self.end = end
        self.message = message
        self.help = help


class Tokens:
    """Parallel lists: token `i` is of terminal `kinds[i]` and stands at `starts[i]` to `ends[i]`.

    The last two are always NEWLINE and `$END`. `spoilt` holds the tokens that are no proper ones, such as a string
    without end; `deep` says that the text may nest too deeply.
    """

    __slots__ = ("comments", "deep", "ends", "kinds", "pragmas", "problems", "spoilt", "starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.kinds: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.comments: list[Span] = []
        self.pragmas: list[Pragma] = []
        self.problems: list[Problem] = []
        self.spoilt: set[int] = set()
        self.deep = False
