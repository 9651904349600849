"""The process itself: how it starts, ends and fails; and that no text makes it fail."""

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import pytest
from client import Editor, replace

from engine.cli.main import main

ROOT = Path(__file__).parents[2]

REQUESTS = (
    "hover", "completion", "signatureHelp", "definition", "references", "documentHighlight", "prepareRename",
    "documentSymbol", "foldingRange", "codeAction", "semanticTokens/full", "formatting",
)  # fmt: skip


def ask_all(editor, at):
    place = at["position"]
    more = {
        "references": {"context": {"includeDeclaration": True}},
        "codeAction": {"range": {"start": place, "end": place}, "context": {"diagnostics": []}},
        "formatting": {"options": {"tabSize": 2, "insertSpaces": True}},
    }
    for request in REQUESTS:
        editor.ask(f"textDocument/{request}", {**at, **more.get(request, {})})


def test_it_ends_with_the_editor(tmp_path):
    editor = Editor(tmp_path)
    editor.process.stdin.close()
    assert editor.ended() == 1


def test_an_editor_that_counts_bytes_and_knows_no_snippets_is_understood(tmp_path):
    editor = Editor(tmp_path, ["utf-8", "utf-16"], capable=False)
    assert editor.capabilities["positionEncoding"] == "utf-8"
    editor.open("a.bicep", "output o string = '😀${missing}'\n")
    assert editor.told("a.bicep")[0]["range"]["start"] == {"line": 0, "character": 25}
    editor.change("a.bicep", replace((0, 25), (0, 32), "'x'"))
    assert all(f["code"] != "BCP057" for f in editor.told("a.bicep"))
    found = editor.ask("textDocument/completion", editor.open("a.bicep", "cont¦"))["items"]
    container = next(i for i in found if i["label"] == "container")
    assert container["insertTextFormat"] == 1 and "$" not in container["textEdit"]["newText"]
    assert not editor.registered
    assert editor.close() == 0


def test_the_editor_is_asked_to_tell_what_changes_on_disk(editor):
    editor.ask("textDocument/hover", editor.at("a.bicep", 0, 0))
    assert [r["method"] for r in editor.registered] == ["workspace/didChangeWatchedFiles"]


def test_a_text_that_was_never_saved_is_looked_at(editor):
    document = {"uri": "untitled:Untitled-1", "languageId": "bicep", "version": 1, "text": "var x = missing\n"}
    editor.tell("textDocument/didOpen", {"textDocument": document})
    at = {"textDocument": {"uri": "untitled:Untitled-1"}, "position": {"line": 0, "character": 4}}
    assert "var x" in editor.ask("textDocument/hover", at)["contents"]["value"]
    assert [f["code"] for f in editor.findings["untitled:Untitled-1"]][:1]
    editor.tell("textDocument/didClose", {"textDocument": {"uri": "untitled:Untitled-1"}})


def test_a_name_with_blanks_and_signs_is_a_name(editor):
    editor.save("with blank/pa rt ü.bicep", "output s int = 1\n")
    at = editor.open("a#1.bicep", "module m 'with blank/pa r¦t ü.bicep' = {}\n")
    assert editor.ask("textDocument/definition", at)["uri"] == editor.uri("with blank/pa rt ü.bicep")


def test_questions_about_what_is_not_open_are_answered_from_the_disk(editor):
    editor.save("closed.bicep", "param name string\n")
    assert "param name string" in editor.ask("textDocument/hover", editor.at("closed.bicep", 0, 7))["contents"]["value"]
    assert editor.ask("textDocument/hover", editor.at("nowhere.bicep", 3, 7)) is None


def test_places_beyond_the_text_are_its_end(editor):
    editor.open("a.bicep", "var a = 1\n")
    ask_all(editor, editor.at("a.bicep", 0, 999))
    ask_all(editor, editor.at("a.bicep", 999, 0))


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_like(editor, ends):
    at = editor.open("a.bicep", f"var a = 1{ends}var b = 2{ends}")
    at["position"] = {"line": 1, "character": 4}
    assert "var b" in editor.ask("textDocument/hover", at)["contents"]["value"]


