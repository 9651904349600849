"""A job: what was submitted, as it travels from the client to a worker."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Mapping

from engine.diagnostics.diagnostic import UlnaError
from engine.record import Record

LARGEST = 32 * 1024 * 1024
"""Bytes of a bundle that a server takes."""

_JOB = "job.json"
FILES = "files/"


class Job(Record):
    """A file to deploy, seen from the folder of the bundle.

    `parameters` are texts as `-p` takes them, files among them seen from there too. `variables` are the environment variables
    that the compiler asked for at the client. `targets` tells whether the template needs an environment.
    """

    file: str
    name: str
    environment: str | None = None
    application: str | None = None
    parameters: tuple[str, ...] = ()
    variables: Mapping[str, str] = {}
    targets: bool = True
    on_unmanage: str = "delete"
    timeout: float = 600.0


def pack(job: Job, files: Mapping[str, bytes]) -> bytes:
    """The bundle: a compressed tar of the job and its files."""
    packed = io.BytesIO()
    plain = {f: getattr(job, f) for f in job.__fields__}
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, content in ((_JOB, json.dumps(plain).encode()), *((FILES + n, c) for n, c in sorted(files.items()))):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o600
            tar.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def read(bundle: bytes) -> tuple[Job, dict[str, bytes]]:
    """The job in a bundle, and its files by their paths; refuses whatever `pack` does not make."""
    try:
        with tarfile.open(fileobj=io.BytesIO(bundle), mode="r:gz") as tar:
            contents = dict(_members(tar))
        fields = json.loads(contents.pop(_JOB))
        fields["parameters"] = tuple(fields["parameters"])
        job = Job(**fields)
        files = {name.removeprefix(FILES): content for name, content in contents.items()}
        if job.file not in files or not all(map(is_inside, files)):
            raise ValueError
    except (tarfile.TarError, OSError, EOFError, ValueError, KeyError, TypeError):
        raise malformed() from None
    return job, files


def _members(tar: tarfile.TarFile) -> list[tuple[str, bytes]]:
    found, size = [], 0
    for member in tar:
        size += member.size
        if not member.isreg() or size > 4 * LARGEST:  # a small bundle may hold much
            raise ValueError
        file = tar.extractfile(member)
        assert file is not None, "it is a regular file"
        found.append((member.name, file.read()))
    return found


def is_inside(path: str) -> bool:
    """Whether a path of a bundle stays in its folder."""
    return (
        bool(path) and "\\" not in path and "\0" not in path and all(p not in ("", ".", "..") for p in path.split("/"))
    )


def malformed() -> UlnaError:
    """What is said of a bundle that is none."""
    return UlnaError.of("ULN573", "What was submitted is no bundle of Ulna", "Submit with 'ulna submit'.", exit_code=2)
