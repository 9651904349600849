"""Compiling from the command line: which files, and where it goes."""

from __future__ import annotations

from pathlib import Path

import pytest

FILE = "param size int = 1\noutput o int = size\n"


@pytest.fixture
def file(ulna) -> None:
    Path("app.bicep").write_text(FILE)


def test_all_files_that_fit_a_pattern_are_compiled(ulna):
    for name in ("a", "b"):
        Path("apps", name).mkdir(parents=True)
        Path("apps", name, "main.bicep").write_text(f"param size int\noutput o string = '{name}${{size}}'\n")
        Path("apps", name, "dev.bicepparam").write_text("using 'main.bicep'\nparam size = 5\n")
    Path("apps/c").mkdir()
    Path("apps/c/main.bicep").write_text("output o string = nothing\n")
    result = ulna("build", "--pattern", "apps/**/main.bicep", "--outdir", "out")
    assert result.code == 1 and "BCP057" in result.err, "what is wrong with one stops no other"
    assert sorted(str(p) for p in Path("out").rglob("*.json")) == ["out/a/main.json", "out/b/main.json"]
    assert ulna("build", "--pattern", "apps/[ab]/*.bicep").code == 0
    assert Path("apps/a/main.json").read_text() == Path("out/a/main.json").read_text()
    assert (
        ulna("build-params", "--pattern", "apps/*/*.bicepparam").err == "wrote apps/a/dev.json\nwrote apps/b/dev.json\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["build", "app.bicep", "--pattern", "*.bicep"], "FILE and --pattern exclude each other"),
        (["build", "--stdout", "--pattern", "*.bicep"], "--stdout and --pattern exclude each other"),
        (["build", "--outfile", "x", "--pattern", "*.bicep"], "--outfile and --pattern exclude each other"),
        (["build", "--pattern", "*.bicepparam"], "No .bicep file fits"),
        (["build-params", "--pattern", "*.bicep"], "No .bicepparam file fits"),
        (["build"], "FILE is missing"),
        (["build-params"], "FILE is missing"),
        (["build", "app.bicep", "--outfile", "./app.bicep"], "is what is read: it is not overwritten"),
    ],
)
def test_a_call_that_cannot_be_meant_is_refused(ulna, file, words, message):
    result = ulna(*words)
    assert result.code == 2 and message in result.err
    assert Path("app.bicep").read_text() == FILE and not Path("app.json").exists()


def test_a_file_is_the_very_text_that_bicep_writes(ulna, file):
    Path("dev.bicepparam").write_text("using 'app.bicep'\n")
    ulna("build", "app.bicep")
    ulna("build-params", "dev.bicepparam")
    assert ulna("build", "app.bicep", "--stdout").out == Path("app.json").read_text() + "\n"
    assert Path("app.json").read_text()[-2:] == Path("dev.json").read_text()[-2:] == "\n}"


def test_building_parameters_tells_what_the_linter_finds(ulna, file):
    Path("dev.bicepparam").write_text("using 'app.bicep'\nvar spare = 1\n")
    result = ulna("build-params", "dev.bicepparam", "--stdout")
    assert result.code == 0 and result.err.startswith("dev.bicepparam:2:5: warning no-unused-vars")


def test_parameters_for_another_template_than_expected_are_refused(ulna, file):
    Path("other.bicep").write_text(FILE)
    Path("dev.bicepparam").write_text("using 'app.bicep'\nparam size = 5\n")
    assert ulna("build-params", "dev.bicepparam", "--bicep-file", "app.bicep").code == 0
    Path("dev.json").unlink()
    result = ulna("build-params", "dev.bicepparam", "--bicep-file", "other.bicep")
    assert result.code == 1 and "is not for 'other.bicep' but for" in result.err and not Path("dev.json").exists()
