"""From a path to a template: Bicep, a parameter file with the template it names, or ARM JSON."""

from __future__ import annotations

from collections.abc import Mapping

from engine.build.build import build
from engine.check.check import check
from engine.check.model import Model
from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError, has_errors
from engine.diagnostics.source import Source
from engine.record import Record
from engine.sources.port import Sources, Unreadable
from engine.sources.text import read_text
from engine.template.read import read
from engine.template.template import Template

NOTHING: Mapping[str, object] = {}


class Compiled(Record):
    """A template with its `file`, the checked program it came from (None for ARM JSON), and what a parameter file assigns."""

    file: str
    template: Template
    model: Model | None = None
    arguments: Mapping[str, object] = NOTHING
    diagnostics: tuple[Diagnostic, ...] = ()


def compile(path: str, sources: Sources) -> Compiled:
    """What a file compiles to; raises `UlnaError` with all that is wrong if it does not."""
    if path.endswith((".json", ".jsonc", ".arm")):
        return _read_json(path, sources)
    model = check(path, sources)
    diagnostics = all_diagnostics(model)
    if has_errors(diagnostics):
        raise UlnaError(*diagnostics)
    if path.endswith(".bicepparam"):
        return _with_parameters(path, model, sources, diagnostics)
    template, more = build(model, symbolic=True)
    if has_errors(more):
        raise UlnaError(*diagnostics, *more)
    return Compiled(path, template, model, diagnostics=diagnostics + more)


def all_diagnostics(model: Model) -> tuple[Diagnostic, ...]:
    """What is wrong in a file and in those it leads to, file by file."""
    return tuple(d for m in model.everything() for d in m.diagnostics)


def _read_json(path: str, sources: Sources) -> Compiled:
    try:
        source = Source(path, read_text(sources, sources.absolute(path)))
    except Unreadable as problem:
        message = f"'{path}' cannot be read: {problem.reason}"
        raise UlnaError(Diagnostic("ULN002", Severity.ERROR, message)) from None
    template, diagnostics = read(source)
    if has_errors(diagnostics):
        raise UlnaError(*diagnostics)
    return Compiled(path, template, diagnostics=diagnostics)
