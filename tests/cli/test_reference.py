"""The pages of the reference are as the tables and docstrings are now, and say something of everything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import engine.cli.reference as reference
from engine.cli.reference.__main__ import write
from engine.cli.reference.page import fix_of, page_of
from engine.cli.reference.pages import PAGES
from engine.cli.verbs import VERBS
from engine.diagnostics.codes import registered
from engine.lint.run import all_rules

assert reference.__file__
HERE = Path(reference.__file__).parent


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_fresh(name: str) -> None:
    assert (HERE / name).read_text(encoding="utf-8") == PAGES[name](), "stale: run python -m engine.cli.reference"


def test_all_pages_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {p.name for p in HERE.glob("*.md")} == set(PAGES)
    assert capsys.readouterr().out.count("wrote") == len(PAGES)


def test_everything_has_its_section() -> None:
    def sections(name: str) -> set[str]:
        return {
            re.split(r"[: (]", line, maxsplit=1)[0]
            for line in re.findall(r"^##+ (?:ulna )?(.*)$", (HERE / name).read_text(), re.M)
        }

    assert set(all_rules()) <= sections("rules.md")
    assert set(registered()) <= sections("codes.md")
    assert set(VERBS) <= sections("commands.md")
    assert {"concat", "resourceGroup", "loadTextContent"} <= sections("functions.md")
    assert {"secure", "export"} <= sections("decorators.md")
    settings = (HERE / "settings.md").read_text()
    assert "| `analyzers.core.rules.NAME.level` | off, info, warning, error |" in settings
    assert "| `formatting.width` | whole number | `120` |" in settings


def test_every_link_to_a_rule_leads_to_its_section() -> None:
    text = (HERE / "rules.md").read_text()
    heads = re.findall(r"^## (.*)$", text, re.M)
    anchors = {"".join("-" if c == " " else c for c in h.lower() if c.isalnum() or c in " -_") for h in heads}
    assert set(re.findall(r"\(#(.*?)\)", text)) == anchors


def test_a_page_tells_whether_it_can_be_fixed() -> None:
    assert (fix_of("simplify-json-null"), fix_of("no-unused-params"), fix_of("max-params")) == ("safe", "unsafe", None)
    page = page_of("simplify-json-null")
    assert page is not None and "`ulna lint --fix` mends it." in page.plain()


def test_a_page_shows_a_bad_and_a_good_example() -> None:
    page = page_of("BCP057")
    assert page is not None and page.example is not None
    assert "\nBad:\n\n    output o string = nam\n\nGood:\n\n    param nam string\n" in page.plain()
    assert "\nBad:\n\n```bicep\noutput o string = nam\n```\n" in page.markdown()
    assert page.document()["example"]["bad"] == "output o string = nam\n"
    assert page_of("BCP999") is None
