"""From a path to a template: Bicep, a parameter file with the template it names, or ARM JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.build.build import build
from engine.check.check import check
from engine.check.model import Model
from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError, has_errors
from engine.diagnostics.source import Source
from engine.parse import tree
from engine.pipeline.arguments import values_of
from engine.record import Record
from engine.sources.port import Sources, Unreadable
from engine.sources.text import read_text
from engine.template.read import read
from engine.template.template import Template


class Compiled(Record):
    """A template with its `file`, the checked program it came from (None for ARM JSON), and what a parameter file assigns."""

    file: str
    template: Template
    model: Model | None = None
    arguments: Mapping[str, Value] = {}
    diagnostics: tuple[Diagnostic, ...] = ()


def compile(path: str, sources: Sources, symbolic: bool = True) -> Compiled:
    """What a file compiles to; raises `UlnaError` with all that is wrong if it does not.

    `symbolic` asks for symbolic names where a Bicep file would do without.
    """
    if path.endswith((".json", ".jsonc", ".arm")):
        return _read_json(path, sources)
    model = check(path, sources)
    diagnostics = all_diagnostics(model)
    if has_errors(diagnostics):
        raise UlnaError(*diagnostics)
    if path.endswith(".bicepparam"):
        return _with_parameters(path, model, sources, symbolic, diagnostics)
    return _built(path, model, symbolic, diagnostics)


def _built(path: str, model: Model, symbolic: bool, before: tuple[Diagnostic, ...]) -> Compiled:
    template, more = build(model, symbolic=symbolic, hashed=not symbolic)
    if has_errors(more):
        raise UlnaError(*before, *more)
    return Compiled(path, template, model, diagnostics=(*before, *more))


class Parameters(Record):
    """A compiled parameter file: its JSON document, and the template it uses (None for `using none`)."""

    document: Mapping[str, Any]
    used: Compiled | None
    diagnostics: tuple[Diagnostic, ...] = ()


def compile_parameters(path: str, sources: Sources, symbolic: bool = False) -> Parameters:
    """What a `.bicepparam` file compiles to; raises `UlnaError` with all that is wrong if it does not."""
    model = check(path, sources)
    diagnostics = all_diagnostics(model)
    if has_errors(diagnostics):
        raise UlnaError(*diagnostics)
    return _parameters(model, sources, symbolic, diagnostics)


def _parameters(model: Model, sources: Sources, symbolic: bool, before: tuple[Diagnostic, ...]) -> Parameters:
    from engine.build.parameters import build_parameters
    from engine.expand.constant import constant

    document, more = build_parameters(model, constant)
    if has_errors(more):
        raise UlnaError(*before, *more)
    diagnostics = (*before, *more)
    using = next((s for s in model.file.statements if isinstance(s, tree.Using)), None)
    used = model.modules.get(id(using))
    match used:
        case Model():
            template = _built(used.source.name, used, symbolic, diagnostics)
            return Parameters(document, template, template.diagnostics)
        case Template():
            assert using is not None and isinstance(using.path, tree.Text), "what is used was found by its path"
            file = sources.resolve(model.path, using.path.literal or "")
            return Parameters(document, Compiled(file, used, diagnostics=diagnostics), diagnostics)
        case None:
            return Parameters(document, None, diagnostics)


def _with_parameters(
    path: str, model: Model, sources: Sources, symbolic: bool, before: tuple[Diagnostic, ...]
) -> Compiled:
    """A parameter file to be deployed: its values, and the template it uses."""
    made = _parameters(model, sources, symbolic, before)
    if made.used is None:
        help = "Begin it with: using 'main.bicep'"
        raise UlnaError.of("ULN516", f"'{path}' uses no template, so there is nothing to deploy", help)
    return made.used.replace(arguments=values_of(made.document, path), diagnostics=made.diagnostics)


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
