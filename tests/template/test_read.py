"""ARM JSON in: what is a template, what is none, and where it is wrong."""

from __future__ import annotations

import pytest

from engine.diagnostics.source import Source
from engine.template.read import read

SCHEMA = '"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"'


def test_a_template_knows_its_name_and_the_places_of_its_parts() -> None:
    source = Source("infra/store.json", f'{{ {SCHEMA}, "resources": [ {{ "type": "A.B/c" }} ], /* fine */ }}')
    template, problems = read(source)
    assert problems == ()
    assert template.name == "store"
    assert template.document["resources"] == [{"type": "A.B/c"}]
    origin = template.origin("/resources/0/properties/deep")
    assert origin is not None
    assert source.text[origin.span.start : origin.span.end] == '{ "type": "A.B/c" }'


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("", "ULN010", ""),
        ('{ "a": }', "ULN010", "}"),
        ("[]", "ULN011", "["),
        ("{}", "ULN011", "{}"),
        ('{ "$schema": 3 }', "ULN011", "3"),
        (f'{{ {SCHEMA}, "parameters": [1] }}', "ULN011", "[1]"),
        (f'{{ {SCHEMA}, "resources": "x" }}', "ULN011", '"x"'),
    ],
)
def test_what_is_none_is_told_where(text: str, code: str, place: str) -> None:
    _, (problem,) = read(Source("x.json", text))
    assert problem.code == code
    assert problem.primary is not None
    assert text[problem.primary.span.start : problem.primary.span.end] == place
