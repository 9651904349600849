"""Where the reference programs lie: the folder `shared` beside the repository, or where ULNA_SHARED says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("ULNA_SHARED", ROOT.parent / "shared"))
CONFORMANCE = SHARED / "conformance"

needs_corpus = pytest.mark.skipif(not CONFORMANCE.is_dir(), reason="no ../shared/conformance; set ULNA_SHARED")


def read(path: Path) -> str:
    """A program, whatever its encoding."""
    data = path.read_bytes()
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 reads everything")


def programs(*folders: str) -> list[Path]:
    """The programs below some folders, those left out that are wrong on purpose."""
    found = [p for f in folders for p in sorted((CONFORMANCE / f).rglob("*.bicep*"))]
    return [p for p in found if "Invalid" not in str(p) and ".diagnostics" not in p.name]
