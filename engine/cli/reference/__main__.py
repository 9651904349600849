"""`python -m engine.cli.reference` writes the pages anew."""

from __future__ import annotations

import sys
from pathlib import Path

from engine.cli.reference.pages import PAGES


def write(folder: Path) -> None:
    """Every page into a folder."""
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8", newline="\n")
        sys.stdout.write(f"wrote {folder / name}\n")


if __name__ == "__main__":
    write(Path(__file__).parent)
