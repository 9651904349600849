"""A parameter file for a template, made from what it declares: what is in such a file already is kept."""

from __future__ import annotations

from typing import Any

from engine.build.placeholders import default_of, is_optional, literal, placeholder, wanted
from engine.check.model import Model
from engine.check.symbols import Symbol
from engine.diagnostics.diagnostic import Diagnostic, UlnaError, has_errors
from engine.diagnostics.source import Source
from engine.parse import tree
from engine.pipeline.compiling import all_diagnostics
from engine.pipeline.restoring import checked
from engine.sources.port import Sources

SCHEMA = "https://schema.management.azure.com/schemas/2015-01-01/deploymentParameters.json#"


def declaring(path: str, sources: Sources, restore: bool = True) -> tuple[Model, tuple[Diagnostic, ...]]:
    """The model of a template without errors, and what was found in it; raises `UlnaError`."""
    model = checked(path, sources, restore)
    diagnostics = all_diagnostics(model)
    if has_errors(diagnostics):
        raise UlnaError(*diagnostics)
    return model, diagnostics


def as_json(model: Model, everything: bool, existing: Any = None) -> dict[str, Any]:
    """The document of a JSON parameter file; `existing` is the one that is there."""
    before = existing if isinstance(existing, dict) else {}
    kept = before.get("parameters")
    kept = kept if isinstance(kept, dict) else {}
    version = before.get("contentVersion")
    named = {s.name for s in wanted(model, everything)} | kept.keys()
    parameters = {
        s.name: kept.get(s.name) or {"value": _value(model, s)} for s in wanted(model, True) if s.name in named
    }
    return {
        "$schema": SCHEMA,
        "contentVersion": version if isinstance(version, str) else "1.0.0.0",
        "parameters": parameters,
    }


def as_bicep(model: Model, everything: bool, existing: str = "") -> str:
    """The text of a `.bicepparam` file; `existing` is the one that is there, to which what it lacks is added."""
    from engine.config.find import find_config
    from engine.decompile.assignments import Assignment, parameters_text, value_text
    from engine.format.options import from_settings
    from engine.parse.parser import parse

    file = parse(Source("main.bicepparam", existing))[0]
    given = {s.name.text for s in file.statements if isinstance(s, tree.Param)}
    missing = [s for s in wanted(model, everything) if s.name not in given]
    assignments = [Assignment(s.name, value_text(_value(model, s)), _remark(model, s)) for s in missing]
    assert model.sources is not None
    config = find_config(model.path, model.sources)
    options = from_settings(config.get("formatting", default={}) or {})
    if not existing.strip():
        return parameters_text(f"./{model.path.rpartition('/')[2]}", assignments, options)
    added = parameters_text("", assignments, options).partition("\n")[2].lstrip("\r\n") if assignments else ""
    return existing + ("" if existing.endswith(("\n", "\r")) or not added else "\n") + added


def _value(model: Model, symbol: Symbol) -> Any:
    """The default, where it is written out; else a value that fits."""
    default = default_of(symbol)
    known = literal(default) if default is not None else None
    return known[0] if known is not None else placeholder(model, symbol)


def _remark(model: Model, symbol: Symbol) -> str:
    """What is said behind a value that only stands in for the default."""
    default = default_of(symbol)
    if default is None or literal(default) is not None or not is_optional(model, symbol):
        return ""
    written = " ".join(model.source.text[default.start : default.end].split())
    return f"the default is {written if len(written) <= 80 else written[:79] + '…'}"
