"""The examples of the pages beside this file; those of rules are in their docstrings, in the same form."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from engine.record import Record


class Example(Record):
    """A program, or commands, with which a code is found (`bad`) and not (`good`); `files` lie beside both.

    `kind` is `bicep`, `bicepparam`, `json` for a bicepconfig.json, `sh`, or `run` for commands that run anywhere.
    """

    code: str
    kind: str
    bad: str
    good: str
    files: tuple[tuple[str, str], ...] = ()


def program(text: str) -> str:
    """The text as it is compiled: `@@ 3 param p{} int` stands for as many lines, numbered in the braces from 0."""
    return _unrolled(text, lambda line, count: [line.replace("{}", str(n)) for n in range(count)])


def shown(text: str) -> str:
    """The text as it is read: of such lines the first, and how many more there are."""
    return _unrolled(text, lambda line, count: [line.replace("{}", "0"), f"// … and {count - 1} more like it"])


def _unrolled(text: str, lines: Callable[[str, int], list[str]]) -> str:
    out: list[str] = []
    for line in text.split("\n"):
        if line.startswith("@@ "):
            _, count, pattern = line.split(" ", 2)
            out += lines(pattern, int(count))
        else:
            out.append(line)
    return "\n".join(out)


def example(code: str) -> Example | None:
    """The example of a code; None where there is none."""
    wanted = code.lower()
    return next((e for e in examples() if e.code.lower() == wanted), None)


def examples() -> Iterator[Example]:
    """The examples of all codes, page by page."""
    folder = os.path.dirname(__file__)  # noqa: PTH120
    for name in sorted(os.listdir(folder)):  # noqa: PTH208
        if name.endswith(".txt"):
            with open(f"{folder}/{name}", encoding="utf-8") as page:  # noqa: PTH123
                yield from _page(page.read())


def _page(text: str) -> Iterator[Example]:
    for section in ("\n" + text).split("\n=== ")[1:]:
        head, _, body = section.partition("\n")
        code, _, kind = head.strip().partition(" ")
        yield read(code, kind, body)


def read(code: str, kind: str, body: str) -> Example:
    """One example, from the text below its head."""
    files: list[tuple[str, str]] = []
    while body.startswith(">>> "):
        file, _, body = body.partition("\n<<<\n")
        name, _, content = file.removeprefix(">>> ").partition("\n")
        files.append((name, content + "\n"))
    bad, _, good = (body.rstrip("\n") + "\n").partition("\n---\n")
    return Example(code, kind or "bicep", bad + "\n", good, tuple(files))
