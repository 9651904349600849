"""The source files that a verb works on: named one by one, all below a folder, or all that fit a pattern."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from engine.diagnostics.diagnostic import UlnaError

ENDINGS = (".bicep", ".bicepparam")


def selected(words: Sequence[str], pattern: str | None = None) -> list[str]:
    """The files that words and a pattern mean, each once; what is named is taken as it is, and folders are searched.

    Hidden folders and links to folders are passed over. A call that means no file at all, or another kind, is refused.
    """
    files = list(words)
    if pattern is not None:
        files += fitting(pattern)
    if not files:
        raise UlnaError.of("ULN701", "FILE is missing", "Name files or folders, or give a --pattern.", exit_code=2)
    once: dict[str, str] = {}
    for word in files:
        folder = os.path.isdir(word)  # noqa: PTH112
        if not folder and not word.endswith(ENDINGS):
            raise UlnaError.of("ULN706", f"'{word}' is no .bicep or .bicepparam file", exit_code=2)
        for file in _below(word) if folder else (word,):
            once.setdefault(os.path.realpath(file), file)
    return list(once.values())


def fitting(pattern: str, endings: tuple[str, ...] = ENDINGS) -> list[str]:
    """The files of some kinds that fit a pattern, in order; there is at least one."""
    from glob import glob

    paths = glob(pattern, recursive=True)  # noqa: PTH207  absolute ones too
    found = sorted(path for path in paths if path.endswith(endings) and os.path.isfile(path))  # noqa: PTH113
    if not found:
        help = "Quote it, so that the shell leaves it."
        raise UlnaError.of("ULN701", f"No {' or '.join(endings)} file fits '{pattern}'", help, exit_code=2)
    return found


def below(pattern: str, path: str) -> str:
    """A path that fits a pattern, without the folders that the pattern names outright: all that fit differ in the rest."""
    from glob import has_magic

    folders = pattern.split("/")[:-1]
    fixed = next((n for n, folder in enumerate(folders) if has_magic(folder)), len(folders))
    return "/".join(path.split("/")[fixed:])


def _below(folder: str) -> Iterator[str]:
    found = False
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(names):
            if name.endswith(ENDINGS):
                found = True
                yield os.path.normpath(os.path.join(where, name))  # noqa: PTH118
    if not found:
        raise UlnaError.of("ULN706", f"No .bicep or .bicepparam file is in '{folder}'", exit_code=2)
