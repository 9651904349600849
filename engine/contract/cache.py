"""The user's cache folder: what Ulna keeps there it can make again, so a cache that cannot be used is none."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def cache_folder() -> Path:
    """Where it is: `$XDG_CACHE_HOME/ulna` if that is absolute, else `~/.cache/ulna`; who has no home has a place that is none."""
    wanted = Path(os.environ.get("XDG_CACHE_HOME") or "")
    if wanted.is_absolute():
        return wanted / "ulna"
    try:
        return Path.home() / ".cache" / "ulna"
    except RuntimeError:
        return Path(os.devnull) / "ulna"


def keep(file: Path, text: str) -> None:
    """Write a file in one step, readable by its owner only; or leave it, if it cannot be written."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
        draft.replace(file)
    except OSError:
        with suppress(OSError):
            draft.unlink()
