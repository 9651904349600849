"""A text given with -p is read as its parameter wants it."""

from typing import Any

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.arguments import declared, typed
from engine.pipeline.planning import plan
from engine.pipeline.request import Request
from tests.pipeline.conftest import Write


def document(kind: str) -> dict[str, Any]:
    return {"parameters": {"p": {"$ref": "#/definitions/d"}}, "definitions": {"d": {"type": kind}}}


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("string", "3", "3"),
        ("securestring", "true", "true"),
        ("int", "3", 3),
        ("bool", "True", True),
        ("array", "[1]", [1]),
        ("object", '{"a": 1}', {"a": 1}),
    ],
)
def test_a_text_is_read_as_its_parameter_wants_it(kind: str, text: str, expected: Any) -> None:
    assert typed("P", text, document(kind)) == expected


@pytest.mark.parametrize(("kind", "text"), [("int", "three"), ("array", "[1"), ("secureobject", "{")])
def test_a_text_that_does_not_fit_is_refused_with_its_type(kind: str, text: str) -> None:
    with pytest.raises(UlnaError, match=kind):
        typed("P", text, document(kind))


@pytest.mark.parametrize(
    ("parameters", "definitions", "kind"),
    [
        ({"p": {"type": "Int"}}, {}, "int"),
        ({"p": {"$ref": "#/definitions/a"}}, {"a": {"$ref": "#/definitions/b"}, "b": {"type": "array"}}, "array"),
        ({"p": {"$ref": "#/definitions/a"}}, {"a": {"$ref": "#/definitions/a"}}, ""),
        ({"p": {"$ref": "#/definitions/nowhere"}}, {}, ""),
        ({"p": {}}, {}, ""),
        ({}, {}, ""),
    ],
)
def test_the_type_is_found_through_definitions(
    parameters: dict[str, Any], definitions: dict[str, Any], kind: str
) -> None:
    assert declared("p", {"parameters": parameters, "definitions": definitions}) == kind


OPEN = """using 'main.bicep'
param size = 2
param stage = externalInput('pipeline', 'stage')
param key = getSecret('s', 'g', 'v', 'k')
"""
TEMPLATE = """param size int
param stage string
@secure()
param key string
resource v 'Ulna.Core/values@2026-12-01' = {
  name: 'v'
  properties: { input: { size: size, stage: stage, key: key } }
}
"""


@pytest.mark.parametrize("path", ["main.bicepparam", "main.bicep"])
def test_what_comes_from_outside_is_to_be_given(write: Write, path: str) -> None:
    write("main.bicep", TEMPLATE)
    write("main.bicepparam", OPEN)
    first = () if path.endswith("param") else ("@main.bicepparam",)
    with pytest.raises(UlnaError) as call:
        plan(Request(path, parameters=(*first, "STAGE=test")))
    (told,) = call.value.diagnostics
    assert (told.code, told.help.partition(":")[0]) == ("ULN506", "Give it")
    assert "'key'" in told.message
    assert told.primary is not None
    assert told.primary.source.position(told.primary.span.start) == (4, 13)
    with pytest.raises(UlnaError) as call:
        plan(Request(path, parameters=first))
    assert [d.message.split("'")[1] for d in call.value.diagnostics] == ["stage", "key"]
    (change,) = plan(Request(path, parameters=(*first, "stage=test", "key=hush"))).plan.changes
    assert change.after is not None
    assert change.after["properties"]["input"]["stage"] == "test"
