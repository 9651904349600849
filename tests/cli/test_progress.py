from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from engine.cli.console import Console
from engine.cli.live import Live, chosen
from engine.cli.progress import Events, Lines, Progress, Row, progress, state_of
from engine.contract.resource import Resource
from engine.state.entry import Entry, Intent, Phase

EVENTS = Draft202012Validator(json.loads((Path(__file__).parents[2] / "schemas" / "event.json").read_text()))


def entry(name: str = "web", phase: Phase = Phase.PENDING, **more) -> Entry:
    resource = Resource(f"app/{name}", "Test/things", "1", name, f"/{name}", {})
    return Entry(f"app/{name}", resource, phase=phase, **more)


RUNNING = {"phase": Phase.RUNNING, "token": "t", "incarnation": 1, "ready_incarnation": 1}


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (entry(), "pending"),
        (entry(phase=Phase.WAITING), "waiting"),
        (entry(phase=Phase.STARTING), "creating"),
        (entry(phase=Phase.STARTING, intent=Intent("create", "t")), "creating"),
        (entry(phase=Phase.RUNNING, intent=Intent("update", "t")), "updating"),
        (entry(phase=Phase.STOPPING, intent=Intent("delete", "t")), "deleting"),
        (entry(**RUNNING), "ready"),
        (entry(**RUNNING | {"ready_incarnation": 0}), "starting"),
        (entry(phase=Phase.FAILED), "failed"),
        (entry(phase=Phase.EXITED), "exited"),
        (entry(phase=Phase.GONE), "deleted"),
        (None, "deleted"),
    ],
)
def test_one_word_says_where_a_resource_is(state, word):
    assert state_of(state) == word


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def play(shown: Progress, clock: Clock) -> None:
    """A resource is made, another fails; news that is none is left out."""
    waiting, web = entry(phase=Phase.WAITING), entry(**RUNNING)
    shown(None, waiting)
    clock.now = 0.5
    shown(waiting, waiting.replace(generation=2))
    shown(waiting, entry(phase=Phase.STARTING, intent=Intent("create", "t")))
    clock.now = 2.0
    shown(waiting, web)
    shown(None, entry("db", Phase.FAILED, reason="no memory,\nsorry"))
    clock.now = 9.0
    shown(web, None)


def test_a_pipe_gets_a_line_for_each_change_of_state(capsys):
    clock = Clock()
    play(Lines(Console(), clock), clock)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "   0.0s  waiting   app/web  Test/things",
        "   0.5s  creating  app/web  Test/things",
        "   2.0s  ready     app/web  Test/things",
        "   0.0s  failed    app/db  Test/things  no memory, / sorry",
        "   9.0s  deleted   app/web  Test/things",
    ]


def test_a_program_gets_the_same_as_json_as_the_schema_says(capsys):
    clock = Clock()
    shown = Events(Console("json"), clock)
    play(shown, clock)
    shown.note("finishing 1 running call")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for line in lines:
        EVENTS.validate(line)
    assert [line.get("state") for line in lines] == ["waiting", "creating", "ready", "failed", "deleted", None]
    assert lines[-1]["text"] == "finishing 1 running call"


def test_what_only_exists_is_not_shown(capsys):
    shown = Lines(Console())
    existing = entry().resource.replace(existing=True)
    shown(None, entry().replace(resource=existing))
    assert capsys.readouterr().err == ""


def test_the_form_follows_from_where_it_is_shown(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    assert type(progress(Console("json"))) is Events
    console = Console()
    console.err = io.StringIO()
    assert type(progress(console)) is Lines
    monkeypatch.setattr(Console, "live", lambda self: True)
    assert type(progress(console)) is Live


def test_a_terminal_shows_rows_and_keeps_the_last_state():
    console = Console()
    console.err = io.StringIO()
    clock = Clock()
    with Live(console) as shown:
        play(shown, clock)
        shown.note("a [note] above")
    text = console.err.getvalue()
    assert "failed" in text and "no memory" in text and "Test/things" in text and "a [note] above" in text


def test_a_narrow_terminal_still_says_what_is_how_and_for_how_long(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    console = Console()
    console.err = io.StringIO()
    clock = Clock()
    with Live(console) as shown:
        play(shown, clock)
    last = [line.split() for line in console.err.getvalue().splitlines() if "failed" in line][-1]
    assert last[:3] == ["failed", "db", "0.0s"] and "Test/things" not in console.err.getvalue()


def test_without_news_nothing_is_drawn():
    console = Console()
    console.err = io.StringIO()
    with Live(console) as shown:
        shown.note("waits for process 7")
    assert console.err.getvalue() == "waits for process 7\n"


def test_when_not_all_rows_fit_those_that_matter_are_shown():
    rows = []
    for n, state in enumerate(["ready"] * 20 + ["failed"] + ["creating"] * 3 + ["waiting"] * 20):
        row = Row(entry(f"r{n}"), 0.0)
        row.state, row.ended = state, float(n) if state == "ready" else None
        rows.append(row)
    shown = chosen(rows, 10)
    assert len(shown) == 9
    assert [r.state for r in shown] == ["failed"] + ["creating"] * 3 + ["waiting"] * 5
    assert chosen(rows[:5], 10) == rows[:5]
