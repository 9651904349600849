"""What day it is: for advice that depends on it, and never for what is compiled."""

from __future__ import annotations

from engine.sources.port import Sources


def today(sources: Sources | None) -> str:
    """The day as `2026-12-01`; that of $SOURCE_DATE_EPOCH, where a run is to be repeated."""
    from time import gmtime, strftime, time

    fixed = (sources.environment("SOURCE_DATE_EPOCH") if sources is not None else None) or ""
    return strftime("%Y-%m-%d", gmtime(int(fixed) if fixed.isdecimal() and len(fixed) < 12 else time()))
