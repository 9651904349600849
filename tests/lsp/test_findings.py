"""What an editor is told without asking."""

from client import replace


def codes(findings):
    return [(f["code"], f["range"]["start"]["line"]) for f in findings]


def test_syntax_names_and_rules_are_looked_at_when_a_file_is_opened(editor):
    editor.open("a.bicep", "param used string\noutput o string = usde\nvar =\n")
    found = editor.told("a.bicep")
    assert ("BCP057", 1) in codes(found) or ("BCP082", 1) in codes(found)
    assert any(code.startswith("BCP") and line == 2 for code, line in codes(found))
    assert ("no-unused-params", 0) in codes(found)
    assert {f["source"] for f in found} == {"ulna"}


def test_a_finding_says_how_bad_it_is_and_what_to_do(editor):
    editor.open("a.bicep", "param name string\nparam rest string\noutput o string = nam\n")
    by_code = {f["code"]: f for f in editor.told("a.bicep")}
    assert by_code["no-unused-params"]["severity"] == 2
    assert by_code["no-unused-params"]["tags"] == [1]
    wrong = next(f for f in by_code.values() if f["severity"] == 1)
    assert wrong["message"].endswith("\nDid you mean 'name'?")
    assert wrong["range"] == {"start": {"line": 2, "character": 18}, "end": {"line": 2, "character": 21}}


def test_findings_follow_what_is_typed(editor):
    editor.open("a.bicep", "output o string = 'x'\n")
    assert editor.told("a.bicep") == []
    editor.change("a.bicep", replace((0, 18), (0, 21), "missing"))
    assert codes(editor.told("a.bicep")) == [("BCP057", 0)]
    editor.change("a.bicep", replace((0, 18), (0, 25), "'y'"))
    assert editor.told("a.bicep") == []


def test_several_changes_at_once_are_made_one_after_the_other(editor):
    editor.open("a.bicep", "var a = 1\n")
    editor.told("a.bicep")
    editor.change(
        "a.bicep",
        replace((1, 0), (1, 0), "output o int = a\n"),
        replace((0, 4), (0, 5), "bb"),
        replace((1, 15), (1, 16), "bb"),
    )
    assert editor.told("a.bicep") == []


def test_a_whole_text_can_be_sent_too(editor):
    editor.open("a.bicep", "var a = 1\n")
    editor.told("a.bicep")
    editor.change("a.bicep", {"text": "output o int = 1\n"})
    assert editor.told("a.bicep") == []


def test_findings_go_when_the_file_is_closed(editor):
    editor.open("a.bicep", "var a = b\n")
    assert editor.told("a.bicep")
    editor.shut("a.bicep")
    assert editor.told("a.bicep") == []


def test_a_module_that_is_edited_is_seen_before_it_is_saved(editor):
    editor.save("part.bicep", "param size int\noutput s int = size\n")
    editor.open("main.bicep", "module part 'part.bicep' = {\n  params: {\n    size: 1\n  }\n}\n")
    assert editor.told("main.bicep") == []
    editor.open("part.bicep", "param size int\noutput s int = size\n")
    assert editor.told("part.bicep") == []
    editor.change("part.bicep", replace((0, 0), (1, 22), "param length int\noutput s int = length"))
    found = editor.told("main.bicep")
    assert "BCP035" in {f["code"] for f in found}, found
    editor.shut("part.bicep")
    assert editor.told("main.bicep") == []


def test_a_file_that_appears_on_disk_is_seen_when_the_editor_says_so(editor):
    editor.open("main.bicep", "module part 'part.bicep' = {}\n")
    assert codes(editor.told("main.bicep")) == [("BCP091", 0)]
    editor.save("part.bicep", "output s int = 1\n")
    editor.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": editor.uri("part.bicep"), "type": 1}]})
    assert editor.told("main.bicep") == []


def test_the_levels_of_the_configuration_count(editor):
    editor.save("bicepconfig.json", '{"analyzers": {"core": {"rules": {"no-unused-vars": {"level": "error"}}}}}')
    editor.open("a.bicep", "var a = 1\n")
    assert [f["severity"] for f in editor.told("a.bicep")] == [1]


def test_a_parameter_file_is_a_file_too(editor):
    editor.save("main.bicep", "param size int\noutput s int = size\n")
    editor.open("main.bicepparam", "using 'main.bicep'\nparam size = 'large'\n")
    assert [f["range"]["start"]["line"] for f in editor.told("main.bicepparam")] == [1]


def test_files_in_a_circle_are_no_trouble(editor):
    editor.save("b.bicep", "module a 'a.bicep' = {}\n")
    editor.open("a.bicep", "module b 'b.bicep' = {}\n")
    assert {f["code"] for f in editor.told("a.bicep")} == {"BCP095"}


def test_a_column_counts_utf_16_units(editor):
    editor.open("a.bicep", "output o string = '😀${missing}'\n")
    assert editor.told("a.bicep")[0]["range"] == {
        "start": {"line": 0, "character": 23},
        "end": {"line": 0, "character": 30},
    }


def test_lines_are_counted_as_editors_count_them(editor):
    editor.open("a.bicep", "// one\u2028two\x0cthree\nvar x = 1\noutput o int = x\n")
    assert editor.told("a.bicep") == []
    editor.change("a.bicep", replace((1, 4), (1, 5), "yy"), replace((2, 15), (2, 16), "yz"))
    assert codes(editor.told("a.bicep"))[:1] == [("no-unused-vars", 1)]
