"""Names: identifiers made of whatever a template calls things by, each given once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.decompile.simplify import Call, Index, Joined, Literal, Member, Node

_ODD = re.compile(r"[^A-Za-z0-9_]+")
_LAST_NAME = re.compile(r"^(.+?)_?Name(\d*)$")
_TAKEN = frozenset({"true", "false", "null", "az", "sys"})


def identifier(text: str) -> str:
    """The nearest identifier."""
    name = _ODD.sub("_", text)
    return f"_{name}" if not name or name[0].isdigit() else name


def is_identifier(text: str) -> bool:
    """Whether a text can stand as a name as it is."""
    return identifier(text) == text


class Names:
    """The names of one file; letters' case does not tell two apart."""

    __slots__ = ("_taken", "given")

    def __init__(self) -> None:
        self._taken = set(_TAKEN)
        self.given: set[str] = set()
        """Those given, in their own letters' case: a function of the same name is hidden by one."""

    def take(self, wanted: str, suffix: str) -> str:
        """The name that was wanted, or the nearest to it that is free."""
        name, number = wanted, 1
        while name.lower() in self._taken:
            name = f"{wanted}{suffix}" if number == 1 else f"{wanted}{suffix}_{number}"
            number += 1
        self._taken.add(name.lower())
        self.given.add(name)
        return name


def resource_name(node: Node) -> str:
    """A symbol for a resource, of the words in its name."""
    words = [w for word in _words(node) if (w := _ODD.sub("_", word).strip("_") if not _plain(word) else word)]
    name = re.sub(r"__+", "_", "_".join(words)) if len(words) > 1 else "".join(words)
    if match := _LAST_NAME.match(name):
        name = match[1] + match[2]
    return identifier(name or "resource")


def _plain(word: str) -> bool:
    return is_identifier(word)


def _words(node: Node) -> Iterator[str]:
    match node:
        case Literal(value):
            yield str(value)
        case Joined(parts):
            for part in parts:
                if isinstance(part, str):
                    yield part
                else:
                    yield from _words(part)
        case Call(_, arguments):
            for argument in arguments:
                yield from _words(argument)
        case Member(base, name):
            yield from _words(base)
            yield name
        case Index(base, index):
            yield from _words(base)
            yield from _words(index)
