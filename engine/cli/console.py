"""Where a verb speaks: results to stdout, everything said about them to stderr, in colour only where that is seen."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence

from engine.diagnostics.diagnostic import Diagnostic, Severity

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from argparse import Namespace
    from typing import Any, TextIO


class Console:
    """Two streams and how to write to them.

    `format` is what the call asked for, `problems` the form of diagnostics (that of the rest if it has none of its own),
    `verbose` how often it said -v.
    """

    __slots__ = ("_no_color", "err", "format", "out", "problems", "verbose")

    def __init__(self, format: str = "text", no_color: bool = False, verbose: int = 0, problems: str = "") -> None:
        self.format = format
        self.problems = problems or format
        self.verbose = verbose
        self._no_color = no_color
        self.out: TextIO = sys.stdout
        self.err: TextIO = sys.stderr
        for stream in (self.out, self.err):  # an old terminal shows a question mark, and gets no traceback
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")

    @classmethod
    def of(cls, options: Namespace) -> Console:
        """As the options of a verb ask for."""
        return cls(
            getattr(options, "format", "text"),
            getattr(options, "no_color", False),
            getattr(options, "verbose", 0),
            getattr(options, "diagnostics_format", ""),
        )

    @classmethod
    def of_words(cls, words: Sequence[str]) -> Console:
        """For a call that could not be parsed, as far as can be told."""
        return cls("json" if _asks_json(words) else "text", "--no-color" in words)

    @property
    def json(self) -> bool:
        """Whether a program reads along."""
        return self.format == "json"

    def colour(self, stream: TextIO) -> bool:
        """Whether colours are wanted on a stream."""
        return wants_colour(stream, self._no_color, os.environ)

    def live(self) -> bool:
        """Whether lines can be drawn again: for people, at a terminal that knows how."""
        return self.format == "text" and self.err.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def write(self, text: str) -> None:
        """Results, with their line feeds."""
        self.out.write(text)

    def line(self, text: str = "") -> None:
        """One line of results."""
        self.out.write(f"{text}\n")

    def document(self, value: Any) -> None:
        """A result as JSON, indented."""
        from engine.build.render import render_json  # with an indent, `json` takes three times as long

        self.out.write(render_json(value) + "\n")

    def say(self, text: str) -> None:
        """A line about what goes on, for people."""
        if not self.json:
            self.err.write(f"{text}\n")
            self.err.flush()

    def paint(self, text: str, code: str, stream: TextIO | None = None) -> str:
        """The text in a colour (the numbers of an ANSI escape), where colours are wanted."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour(stream or self.out) else text

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Problems, to stderr, file by file; information only for those who ask for more."""
        shown = [d for d in diagnostics if self.verbose or d.severity is not Severity.INFO]
        if shown:
            self.out.flush()  # so that results and problems keep their order where both go to one place
            text = as_text(sorted(shown, key=lambda d: d.sort_key), self.problems, self.colour(self.err))
            self.err.write(text)

    def table(
        self, head: Sequence[str], rows: Iterable[Sequence[str]], colours: Mapping[int, Mapping[str, str]] | None = None
    ) -> None:
        """Rows under their heads, one line each, each column as wide as it must be; `colours` has one for some words of a column."""
        cells = [tuple(head), *(tuple(" / ".join(str(cell).splitlines()) for cell in row) for row in rows)]
        widths = [max(len(row[n]) for row in cells) for n in range(len(head))]
        self.line(self.paint("  ".join(f"{c:<{w}}" for c, w in zip(head, widths, strict=True)).rstrip(), "1"))
        for row in cells[1:]:
            padded = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)]
            for n, words in (colours or {}).items():
                if row[n] in words:
                    padded[n] = self.paint(padded[n], words[row[n]])
            self.line("  ".join(padded).rstrip())


def as_text(diagnostics: Sequence[Diagnostic], format: str, colour: bool = False) -> str:
    """Problems in one of the forms there are for them."""
    match format:
        case "json":
            from engine.diagnostics.render.json import render as render_json

            return render_json(diagnostics)
        case "sarif":
            from engine.cli.commands.version import VERSION
            from engine.diagnostics.render.sarif import render as render_sarif

            return render_sarif(diagnostics, VERSION, _described)
        case "github":
            from engine.diagnostics.render.github import render as render_github

            return render_github(diagnostics)
        case "junit":
            from engine.diagnostics.render.junit import render as render_junit

            return render_junit(diagnostics)
        case _:
            from engine.diagnostics.render.text import render as render_text

            return render_text(diagnostics, colour)


def _described(code: str) -> tuple[str, str]:
    """What a code or rule is about, and what to do."""
    from engine.diagnostics.codes import explain
    from engine.lint.run import all_rules

    rule = all_rules().get(code)
    page = rule.page if rule is not None else (explain(code) or "").partition(": ")[2]
    title, _, advice = page.partition("\n")
    return title, advice.strip()


def wants_colour(stream: TextIO, no_color: bool, environ: Mapping[str, str]) -> bool:
    """Whether to colour: --no-color and NO_COLOR say no, CLICOLOR_FORCE yes, else a terminal that is not dumb decides."""
    if no_color or environ.get("NO_COLOR"):
        return False
    if environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return stream.isatty() and environ.get("TERM") != "dumb"


def _asks_json(words: Sequence[str]) -> bool:
    if "--format=json" in words:
        return True
    return any(w in ("--format", "-o") and words[n + 1 : n + 2] == ["json"] for n, w in enumerate(words))
