"""The parts that need no process: places, texts, words and snippets."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some
from lsprotocol import types as lsp

from engine.check.check import check
from engine.check.functions import lookup
from engine.check.functions.decorators import DECORATORS as DECORATOR_TABLE
from engine.check.types import AMBIENT
from engine.diagnostics.diagnostic import Severity
from engine.diagnostics.source import Source
from engine.lsp import convert, words
from engine.lsp.analysis import Analysis
from engine.lsp.completion.snippets import snippets
from engine.lsp.files import path_of, uri_of
from engine.lsp.highlighting import TYPES, tokens
from engine.lsp.places import open_string
from engine.lsp.positions import Positions
from engine.lsp.workspace import Workspace
from engine.sources.memory import MemorySources

texts = some.text(alphabet="ab '${}\n\r😀ü\u2028\x0c.", max_size=40)
encodings = some.sampled_from(["utf-8", "utf-16", "utf-32"])


def between(text, offset):
    """Whether an offset is in the middle of what ends a line."""
    return text[offset - 1 : offset + 1] == "\r\n"


@given(texts, some.integers(0, 40), encodings)
def test_a_place_is_found_again(text, offset, encoding):
    offset = min(offset, len(text))
    positions = Positions(Source("", text), encoding)
    if not between(text, offset):
        assert positions.offset(*positions.position(offset)) == offset


@given(texts, some.integers(0, 40), some.integers(0, 40), texts, encodings)
def test_a_change_is_what_it_says(text, start, end, new, encoding):
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    if between(text, start) or between(text, end):
        return
    place = convert.range(Positions(Source("", text), encoding), convert.Span(start, end))
    changed = convert.changed(text, lsp.TextDocumentContentChangePartial(place, new), encoding)
    assert changed == text[:start] + new + text[end:]


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 5), ("utf-16", 3), ("utf-32", 2)])
def test_columns_count_what_was_agreed(encoding, column):
    positions = Positions(Source("", "x\n😀yz"), encoding)
    assert positions.position(4) == (1, column)
    assert positions.offset(1, column) == 4


@pytest.mark.parametrize(
    ("marked", "start"),
    [
        ("var x = 'abc¦'", 8),
        ("var x = 'a${b¦}'", None),
        ("var x = 'a${b}c¦'", 8),
        ("var x = 'a${'b¦'}'", 12),
        ("var x = 'a${{ k: 'v' }}¦", 8),
        (r"var x = 'it\'s¦'", 8),
        ("var x = 'a' + b¦", None),
        ("// it's¦", None),
        ("var y = 'open\nvar x = ¦", None),
        ("var x = 'a$¦{", 8),
    ],
)
def test_the_string_around_the_cursor_is_found(marked, start):
    assert open_string(marked.replace("¦", ""), marked.index("¦")) == start


@pytest.mark.parametrize("path", ["/a/b.bicep", "/with blank/ü#%25.bicep", "/a/[b]?.bicep", "//server/share/a.bicep"])
def test_a_file_is_named_there_and_back(path):
    assert path_of(uri_of(path)) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a%20b/c.bicep", "/a b/c.bicep"),
        ("file:///c%3A/work/a.bicep", "c:/work/a.bicep"),
        ("untitled:Untitled-1", "/untitled:/Untitled-1.bicep"),
        ("untitled:app.bicepparam", "/untitled:/app.bicepparam"),
    ],
)
def test_whatever_an_editor_names_has_a_path(uri, path):
    assert path_of(uri) == path


# ---------------------------------------------------------------- words


def test_every_function_is_described_and_so_are_its_parameters():
    tables = [*lookup.NAMESPACES.values()]
    assert set(words.FUNCTIONS) == {name for table in tables for name in table}
    for table in tables:
        for name in table:
            few = max(min(len(o.parameters), 9) for o in table.get(name).overloads)
            assert len(words.FUNCTIONS[name].parameters) >= few, name
            assert words.FUNCTIONS[name].text.endswith("."), name


def test_every_decorator_and_type_is_described():
    assert set(words.DECORATORS) == set(DECORATOR_TABLE)
    assert set(words.TYPES) == set(AMBIENT)
    for name in DECORATOR_TABLE:
        assert len(words.DECORATORS[name].parameters) == len(DECORATOR_TABLE.get(name).overloads[0].parameters), name


# ---------------------------------------------------------------- snippets


def filled(snippet):
    """The snippet as it is when every place is left as it was offered."""
    snippet = re.sub(r"\$\{\d+:((?:\\.|[^}\\])*)\}", r"\1", snippet)
    snippet = re.sub(r"(?m)^\s*\$\d+$", "", snippet)
    return re.sub(r"\$\d+", "'x'", snippet).replace("\\$", "$").replace("\\}", "}")


@pytest.mark.parametrize("item", [*snippets(False)], ids=lambda item: item.label)
def test_a_snippet_is_a_program(item):
    program = filled(item.insert)
    before = "" if "extension radius" in program else "extension radius\n"
    needed = "param environment string\n" if "environment: environment" in program and before else ""
    app = "resource app 'Applications.Core/applications@2023-10-01-preview' = {\n  name: 'app'\n  properties: {\n    environment: 'e'\n  }\n}\n"
    needed += app if "app.id" in program else ""
    needed += "var items = [1]\n" if "in items" in program else ""
    program = program.replace("Namespace/type@version", "Some.Namespace/type@2024-01-01")
    sources = MemorySources(
        {"/a.bicep": before + needed + program, "/module.bicep": "", "/types.bicep": "@export()\nvar name = 1"}
    )
    found = check("/a.bicep", sources).diagnostics
    assert not [d for d in found if d.severity is Severity.ERROR], (program, found)


@pytest.mark.parametrize("item", [*snippets(True)], ids=lambda item: item.label)
def test_a_snippet_for_parameters_is_one(item):
    program = filled(item.insert)
    whole = program if program.startswith("using") else f"using 'main.bicep'\n{program}"
    sources = MemorySources({"/a.bicepparam": whole, "/main.bicep": "param name string = 'x'\n"}, {"NAME": "x"})
    assert not check("/a.bicepparam", sources).diagnostics


# ---------------------------------------------------------------- analyses


def test_what_has_not_changed_is_not_made_again(tmp_path):
    (tmp_path / "part.bicep").write_text("output o int = 1\n")
    main = f"{tmp_path}/main.bicep"
    workspace = Workspace()
    workspace.buffers.put(main, "module p 'part.bicep' = {}\n")
    first = workspace.analysis(main)
    part = next(iter(first.model.modules.values()))
    assert workspace.analysis(main) is first
    workspace.buffers.put(main, "module p 'part.bicep' = {}\n\n")
    second = workspace.analysis(main)
    assert second is not first and next(iter(second.model.modules.values())) is part
    workspace.buffers.put(f"{tmp_path}/part.bicep", "output o int = 2\n")
    assert next(iter(workspace.analysis(main).model.modules.values())) is not part


def test_a_configuration_that_appears_is_heeded(tmp_path):
    workspace = Workspace()
    main = f"{tmp_path}/main.bicep"
    workspace.buffers.put(main, "var a = 1\n")
    assert [d.severity for d in workspace.analysis(main).findings] == [Severity.WARNING]
    (tmp_path / "bicepconfig.json").write_text('{"analyzers": {"core": {"enabled": false}}}')
    assert workspace.analysis(main).findings == ()


def test_a_rule_that_fails_does_not_hide_what_others_find(tmp_path, monkeypatch, capsys):
    from engine.lsp import analysis

    def by_rule(model):
        yield ()
        raise RuntimeError("on purpose")

    monkeypatch.setattr(analysis, "by_rule", by_rule)
    workspace = Workspace()
    workspace.buffers.put(f"{tmp_path}/a.bicep", "var a = missing\n")
    assert [d.code for d in workspace.analysis(f"{tmp_path}/a.bicep").findings] == ["BCP057"]
    assert "on purpose" in capsys.readouterr().err


@given(texts)
def test_colours_never_overlap_nor_leave_their_line(text):
    model = check("/a.bicep", MemorySources({"/a.bicep": f"param p string // c\n{text}\nvar x = 'a${{p}}b'\n"}))
    end = 0
    for start, stop, type, _ in tokens(Analysis(model)):
        assert end <= start < stop and type in TYPES
        assert "\n" not in model.source.text[start:stop]
        end = stop
