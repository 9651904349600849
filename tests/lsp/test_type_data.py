"""What an editor is offered and told where types are given as data."""

import pytest

from tests.types.described import arm, extension, large

STORE = "resource store 'Test.Rp/stores@2024-01-01' = "
SCRIPT = "resource script 'Test.Rp/scripts@2024-01-01' = "


@pytest.fixture
def offers(editor):
    save(editor, arm(), "types")
    save(editor, extension(), "garden")
    editor.save("bicepconfig.json", '{"ulna": {"types": "types"}, "extensions": {"garden": "./garden"}}')

    def ask(marked):
        found = editor.ask("textDocument/completion", editor.open("data.bicep", marked))["items"]
        return {item["label"]: item for item in found}

    return ask


def save(editor, files, folder):
    for name, text in files.items():
        editor.save(f"{folder}/{name}", text)


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("resource r '¦'", ["Test.Rp/", "Applications.Core/containers@2023-10-01-preview"]),
        ("resource r 'Test.Rp/st¦'", ["Test.Rp/stores@2024-01-01", "Test.Rp/stores/shelves@2022-01-01"]),
        (STORE + "{\n  ¦\n}", ["name", "location", "properties", "sku", "dependsOn"]),
        (STORE + "{\n  properties: {\n    ¦\n  }\n}", ["size", "tier", "secret", "backup"]),
        (STORE + "{\n  properties: {\n    tier: ¦\n  }\n}", ["'Hot'", "'Cool'", "'Frozen'"]),
        (STORE + "{\n  properties: {\n    mode: ¦\n  }\n}", ["'Fast'", "'Slow'"]),
        (STORE + "{\n  properties: {\n    tier: '¦\n", ["Hot", "Cool"]),
        (STORE + "{\n  properties: {\n    rules: [\n      {\n        inner: {\n          ¦\n", ["port", "inner"]),
        (STORE + "{\n  properties: {\n    backup: {\n      kind: ¦\n", ["'Daily'", "'None'"]),
        (STORE + "{\n  properties: {\n    backup: {\n      kind: 'Daily'\n      ¦\n    }\n", ["hour", "note"]),
        (SCRIPT + "{\n  kind: ¦\n}", ["'Shell'", "'Python'"]),
        (SCRIPT + "{\n  kind: 'Python'\n  properties: {\n    ¦\n  }\n}", ["module"]),
        (STORE + "{}\noutput o object = store.properties.¦", ["endpoints", "state"]),
        (STORE + "{\n  name: 'x'\n  resource shelf 'shelves' = {\n    name: ¦\n  }\n}", ["'default'", "'upper'"]),
        ("extension garden with { gate: '', key: '' }\nresource rose 'plant@v1' = {\n  ¦\n}", ["label", "bed", "plot"]),
        ("extension garden with { gate: '', key: '' }\nresource rose 'p¦'", ["plant@v1"]),
    ],
)
def test_what_the_types_have_is_offered(offers, marked, words):
    found = offers(marked)
    assert set(words) <= set(found), sorted(found)


@pytest.mark.parametrize(
    ("marked", "word"),
    [
        (STORE + "{\n  ¦\n}", "managedBy"),
        (STORE + "{\n  ¦\n}", "etag"),
        (STORE + "{\n  properties: {\n    ¦\n  }\n}", "state"),
        (SCRIPT + "{\n  kind: 'Python'\n  properties: {\n    ¦\n  }\n}", "command"),
        (STORE + "{}\noutput o object = store.properties.¦", "secret"),
    ],
)
def test_what_cannot_be_there_is_not_offered(offers, marked, word):
    assert word not in offers(marked)


def test_a_body_is_offered_with_all_that_it_must_have(offers):
    snippet = offers(STORE + "¦")["{}"]
    text = snippet.get("insertText") or snippet["textEdit"]["newText"]
    assert [word for word in ("name:", "location:", "properties: {", "size:") if word not in text] == []
    assert "tier" not in text


@pytest.mark.parametrize(
    ("marked", "says"),
    [
        (STORE + "{\n  properties: {\n    ti¦er: 'Hot'\n  }\n}", "How fast it answers."),
        (STORE + "{\n  na¦me: 'x'\n}", "What the store is called."),
        ("resource store 'Test.Rp/st¦ores@2024-01-01' = {}", "`location`"),
        (STORE + "{}\noutput o string = store.properties.st¦ate", "'Failed' | 'Ready'"),
    ],
)
def test_what_the_types_say_is_told(editor, offers, marked, says):
    found = editor.ask("textDocument/hover", editor.open("data.bicep", marked))
    assert found is not None and says in found["contents"]["value"], found


def test_types_that_change_are_read_anew(editor, offers):
    assert "size" in offers(STORE + "{\n  properties: {\n    ¦\n  }\n}")
    files = large(3)
    save(editor, files, "types")
    assert "Fake.Rp1/things1@2010-01-01" in offers("resource r 'Fake.Rp1/¦'")
