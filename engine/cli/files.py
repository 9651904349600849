"""Files that a verb writes."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from engine.diagnostics.diagnostic import UlnaError

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


def write_private(path: Path, document: Any) -> None:
    """A JSON document in a file that only its owner may read, whole or not at all."""
    from engine.build.render import render_json

    text = render_json(document) + "\n"
    if path.is_dir():
        raise UlnaError.of("ULN715", f"'{path}' cannot be written: it is a folder")
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise _unwritable(path, error) from None


def write_text(path: Path, text: str) -> None:
    """A text in a file; the folders above it are made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise _unwritable(path, error) from None


def read_json(path: Path) -> Any:
    """The JSON in a file."""
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise UlnaError.of("ULN711", f"'{path}': {error.strerror}") from None
    except (ValueError, RecursionError):
        raise UlnaError.of("ULN714", f"'{path}' is not JSON", "Is it the right file?") from None


def _unwritable(path: Path, error: OSError) -> UlnaError:
    return UlnaError.of("ULN715", f"'{path}' cannot be written: {error.strerror}")
