"""Fetches what an open file names in registries and is not in the cache."""

from __future__ import annotations

from engine.lsp.analysis import Analysis
from engine.lsp.buffers import Buffers

COMMAND = "ulna.restore"
"""What an editor asks for, with the name of the file."""

_FAILED = "BCP192"


def missing(analysis: Analysis) -> bool:
    """Whether there is anything to be fetched."""
    return any(model.missing for model in analysis.model.everything())


def restore(path: str, buffers: Buffers) -> list[str]:
    """Fetches it all: a sentence for each that cannot be had. Takes as long as the network does."""
    from engine.pipeline.restoring import checked

    model = checked(path, buffers)
    return [d.message for m in model.everything() for d in m.diagnostics if d.code == _FAILED]
