"""Every example is as it says: the first program has the finding, the second has neither it nor any error."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.build.limits import limits
from engine.build.parameters import failing_parameters
from engine.check.check import check
from engine.check.model import Model
from engine.cli.main import main
from engine.config.config import Config, merge
from engine.diagnostics.codes import registered
from engine.diagnostics.diagnostic import Diagnostic
from engine.diagnostics.examples.read import Example, example, examples, program, shown
from engine.expand.constant import constant
from engine.lint.run import all_rules, lint
from engine.sources.memory import MemorySources

EXAMPLES = (*examples(), *(r.example for r in all_rules().values() if r.example is not None))
PROGRAMS = [e for e in EXAMPLES if e.kind in ("bicep", "bicepparam", "json")]
COMMANDS = [e for e in EXAMPLES if e.kind == "run"]


def findings(page: Example, text: str) -> list[Diagnostic]:
    name = "app.bicepparam" if page.kind == "bicepparam" else "main.bicep"
    files = {"main.bicep": "output o int = 1\n", "bicepconfig.json": text} if page.kind == "json" else {name: text}
    sources = MemorySources({**files, **dict(page.files)})
    model = check(name, sources)
    return [d for each in model.everything() for d in _of(each, page.code)]


def _of(model: Model, code: str) -> Iterator[Diagnostic]:
    yield from model.diagnostics
    yield from failing_parameters(model, constant) if model.path.endswith(".bicepparam") else limits(model)
    if code in all_rules() and model.config.get("analyzers", "core", "rules", code, "level") is None:
        on = {"analyzers": {"core": {"rules": {code: {"level": "warning"}}}}}
        yield from lint(model, Config(merge(model.config.settings, on), model.config.path))
    else:
        yield from lint(model)


@pytest.mark.parametrize("page", PROGRAMS, ids=lambda e: e.code)
def test_a_program_shows_what_its_code_means(page: Example) -> None:
    bad, good = findings(page, program(page.bad)), findings(page, program(page.good))
    assert page.code in {d.code for d in bad}, [f"{d.code} {d.message}" for d in bad]
    assert [f"{d.code} {d.message}" for d in good if d.code == page.code or d.severity == "error"] == []


@pytest.mark.parametrize("page", COMMANDS, ids=lambda e: e.code)
def test_a_command_shows_what_its_code_means(
    page: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ULNA_STATE", raising=False)
    for name, content in page.files:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content)

    def run(lines: str) -> str:
        for line in lines.splitlines():
            words = shlex.split(line, comments=True)
            assert words[0] == "ulna", line
            main(words[1:])
        return "".join(capsys.readouterr())

    assert page.code in run(page.bad)
    assert page.code not in (said := run(page.good)) and "error" not in said, said


def test_every_code_and_every_rule_has_an_example() -> None:
    have = {e.code for e in EXAMPLES}
    assert have <= registered() | set(all_rules()), have - registered() - set(all_rules())
    assert set(all_rules()) - have == set()
    assert len(have) == len(EXAMPLES), "one each"
    assert registered() - have == set()


def test_an_example_is_found_whatever_its_case() -> None:
    found = example("bcp057")
    assert found is not None and found.code == "BCP057" and found.bad.endswith("\n") and found.good.endswith("\n")
    assert example("BCP999") is None


def test_many_lines_of_a_kind_are_compiled_all_and_shown_once() -> None:
    text = "var a = 1\n@@ 3 param p{} int\n"
    assert program(text) == "var a = 1\nparam p0 int\nparam p1 int\nparam p2 int\n"
    assert shown(text) == "var a = 1\nparam p0 int\n// … and 2 more like it\n"
