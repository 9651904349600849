"""JSON with comments and trailing commas: to a value, to the places of its parts, or to one error with its place.

Plain JSON takes the fast way; the scanner here is for what that refuses, and for places, which are found when asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.contract.patterns import pattern
from engine.diagnostics.diagnostic import Label
from engine.diagnostics.source import Source, Span

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

DEPTH = 150
"""No document is nested deeper."""


class Malformed(Exception):
    """What is wrong with a JSON text, and where."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


_BLANK = r"(?s)(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*"
_STRING = r'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"'
_NUMBER = r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?"
_WORDS = {"true": True, "false": False, "null": None}
_WORD = r"\w+"


def load(source: Source) -> Any:
    """The value of the text, or `Malformed`."""
    import json  # most runs read no JSON

    try:
        return json.loads(source.text)
    except RecursionError:
        raise Malformed("It is nested too deeply", Span(0, 0)) from None
    except ValueError:
        return Scanner(source).document()


class Scanner:
    """A recursive descent over one text; remembers where each pointer starts and ends."""

    __slots__ = ("at", "blanks", "number", "places", "quoted", "source", "text", "word")

    def __init__(self, source: Source) -> None:
        self.blanks = pattern(_BLANK)
        self.quoted, self.number, self.word = pattern(_STRING), pattern(_NUMBER), pattern(_WORD)
        self.source = source
        self.text = source.text
        self.at = 0
        self.places: dict[str, Span] = {}

    def document(self) -> Any:
        """The whole text as one value."""
        self.blank()
        value = self.value("", 0)
        self.blank()
        if self.at < len(self.text):
            raise self.wrong("Nothing may follow the end of the document")
        return value

    def blank(self) -> None:
        """Skips blanks and comments."""
        match = self.blanks.match(self.text, self.at)
        assert match
        self.at = match.end()

    def wrong(self, message: str, length: int = 1) -> Malformed:
        """An error at the current place."""
        return Malformed(message, Span(self.at, min(self.at + length, len(self.text))))

    def value(self, pointer: str, depth: int) -> Any:
        """The value at the current place."""
        if depth > DEPTH:
            raise self.wrong("It is nested too deeply")
        start, first = self.at, self.text[self.at : self.at + 1]
        value: Any
        if first == "{":
            value = dict(self.members(pointer, depth))
        elif first == "[":
            value = list(self.items(pointer, depth))
        elif first == '"':
            value = self.string()
        elif match := self.number.match(self.text, self.at):
            self.at = match.end()
            value = float(match[0]) if match[1] or match[2] else int(match[0])
        elif (match := self.word.match(self.text, self.at)) and match[0] in _WORDS:
            self.at = match.end()
            value = _WORDS[match[0]]
        else:
            found = f"found '{match[0]}'" if match else f"found '{first}'" if first else "the text ends"
            raise self.wrong(f"A value is needed here, but {found}", len(match[0]) if match else 1)
        self.places[pointer] = Span(start, self.at)
        return value

    def string(self) -> str:
        """The string at the current place."""
        match = self.quoted.match(self.text, self.at)
        if not match:
            raise self.wrong("This string does not end, or has a character that must be escaped")
        self.at = match.end()
        text: str = load(Source("", match[0])) if "\\" in match[0] else match[1]
        return text

    def members(self, pointer: str, depth: int) -> Iterator[tuple[str, Any]]:
        """The members of the object at the current place."""
        for _ in self.separated("}"):
            if not self.text.startswith('"', self.at):
                raise self.wrong("A property name in double quotes is needed here")
            key = self.string()
            self.blank()
            if not self.text.startswith(":", self.at):
                raise self.wrong("A colon is needed here")
            self.at += 1
            self.blank()
            yield key, self.value(f"{pointer}/{escape(key)}", depth + 1)

    def items(self, pointer: str, depth: int) -> Iterator[Any]:
        """The items of the array at the current place."""
        for index in self.separated("]"):
            yield self.value(f"{pointer}/{index}", depth + 1)

    def separated(self, close: str) -> Iterator[int]:
        """Stops before each item up to the closing bracket; a comma may follow the last."""
        self.at += 1
        self.blank()
        index = 0
        while not self.text.startswith(close, self.at):
            yield index
            index += 1
            self.blank()
            if self.text.startswith(",", self.at):
                self.at += 1
                self.blank()
            elif not self.text.startswith(close, self.at):
                raise self.wrong(f"A comma or '{close}' is needed here")
        self.at += 1


def escape(key: str) -> str:
    """A key as a step of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


class Places(Mapping[str, Label]):
    """JSON pointers to places in the text, worked out at the first question."""

    __slots__ = ("_found", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self._found: dict[str, Label] | None = None

    def _all(self) -> dict[str, Label]:
        if self._found is None:
            scanner = Scanner(self.source)
            try:  # noqa: SIM105  contextlib is not needed for anything else
                scanner.document()
            except Malformed:
                pass  # the fast way is laxer in places, and what it read is good enough
            self._found = {pointer: Label(self.source, span) for pointer, span in scanner.places.items()}
        return self._found

    def __getitem__(self, pointer: str) -> Label:
        return self._all()[pointer]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
