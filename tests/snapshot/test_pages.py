"""The pages beside: files, and the snapshot that their parameter file comes to.

`ULNA_ACCEPT=1` writes what comes out into the page; review the difference.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main

PAGES = Path(__file__).parent / "pages"
SECTION = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"```\w+ (\S+)\n(.*?)```", re.DOTALL)
EXPECTED = re.compile(r"```json\n(.*?)```", re.DOTALL)


def cases() -> list[Any]:
    found = []
    for page in sorted(PAGES.glob("*.md")):
        for section in SECTION.finditer(page.read_text(encoding="utf-8")):
            found.append(pytest.param(page, section[2], id=section[1]))
    return found


@pytest.mark.parametrize(("page", "section"), cases())
def test_a_page_says_what_is_predicted(
    page: Path, section: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in FENCE.findall(section):
        Path(name).write_text(content, encoding="utf-8")
    options = " ".join(re.findall(r"^--.*$", section, re.MULTILINE)).split()
    assert main(["snapshot", "main.bicepparam", *options]) == 0, capsys.readouterr().err
    made = Path("main.snapshot.json").read_text(encoding="utf-8")
    assert "hush" not in made, "a secret is told"
    match = EXPECTED.search(section)
    assert match is not None
    if os.environ.get("ULNA_ACCEPT"):
        text = page.read_text(encoding="utf-8")
        accepted = section.replace(match[0], f"```json\n{made}```")
        page.write_text(text.replace(section, accepted), encoding="utf-8")
    else:
        assert json.loads(made) == json.loads(match[1])
        assert made == match[1]
    assert main(["snapshot", "main.bicepparam", "--mode", "validate", *options]) == 0, "the same file, made again"
