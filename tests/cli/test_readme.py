"""The README's page of the language is a program, and its mistake is shown as it says."""

from __future__ import annotations

import re
from pathlib import Path

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
STORE = """\
param application string
resource store 'Ulna.Core/values@2026-12-01' = { name: 'store', properties: { input: application } }
output id string = store.id
output tables string[] = ['orders', 'items']
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


def test_the_page_of_the_language_compiles_and_lints(ulna):
    Path("store.bicep").write_text(STORE)
    Path("app.bicep").write_text(blocks("bicep")[0])
    result = ulna("lint", "app.bicep")
    assert (result.code, result.out, result.err) == (0, "", "")


def test_the_mistake_is_shown_as_the_readme_shows_it(ulna):
    Path("store.bicep").write_text(STORE)
    Path("app.bicep").write_text(re.sub(r" +//.*", "", blocks("bicep")[0]).replace("app.id\n", "apps.id\n", 1))
    result = ulna("lint", "app.bicep")
    assert result.code == 1
    assert next(b for b in blocks("text") if "error" in b) in result.out + result.err
