"""Where the files of deployments are: kept as seen from the folder that holds the state."""

from __future__ import annotations

from pathlib import Path

from engine.state.store import Store

SUBMITTED = "submitted"
"""The folder of the state where a worker keeps what people submitted: whose place there says nothing to them."""


def placed(store: Store, file: str) -> Path:
    """Where a deployment's file is."""
    return (store.folder.absolute().parent / file).resolve()


def is_submitted(store: Store, file: str) -> bool:
    """Whether it is a copy that somebody submitted."""
    return file.startswith(f"{store.folder.name}/{SUBMITTED}/")


def is_same(store: Store, file: str, other: Path) -> bool:
    """Whether a deployment's file is this one: at its place, be it by a link, or submitted, and this says the same."""
    made = placed(store, file)
    if made == other.resolve():
        return True
    try:
        return is_submitted(store, file) and made.read_bytes() == other.read_bytes()
    except OSError:
        return False
