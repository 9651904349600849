"""The identity of one state at one platform: two states may use one engine, cluster or account, and the same names in it.

It is eight hexadecimal digits in a file of the provider's own folder, made when something is first created, and stands in the
marks of all that this state owns.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

from engine.contract.errors import Terminal
from engine.contract.private import write


class Home:
    """See the module; `folder` is the provider's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._id = ""

    @property
    def id(self) -> str:
        """The identity; "" before anything was created."""
        if not self._id:
            with suppress(OSError):
                self._id = (self.folder / "home").read_text().strip()
        return self._id

    def make(self) -> str:
        """The identity, made if there is none yet: once, whoever asks at the same time."""
        if not self.id:
            try:
                draft = self.folder / f"home.{os.getpid()}.{threading.get_ident()}"
                write(draft, os.urandom(4).hex())
                with suppress(FileExistsError):
                    (self.folder / "home").hardlink_to(draft)
                draft.unlink()
            except OSError as error:
                reason = f"'{self.folder}' cannot be written: {error.strerror}"
                raise Terminal(reason, "Free space, or let Ulna write to its state folder.") from error
        return self.id
