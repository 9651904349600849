"""The text of a file in its canonical form."""

from __future__ import annotations

from engine.lsp.analysis import Analysis


def formatted(analysis: Analysis) -> str | None:
    """The whole text as `ulna format` would write it; None where there is nothing to format."""
    from engine.format.format import format
    from engine.format.options import from_settings

    read = (analysis.file, analysis.syntax) if analysis.syntax is not None else None
    options = from_settings(analysis.model.config.get("formatting") or {})
    return format(analysis.model.source, options, read) if analysis.text else None
