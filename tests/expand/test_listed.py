"""What the list functions of a resource give."""

from __future__ import annotations

import pytest

from engine.contract.value import Output
from engine.expand.functions.signature import EvaluationError
from engine.expand.resolve import follow


@pytest.mark.parametrize(
    "body",
    [
        {"listSecrets()": {"a": 1}},
        {"properties": {"listSecrets()": {"a": 1}, "secrets": {"a": 2}}},
        {"properties": {"secrets": {"a": 1}}},
    ],
)
def test_an_output_of_the_functions_name_comes_before_the_secrets_among_the_properties(body):
    assert follow(Output("app/db", ("listSecrets()", "a")), body, None) == 1
    assert follow(Output("app/db", ("LISTSECRETS()", "A")), body, None) == 1


def test_who_is_not_azure_has_one_answer_for_all_versions():
    body = {"listKeys()": {"a": 1}, 'listKeys("2024-01-01")': {"a": 2}}
    assert follow(Output("app/db", ('listKeys("2024-01-01")', "a")), body, None) == 2
    assert follow(Output("app/db", ('listKeys("2025-01-01")', "a")), body, None) == 1
    with pytest.raises(EvaluationError, match="does not offer listKeys"):
        follow(Output("app/db", ('listKeys("2025-01-01",{"b":1})', "a")), body, None)


def test_what_a_resource_does_not_offer_is_said():
    with pytest.raises(EvaluationError, match=r"does not offer listKeys\(\)"):
        follow(Output("app/db", ("listKeys()",)), {"properties": {"secrets": {}}}, None)
