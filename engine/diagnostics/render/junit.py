"""Diagnostics as a JUnit report, for the test pages of a CI server: a file is a suite, a problem a case."""

from __future__ import annotations

from collections.abc import Iterable

from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.render.place import place


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """The report; only errors are failures, and a report without any problem has one passing case."""
    suites: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        suites.setdefault(diagnostic.primary.source.name if diagnostic.primary else "ulna", []).append(diagnostic)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    for name, found in suites.items():
        failures = sum(d.severity is Severity.ERROR for d in found)
        lines.append(f'  <testsuite name="{_escape(name)}" tests="{len(found)}" failures="{failures}">')
        for diagnostic in found:
            lines += _case(name, diagnostic)
        lines.append("  </testsuite>")
    if not suites:
        lines.append('  <testsuite name="ulna" tests="1" failures="0">')
        lines += ['    <testcase classname="ulna" name="no problems"/>', "  </testsuite>"]
    return "\n".join([*lines, "</testsuites>"]) + "\n"


render_junit = render


def _case(suite: str, diagnostic: Diagnostic) -> list[str]:
    at = place(diagnostic.primary) if diagnostic.primary else None
    name = f"{diagnostic.code} at {at.line}:{at.column}" if at else diagnostic.code
    text = _escape(diagnostic.message + (f"\n{diagnostic.help}" if diagnostic.help else ""))
    head = f'    <testcase classname="{_escape(suite)}" name="{_escape(name)}">'
    if diagnostic.severity is Severity.ERROR:
        body = (
            f'      <failure message="{_escape(diagnostic.message)}" type="{_escape(diagnostic.code)}">{text}</failure>'
        )
    else:
        body = f"      <system-out>{diagnostic.severity.value}: {text}</system-out>"
    return [head, body, "    </testcase>"]


def _escape(text: str) -> str:
    """The text as XML may hold it, in an attribute too."""
    text = "".join(c if c in "\t\n\r" or (c >= " " and not "\ud800" <= c <= "\udfff") else "\ufffd" for c in text)
    text = text.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
