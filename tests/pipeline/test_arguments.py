"""A text given with -p is read as its parameter wants it."""

from typing import Any

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.arguments import declared, typed


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
