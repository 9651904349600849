"""What a process says, kept in files of limited size and number."""

from __future__ import annotations

import os


class Output:
    """The log of one process: `log` is written to, `log.1` is the one before, and so on."""

    __slots__ = ("_fd", "_size", "files", "path", "size")

    def __init__(self, path: str, size: int, files: int) -> None:
        self.path = path
        self.size = size
        self.files = files
        self._open()

    def write(self, data: bytes) -> None:
        """Add to it. What cannot be written, on a full disk, is lost: a process must not die of its log."""
        if self._size and self._size + len(data) > self.size:
            self._rotate()
        try:
            self._size += os.write(self._fd, data)
        except OSError:
            return

    def tail(self, lines: int) -> str:
        """The last lines, of at most two thousand bytes."""
        try:
            with open(self.path, "rb") as file:  # noqa: PTH123
                file.seek(max(0, self._size - 2000))
                text = file.read().decode(errors="replace")
        except OSError:
            return ""
        return "\n".join(text.rstrip().splitlines()[-lines:])

    def _open(self) -> None:
        self._fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._size = os.fstat(self._fd).st_size

    def _rotate(self) -> None:
        try:
            for n in range(self.files - 1, 0, -1):
                older = self.path if n == 1 else f"{self.path}.{n - 1}"
                if os.path.exists(older):  # noqa: PTH110
                    os.replace(older, f"{self.path}.{n}")  # noqa: PTH105
            if self.files == 1:
                os.unlink(self.path)  # noqa: PTH108
        except OSError:
            return
        os.close(self._fd)
        self._open()
