"""Diagnostics as JSON, for documents that hold more than diagnostics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.diagnostics.diagnostic import Diagnostic


def as_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """One object each: code, severity, message, and where there are any place and help."""
    return [_one(d) for d in diagnostics]


def _one(diagnostic: Diagnostic) -> dict[str, Any]:
    found: dict[str, Any] = {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
    }
    if diagnostic.primary is not None:
        source, span = diagnostic.primary.source, diagnostic.primary.span
        line, column = source.position(span.start)
        found |= {"file": source.name, "line": line, "column": column}
    if diagnostic.help:
        found["help"] = diagnostic.help
    return found
