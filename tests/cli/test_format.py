from __future__ import annotations

from pathlib import Path

import pytest

UGLY, PRETTY = "var   a=1\n", "var a = 1\n"


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_it_rewrites_files_in_place(ulna):
    first, second = write("a.bicep", UGLY), write("b.bicepparam", "using   'a.bicep'\n")
    result = ulna("format", "a.bicep", "b.bicepparam")
    assert (result.code, result.out, result.err) == (0, "", "wrote a.bicep\nwrote b.bicepparam\n")
    assert first.read_text() == PRETTY and second.read_text() == "using 'a.bicep'\n"
    assert ulna("format", "a.bicep") == (0, "", "")


def test_it_prints_and_writes_elsewhere(ulna):
    path = write("in/a.bicep", UGLY)
    assert ulna("format", "in/a.bicep", "--stdout") == (0, PRETTY, "")
    assert ulna("format", "in/a.bicep", "--outdir", "out").code == 0
    assert ulna("format", "in/a.bicep", "--outfile", "c.bicep").code == 0
    assert Path("out/a.bicep").read_text() == Path("c.bicep").read_text() == PRETTY
    assert path.read_text() == UGLY


def test_check_lists_what_would_change_and_changes_nothing(ulna):
    path, _ = write("a.bicep", UGLY), write("b.bicep", PRETTY)
    assert ulna("format", "--check", "a.bicep", "b.bicep") == (1, "a.bicep\n", "")
    assert ulna("format", "--check", "b.bicep") == (0, "", "1 file as they should be\n")
    assert path.read_text() == UGLY


def test_diff_shows_what_would_change(ulna):
    write("a.bicep", "// é\nvar   a=1")
    result = ulna("format", "--diff", "a.bicep")
    assert result.code == 1
    assert result.out.splitlines() == [
        "--- a.bicep", "+++ a.bicep", "@@ -1,2 +1,2 @@", " // é", "-var   a=1", "\\ No newline at end of file", "+var a = 1",
    ]  # fmt: skip


def test_the_form_is_that_of_the_nearest_configuration_or_of_the_call(ulna):
    text = "var a = {\n  b: 1\n}\n"
    write("in/a.bicep", text)
    write("bicepconfig.json", '{"formatting": {"indentSize": 4, "newlineKind": "CRLF"}}')
    assert ulna("format", "in/a.bicep", "--stdout").out == text.replace("  ", "    ").replace("\n", "\r\n")
    forms = ("--newline-kind", "LF", "--indent-kind", "Tab", "--insert-final-newline", "false")
    assert ulna("format", "in/a.bicep", "--stdout", *forms).out == text.replace("  ", "\t").rstrip()
    assert ulna("format", "in/a.bicep", "--stdout", "--indent-size", "1", "--newline-kind", "auto").out == text.replace(
        "  ", " "
    )
    write("w.bicep", "var a = [1, 2]\n")
    assert (
        ulna("format", "w.bicep", "--stdout", "--width", "5", "--newline-kind", "lf").out
        == "var a = [\n    1\n    2\n]\n"
    )


def test_a_pattern_means_all_files_that_match(ulna):
    for name in ("a.bicep", "sub/b.bicep", "sub/c.txt"):
        write(name, UGLY)
    assert ulna("format", "--check", "--pattern", "**/*").out == "a.bicep\nsub/b.bicep\n"
    assert ulna("format", "--pattern", "*.txt").code == 2


def test_wrong_calls_are_refused(ulna):
    write("a.bicep", UGLY)
    write("b.bicep", UGLY)
    for words in ([], ["a.json"], ["a.bicep", "--pattern", "*"], ["a.bicep", "b.bicep", "--outfile", "x"]):
        assert ulna("format", *words).code == 2
    result = ulna("format", "missing.bicep", "a.bicep")
    assert result.code == 1 and "missing.bicep" in result.err
    assert Path("a.bicep").read_text() == PRETTY


def test_all_files_below_a_folder_are_formatted(ulna):
    write("in/a.bicep", UGLY)
    write("in/deep/b.bicepparam", "using   'a.bicep'\n")
    write("in/.hidden/c.bicep", UGLY)
    write("in/notes.txt", UGLY)
    assert ulna("format", "in").err == "wrote in/a.bicep\nwrote in/deep/b.bicepparam\n"
    write("empty/notes.txt", "")
    assert "ULN706" in ulna("format", "empty").err


@pytest.mark.parametrize(
    ("words", "least"),
    [(("format", "--width", "-1"), 0), (("format", "--indent-size", "x"), 0), (("lint", "--jobs", "0"), 1)],
)
def test_numbers_have_a_least_value(ulna, words, least):
    result = ulna(*words, "a.bicep")
    assert (result.code, result.out) == (2, "")
    assert f"{words[1]}: '{words[2]}' is no whole number of at least {least}" in result.err


def test_files_of_one_name_keep_their_folders_below_outdir(ulna):
    for name in ("a", "b"):
        Path("in", name).mkdir(parents=True)
        Path("in", name, "main.bicep").write_text(f"var {name}=1\n")
    assert ulna("format", "in", "--outdir", "all").code == 0
    assert ulna("format", "--pattern", "in/*/main.bicep", "--outdir", "fitting").code == 0
    assert ulna("format", ".", "--outdir", "here").code == 0
    assert Path("here/in/a/main.bicep").exists() and Path("here/in/b/main.bicep").exists()
    for out in ("all", "fitting"):
        assert [Path(out, n, "main.bicep").read_text() for n in ("a", "b")] == ["var a = 1\n", "var b = 1\n"]


def test_two_files_that_would_be_one_are_refused(ulna):
    for name in ("a", "b"):
        Path("in", name).mkdir(parents=True)
        Path("in", name, "main.bicep").write_text(f"var {name}=1\n")
    for words in (["in/a", "in/b"], ["in/a/main.bicep", "./in/b/main.bicep"]):
        result = ulna("format", *words, "--outdir", "out")
        assert result.code == 2 and "would both be written to 'out/main.bicep'" in result.err
    assert not Path("out").exists()
