"""The text of a file in its canonical form."""

from __future__ import annotations

from engine.lsp.analysis import Analysis


def formatted(analysis: Analysis) -> str | None:
    """The whole text as `ulna format` would write it; None where there is nothing to format."""
    from engine.format.format import format
    from engine.format.options import from_settings

    source = analysis.model.source
    return format(source, from_settings(analysis.model.config.get("formatting") or {})) if source.text else None