def test_no_text_makes_it_fail(editor):
    program = (ROOT / "samples/fleet/main.bicep").read_text()
    pieces = [
        "'",
        "${",
        "}",
        "{",
        "[",
        "]",
        "(",
        ")",
        "@",
        ".",
        "::",
        "'''",
        "\n",
        "😀",
        "\r",
        "import",
        "for ",
        "/*",
        "<",
        "\\",
        "\u2028",
    ]
    chance = random.Random(7)
    for _ in range(25):
        text = program
        for _ in range(3):
            start = chance.randrange(len(text))
            text = text[:start] + chance.choice(pieces) + text[start + chance.randrange(40) :]
        at = editor.open("a.bicep", text)
        at["position"] = {"line": chance.randrange(60), "character": chance.randrange(30)}
        ask_all(editor, at)
    assert not editor.errors, "".join(editor.errors)


def test_a_program_can_be_typed_letter_by_letter(editor):
    program = "extension radius\nresource web 'Applications.Core/containers@2023-10-01-preview' = {\n  name: '${toLower('W')}'\n}\n"
    editor.open("a.bicep", "")
    line = column = 0
    for character in program:
        editor.change("a.bicep", replace((line, column), (line, column), character))
        line, column = (line + 1, 0) if character == "\n" else (line, column + 1)
        editor.ask("textDocument/completion", editor.at("a.bicep", line, column))
        editor.ask("textDocument/signatureHelp", editor.at("a.bicep", line, column))
    assert not editor.errors, "".join(editor.errors)
    assert "resource web" in editor.ask("textDocument/hover", editor.at("a.bicep", 1, 10))["contents"]["value"]


def test_a_question_that_fails_is_answered_with_nothing(capsys):
    from engine.lsp import server

    def broken(*_):
        raise RuntimeError("on purpose")

    async def broken_later(*_):
        raise RuntimeError("on purpose, later")

    assert server._now(None, broken)(None) is None
    assert asyncio.run(server._later(None, broken_later)(None)) is None
    told = capsys.readouterr().err
    assert "broken failed" in told and "on purpose, later" in told


def test_others_have_their_turn_while_findings_are_looked_for(tmp_path, monkeypatch):
    from engine.lsp import server

    monkeypatch.setattr(server, "SLICE", 0)
    ours = server.Server("0")
    path = f"{tmp_path}/a.bicep"
    turns = 0

    async def look(text, meanwhile):
        nonlocal turns
        ours.files.buffers.put(path, text)
        analysis = ours.files.analysis(path)
        looking = asyncio.create_task(ours.look(analysis))
        turns = 0
        while not looking.done():
            turns += 1
            if turns == 20:
                meanwhile()
            await asyncio.sleep(0)
        return looking.result(), analysis

    def change():
        ours.files.buffers.put(path, "var b = 2\n")
        ours.files.analysis(path)

    text = "".join(f"var a{n} = {n}\n" for n in range(50))
    finished, analysis = asyncio.run(look(text, lambda: None))
    assert finished and turns > 50
    assert len(analysis.findings) == 50
    finished, _ = asyncio.run(look(f"{text}var c = 1\n", change))
    assert not finished and turns < 30
    assert [d.message for d in ours.files.analysis(path).findings] == ["Variable 'b' is never used"]


def test_a_missing_library_is_said_so(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pygls", None)
    for name in [m for m in sys.modules if m.startswith(("engine.lsp.server", "pygls."))]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["lsp"]) == 1
    assert "pip install 'ulna[lsp]'" in capsys.readouterr().err


def test_only_the_server_knows_the_protocol():
    program = (
        "import sys, engine.lsp.completion.complete, engine.lsp.hover, engine.lsp.rename, engine.lsp.actions, "
        "engine.lsp.outline, engine.lsp.folding, engine.lsp.highlighting, engine.lsp.signature, engine.lsp.formatting; "
        "print([m for m in sys.modules if m.startswith(('pygls', 'lsprotocol'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
