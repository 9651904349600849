"""Kept patterns find what `re` would; a file that cannot be used is none."""

from __future__ import annotations

import marshal
import re
import sys

import pytest

from engine.contract import documents, patterns

TEXT = r"(?ai)(?P<word>[a-zé]+)(?:=(\d+))?"


@pytest.fixture(autouse=True)
def empty(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    forget(monkeypatch)
    return tmp_path / "ulna"


def forget(monkeypatch):
    monkeypatch.setattr(patterns, "_MADE", {})
    monkeypatch.setattr(patterns, "_KEPT", {})
    monkeypatch.setattr(documents, "_KEPT", {})


def restored(monkeypatch):
    patterns.pattern(TEXT)
    forget(monkeypatch)
    monkeypatch.setattr(patterns, "_compiled", lambda text: pytest.fail("compiled again"))
    return patterns.pattern(TEXT)


def test_what_is_kept_finds_the_same(monkeypatch):
    kept, made = restored(monkeypatch), re.compile(TEXT)
    for text in ("Name=12 b", "é", ""):
        assert [m.groupdict() | {"all": m.groups()} for m in kept.finditer(text)] == [
            m.groupdict() | {"all": m.groups()} for m in made.finditer(text)
        ]
    assert (kept.flags, kept.groups, dict(kept.groupindex)) == (made.flags, made.groups, dict(made.groupindex))
    assert kept.sub(r"<\g<word>>", "a=1") == "<a>"


@pytest.mark.parametrize(
    "content",
    [b"", b"nonsense", marshal.dumps([1]), marshal.dumps({TEXT: 3}), marshal.dumps({TEXT: (0, [99999], 0, {}, ())})],
)
def test_a_file_that_is_no_use(monkeypatch, empty, content):
    patterns.pattern(TEXT)
    (empty / patterns._FILE).write_bytes(content)
    forget(monkeypatch)
    assert patterns.pattern(TEXT).fullmatch("x=1")


def test_a_file_that_others_may_write_is_not_used(monkeypatch, empty):
    patterns.pattern(TEXT)
    (empty / patterns._FILE).chmod(0o666)
    forget(monkeypatch)
    assert patterns._read() == {}


def test_a_document_is_kept_until_it_changes(monkeypatch, empty, tmp_path):
    file = tmp_path / "a.json"
    file.write_text('{"a": [1, 2.5, null, "é"]}', encoding="utf-8")
    assert documents.document(str(file)) == {"a": [1, 2.5, None, "é"]}
    forget(monkeypatch)
    monkeypatch.setitem(sys.modules, "json", None)
    assert documents.document(str(file)) == {"a": [1, 2.5, None, "é"]}
    monkeypatch.undo()
    file.write_text("[]", encoding="utf-8")
    assert documents.document(str(file)) == []
