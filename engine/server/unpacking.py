"""A bundle on the disk of a worker, and sources that see nothing else of that disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from engine.pipeline.reading import RememberingSources
from engine.pipeline.request import OnUnmanage, Request
from engine.server.bundle import OWN
from engine.server.job import Job
from engine.sources.cache import cache_root
from engine.sources.port import Entry, Unreadable


class BundleSources(RememberingSources):
    """What was submitted, and the worker's own cache of modules and types; variables are those of the client."""

    __slots__ = ("_open", "_variables")

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        super().__init__()
        self._variables = {n: v for n in OWN if (v := os.environ.get(n))} | {
            n: v for n, v in variables.items() if n not in OWN
        }
        self._variables["ULNA_CACHE"] = cache_root({}, None, os.environ.get)  # no bicepconfig.json names another
        types = [v for n in ("ULNA_TYPES", "ULNA_TYPE_NAMES", "ULNA_MODULE_VERSIONS") if (v := os.environ.get(n))]
        self._open = tuple(f"{os.path.realpath(p)}/" for p in (str(folder), self._variables["ULNA_CACHE"], *types))

    def read(self, path: str) -> bytes:
        """The content of a file."""
        return super().read(self._inside(path))

    def exists(self, path: str) -> bool:
        """Whether there is a file that may be read."""
        return self._is_inside(path) and super().exists(path)

    def blocked(self, path: str) -> bool:
        """Whether something else is where such a file could be."""
        return self._is_inside(path) and super().blocked(path)

    def entries(self, folder: str) -> tuple[Entry, ...]:
        """What is in a folder, by name."""
        return super().entries(self._inside(folder))

    def environment(self, name: str) -> str | None:
        """A variable as the client had it."""
        super().environment(name)  # so that it is remembered that it was asked for
        return self._variables.get(name)

    def _is_inside(self, path: str) -> bool:
        return f"{os.path.realpath(path)}/".startswith(self._open)

    def _inside(self, path: str) -> str:
        if not self._is_inside(path):
            raise Unreadable(path, "it is outside of what was submitted")
        return path


def unpack(files: Mapping[str, bytes], folder: Path) -> None:
    """Put the files where they are always put for this deployment, in place of what was there."""
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = folder.with_name(f".{folder.name}.{os.getpid()}-{os.urandom(4).hex()}")
    for name, content in files.items():
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
    old = new.with_name(f"{new.name}.old")
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def request_of(job: Job, folder: Path, environment: str, state: Path | str) -> Request:
    """What the job asks for, from where it was unpacked; `environment` is the partition that the server chose."""
    return Request(
        str(folder / job.file),
        environment,
        job.application,
        tuple(_at(text, folder) for text in job.parameters),
        job.name,
        state,
        OnUnmanage(job.on_unmanage),
        sources=BundleSources(folder, job.variables),
    )


def _at(text: str, folder: Path) -> str:
    name, equals, value = ("", "", text) if text.startswith("@") else text.partition("=")
    return f"{name}{equals}@{folder / value[1:]}" if value.startswith("@") else text
