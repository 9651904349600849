"""Placeholders: what stays open in names and ids, for who looks at a template without a place to deploy it to.

An open value in a text is a number between two noncharacters of Unicode, which no text holds; whoever shows the text asks
what it stands for.
"""

from __future__ import annotations

import re

from engine.contract.value import Deferred, Output, Value

OPENER, CLOSER = "\ufdd0", "\ufdd1"
RUNTIME = "="
"""Begins the address of an `Output` that is no resource's: behind it stands the call that will tell, such as `deployer()`."""

_PLACEHOLDER = re.compile(f"{OPENER}([0-9]+){CLOSER}")
_HOLE = re.compile(r"\{([0-9]+)\}")


def told_by(call: str, *path: str) -> Output:
    """The value that a call gives at run time, or what is at a path in it."""
    return Output(f"{RUNTIME}{call}", path)


def is_open(text: Value) -> bool:
    """Whether a text has a placeholder in it."""
    return isinstance(text, str) and OPENER in text and _PLACEHOLDER.search(text) is not None


def verbatim(text: str) -> str:
    """A text that `format()` leaves as it is."""
    return text.replace("{", "{{").replace("}", "}}")


class Placeholders:
    """The open values of one expansion, by number; equal values have one number, so that equal ids stay equal."""

    __slots__ = ("_wholes", "values")

    def __init__(self) -> None:
        self.values: list[Value] = []
        self._wholes: dict[str, Value] = {}

    def keep(self, value: Value) -> str:
        """The placeholder of an open value."""
        if value not in self.values:
            self.values.append(value)
        return f"{OPENER}{self.values.index(value)}{CLOSER}"

    def text(self, value: Value) -> Value:
        """A text for an open value: a `format()` keeps what is known of it; anything else than an open value is as it was."""
        if isinstance(value, Deferred) and value.function == "format" and isinstance(value.arguments[0], str):
            pattern, *arguments = value.arguments
            if not re.search(r"[{}]", _HOLE.sub("", pattern)):
                parts = [self.text(a) if isinstance(a, Output | Deferred | str) else str(a) for a in arguments]
                text = _HOLE.sub(lambda hole: str(parts[int(hole[1])]), pattern)
                self._wholes.setdefault(text, value)
                return text
        return self.keep(value) if isinstance(value, Output | Deferred) else value

    def whole(self, text: str) -> Value:
        """The value that a text was made for; None where it is put together of other texts."""
        return self._wholes.get(text)

    def pattern(self, text: str) -> tuple[str, list[Value]]:
        """A text as `format()` takes it: with a hole for each placeholder, and what the placeholders stand for."""
        pattern, values, at = "", list[Value](), 0
        for found in _PLACEHOLDER.finditer(text):
            if int(found[1]) < len(self.values):
                pattern += f"{verbatim(text[at : found.start()])}{{{len(values)}}}"
                values.append(self.values[int(found[1])])
                at = found.end()
        return pattern + verbatim(text[at:]), values

    def opened(self, text: str) -> Value:
        """The value that a text with placeholders is, as whoever asks for it must have it."""
        if (whole := self.whole(text)) is not None:
            return whole
        pattern, values = self.pattern(text)
        return values[0] if pattern == "{0}" else Deferred("format", (pattern, *values))

    def decided(self, value: Value) -> Value:
        """What the shape of the graph rests on, with secrets opened; what waits for run time stays open."""
        from engine.expand.apply import unseal
        from engine.expand.resolve import resolve
        from engine.expand.vault import MemoryVault

        vault = MemoryVault(b"")
        return unseal(resolve(value, lambda address: None, vault), vault)
