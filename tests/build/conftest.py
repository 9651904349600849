"""Programs held in memory, checked and compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engine.build.build import build
from engine.build.parameters import Unevaluable, build_parameters
from engine.check.check import check
from engine.config.config import Config
from engine.diagnostics.diagnostic import Severity
from engine.expand.desired import Scope
from engine.expand.expand import expand
from engine.expand.vault import MemoryVault
from engine.sources.memory import MemorySources
from engine.template.template import Template
from tests.types.described import beside

_SCHEMA = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"
Compile = Callable[..., Template]


def compiled(program: str, files: Mapping[str, str | bytes] | None = None, **options: Any) -> Template:
    """The template of a program that must be without errors."""
    sources = MemorySources(
        {"/app/main.bicep": program, **{f"/app/{k}": v for k, v in {**beside(), **(files or {})}.items()}}
    )
    features = options.pop("features", ())
    config = Config({"experimentalFeaturesEnabled": dict.fromkeys(features, True)}) if features else None
    model = check("/app/main.bicep", sources, config)
    errors = [
        f"{d.code} {d.message}" for m in model.everything() for d in m.diagnostics if d.severity is Severity.ERROR
    ]
    assert not errors
    template, diagnostics = build(model, **options)
    assert not diagnostics
    return template


@pytest.fixture
def compile_() -> Compile:
    """`compile_(program, files) -> Template`"""
    return compiled


@pytest.fixture
def evaluate_parameters() -> Callable[[Mapping[str, str]], dict[str, Any]]:
    """`evaluate_parameters(files) -> document`, with the functions that deployments have."""

    def evaluate(text: str) -> Any:
        document = {
            "$schema": _SCHEMA,
            "contentVersion": "1.0.0.0",
            "resources": [],
            "outputs": {"v": {"value": f"[{text}]"}},
        }
        desired, problems = expand(Template("values", document), {}, Scope("values"), MemoryVault(b"key"))
        if problems:
            raise Unevaluable(problems[0].message)
        return desired.outputs["v"]

    def run(files: Mapping[str, str], *, problems: bool = False) -> Any:
        sources = MemorySources({f"/app/{k}": v for k, v in files.items()}, {"HOME_TOWN": "Ulm"})
        model = check("/app/main.bicepparam", sources)
        errors = [
            f"{d.code} {d.message}" for m in model.everything() for d in m.diagnostics if d.severity is Severity.ERROR
        ]
        assert not errors
        document, diagnostics = build_parameters(model, evaluate)
        return diagnostics if problems else document

    return run
