from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from engine.cli.console import Console
from engine.cli.outcome import code_of, tell
from engine.contract.value import Secret
from engine.pipeline.request import Endpoint, Failure, Outcome, Skip

EVENTS = Draft202012Validator(json.loads((Path(__file__).parents[2] / "schemas" / "event.json").read_text()))
DONE = Outcome("local", "shop", seconds=1.25)
FULL = DONE.replace(
    changed={"shop/web": "create", "shop/db": "modify", "shop/q": "replace", "shop/old": "delete"},
    unchanged=2,
    failed=(Failure("shop/api", "the port is in use", "Free it."),),
    skipped=(Skip("shop/page", "needs 'shop/api'"),),
    outputs={"url": "http://x", "n": [1], "password": Secret("p", "d")},
    endpoints=(Endpoint("web", "Applications.Core/containers", "http://127.0.0.1:8080"),),
)


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (DONE, 0),
        (DONE.replace(failed=(Failure("a", "b"),)), 1),
        (DONE.replace(skipped=(Skip("a", "b"),)), 1),
        (DONE.replace(interrupted=True), 130),
        (DONE.replace(interrupted=True, failed=(Failure("a", "b"),)), 130),
    ],
)
def test_the_exit_code_says_how_it_went(outcome, code):
    assert code_of(outcome) == code


@pytest.mark.parametrize(
    "outcome",
    [
        DONE.replace(unchanged=3),
        DONE.replace(unchanged=1, environment="global"),
        DONE.replace(changed={"shop/web": "create"}),
        FULL,
        DONE.replace(interrupted=True, changed={"shop/web": "create"}),
    ],
    ids=["unchanged", "global", "created", "full", "interrupted"],
)
def test_people_get_a_summary(outcome, capsys, snapshot):
    tell(outcome, Console())
    assert capsys.readouterr().out == snapshot


def test_last_words_of_several_lines_stay_below_who_said_them(capsys):
    tell(DONE.replace(failed=(Failure("shop/api", "it ended; its last lines:\nfirst\nsecond"),)), Console())
    assert "  shop/api: it ended; its last lines:\n    first\n    second\n" in capsys.readouterr().out


def test_programs_get_it_as_the_schema_says(capsys):
    assert tell(FULL, Console("json")) == 1
    line = json.loads(capsys.readouterr().out)
    EVENTS.validate(line)
    assert line["outputs"] == {"url": "http://x", "n": [1], "password": "(secret)"}
    assert line["endpoints"][0]["url"] == "http://127.0.0.1:8080"
