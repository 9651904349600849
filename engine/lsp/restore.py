"""Fetches what an open file names in registries and is not in the cache."""

from __future__ import annotations

from engine.lsp.analysis import Analysis
from engine.sources.port import Sources

COMMAND = "ulna.restore"
"""What an editor asks for, with the name of the file."""


def missing(analysis: Analysis) -> bool:
    """Whether there is anything to be fetched."""
    return any(model.missing for model in analysis.model.everything())


def restore(analysis: Analysis, sources: Sources) -> list[str]:
    """Fetches it all: a sentence for each that cannot be had. Takes as long as the network does."""
    from engine.pipeline.restoring import Wanted, fetch_all
    from engine.sources.cache import cache_root
    from engine.sources.lockfile import lock_path, read_lock

    lock = read_lock(lock_path(analysis.path), sources)
    wanted = [
        Wanted(artifact, cache_root(m.config.settings, m.config.path, sources.environment), lock.get(str(artifact)))
        for m in analysis.model.everything()
        for artifact in m.missing
    ]
    _, failed = fetch_all(dict.fromkeys(wanted))
    return [f"'{w.artifact}' could not be restored: {reason}" for w, reason in failed.items()]
