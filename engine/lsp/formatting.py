"""The text of a file in its canonical form; what was formatted before is not formatted again."""

from __future__ import annotations

from functools import lru_cache

from engine.diagnostics.source import Source
from engine.format.format import first_newline, format
from engine.format.options import Options, from_settings
from engine.lsp.analysis import Analysis
from engine.lsp.growing import margins
from engine.parse.parser import parse

_KEPT = 4000
"""How many pieces are remembered: some files of thousands of lines."""


def formatted(analysis: Analysis) -> str | None:
    """The whole text as `ulna format` would write it; None where there is nothing to format."""
    if not analysis.text:
        return None
    options = from_settings(analysis.model.config.get("formatting") or {})
    if analysis.syntax == () and (text := _joined(analysis, options)) is not None:
        return text
    read = (analysis.file, analysis.syntax) if analysis.syntax is not None else None
    return format(analysis.model.source, options, read)


def _joined(analysis: Analysis, options: Options) -> str | None:
    """The text of a file without mistakes, piece by piece: each begins with a statement at the margin."""
    text = analysis.text
    newline = options.newline or first_newline(text)
    alone = options.replace(newline=newline, final_newline=False)
    cuts = margins(analysis.file.statements, text)
    kind = ".bicepparam" if analysis.model.source.name.endswith(".bicepparam") else ".bicep"
    out: list[str] = []
    before = ""
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        written = text[start:end]
        piece = _piece(kind, written, alone)
        if piece is None:
            return None
        if out and piece:
            out.append(newline * (1 + _ends_blank(before)))
        out += [piece] if piece else []
        before = written
    return "".join([*out, newline if options.final_newline else ""])


@lru_cache(_KEPT)
def _piece(kind: str, text: str, options: Options) -> str | None:
    source = Source(kind, text)
    file, problems = parse(source)
    return None if problems else format(source, options, (file, problems))


def _ends_blank(text: str) -> bool:
    """Whether an empty line stands at the end of a text."""
    end = text[len(text.rstrip(" \t\r\n")) :].replace("\r\n", "\n")
    return end.count("\n") + end.count("\r") > 1
