"""`lint --fix`: what is written, what is told, and the exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

UGLY = "param unused string\noutput x object = { 'name': json('null') }\n"
SAFE = "param unused string\noutput x object = { name: null }\n"
ALL = "output x object = { name: null }\n"


def write(name: str, text: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_safe_fixes_are_written_and_what_is_left_is_told(ulna):
    path = write("a.bicep", UGLY)
    result = ulna("lint", "a.bicep", "--fix")
    assert path.read_text() == SAFE
    assert result.code == 0 and result.err.startswith("fixed 2 findings in 1 file\n")
    assert "no-unused-params" in result.err and "simplify-json-null" not in result.err


def test_unsafe_fixes_are_written_for_those_who_ask(ulna):
    path = write("a.bicep", UGLY)
    assert ulna("lint", "a.bicep", "--unsafe-fixes").err == "fixed 3 findings in 1 file\n"
    assert path.read_text() == ALL
    assert ulna("lint", "a.bicep", "--fix", "--unsafe-fixes") == (0, "", "")


def test_a_difference_is_shown_and_nothing_written(ulna):
    path = write("a.bicep", UGLY)
    result = ulna("lint", "a.bicep", "--fix", "--diff")
    assert path.read_text() == UGLY and result.code == 1
    assert "-output x object = { 'name': json('null') }\n+output x object = { name: null }\n" in result.out
    path.write_text(SAFE)
    assert ulna("lint", "a.bicep", "--diff")[:2] == (0, "")
    assert ulna("lint", "a.bicep", "--diff", "--unsafe-fixes").code == 1


def test_errors_that_are_left_decide(ulna):
    write("a.bicep", "output x array = [{ 'a': nothing }]\n")
    result = ulna("lint", "a.bicep", "--fix")
    assert result.code == 1 and "BCP057" in result.err and "prefer-unquoted" not in result.err
    assert ulna("lint", "nowhere.bicep", "--fix").code == 1
    assert ulna("lint", "nowhere.bicep", "--diff").code == 1
    assert ulna("lint", "--fix").code == 2


def test_a_finding_at_level_error_that_was_fixed_does_not_count(ulna):
    write("bicepconfig.json", '{"analyzers": {"core": {"rules": {"simplify-json-null": {"level": "error"}}}}}')
    write("a.bicep", "output x object? = json('null')\n")
    assert ulna("lint", "a.bicep").code == 1
    assert ulna("lint", "a.bicep", "--fix").code == 0


def test_folders_and_patterns_are_fixed_by_several_processes(ulna):
    paths = [write(f"apps/d{n % 3}/a{n}.bicep", UGLY) for n in range(40)]
    hidden = write("apps/.git/a.bicep", UGLY)
    result = ulna("lint", "apps", "--fix", "--jobs", "2")
    assert result.err.startswith("fixed 80 findings in 40 files\n")
    assert {p.read_text() for p in paths} == {SAFE} and hidden.read_text() == UGLY
    result = ulna("lint", "--pattern", "apps/*/a1*.bicep", "--unsafe-fixes", "--jobs", "2")
    assert result.code == 0 and sum(p.read_text() == ALL for p in paths) == 11


def test_a_pattern_means_source_files_only(ulna):
    write("apps/a.bicep", UGLY)
    write("apps/notes.txt", "text")
    assert ulna("lint", "--pattern", "apps/**").err.count("no-unused-params") == 1
    assert ulna("lint", "--pattern", "apps/*.txt").code == 2


def test_what_is_in_no_folder_is_said(ulna):
    write("apps/readme.txt", "")
    result = ulna("lint", "apps")
    assert result.code == 2 and "ULN706" in result.err


@pytest.mark.parametrize(
    ("mark", "encoding"), [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")]
)
def test_encoding_line_ends_and_permissions_stay(ulna, mark, encoding):
    text = "// größer\r\noutput x object = { 'name': '☃' }\r\n"
    path = write("a.bicep", mark + text.encode(encoding))
    path.chmod(0o640)
    assert ulna("lint", "a.bicep", "--fix").code == 0
    assert path.read_bytes() == mark + text.replace("'name'", "name").encode(encoding)
    assert path.stat().st_mode & 0o777 == 0o640 and [p.name for p in Path().iterdir()] == ["a.bicep"]


def test_a_link_stays_a_link(ulna):
    path = write("real/a.bicep", UGLY)
    Path("link.bicep").symlink_to(path)
    ulna("lint", "link.bicep", "--fix")
    assert Path("link.bicep").is_symlink() and path.read_text() == SAFE


def test_modules_are_fixed_where_they_are_named(ulna):
    module = write("lib.bicep", UGLY)
    write("main.bicep", "module lib 'lib.bicep' = {\n  params: {\n    unused: 'x'\n  }\n}\n")
    assert "simplify-json-null" in ulna("lint", "main.bicep", "--fix").err
    assert module.read_text() == UGLY
    result = ulna("lint", "main.bicep", "lib.bicep", "--unsafe-fixes")
    assert module.read_text() == ALL
    assert result.code == 1 and "BCP037" in result.err, "who passes what was removed is told"


def test_what_would_break_the_program_is_not_written(ulna):
    """The string that a parameter would become cannot have its default."""
    text = "param _artifactsLocation bool = true\n@secure()\nparam _artifactsLocationSasToken string = ''\n"
    text += "output o string = '${_artifactsLocation}${empty(_artifactsLocationSasToken)}'\n"
    path = write("a.bicep", text)
    result = ulna("lint", "a.bicep", "--unsafe-fixes")
    assert path.read_text() == text and result.code == 0
    assert "a.bicep:1:26: warning ULN041" in result.err and "would break" in result.err


def test_a_folder_that_may_not_be_written_is_said(tmp_path, monkeypatch):
    """As root may write everywhere, the system's refusal is played."""
    from engine.diagnostics.diagnostic import UlnaError
    from engine.pipeline.mending import mended, write_back
    from engine.sources.local import LocalSources

    path = tmp_path / "a.bicep"
    path.write_text(UGLY)
    fixed = mended(str(path), LocalSources())

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(UlnaError) as raised:
        write_back(str(path), fixed)
    assert raised.value.diagnostics[0].code == "ULN715"
    assert path.read_text() == UGLY and [p.name for p in tmp_path.iterdir()] == ["a.bicep"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    from engine.diagnostics.diagnostic import UlnaError
    from engine.pipeline.mending import mended, write_back
    from engine.sources.local import LocalSources

    path = tmp_path / "a.bicep"
    path.write_text(UGLY)
    fixed = mended(str(path), LocalSources())
    path.write_text("var other = 1\n")
    with pytest.raises(UlnaError, match="changed meanwhile"):
        write_back(str(path), fixed)
    assert path.read_text() == "var other = 1\n"


def test_bicep_may_be_meant_strictly(ulna):
    write(
        "a.bicep", "resource v 'Ulna.Core/values@2026-12-01' = {\n  name: 'v'\n  properties: {\n    input: 1\n  }\n}\n"
    )
    assert ulna("lint", "a.bicep") == (0, "", "")
    result = ulna("lint", "a.bicep", "--strict-bicep")
    assert result.code == 0 and "a.bicep:1:12: warning ulna-strict-bicep" in result.err


def test_a_module_that_several_files_use_is_told_of_once(ulna):
    write("lib.bicep", "param unused string\n")
    for name in ("a", "b"):
        write(f"{name}.bicep", "module lib 'lib.bicep' = {\n  params: {\n    unused: 'x'\n  }\n}\n")
    assert ulna("lint", ".").err.count("no-unused-params") == 1


def test_experimental_features_are_warned_of_unless_silenced(ulna):
    write("a.bicep", "")
    write("bicepconfig.json", '{"experimentalFeaturesEnabled": {"assertions": true, "patch": false}}')
    said = "warning: experimental features are on, and may change or go: assertions\n"
    assert ulna("lint", "a.bicep") == (0, "", said)
    assert ulna("build", "a.bicep", "--stdout").err == said
    assert ulna("lint", "a.bicep", "-o", "github") == (0, "", "")
    write(
        "bicepconfig.json",
        '{"experimentalFeaturesEnabled": {"assertions": true}, "experimentalFeaturesWarning": false}',
    )
    assert ulna("lint", "a.bicep") == (0, "", "")


@pytest.mark.parametrize("text", ["{ a", "[]", '{"extends": "gone.json"}'])
def test_a_bad_configuration_is_a_finding_and_an_error(ulna, text):
    write("a.bicep", "")
    write("bicepconfig.json", text)
    result = ulna("lint", "a.bicep")
    assert result.code == 1 and "bicepconfig.json:1:" in result.err and "error BCP" in result.err


@pytest.mark.parametrize("verb", ["lint", "format", "restore"])
@pytest.mark.parametrize("name", ["a.json", "a.md", "-", ""])
def test_files_of_another_kind_are_refused(ulna, verb, name):
    if name.startswith("a"):
        Path(name).write_text("{}")
    assert ulna(verb, name) == (2, "", f"error ULN706: '{name}' is no .bicep or .bicepparam file\n")


def test_what_a_parameter_file_gives_is_no_default_to_be_removed(ulna):
    Path("app.bicep").write_text("@secure()\nparam token string\noutput o bool = empty(token)\n")
    Path("dev.bicepparam").write_text(text := "using 'app.bicep'\n@secure()\nparam token = 'x'\n")
    result = ulna("lint", "dev.bicepparam", "--unsafe-fixes")
    assert result.code == 1 and "BCP125" in result.err and "secure-parameter-default" not in result.err
    assert Path("dev.bicepparam").read_text() == text
