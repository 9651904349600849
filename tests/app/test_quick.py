"""The quick check, keyword by keyword, against the library."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.app.quick import satisfies
from engine.app.schema import check
from engine.contract.value import Output, Secret, Unknown

VALUES: list[Any] = [None, True, 0, 1, 2, 3, -1, 1.5, 2.0, "", "a", "ab", "abc", "b", [], [1], [1, 2], ["a"], {}]
VALUES += [{"a": 1}, {"a": "x"}, {"b": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3}, {"k": "x", "a": 1}, {"k": "y"}]
SCHEMAS: list[Any] = [
    True,
    False,
    {},
    *({"type": t} for t in ("object", "array", "string", "boolean", "integer", "number", "null")),
    {"type": ["string", "array"]},
    {"properties": {"a": {"type": "integer"}}},
    {"properties": {"a": True}, "additionalProperties": False},
    {"properties": {"a": True}, "additionalProperties": {"type": "string"}},
    {"additionalProperties": {"type": "integer"}},
    {"propertyNames": {"pattern": "^[ak]"}},
    {"required": ["a", "b"]},
    {"items": {"type": "integer"}},
    {"enum": ["a", "b"]},
    {"enum": [2, 3, "a"]},
    {"const": "a"},
    {"minimum": 2},
    {"maximum": 2},
    {"minItems": 1},
    {"minProperties": 2},
    {"maxProperties": 1},
    {"maxLength": 2},
    {"pattern": "^a"},
    {"allOf": [{"minimum": 1}, {"maximum": 2}]},
    {"if": {"properties": {"k": {"const": "x"}}, "required": ["k"]}, "then": {"required": ["a"]}},
    {"if": {"required": ["a"]}},
    {"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}},
    {"title": "t", "description": "d", "default": 1, "readOnly": True, "x-ulna-addition": True},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_it_agrees_with_the_library(schema):
    for value in VALUES:
        if isinstance(value, float) and value.is_integer():
            continue  # 2.0 is an integer to the library; templates have none
        root = schema if isinstance(schema, dict) else {}
        quick, valid = satisfies(value, schema, root), Draft202012Validator(schema).is_valid(value)
        assert valid or not quick, value
        assert quick == valid or value is True, value  # of a boolean beside numbers it is merely not sure


def test_a_keyword_it_does_not_know_is_left_to_the_library():
    assert not satisfies("a", {"format": "date"}, {})
    assert not satisfies(1.0, {"enum": [1]}, {}), "of texts and whole numbers only it is sure"
    assert not satisfies(1, {"$ref": "https://elsewhere"}, {})


@pytest.mark.parametrize("leaf", [Output("a"), Secret("s", "d"), Unknown()])
def test_what_run_time_decides_satisfies_anything_but_nothing(leaf):
    assert satisfies(leaf, {"type": "string", "pattern": "^x"}, {})
    assert satisfies({"a": leaf}, {"type": "object", "properties": {"a": {"enum": ["x"]}}}, {})
    assert not satisfies(leaf, False, {})


def test_alternatives_are_left_open_where_one_lacks_only_what_run_time_knows():
    choice = {
        "anyOf": [{"enum": ["a"]}, {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]}]
    }
    assert check({"x": {"k": Output("a")}}, {"properties": {"x": choice}}, "'it'", None) == ()
    (problem,) = check({"x": {"l": Output("a")}}, {"properties": {"x": choice}}, "'it'", None)
    assert problem.code == "BCP036"
