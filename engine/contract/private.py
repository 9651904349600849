"""Folders and files that only their owner can look into: what providers keep beside the state."""

from __future__ import annotations

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from pathlib import Path


def make(folder: Path | str) -> None:
    """Make a folder, and those above it that are missing; all of them 0700. Raises `OSError`."""
    here, missing = os.path.abspath(folder), []  # noqa: PTH100  pathlib costs a supervisor 8 ms
    while not os.path.isdir(here):  # noqa: PTH112
        missing.append(here)
        here = os.path.dirname(here)  # noqa: PTH120
    for each in reversed(missing):
        try:
            os.mkdir(each, 0o700)  # noqa: PTH102
        except FileExistsError:
            if not os.path.isdir(each):  # noqa: PTH112
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), each) from None


def write(file: Path, content: str | bytes) -> None:
    """Replace a file in one step, 0600, in a folder that is made if it is missing. Raises `OSError`."""
    import threading

    make(file.parent)
    draft = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(content.encode() if isinstance(content, str) else content)
        draft.replace(file)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
