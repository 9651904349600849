"""From a path to a template: Bicep, a parameter file with the template it names, or ARM JSON."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError, has_errors
from engine.diagnostics.source import Source
from engine.pipeline.parameterfile import assigned
from engine.pipeline.reading import RememberingSources
from engine.record import Record
from engine.sources.port import Sources, Unreadable
from engine.sources.text import read_text
from engine.template.read import read
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

    from engine.check.model import Model


class Compiled(Record):
    """A template with its `file`, and what a parameter file assigns; `open` is what it takes from elsewhere."""

    file: str
    template: Template
    arguments: Mapping[str, Value] = {}
    open: Mapping[str, Diagnostic] = {}
    diagnostics: tuple[Diagnostic, ...] = ()


def compile(path: str, sources: RememberingSources, restore: bool = True) -> Compiled:
    """What a file compiles to, to be deployed; raises `UlnaError` with all that is wrong if it does not.

    What it names in registries is fetched if it is missing, unless not to `restore`.
    """
    if path.endswith((".json", ".jsonc", ".arm")):
        return _read_json(path, sources)
    if path.endswith(".bicepparam"):
        return _with_parameters(path, sources, restore)
    from engine.pipeline.keeping import find, keep

    kept = find(path, sources)
    if kept is not None:
        template, diagnostics, file = kept
        return Compiled(file, template, diagnostics=diagnostics)
    model = _checked(path, sources, restore)
    compiled = _built(model, True, all_diagnostics(model))
    keep(path, sources, compiled.template, compiled.diagnostics, compiled.file)
    return compiled


def _checked(path: str, sources: Sources, restore: bool) -> Model:
    """The model of a file without errors; it is in the models that what is wrong is told."""
    from engine.pipeline.restoring import checked

    model = checked(path, sources, restore)
    diagnostics = all_diagnostics(model)
    if has_errors(diagnostics):
        raise UlnaError(*diagnostics)
    return model


def _built(model: Model, symbolic: bool, before: tuple[Diagnostic, ...]) -> Compiled:
    from engine.build.build import build

    template, more = build(model, symbolic=symbolic, hashed=not symbolic)
    if has_errors(more):
        raise UlnaError(*before, *more)
    return Compiled(model.source.name, template, diagnostics=(*before, *more))


class Parameters(Record):
    """A compiled parameter file: its model and JSON document, and the template it uses (None for `using none`)."""

    model: Model
    document: Mapping[str, Any]
    used: Compiled | None
    diagnostics: tuple[Diagnostic, ...] = ()


def compile_parameters(path: str, sources: Sources, symbolic: bool = False, restore: bool = True) -> Parameters:
    """What a `.bicepparam` file compiles to; raises `UlnaError` with all that is wrong if it does not.

    `symbolic` asks for symbolic names where the template would do without.
    """
    from engine.build.parameters import build_parameters
    from engine.check.model import Model
    from engine.expand.constant import constant
    from engine.parse import tree

    model = _checked(path, sources, restore)
    document, more = build_parameters(model, constant)
    diagnostics = (*all_diagnostics(model), *more)
    if has_errors(more):
        raise UlnaError(*diagnostics)
    using = next((s for s in model.file.statements if isinstance(s, tree.Using)), None)
    used = model.modules.get(id(using))
    match used:
        case Model():
            template = _built(used, symbolic, diagnostics)
            return Parameters(model, document, template, template.diagnostics)
        case Template():
            assert using is not None and isinstance(using.path, tree.Text), "what is used was found by its path"
            file = sources.resolve(model.path, using.path.literal or "")
            return Parameters(model, document, Compiled(file, used, diagnostics=diagnostics), diagnostics)
        case None:
            return Parameters(model, document, None, diagnostics)


def _with_parameters(path: str, sources: Sources, restore: bool) -> Compiled:
    """A parameter file to be deployed: its values, and the template it uses."""
    made = compile_parameters(path, sources, symbolic=True, restore=restore)
    if made.used is None:
        help = "Begin it with: using 'main.bicep'"
        raise UlnaError.of("ULN516", f"'{path}' uses no template, so there is nothing to deploy", help)
    found = assigned(made.document, path, sources)
    return made.used.replace(arguments=found.values, open=found.open, diagnostics=made.diagnostics)


def all_diagnostics(model: Model) -> tuple[Diagnostic, ...]:
    """What is wrong in a file and in those it leads to, file by file."""
    return tuple(d for m in model.everything() for d in m.diagnostics)


def _read_json(path: str, sources: Sources) -> Compiled:
    try:
        source = Source(path, read_text(sources, sources.absolute(path)))
    except Unreadable as problem:
        message = f"'{path}' cannot be read: {problem.reason}"
        raise UlnaError(Diagnostic("ULN004", Severity.ERROR, message)) from None
    template, diagnostics = read(source)
    if has_errors(diagnostics):
        raise UlnaError(*diagnostics)
    return Compiled(path, template, diagnostics=diagnostics)
