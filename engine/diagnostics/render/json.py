"""Diagnostics as a JSON array, for scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from engine.diagnostics.diagnostic import Diagnostic, Edit, Label
from engine.diagnostics.render.place import place


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """The array, indented, with a newline at its end."""
    return json.dumps([as_object(d) for d in diagnostics], indent=2) + "\n"


render_json = render


def as_object(diagnostic: Diagnostic) -> dict[str, Any]:
    """One diagnostic; lines and columns count from 1, columns in UTF-16 units; what is empty is left out."""
    out: dict[str, Any] = {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
    }
    if diagnostic.primary:
        out |= as_place(diagnostic.primary)
    if diagnostic.related:
        out["related"] = [_label(label) for label in diagnostic.related]
    if diagnostic.help:
        out["help"] = diagnostic.help
    if diagnostic.fix and diagnostic.primary:
        fix, source = diagnostic.fix, diagnostic.primary
        edits = [_edit(source, edit) for edit in fix.edits]
        out["fix"] = {"title": fix.title, "safety": fix.safety.value, "edits": edits}
    if diagnostic.tags:
        out["tags"] = list(diagnostic.tags)
    return out


def as_place(label: Label) -> dict[str, Any]:
    """A place, with the modules through which it is reached under `stack`, the innermost first."""
    out = _label(label)
    return out | ({"stack": [_label(call) for call in label.calls]} if label.calls else {})


def _label(label: Label) -> dict[str, Any]:
    at = place(label)
    out: dict[str, Any] = {
        "file": at.file,
        "start": {"line": at.line, "column": at.column, "offset": label.span.start},
        "end": {"line": at.end_line, "column": at.end_column, "offset": label.span.end},
    }
    return out | ({"text": label.text} if label.text else {})


def _edit(primary: Label, edit: Edit) -> dict[str, Any]:
    where = _label(Label(primary.source, edit.span))
    return {"start": where["start"], "end": where["end"], "text": edit.text}
