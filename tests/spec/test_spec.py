"""Runs the pages of `check/` and `lint/`: prose with programs whose comments say what must be found.

A fence ```` ```bicep ```` is a program; ```` ```bicep lib.bicep ```` (or `json`) a file that later programs of the same
section can use. `// error: CODE words` at the end of a line expects a finding that starts on that line and whose message
or help has the words, several of them several findings; a program without such comments must be clean. On a page of `lint/`, which is named for its rule, only that rule's findings
count, the rule is on, and a fence ```` ```bicep fixed ```` after a program is what its fixes make of it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.check.check import check
from engine.config.config import Config
from engine.diagnostics.diagnostic import Diagnostic
from engine.lint.fixing import Seen, fix
from engine.lint.run import all_rules, lint
from engine.sources.memory import MemorySources
from tests.types.described import beside

HERE = Path(__file__).parent
FENCE = re.compile(r"^```(bicep|bicepparam|json)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
EXPECTED = re.compile(r"// (error|warning|info): ([\w-]+)(?: ((?:(?! // ).)*))?(?= // |$)")


class Program(NamedTuple):
    """One program of a page, the files beside it, and what its fixes must make of it."""

    page: Path
    line: int
    name: str
    text: str
    files: dict[str, str]
    fixed: str | None


def programs(folder: str) -> list[Program]:
    """All programs of the pages in a folder."""
    found: list[Program] = []
    for page in sorted((HERE / folder).glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for section in re.split(r"^(?=## )", text, flags=re.M):
            files: dict[str, str] = {}
            for match in FENCE.finditer(section):
                language, name, body = match.groups()
                if name == "fixed":
                    found[-1] = found[-1]._replace(fixed=body)
                elif name:
                    files[name] = body
                else:
                    line = text[: text.index(section) + match.start()].count("\n") + 2
                    found.append(Program(page, line, f"main.{language}", body, dict(files), None))
    return found


def identify(program: Program) -> str:
    return f"{program.page.parent.name}/{program.page.name}:{program.line}"


def expected(text: str) -> list[tuple[int, str, str, str]]:
    return [
        (number, m[1], m[2], (m[3] or "").strip())
        for number, line in enumerate(text.splitlines(), 1)
        for m in EXPECTED.finditer(line)
    ]


def compare(program: Program, found: list[Diagnostic]) -> None:
    """Every finding is expected, and every expectation met."""
    wanted = expected(program.text)
    actual = []
    for diagnostic in found:
        assert diagnostic.primary is not None, diagnostic
        line = diagnostic.primary.source.position(diagnostic.primary.span.start)[0]
        actual.append((line, str(diagnostic.severity), diagnostic.code, f"{diagnostic.message} {diagnostic.help}"))
    assert [w[:3] for w in wanted] == sorted(a[:3] for a in actual), [a for a in actual]
    for want in wanted:
        words = [a[3] for a in actual if a[:3] == want[:3]]
        assert any(want[3].lower() in w.lower() for w in words), words


def sources_of(program: Program) -> MemorySources:
    day = {"SOURCE_DATE_EPOCH": "1735689600"}  # the first of January 2025
    return MemorySources({**beside(), program.name: program.text, **program.files}, day)


@pytest.mark.parametrize("program", programs("check"), ids=identify)
def test_check_finds_what_the_page_says(program: Program) -> None:
    model = check(program.name, sources_of(program))
    compare(program, list(model.diagnostics))


@pytest.mark.parametrize("program", programs("lint"), ids=identify)
def test_lint_finds_what_the_page_says(program: Program) -> None:
    rule = program.page.stem
    given = program.files.get("bicepconfig.json")
    config = Config({"analyzers": {"core": {"rules": {rule: {"level": "warning"}}}}})
    sources = sources_of(program)
    model = check(program.name, sources, None if given else config)
    assert not [d for d in model.diagnostics if d.severity == "error"], model.diagnostics
    found = [d for d in lint(model) if d.code == rule]
    compare(program, found)
    if program.fixed is not None:

        def look(text: str) -> Seen:
            model = check(program.name, sources_of(program._replace(text=text)), None if given else config)
            errors = [d for d in model.diagnostics if d.severity == "error"]
            return Seen(tuple(d for d in lint(model) if d.code == rule), len(errors), len(errors), model.file.comments)

        fixed = fix(program.text, look, unsafe=True)
        assert not fixed.refused
        text = fixed.after
        assert re.sub(f" *{EXPECTED.pattern}", "", text, flags=re.M).rstrip() == program.fixed.rstrip()


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert {p.stem for p in (HERE / "lint").glob("*.md")} == set(all_rules())


def test_every_rule_has_a_file_of_its_name_and_words_for_explain() -> None:
    for code, rule in all_rules().items():
        assert rule.check.__module__.endswith(code.replace("-", "_"))
        assert rule.page.strip()
