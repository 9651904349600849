"""Reading pages of `tests/spec/format`: a fence with a program, and one with what it becomes.

After the language stand options, `width=40`; the second fence says `formatted`. A program whose next fence is another
program is one that stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine.format.options import NEWLINES, Options

PAGES = Path(__file__).parents[1] / "spec" / "format"
FENCE = re.compile(r"^```(bicep|bicepparam)((?: [\w=-]+)*)\n(.*?)^```$", re.M | re.S)


class Case(NamedTuple):
    """A program, its options, and its canonical text."""

    name: str
    heading: str
    text: str
    options: Options
    expected: str


def cases() -> Iterator[Case]:
    """All cases of all pages."""
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        found = list(FENCE.finditer(text))
        for place, match in enumerate(found):
            if "formatted" in match[2]:
                continue
            following = found[place + 1] if place + 1 < len(found) else None
            expected = following[3] if following and "formatted" in following[2] else match[3]
            heading = re.findall(r"^#+ (.*)$", text[: match.start()], re.MULTILINE)[-1]
            yield Case(f"main.{match[1]}", f"{page.stem}: {heading}", match[3], _options(match[2]), expected)


def _options(words: str) -> Options:
    given = dict(word.split("=") for word in words.split())
    indent = {"tab": "\t"}.get(given.get("indent", ""), " " * int(given.get("size", "2")))
    return Options(int(given.get("width", "120")), indent, NEWLINES[given.get("newline", "lf")])
