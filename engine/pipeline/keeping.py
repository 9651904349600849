"""Compiled templates, kept between runs: a file is compiled again only when an answer that its compilation rested on has changed.

What is kept is a template, its places and its warnings, never a parameter's value; in the user's cache folder, readable by its
owner only. A cache that cannot be read or written is none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

from engine.contract.cache import cache_folder
from engine.contract.cache import keep as keep_file
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Source, Span
from engine.pipeline.reading import RememberingSources, ask
from engine.sources.port import Unreadable
from engine.sources.text import read_text
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

COMPILER = ("diagnostics", "sources", "config", "parse", "template", "check", "build", "build/emit", "check/functions")
"""The folders of the engine whose code decides what a file compiles to."""


def find(path: str, sources: RememberingSources) -> tuple[Template, tuple[Diagnostic, ...], str] | None:
    """The kept template of a file, its warnings, and the name of the file; None where it has to be compiled."""
    try:
        kept = json.loads(_place(path, sources).read_bytes())
        if kept["compiler"] != _compiler() or not _holds(kept["answers"], sources):
            return None
        texts = _Texts(sources, kept["sources"])
        origins = {pointer: texts.label(place) for pointer, place in kept["origins"].items()}
        found = tuple(_diagnostic(texts, d) for d in kept["diagnostics"])
        return Template(kept["name"], kept["document"], origins), found, kept["file"]
    except (OSError, ValueError, KeyError, TypeError, Unreadable):
        return None


def keep(
    path: str, sources: RememberingSources, template: Template, diagnostics: Iterable[Diagnostic], file: str
) -> None:
    """Keep what a file compiled to."""
    if any(verb == "environment" for verb, _ in sources.answers):
        return
    names: dict[str, int] = {}
    kept = {
        "compiler": _compiler(),
        "answers": [[*question, answer] for question, answer in sources.answers.items()],
        "name": template.name,
        "file": file,
        "document": template.document,
        "origins": {pointer: _label(names, label) for pointer, label in template.origins.items()},
        "diagnostics": [
            [
                d.code,
                d.severity,
                d.message,
                _label(names, d.primary),
                [_label(names, r) for r in d.related],
                d.help,
                d.tags,
            ]
            for d in diagnostics
        ],
    }
    kept["sources"] = [[name, sources.absolute(name)] for name in names]
    keep_file(_place(path, sources), json.dumps(kept, separators=(",", ":")))


def _place(path: str, sources: RememberingSources) -> Path:
    """One file for each way of calling a file, since its places are named as it was called."""
    key = "\n".join((os.getcwd(), path, sources.absolute(path)))  # noqa: PTH109
    return cache_folder() / f"template-{crc32(key.encode('utf-8', 'surrogateescape')):08x}.json"


def _holds(answers: list[list[str]], sources: RememberingSources) -> bool:
    for verb, subject, answer in answers:
        ask(sources, (verb, subject))
        if sources.answers.get((verb, subject)) != answer:
            return False
    return True


def _compiler() -> int:
    """Changes whenever the code of the compiler does."""
    root = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120
    seen: list[str] = []
    for folder in COMPILER:
        with os.scandir(os.path.join(root, folder)) as files:  # noqa: PTH118
            for file in files:
                if file.name.endswith((".py", ".table")):
                    seen.append(f"{folder}/{file.name} {file.stat().st_mtime_ns}")
    return crc32("\n".join(sorted(seen)).encode())


def _label(names: dict[str, int], label: Label | None) -> list[Any] | None:
    if label is None:
        return None
    return [names.setdefault(label.source.name, len(names)), label.span.start, label.span.end, label.text]


class _Texts:
    """The sources that places lie in, each read once."""

    def __init__(self, sources: RememberingSources, places: list[list[str]]) -> None:
        self._sources = [Source(name, read_text(sources, path)) for name, path in places]

    def label(self, place: list[Any]) -> Label:
        number, start, end, text = place
        return Label(self._sources[number], Span(start, end), text)


def _diagnostic(texts: _Texts, kept: list[Any]) -> Diagnostic:
    code, severity, message, primary, related, help, tags = kept
    place = texts.label(primary) if primary is not None else None
    return Diagnostic(
        code, Severity(severity), message, place, tuple(map(texts.label, related)), help, tags=tuple(tags)
    )
