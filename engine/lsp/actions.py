"""What an editor offers to do about the findings in a stretch of text."""

from __future__ import annotations

from collections.abc import Iterator

from engine.diagnostics.diagnostic import Diagnostic, Edit, Safety, Severity
from engine.diagnostics.source import Span
from engine.lint.fixing import edits_of, select
from engine.lint.run import all_rules
from engine.lsp.analysis import Analysis
from engine.lsp.restore import COMMAND, missing
from engine.parse import tree
from engine.record import Record


class Action(Record):
    """Edits of the file, or a command about it, under an imperative title; `preferred` ones need no second thought."""

    title: str
    edits: tuple[Edit, ...]
    finding: Diagnostic | None = None
    preferred: bool = False
    kind: str = "quickfix"
    command: str = ""


def actions(analysis: Analysis, start: int, end: int) -> list[Action]:
    """The fixes of the findings that touch a stretch, then the ways to silence them, then to fix all there is."""
    here = [d for d in analysis.findings if _touches(analysis, d, start, end)]
    found = [
        Action(d.fix.title, d.fix.edits, d, preferred=d.fix.safety is Safety.SAFE) for d in here if d.fix is not None
    ]
    if missing(analysis) and (absent := next((d for d in here if d.code == "BCP190"), None)):
        found.append(Action("Restore what is missing", (), absent, preferred=True, command=COMMAND))
    found += _silences(analysis, here)
    return [*found, *_everything(analysis)]


def _touches(analysis: Analysis, finding: Diagnostic, start: int, end: int) -> bool:
    place = finding.primary
    return (
        place is not None
        and place.source is analysis.model.source
        and place.span.start <= end
        and start <= place.span.end
    )


def _silences(analysis: Analysis, findings: list[Diagnostic]) -> Iterator[Action]:
    seen = set()
    for finding in findings:
        assert finding.primary is not None, "only findings with a place touch anything"
        suppressible = finding.severity is not Severity.ERROR or finding.code in all_rules()
        line = analysis.model.source.position(finding.primary.span.start)[0]
        if suppressible and (finding.code, line) not in seen and not _in_text(analysis, line):
            seen.add((finding.code, line))
            yield Action(f"Disable {finding.code} for this line", (_pragma(analysis, line, finding.code),), finding)


def _in_text(analysis: Analysis, line: int) -> bool:
    """Whether a line begins inside of a string, where nothing can be put before it."""
    start = analysis.model.source.starts[line - 1]
    return any(t.multiline and t.start < start < t.end for t in analysis.model.nodes(tree.Text))


def _pragma(analysis: Analysis, line: int, code: str) -> Edit:
    """A `#disable-next-line` above a line, or one more code in the one that is there."""
    source = analysis.model.source
    if line > 1 and source.line(line - 1).lstrip().startswith("#disable-next-line"):
        end = source.starts[line - 2] + len(source.line(line - 1).rstrip())
        return Edit(Span(end, end), f" {code}")
    text = source.line(line)
    indent = text[: len(text) - len(text.lstrip())]
    newline = "\r\n" if "\r\n" in source.text else "\n"
    start = source.starts[line - 1]
    return Edit(Span(start, start), f"{indent}#disable-next-line {code}{newline}")


def _everything(analysis: Analysis) -> Iterator[Action]:
    """All safe fixes of the file that go together, as `lint --fix` chooses them."""
    own = (d for d in analysis.findings if d.primary is not None and d.primary.source is analysis.model.source)
    edits = edits_of(select(own, comments=analysis.file.comments))
    if edits:
        ordered = tuple(sorted(edits, key=lambda e: e.span.start))
        yield Action("Fix all that can be fixed safely", ordered, kind="source.fixAll")
