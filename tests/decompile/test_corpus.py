"""The reference templates, where they are: the Bicep they become, to the letter."""

from __future__ import annotations

import re
from pathlib import Path

from engine.decompile.decompile import decompile
from engine.diagnostics.source import Source
from tests.parse.corpus import CONFORMANCE, needs_corpus, read

NEEDS_TYPES = {"101-1vm-2nics-2subnets-1vnet/azuredeploy.json"}
"""Names of properties are corrected there as only the types of the resources can tell."""


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
    assert wrong == NEEDS_TYPES


def _plain(path: Path) -> str:
    lines = read(path).replace("\r\n", "\n").split("\n")
    return "\n".join(line for line in lines if not line.startswith("//@[")).strip("\n")
