from __future__ import annotations

import json
from pathlib import Path

import pytest

FILE = "main.bicepparam"
SNAPSHOT = Path("main.snapshot.json")


def edit(old: str, new: str) -> None:
    file = Path(FILE)
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_what_is_as_it_was_is_fine(snapshot):
    assert snapshot(FILE) == (0, "", "wrote main.snapshot.json\n")
    before = SNAPSHOT.read_bytes()
    assert snapshot(FILE, "--mode", "validate") == (0, "", "main.snapshot.json is as it was\n")
    assert SNAPSHOT.read_bytes() == before


def test_a_change_is_shown_and_the_file_is_kept(snapshot):
    snapshot(FILE, "--mode", "overwrite")
    before = SNAPSHOT.read_bytes()
    edit("F1", "B1")
    result = snapshot(FILE, "--mode", "validate")
    assert result.code == 1 and SNAPSHOT.read_bytes() == before
    assert "Scope: /subscriptions/s/resourceGroups/g\n" in result.out
    assert "  ~ Microsoft.Web/serverfarms/one [2022-03-01]\n" in result.out
    assert '    ~ sku.name: "F1" => "B1"\n' in result.out
    assert "Resource changes: 2 to modify.\n" in result.out


def test_a_change_at_an_open_place_is_told_by_name(snapshot):
    snapshot(FILE, place=())
    edit("F1", "B1")
    result = snapshot(FILE, "--mode", "validate", place=())
    assert "Scope: <unknown>\n" in result.out
    assert "  ~ Microsoft.Web/serverfarms/one [2022-03-01]\n" in result.out
    assert "{0}" not in result.out


def test_resources_that_come_and_go_are_shown_whole(snapshot):
    snapshot(FILE)
    edit("'one', 'two'", "'two', 'three'")
    result = snapshot(FILE, "--mode", "validate")
    assert result.code == 1
    gone, came = (
        result.out.index("  - Microsoft.Web/serverfarms/one"),
        result.out.index("  + Microsoft.Web/serverfarms/three"),
    )
    assert gone < came and "serverfarms/two" not in result.out.partition("Resource changes")[0]
    assert "Resource changes: 1 to delete, 1 to create.\n" in result.out
    assert "  ~ outputs.first: " in result.out and '/one" => "' in result.out


def test_another_api_version_is_a_change(snapshot):
    snapshot(FILE)
    main = Path("main.bicep")
    main.write_text(main.read_text().replace("2022-03-01", "2023-01-01"))
    result = snapshot(FILE, "--mode", "validate")
    assert result.code == 1 and 'apiVersion: "2022-03-01" => "2023-01-01"' in result.out


def test_a_change_of_outputs_alone_counts(snapshot):
    snapshot(FILE)
    main = Path("main.bicep")
    main.write_text(main.read_text() + "output more int = 1\n")
    result = snapshot(FILE, "--mode", "validate")
    assert (result.code, result.out) == (1, "  + outputs.more: 1\n")


def test_neither_order_nor_case_of_ids_matter_nor_do_outputs_that_were_not_kept(snapshot):
    snapshot(FILE)
    document = json.loads(SNAPSHOT.read_text())
    del document["outputs"]
    document["predictedResources"].reverse()
    SNAPSHOT.write_text(json.dumps(document))
    assert snapshot(FILE, "--mode", "VALIDATE").code == 0


def test_refactoring_into_a_module_changes_nothing(snapshot):
    snapshot(FILE)
    Path("plans.bicep").write_text(Path("main.bicep").read_text())
    Path("main.bicep").write_text(
        "param sku string\nparam names array\n"
        "module plans 'plans.bicep' = { params: { sku: sku, names: names } }\n"
        "output first string = plans.outputs.first\n"
    )
    assert snapshot(FILE, "--mode", "validate").code == 0


