"""`ulna.lock`, beside the root file: which digest each tag meant when it was last restored on purpose."""

from __future__ import annotations

from collections.abc import Mapping

from engine.diagnostics.diagnostic import UlnaError
from engine.sources.port import Sources, Unreadable

NAME = "ulna.lock"
VERSION = 1


def lock_path(root_file: str) -> str:
    """The path of the lock file that holds for a root file and all it leads to."""
    return f"{root_file.rpartition('/')[0]}/{NAME}"


def read_lock(path: str, sources: Sources) -> Mapping[str, str]:
    """Digests by full reference; empty where there is no lock file."""
    if not sources.exists(path):
        return {}
    import json

    try:
        document = json.loads(sources.read(path))
    except Unreadable as problem:
        raise _wrong(path, problem.reason) from None
    except (ValueError, RecursionError):
        raise _wrong(path, "it is not JSON") from None
    if not isinstance(document, dict) or not isinstance(modules := document.get("modules"), dict):
        raise _wrong(path, "it has no 'modules'")
    if document.get("version") != VERSION:
        raise _wrong(path, f"its version is {document.get('version')!r}, and this Ulna knows {VERSION}")
    for reference, digest in modules.items():
        if not isinstance(digest, str) or len(digest) != 71 or not digest.startswith("sha256:"):
            raise _wrong(path, f"'{reference}' has no digest")
    return modules


def lock_text(modules: Mapping[str, str]) -> str:
    """The text of a lock file: sorted, so that it changes only where something did."""
    import json

    document = {"version": VERSION, "modules": dict(sorted(modules.items()))}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _wrong(path: str, reason: str) -> UlnaError:
    help = "Restore it from version control, or remove it and run 'ulna restore'."
    return UlnaError.of("ULN031", f"'{path}' cannot be used: {reason}", help)


def add_to_lock(path: str, modules: Mapping[str, str], sources: Sources) -> None:
    """Writes digests into a lock file, which is replaced whole, and only if it says something new."""
    import fcntl
    import os

    try:
        folder = os.open(path.rpartition("/")[0] or "/", os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)  # so that what two write at the same time is added up
            before = read_lock(path, sources)
            if (after := {**before, **modules}) != before:
                _replace(path, lock_text(after))
        finally:
            os.close(folder)
    except OSError as error:
        raise UlnaError.of("ULN715", f"'{path}' cannot be written: {error.strerror}") from None


def _replace(path: str, text: str) -> None:
    import os

    draft = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        with open(draft, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123
            file.write(text)
        os.replace(draft, path)  # noqa: PTH105
    except OSError:
        if os.path.lexists(draft):
            os.unlink(draft)  # noqa: PTH108
        raise
