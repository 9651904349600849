"""Packs a file with everything that its compiler read: modules, loaded files, settings, parameter files, variables."""

from __future__ import annotations

import os
from collections.abc import Iterable
from posixpath import commonpath, dirname

from engine.pipeline.arguments import given
from engine.pipeline.compiling import compile
from engine.pipeline.reading import RememberingSources
from engine.pipeline.request import Request
from engine.pipeline.target import targets_an_environment
from engine.server.job import Job, pack
from engine.sources.cache import cache_root
from engine.sources.port import relative

OWN = frozenset(
    ("HOME", "XDG_CACHE_HOME", "ULNA_CACHE", "ULNA_TYPES", "ULNA_TYPE_NAMES", "ULNA_MODULE_VERSIONS", "DOCKER_CONFIG")
)
"""Variables that say where things are on a machine: each has its own."""


def bundle(request: Request, timeout: float = 600.0) -> tuple[Job, bytes]:
    """The job that a request makes, and the bundle to send; raises `UlnaError` where the file does not compile."""
    sources = RememberingSources()
    compiled = compile(request.path, sources, request.restore)
    document = compiled.template.document
    given(request.parameters, document, sources, request.restore, compiled.open)  # refused here, not at the worker
    main = sources.absolute(request.path)
    sources.read(main)
    files = _files(sources)
    root = commonpath([dirname(path) for path in files])
    asked = (subject for verb, subject in sources.answers if verb == "environment" and subject not in OWN)
    job = Job(
        relative(main, root),
        request.name or compiled.template.name,
        request.environment,
        request.application,
        tuple(_moved(request.parameters, sources, root)),
        {name: value for name in asked if (value := os.environ.get(name)) is not None},
        targets_an_environment(compiled.template),
        request.on_unmanage.value,
        timeout,
    )
    return job, pack(job, {relative(path, root): content for path, content in files.items()})


def _files(sources: RememberingSources) -> dict[str, bytes]:
    """What was read, but for what a worker fetches itself."""
    cache = cache_root({}, None, os.environ.get).rstrip("/")
    kept = [f"{cache}/", *(f"{v.rstrip('/')}/" for n in ("ULNA_TYPES", "ULNA_TYPE_NAMES") if (v := os.environ.get(n)))]
    return {path: content for path, content in sources.contents.items() if not f"{path}/".startswith(tuple(kept))}


def _moved(texts: Iterable[str], sources: RememberingSources, root: str) -> Iterable[str]:
    """Parameters whose files are named as they are in the bundle."""
    for text in texts:
        name, equals, value = ("", "", text) if text.startswith("@") else text.partition("=")
        path = f"@{relative(sources.absolute(value[1:]), root)}" if value.startswith("@") else value
        yield f"{name}{equals}{path}"
