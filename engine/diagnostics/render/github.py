"""Diagnostics as GitHub workflow commands, which annotate the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable

from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.render.place import place

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One command a line."""
    return "".join(_command(d) for d in diagnostics)


render_github = render


def _command(diagnostic: Diagnostic) -> str:
    fields = []
    if diagnostic.primary:
        at = place(diagnostic.primary)
        fields = [f"file={_property(at.file)}", f"line={at.line}", f"col={at.column}", f"endLine={at.end_line}"]
        if at.end_line == at.line:  # an end column is taken as one of the first line
            fields.append(f"endColumn={at.end_column}")
    fields.append(f"title={_property(diagnostic.code)}")
    text = diagnostic.message + (f"\n{diagnostic.help}" if diagnostic.help else "")
    return f"::{_COMMANDS[diagnostic.severity]} {','.join(fields)}::{_data(text)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
