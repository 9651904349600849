"""The fixes of the language's own findings: what is missing is written, what may be null is said not to be."""

from __future__ import annotations

import pytest

from engine.check.check import check
from engine.diagnostics.diagnostic import Safety
from engine.lint.fixing import apply
from engine.sources.memory import MemorySources

POINT = "type point = { x: int, y: string, kind: 'a' | 'b', on: bool, more: object, many: int[] }\n"
REST = "kind: 'a', many: [], more: {}, on: false, x: 0, y: ''"
LINES = "".join(f"\n  {part}" for part in REST.split(", "))


def mended(text: str, code: str) -> str:
    model = check("main.bicep", MemorySources({"main.bicep": text}))
    (found,) = (d for d in model.diagnostics if d.code == code)
    assert found.fix is not None and found.fix.safety is (Safety.UNSAFE if code == "BCP409" else Safety.SUGGESTED)
    return apply(text, found.fix.edits)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", f"{{{LINES}\n}}"),
        ("{ x: 1 }", f"{{ x: 1, {REST.replace(', x: 0', '')} }}"),
        ("{\n  x: 1 // one\n}", f"{{\n  x: 1 // one{LINES.replace(chr(10) + '  x: 0', '')}\n}}"),
        ("{\r\n}", f"{{{LINES}\n}}".replace("\n", "\r\n")),
    ],
)
def test_what_is_missing_is_written(before: str, after: str) -> None:
    text = mended(f"{POINT}output o point = {before}\n", "BCP035")
    assert text == f"{POINT}output o point = {after}\n"
    assert not [d for d in check("main.bicep", MemorySources({"main.bicep": text})).diagnostics if d.code == "BCP035"]


def test_a_name_that_is_none_is_quoted() -> None:
    text = mended("type t = { 'a-b': int }\noutput o t = {}\n", "BCP035")
    assert text.endswith("= {\n  'a-b': 0\n}\n")


@pytest.mark.parametrize(
    ("expression", "code", "better"),
    [
        ("p", "BCP321", "p!"),
        ("p == 'a' ? p : 'b'", "BCP321", "p == 'a' ? p! : 'b'"),
        ("toLower(p)", "BCP321", "toLower(p!)"),
        ("o.name", "BCP318", "o!.name"),
        ("o['na-me']", "BCP318", "o!['na-me']"),
    ],
)
def test_what_may_be_null_is_said_not_to_be(expression: str, code: str, better: str) -> None:
    head = "param p string?\nparam o { name: string, 'na-me': string }?\noutput x string = "
    assert mended(f"{head}{expression}\n", code) == f"{head}{better}\n"


def test_a_derived_type_says_which_side_it_means() -> None:
    text = "type t = resource<'My.Rp/things@2024-01-01'>.properties\n"
    assert mended(text, "BCP409") == text.replace("resource<", "resourceInput<")
