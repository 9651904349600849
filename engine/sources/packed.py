"""The files in a `.tgz`, within limits: what came from elsewhere may be made to fill the memory."""

from __future__ import annotations

from collections.abc import Mapping

LARGEST = 256 * 1024 * 1024
"""No package is longer, unpacked."""

MOST = 20_000
"""No package has more files."""


def unpacked(content: bytes) -> Mapping[str, bytes]:
    """The content of every regular file by its path, or `ValueError` with the reason; links lead nowhere."""
    import io
    import tarfile
    from gzip import GzipFile
    from zlib import error

    found: dict[str, bytes] = {}
    left = LARGEST
    try:
        with GzipFile(fileobj=io.BytesIO(content)) as packed:
            plain = packed.read(LARGEST + 1)
        if len(plain) > LARGEST:
            raise ValueError("it is too long")
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
            for member in archive:
                if not member.isreg():
                    continue
                left -= member.size
                if left < 0 or len(found) >= MOST:
                    raise ValueError("it is too long")
                file = archive.extractfile(member)
                found[member.name.removeprefix("./")] = file.read() if file is not None else b""
    except (OSError, EOFError, error, tarfile.TarError):
        raise ValueError("it is no .tgz, or damaged") from None
    return found
