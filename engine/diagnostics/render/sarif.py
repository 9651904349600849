"""Diagnostics as SARIF 2.1.0, for code scanners and editors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.render.place import place

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(
    diagnostics: Iterable[Diagnostic], version: str = "", describe: Callable[[str], tuple[str, str]] | None = None
) -> str:
    """One run of the tool, indented, with a newline at its end; `version` is the tool's.

    `describe` gives the title of a code and what to do about it; scanners show both beside each finding.
    """
    shown = list(diagnostics)
    driver: dict[str, Any] = {"name": "ulna"}
    if version:
        driver["version"] = version
    driver["rules"] = [_rule(code, describe) for code in dict.fromkeys(d.code for d in shown)]
    run = {"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": [_result(d) for d in shown]}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


render_sarif = render


def _rule(code: str, describe: Callable[[str], tuple[str, str]] | None) -> dict[str, Any]:
    title, advice = describe(code) if describe is not None else ("", "")
    rule: dict[str, Any] = {"id": code}
    if title:
        rule["shortDescription"] = {"text": title}
    if advice:
        rule["help"] = {"text": advice}
    return rule


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
    text = diagnostic.message + (f"\n{diagnostic.help}" if diagnostic.help else "")
    out: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": text},
    }
    if diagnostic.primary:
        out["locations"] = [_location(diagnostic.primary)]
    others = (*diagnostic.related, *(diagnostic.primary.calls if diagnostic.primary else ()))
    if others:
        out["relatedLocations"] = [_location(label, number) for number, label in enumerate(others)]
    if diagnostic.fix and diagnostic.primary:
        source = diagnostic.primary.source
        replacements = [
            {"deletedRegion": _region(Label(source, e.span)), "insertedContent": {"text": e.text}}
            for e in diagnostic.fix.edits
        ]
        change = {"artifactLocation": {"uri": _uri(source.name)}, "replacements": replacements}
        out["fixes"] = [{"description": {"text": diagnostic.fix.title}, "artifactChanges": [change]}]
    return out


def _location(label: Label, number: int | None = None) -> dict[str, Any]:
    physical = {"artifactLocation": {"uri": _uri(label.source.name)}, "region": _region(label)}
    out: dict[str, Any] = {} if number is None else {"id": number}
    out["physicalLocation"] = physical
    if label.text:
        out["message"] = {"text": label.text}
    return out


def _region(label: Label) -> dict[str, int]:
    at = place(label)
    return {
        "startLine": at.line,
        "startColumn": at.column,
        "endLine": at.end_line,
        "endColumn": at.end_column,
    }


def _uri(name: str) -> str:
    """A file's name as a reference: an absolute path gets a scheme, other characters than plain ones are escaped."""
    from urllib.parse import quote

    path = quote(name.replace("\\", "/").encode("utf-8", "surrogatepass"), safe="/:@!$&'()*+,;=~-._")
    if path.startswith("/"):
        return f"file://{path}"
    return f"file:///{path}" if name[1:3] in (":\\", ":/") else path
