"""What a changed file asks for: the files that a deployment rests on are watched, and told of when they differ."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from threading import Event

from engine.pipeline.preparing import Prepared

SETTLE = 100
"""Milliseconds without another change before a batch of them is told."""


def files_of(prepared: Prepared) -> frozenset[str]:
    """The files that a deployment was read from, and those that would be if they were there."""
    asked = (path for question, path in prepared.sources.answers if question in ("read", "exists"))
    return frozenset(
        {*asked, prepared.sources.absolute(prepared.compiled.file), prepared.sources.absolute(prepared.request.path)}
    )


def changes(files: Callable[[], frozenset[str]], stop: Event) -> Iterator[frozenset[str]]:
    """The files that changed, batch by batch, until `stop` is set; `files` is asked for each batch anew.

    Folders are watched, not files: editors write a new file and rename it.
    """
    from watchfiles import watch

    while not stop.is_set():
        folders = {os.path.dirname(path) for path in files()}  # noqa: PTH120
        there = sorted(f for f in folders if os.path.isdir(f))  # noqa: PTH112
        for batch in watch(*there, step=SETTLE // 2, debounce=10 * SETTLE, stop_event=stop, recursive=False):
            touched = frozenset(path for _, path in batch) & files()
            if touched:
                yield touched
            if {os.path.dirname(path) for path in files()} != folders:  # noqa: PTH120
                break  # the deployment rests on other folders now
