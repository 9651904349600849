"""An image of Caddy for an engine that cannot pull one: the program alone, as the package brings it."""

from __future__ import annotations

import io
import os
import sysconfig
import tarfile
from pathlib import Path
from shutil import which
from typing import Any

import pytest

CADDY = "localhost/caddy:2"
_DOCKERFILE = b'FROM scratch\nCOPY caddy /usr/bin/caddy\nCMD ["caddy", "version"]\n'


def provide(api: Any) -> str:
    """Let the engine have the image; skips where there is no Caddy."""
    if api.images(name=CADDY):
        return CADDY
    found = which("caddy", path=f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        pytest.skip("caddy is not installed (ulna[gateway])")
    context = io.BytesIO()
    with tarfile.open(fileobj=context, mode="w") as tar:
        for name, data, mode in (("Dockerfile", _DOCKERFILE, 0o644), ("caddy", Path(found).read_bytes(), 0o755)):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), mode
            tar.addfile(entry, io.BytesIO(data))
    context.seek(0)
    said = list(api.build(fileobj=context, custom_context=True, tag=CADDY, rm=True, decode=True))
    assert api.images(name=CADDY), said
    return CADDY
