"""What somebody probably meant who wrote what a schema does not allow."""

from __future__ import annotations

import pytest

from engine.app.meant import meant
from engine.contract.value import Output, Unknown

SCHEMA = {
    "type": "object",
    "properties": {
        "properties": {
            "type": "object",
            "properties": {
                "image": {"type": "string"},
                "port": {"type": "integer", "minimum": 1},
                "policy": {"enum": ["Always", "Never"]},
                "env": {
                    "type": "object",
                    "propertyNames": {"minLength": 1},
                    "additionalProperties": {"type": "string"},
                },
                "list": {"type": "array", "items": {"type": "object", "required": ["kind"]}},
            },
            "required": ["image"],
            "additionalProperties": False,
        }
    },
}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"image": "a", "prot": 80}, {"image": "a", "port": 80}),
        ({"image": "a", "prot": "80"}, {"image": "a", "port": 80}),
        ({"image": "a", "nothing": 1}, {"image": "a"}),
        ({"image": 5, "policy": "Nevr"}, {"image": "5", "policy": "Never"}),
        ({"image": "a", "policy": "x", "port": 0}, {"image": "a", "policy": Unknown(), "port": 1}),
        ({"image": [], "port": {}}, {"image": Unknown(), "port": Unknown()}),
        ({}, {"image": Unknown()}),
        ({"image": "a", "env": {"": "x", "A": 1}}, {"image": "a", "env": {"A": "1"}}),
        ({"image": "a", "list": [{}, {"kind": "b"}]}, {"image": "a", "list": [{"kind": Unknown()}, {"kind": "b"}]}),
        ({"image": Output("x"), "port": 3}, {"image": Output("x"), "port": 3}),
    ],
)
def test_a_body(given, wanted):
    before = str(given)
    assert meant({"properties": given}, SCHEMA) == {"properties": wanted}
    assert str(given) == before


def test_of_what_is_no_object_nobody_can_tell():
    assert meant({"properties": 5}, SCHEMA) is None
