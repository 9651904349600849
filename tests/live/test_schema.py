"""Everything that a run tells has the shape that `schemas/live.json` says: the feed in both forms, states, details, logs."""

from __future__ import annotations

import json
import sys
import threading
import urllib.request
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from engine.apply.batch import Batch, edits
from engine.apply.edit import Command
from engine.diagnostics.diagnostic import UlnaError
from engine.live import rows
from engine.live.book import Book
from engine.live.client import found
from engine.live.server import Server
from engine.live.session import Session
from engine.state.event import Kind
from tests.live.staged import APP, container
from tests.live.test_desk import COMMANDS, SHOP
from tests.live.test_run import FILE, Running

sys.path.insert(0, str(Path(__file__).parents[1] / "apply"))

from world import World, boot, resource

SCHEMA = json.loads(files("schemas").joinpath("live.json").read_text("utf-8"))
Draft202012Validator.check_schema(SCHEMA)
EVENT = Draft202012Validator(SCHEMA)


def of(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": {**SCHEMA["$defs"]}})


# what is an event inside of a detail is one of the feed: the reference to the whole is put where it means the same
SCHEMA["$defs"]["detail"]["properties"]["events"]["items"] = {"$ref": "#/$defs/event"}
SCHEMA["$defs"]["event"] = {k: v for k, v in SCHEMA.items() if k not in ("$defs", "$schema")}


class Reader:
    """Takes the feed from the beginning, in one of its forms, as it comes."""

    def __init__(self, server: Server, form: str) -> None:
        self.events: list[dict] = []
        self.ids: list[int] = []
        self._form = form
        self._server = server
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        if self._form == "lines":
            client = found(self._server.folder)
            assert client is not None
            for event in client.stream("/api/events", after=0):
                self.events.append(event)
                self.ids.append(event["seq"])
            return
        headers = {"Authorization": f"Bearer {self._server.token}", "Accept": "text/event-stream"}
        asked = urllib.request.Request(f"{self._server.url}api/events?after=0", headers=headers)
        with urllib.request.urlopen(asked, timeout=600) as answer:
            for line in answer:
                word, _, rest = line.decode().rstrip("\n").partition(": ")
                if word == "id":
                    self.ids.append(int(rest))
                elif word == "data":
                    self.events.append(json.loads(rest))


def test_a_whole_run_in_both_forms(live, tmp_path):
    text = SHOP + COMMANDS + container("ends", "", "restartPolicy: 'Never'", 'print("ends"); raise SystemExit(3)')
    running = live(text)
    book = Book()
    session = Session(running.host, running.desk, book)
    server = Server(session, running.host.folder)
    with server:
        readers = [Reader(server, form) for form in ("lines", "sse")]
        client = found(running.host.folder)
        assert client is not None
        running.ready("web", "api", "job")
        running.until(lambda: client.get("/api/resource", name="ends")["state"] == "failed")
        desk = running.desk
        for ask in (
            lambda: desk.act("web", "stop"),
            lambda: desk.act("web", "start"),
            lambda: desk.act("api", "restart", with_dependants=True),
            lambda: desk.scale("api", 2),
            lambda: desk.command("api", "word", {}),
            lambda: desk.command("api", "fails", {}),
            lambda: desk.command("api", "job", {"key": "hidden"}),
            lambda: desk.command("api", "job", {"code": 2}),
        ):
            ended = desk.wait(ask().id, 60)
            assert str(ended.progress) != "running", ended
        failed_job = client.get("/api/resource", name="app/api/job-2")
        assert failed_job["state"] == "failed" and "start" in failed_job["verbs"] and "remove" in failed_job["verbs"]
        (tmp_path / "more.bicep").write_text(APP + container("extra"))
        client.post("/api/edit", {"add": "more.bicep"})
        running.ready("extra")
        client.post("/api/edit", {"change": {"name": "api", "set": {"container.env": {"WORD": {"value": "set"}}}}})
        client.post("/api/edit", {"remove": ["extra"]})
        running.until(lambda: not any(a.startswith("app/extra") for a in running.host.engine.state.entries))
        book.write(running.entry("api-0"), "a line")
        state = client.get("/api/state")
        of("state").validate(state)
        for row in state["resources"]:
            of("detail").validate(client.get("/api/resource", name=row["address"]))
        for line in client.stream("/api/logs", follow=0):
            of("line").validate(line)
        running.path.write_text(APP)
        client.post("/api/reload")
        running.until(lambda: set(running.host.engine.state.entries) == {"app/app"})
        last = running.host.engine.state.seq
        for reader in readers:
            running.until(lambda reader=reader: reader.ids and reader.ids[-1] >= last)
            assert reader.ids[:last] == list(range(1, last + 1)) == [e["seq"] for e in reader.events[:last]]
            for event in reader.events:
                EVENT.validate(event)
            shown: dict[str, dict] = {}
            for event in reader.events:
                for row in (event.get("resource"), *event.get("owners", ())):
                    if row is not None:
                        shown[row["address"]] = row
                if event.get("resource", ...) is None:
                    shown.pop(event["key"], None)
            assert list(shown.values()) == client.get("/api/state")["resources"], "whoever reads along knows what is"
            kinds = {e["kind"] for e in reader.events}
            assert kinds >= {
                "added",
                "spec",
                "desired",
                "deleting",
                "intent",
                "status",
                "gone",
                "deployed",
                "operation",
            }
            assert any("owners" in e for e in reader.events)


def test_every_kind_of_event():
    world = World()
    engine = boot(world)
    told: list[dict] = []

    def follow(events) -> None:
        told.extend(rows.changes(events, engine.model, engine.state.operations))

    engine.feed.watch(follow)

    def deploy(*wanted) -> None:
        engine.edit(edits(wanted, engine.state.entries, "d"))
        world.run_for(60)

    world.faults["d/a"] = ["terminal"]
    deploy(resource("a"), resource("b", "ambiguous"), resource("c", "azure"))
    deploy(resource("a"), resource("b", "ambiguous"), resource("c", "azure", emulator=True))
    deploy(resource("a", pin="podman"), resource("b"), resource("c", "ambiguous"))
    engine.command("d/a", Command.STOP)
    operation = engine.operate(None, target="d/a", command="stop", title="Stop")
    engine.operate(operation.id, message="done")
    engine.deployed("d", "app.bicep", {})
    engine.edit(Batch("d", remove=("d/a", "d/b", "d/c")))
    world.run_for(60)
    engine.undeployed("d")
    assert {e["kind"] for e in told} == set(map(str, Kind))
    for event in told:
        EVENT.validate(event)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seq": 0},
        {"kind": "other"},
        {"surprise": 1},
        {"data": {"outputs": "never told"}},
        {"operation": None},
        {"resource": {"address": "d/a"}},
        {"owners": []},
    ],
)
def test_the_schema_refuses_what_is_not_told(wrong):
    good = {"seq": 1, "time": 1.0, "kind": "gone", "key": "d/a", "epoch": 1, "data": {}, "fields": [], "resource": None}
    assert EVENT.is_valid(good) and not EVENT.is_valid(good | wrong)


@pytest.mark.e2e
def test_the_lines_of_ulna_run(tmp_path):
    (tmp_path / "app.bicep").write_text(FILE)
    run = Running(tmp_path)
    try:
        run.ready("web")
        (tmp_path / "app.bicep").write_text(FILE.replace("'hello'", "'changed'"))
        run.until(lambda lines: any(x["kind"] == "change" for x in lines))
        run.until(lambda lines: any(x["kind"] == "log" and "changed" in x["line"] for x in lines))
    finally:
        run.end()
    assert {x["kind"] for x in run.lines} >= {"note", "state", "change", "log", "dashboard"}
    for line in run.lines:
        of("said").validate(line)


def test_a_name_that_is_none_is_refused_in_words(live):
    running = live(APP)
    session = Session(running.host, running.desk, Book())
    with pytest.raises(UlnaError):
        session.resource("nobody")
