"""The reference templates, where they are: the Bicep they become, to the letter."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine.build.build import build
from engine.check.check import check
from engine.decompile.decompile import decompile
from engine.diagnostics.diagnostic import Severity
from engine.diagnostics.source import Source
from engine.sources.jsonc import load
from engine.sources.memory import MemorySources
from tests.parse.corpus import CONFORMANCE, needs_corpus, read

OTHERWISE = {
    "101-1vm-2nics-2subnets-1vnet/azuredeploy.json": "only the types of resources tell how names of properties are spelled",
    "201-vm-copy-index-loops/main.json": "the reference leaves the id of one of a loop as a dependency, which Bicep refuses",
    "issue12197/main.json": "the reference asks modules for their ids, which they have not",
}


@needs_corpus
def test_the_reference_templates_become_what_they_should() -> None:
    wrong: set[str] = set()
    count = 0
    for path in sorted((CONFORMANCE / "decompile").rglob("*.json*")):
        expected = path.with_suffix(".bicep")
        if not expected.exists():
            continue
        count += 1
        files, _ = decompile(Source(path.name, read(path)), expected.name)
        modules = re.findall(r"^module \w+ '\./(nested_\w+\.bicep)'", _plain(expected), re.M)
        for name in (expected.name, *modules):
            if files.get(name, "").strip("\n") != _plain(expected.with_name(name)):
                wrong.add(str(path.relative_to(CONFORMANCE / "decompile")))
    assert count > 50
    assert wrong == set(OTHERWISE)


CANNOT = {
    "BCP279": {"issue5455", "nested-outer"},  # a type that nobody can tell is marked
    "BCP070": {"lambdas", "Lambdas_LF", "NewlineSensitivity_LF"},  # the templates themselves break a rule of types
    "BCP036": {"Loops_LF", "LoopsIndexed_LF", "TypeDeclarations_LF"},
    "BCP054": {"Variables_LF"},  # an 'any()' that compiling erased
    "BCP076": {"Variables_LF"},
    "BCP034": {"issue2639", "resourceIds", "Loops_LF", "LoopsIndexed_LF"},  # nothing there has that id
    "BCP091": {"conditional", "modules"},  # linked templates, which are not there
    "BCP190": {"issue3246", "Registry_LF"},
    "BCP204": {"Extensions_CRLF"},  # extensions that only a configuration names
    "": {"Parameters_CRLF", "naming001-simple"},  # parameters without a type, resources of one name
}


@needs_corpus
def test_what_a_template_becomes_is_compiled_to_the_same_resources() -> None:
    folders = [CONFORMANCE / "decompile", *sorted((CONFORMANCE / "baselines").glob("*_*"))]
    templates = [p for f in folders for p in sorted(f.rglob("main*.json")) if "Invalid" not in str(p)]
    wrong: dict[str, set[str]] = {}
    for path in templates:
        text = read(path)
        if "deploymentTemplate.json" not in text and "DeploymentTemplate.json" not in text:
            continue
        codes, document = _again(path.name, text)
        assert codes or _resources(load(Source("main.json", text))) == _resources(document), path
        for code in codes:
            wrong.setdefault(code, set()).add(path.parent.name)
    assert {code: names for code in CANNOT if (names := wrong.get(code, set()) - CANNOT[code])} == {}
    assert wrong.keys() - CANNOT.keys() <= {"BCP062", "BCP084", "BCP085", "BCP104", "BCP206", "BCP035", "BCP052"}
    assert len(templates) > 100


def _again(name: str, text: str) -> tuple[set[str], Any]:
    """The codes of what is wrong with the Bicep of a template, and what it compiles to if nothing is."""
    files, _ = decompile(Source(name, text), "main.bicep")
    if not files:
        return {""}, None
    model = check("/main.bicep", MemorySources({f"/{file}": bicep for file, bicep in files.items()}))
    errors = {d.code for m in model.everything() for d in m.diagnostics if d.severity is Severity.ERROR}
    if errors:
        return errors, None
    template, problems = build(model)
    return ({""}, None) if problems else (set(), template.document)


def _resources(document: Any, parent: str = "") -> list[str]:
    """Type and kind of copy of each resource that is deployed, those of nested templates too; names are written in many ways."""
    found: list[str] = []
    section = document.get("resources") or []
    for resource in section.values() if isinstance(section, dict) else section:
        if resource.get("existing"):
            continue
        fields = {key.lower(): value for key, value in resource.items()}
        marks = [mark for mark in ("copy", "condition", "scope") if mark in fields]
        type = fields["type"].strip("/").lower()
        if parent and not type.startswith(f"{parent}/"):
            type = f"{parent}/{type}"
        found.append(" ".join([type, *marks]))
        properties = fields.get("properties")
        inner = properties.get("template") if isinstance(properties, dict) else None
        if isinstance(inner, dict) and type == "microsoft.resources/deployments":
            found += _resources(inner)
        for child in fields.get("resources", []):
            found += _resources({"resources": [child]}, type)
    return sorted(found)


def _plain(path: Path) -> str:
    lines = read(path).replace("\r\n", "\n").split("\n")
    return "\n".join(line for line in lines if not line.startswith("//@[")).strip("\n")
