"""Diagnostics for people: the place, the message, the source line with carets, and what to do."""

from __future__ import annotations

from collections.abc import Iterable

from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.render.excerpt import excerpt, printable

_COLOURS = {Severity.ERROR: "31;1", Severity.WARNING: "33;1", Severity.INFO: "36;1"}
_BOLD, _DIM, _HELP, _RELATED = "1", "34;1", "32;1", "34;1"


def render(diagnostics: Iterable[Diagnostic], colour: bool = False) -> str:
    """All of them, with an empty line between two; the text ends with a newline, or is empty."""
    return "\n".join(_Painter(colour).diagnostic(d) for d in diagnostics)


def render_text(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:
    """`render`, under the name that the console knows."""
    return render(diagnostics, color)


class _Painter:
    """How one diagnostic is laid out."""

    __slots__ = ("colour",)

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def paint(self, text: str, code: str) -> str:
        """The text in a colour, if there are colours."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def diagnostic(self, diagnostic: Diagnostic) -> str:
        """Its lines."""
        shade = _COLOURS[diagnostic.severity]
        head = self.paint(f"{diagnostic.severity.value} {printable(diagnostic.code)}", shade)
        first, *more = printable(diagnostic.message).split("\n")
        lines = [f"{head}: {self.paint(first, _BOLD)}", *(f"  {line}" for line in more)]
        primary = diagnostic.primary
        if primary is not None:
            line, column = primary.source.position(primary.span.start)
            lines[0] = f"{printable(primary.source.name)}:{line}:{column}: {lines[0]}"
            others = (*diagnostic.related, *primary.calls)
            labels = [primary, *others]
            gutter = max(len(str(label.source.position(label.span.start)[0])) for label in labels)
            lines += self.excerpt(primary, gutter, shade)
            shown = primary
            for label in others:
                if label.source is not shown.source:
                    line, column = label.source.position(label.span.start)
                    arrow = self.paint("-->", _DIM)
                    lines.append(f"{' ' * gutter} {arrow} {printable(label.source.name)}:{line}:{column}")
                lines += self.excerpt(label, gutter, _RELATED, opened=label.source is shown.source)
                shown = label
        if diagnostic.help:
            first, *more = printable(diagnostic.help).split("\n")
            lines += [f"{self.paint('help', _HELP)}: {first}", *(f"      {line}" for line in more)]
        if diagnostic.fix:
            lines.append(f"{self.paint('fix', _HELP)}: {printable(diagnostic.fix.title)}")
        return "\n".join(lines) + "\n"

    def excerpt(self, label: Label, gutter: int, shade: str, opened: bool = False) -> list[str]:
        """The source line of a label, with its marks and words."""
        part = excerpt(label)
        bar = self.paint("|", _DIM)
        number = self.paint(f"{part.line:>{gutter}}", _DIM)
        mark = "^" if shade != _RELATED else "-"
        marks = self.paint(f"{mark * part.width} {printable(label.text)}".rstrip(), shade)
        blank = [] if opened else [f"{' ' * gutter} {bar}"]
        return [*blank, f"{number} {bar} {part.text}".rstrip(), f"{' ' * gutter} {bar} {' ' * part.indent}{marks}"]
