"""Evaluating one expression, and expanding one template, in tests."""

from __future__ import annotations

from typing import Any

import pytest

from engine.expand.desired import Scope
from engine.expand.expand import expand
from engine.expand.functions.signature import EvaluationError
from engine.expand.vault import MemoryVault
from engine.template.template import Template

SCOPE = Scope("app", now="2026-03-04T05:06:07Z", seed="seed", location="westus")
RADIUS = {"radius": {"provider": "Radius", "version": "latest"}}


def template_of(document: dict[str, Any]) -> Template:
    return Template("app", {"languageVersion": "2.0", "resources": {}, **document})


class Expander:
    """`expander(document, arguments, known)` gives (desired, diagnostics); `vault` holds the secrets."""

    def __init__(self) -> None:
        self.vault = MemoryVault(b"key")

    def __call__(self, document: dict[str, Any], arguments: Any = None, known: Any = None, scope: Scope = SCOPE) -> Any:
        return expand(template_of(document), arguments or {}, scope, self.vault, known or {})

    def clean(self, document: dict[str, Any], arguments: Any = None, known: Any = None, scope: Scope = SCOPE) -> Any:
        desired, diagnostics = self(document, arguments, known, scope)
        assert [d.message for d in diagnostics] == []
        return desired

    def value(self, expression: str, **parts: Any) -> Any:
        """The value of an expression, as an output of a template made of `parts`."""
        document = {**parts, "outputs": {"x": {"type": "object", "value": f"[{expression}]"}}}
        desired, diagnostics = self(document)
        if diagnostics:
            raise EvaluationError(diagnostics[0].message, diagnostics[0].help)
        return desired.outputs["x"]


@pytest.fixture
def expander() -> Expander:
    return Expander()


@pytest.fixture
def evaluate(expander: Expander) -> Any:
    return expander.value


def value(name: str, properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An `Ulna.Core/values` resource, in extension form."""
    return {
        "import": "ulna",
        "type": "Ulna.Core/values@2026-12-01",
        "properties": {"name": name, "properties": properties},
        **more,
    }