def test_resources_of_one_open_id_are_told_apart(snapshot):
    Path("main.bicep").write_text(
        "param sku string\nparam names array\nparam a string = newGuid()\nparam b string = newGuid()\n"
        "resource x 'Microsoft.Web/sites@2022-03-01' = { name: a, location: sku }\n"
        "resource y 'Microsoft.Web/sites@2022-03-01' = { name: b, location: names[0] }\n"
    )
    snapshot(FILE)
    assert [r["location"] for r in json.loads(SNAPSHOT.read_text())["predictedResources"]] == ["F1", "one"]
    assert snapshot(FILE, "--mode", "validate").code == 0
    edit("'one', ", "")
    assert "1 to modify" in snapshot(FILE, "--mode", "validate").out


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "ULN711"),
        ("{", "ULN714"),
        ("[]", "ULN714"),
        ("{}", "ULN714"),
        ('{"predictedResources": [1]}', "ULN714"),
        ('{"predictedResources": {}}', "ULN714"),
    ],
)
def test_what_is_no_snapshot_is_refused(snapshot, text, code):
    if text is not None:
        SNAPSHOT.write_text(text)
    result = snapshot(FILE, "--mode", "validate")
    assert (result.code, result.out) == (1, "") and code in result.err and "main.snapshot.json" in result.err


@pytest.mark.parametrize("text", ["[{}]", '[{"id": 1, "type": [], "name": {}}]', '[{"id": "/x"}, {"id": "/X"}]'])
def test_odd_resources_in_the_file_are_differences_not_failures(snapshot, text):
    SNAPSHOT.write_text(f'{{"predictedResources": {text}, "outputs": 3}}')
    result = snapshot(FILE, "--mode", "validate")
    assert result.code == 1 and "2 to create" in result.out and "to delete" in result.out


def test_what_was_never_written_is_not_compared(snapshot):
    result = snapshot(FILE, "--mode", "validate")
    assert result[:2] == (1, "") and "main.snapshot.json' is not there to compare with" in result[2]
    assert "without --mode validate writes it" in result[2] and not SNAPSHOT.exists()


def test_other_files_and_other_modes_are_calls_gone_wrong(snapshot):
    assert snapshot("main.bicep").code == 2
    assert snapshot(FILE, "--mode", "guess").code == 2
    assert snapshot().code == 2


def test_problems_of_the_program_are_diagnostics_and_nothing_is_written(snapshot):
    Path("none.bicepparam").write_text("using none\n")
    assert "ULN516" in snapshot("none.bicepparam").err
    assert snapshot("missing.bicepparam").code == 1
    edit("param sku = 'F1'\n", "")
    result = snapshot(FILE)
    assert result.code == 1 and "BCP258" in result.err
    Path(FILE).write_text("using 'main.bicep'\nparam sku = 'x'\nparam names = ['a', 'A']\n")
    result = snapshot(FILE)
    assert result.code == 1 and "ULN208" in result.err
    assert not SNAPSHOT.exists()


def test_messages_have_no_marks_in_them(snapshot):
    edit("'one', 'two'", "'', 'x'")
    result = snapshot(FILE, place=())
    assert result.code == 1 and "ULN204" in result.err and "\ufdd0" not in result.err


def test_a_place_that_the_template_has_no_use_for_is_refused(snapshot):
    main = Path("main.bicep")
    main.write_text("targetScope = 'tenant'\nparam names array = []\nparam sku string\noutput o array = [names, sku]\n")
    for flag in ("--subscription-id", "--resource-group"):
        result = snapshot(FILE, flag, "x")
        assert result.code == 2 and "ULN701" in result.err


def test_a_variable_that_cannot_be_had_is_told_once_though_nothing_refers_to_it(snapshot):
    main = Path("main.bicep")
    text = main.read_text() + "var gone = sku == 'F1' ? fail('not for F1') : sku\n"
    main.write_text(text)
    result = snapshot(FILE)
    assert result.code == 1 and result.err.count("error ULN204: not for F1") == 1
    assert not SNAPSHOT.exists()
    main.write_text(f"{text}var twice = gone\noutput told string = twice\n")
    assert snapshot(FILE).err.count("error ULN204") == 1
    edit("F1", "B1")
    assert snapshot(FILE).code == 0
