"""The faces' way in: over the socket, and over the port with the token; the feed from any number, with deletes."""

from __future__ import annotations

import json
import stat
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.diagnostics.diagnostic import Severity, UlnaError
from engine.live.address import read
from engine.live.book import Book
from engine.live.client import Client, _diagnostic, found
from engine.live.pages import pages
from engine.live.server import Server, bound
from engine.live.session import Session
from tests.live.staged import APP, container
from tests.live.test_desk import COMMANDS

TEXT = APP + container("api", "env: { WORD: { value: secret } }").replace("extension", "extension") + COMMANDS
TEXT = TEXT.replace("param environment string", "param environment string\n@secure()\nparam secret string = newGuid()")


class Served:
    def __init__(self, live) -> None:
        self.book = Book()
        self.running = live(TEXT)
        self.session = Session(self.running.host, self.running.desk, self.book)
        self.server = Server(self.session, self.running.host.folder, pages=pages())

    def url(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str, dict[str, str]]:
        asked = urllib.request.Request(self.server.url.rstrip("/") + path, headers=headers, method=method)
        opener = urllib.request.build_opener(_NoRedirect)
        try:
            with opener.open(asked, timeout=60) as answer:
                return answer.status, answer.read().decode(), dict(answer.headers)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), dict(error.headers)


def has_ipv6() -> bool:
    try:
        bound("::1", 0).close()
    except UlnaError:
        return False
    return True


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


@pytest.fixture
def served(live) -> Iterator[Served]:
    served = Served(live)
    with served.server:
        served.running.ready("api", "job")
        yield served


@pytest.fixture
def client(served) -> Client:
    client = found(served.running.host.folder)
    assert client is not None
    return client


def test_the_state_has_everything_and_the_feed_goes_on_from_it(served, client):
    state = client.get("/api/state")
    rows = {r["address"]: r for r in state["resources"]}
    assert rows["app/api"]["state"] == "ready" and state["deployment"] == "app"
    assert [c["name"] for c in state["commands"]] == ["fails", "job", "word"]
    operation = client.post("/api/command", {"name": "api", "verb": "stop"})
    assert client.get("/api/operation", id=operation["id"], wait=20)["progress"] == "succeeded"
    told = []
    for item in client.stream("/api/events", after=state["seq"]):
        told.append(item)
        if item["data"].get("progress") == "succeeded":
            break
    assert [t["seq"] for t in told] == list(range(state["seq"] + 1, state["seq"] + 1 + len(told)))
    assert any((t.get("resource") or {}).get("state") == "stopped" for t in told), told


def test_a_reader_that_joins_later_sees_the_same_and_what_went(served, client):
    served.running.path.write_text(APP)
    client.post("/api/reload")
    served.running.until(lambda: "app/api/api-0" not in served.running.host.engine.state.entries)
    last = served.running.host.engine.state.seq
    for after in (0, last - 3):
        told = []
        for item in client.stream("/api/events", after=after):
            told.append(item)
            if item["seq"] == last:
                break
        assert [t["seq"] for t in told] == list(range(after + 1, last + 1))
    gone = [t["key"] for t in told if t["kind"] == "gone"]
    assert gone and all(t["resource"] is None for t in told if t["kind"] == "gone")


def test_all_about_one_resource_without_its_secrets(served, client):
    detail = client.get("/api/resource", name="api-0")
    assert detail["environment"]["WORD"] == "•••" and detail["why"] == []
    assert [c["name"] for c in detail["conditions"] if c["holds"]] == ["Assigned", "Created", "Ready", "Synced"]
    assert {e["kind"] for e in detail["events"]} >= {"added", "intent", "status"}
    client.post("/api/command", {"name": "api", "verb": "stop"})
    served.running.until(lambda: served.running.entry("api-0").phase == "Stopped")
    later = [e["seq"] for e in client.get("/api/resource", name="api-0")["events"]]
    assert later == sorted(set(later)) and later[: len(detail["events"])] == [e["seq"] for e in detail["events"]]
    assert len(later) > len(detail["events"])
    value = next(iter(served.running.host.prepared.vault._values.values()))
    assert isinstance(value, str) and value not in json.dumps(detail) + json.dumps(client.get("/api/state"))


def test_lines_are_told_once_and_followed(served, client):
    entry = served.running.entry("api-0")
    served.book.write(entry, "one")
    got: list[str] = []
    thread = threading.Thread(
        target=lambda: [got.append(x["text"]) for x in client.stream("/api/logs", name="api")], daemon=True
    )
    thread.start()
    served.running.until(lambda: got == ["one"])
    served.book.write(entry, "two")
    served.running.until(lambda: got == ["one", "two"])
    assert [x["text"] for x in client.stream("/api/logs", follow=0, after=1)] == ["two"]


def test_commands_with_inputs_and_what_is_refused(served, client):
    done = client.post("/api/command", {"name": "api", "command": "job", "inputs": {"key": "hidden-key"}})
    ended = client.get("/api/operation", id=done["id"], wait=30)
    assert ended["progress"] == "succeeded" and ended["inputs"]["key"] == "•••"
    with pytest.raises(UlnaError) as raised:
        client.post("/api/command", {"name": "api", "command": "word", "inputs": {"times": 9}})
    assert (raised.value.diagnostics[0].code, raised.value.exit_code) == ("ULN551", 2)
    for body in ({"name": "nobody", "verb": "stop"}, {"name": "api", "verb": "scale", "replicas": -1}):
        with pytest.raises(UlnaError):
            client.post("/api/command", body)
    for path, wrong in (("edit", {}), ("command", {"name": "api", "verb": "explode"}), ("command", {"verb": ["stop"]})):
        with pytest.raises(UlnaError) as raised:
            client.post(f"/api/{path}", wrong)
        assert raised.value.diagnostics[0].code == "ULN560"


@pytest.mark.parametrize(
    "path", ["resource", "why", "operation", "events?after=x", "logs?after=nan", "operation?id=1&wait=x"]
)
def test_a_question_that_is_malformed_is_refused(served, path):
    code, text, _ = served.url(f"/api/{path}", Authorization=f"Bearer {served.server.token}")
    assert (code, json.loads(text)["diagnostics"][0]["code"]) == (400, "ULN560")


@pytest.mark.parametrize("given", [float("nan"), float("inf"), "nan", "-inf", "1e400"])
def test_what_no_reader_of_json_can_read_never_comes_in(served, client, given):
    for command, name in (("word", "times"), ("job", "code"), ("job", "seconds")):
        with pytest.raises(UlnaError) as raised:
            client.post("/api/command", {"name": "api", "command": command, "inputs": {name: given}})
        assert raised.value.diagnostics[0].code in ("ULN551", "ULN560")
    assert client.get("/api/state")["operations"] == []


def test_information_stays_information_on_its_way():
    told = {"code": "ULN315", "severity": "info", "message": "ignored"}
    assert _diagnostic(told).severity is Severity.INFO


def test_edits_of_the_model(served, client, tmp_path):
    (tmp_path / "more.bicep").write_text(APP + container("extra"))
    assert "app/extra" in client.post("/api/edit", {"add": "more.bicep"})["add"]
    served.running.ready("extra")
    assert client.post("/api/edit", {"add": "more.bicep"}) == {"add": [], "change": [], "remove": []}
    (tmp_path / "more.bicep").write_text(APP + container("extra", "env: { NEW: { value: 'x' } }"))
    assert "app/extra/extra-0" in client.post("/api/edit", {"add": "more.bicep"})["change"]
    served.running.until(lambda: served.running.entry("extra-0").incarnation == 2)
    client.post("/api/reload")
    assert "app/extra" in served.running.host.engine.state.entries, (
        "what was added is outside of what the file declares"
    )
    changed = client.post(
        "/api/edit", {"change": {"name": "api", "set": {"container.env": {"WORD": {"value": "set"}}}}}
    )
    assert "app/api/api-0" in changed["change"]
    served.running.until(lambda: served.running.entry("api-0").incarnation == 2)
    client.post("/api/edit", {"remove": ["extra"]})
    served.running.until(lambda: "app/extra" not in served.running.host.engine.state.entries)


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6 loopback")
@pytest.mark.parametrize("listen", ["::1", "[::1]"])
def test_the_loopback_of_ipv6_is_one_as_well(served, listen):
    served.server = Server(served.session, served.running.host.folder, host=listen, pages=pages(), named=False)
    with served.server as server:
        assert server.url.startswith("http://[::1]:") and server.entrance == f"{server.url}?token={server.token}"
        bearer = {"Authorization": f"Bearer {server.token}"}
        assert served.url("/api/state", **bearer)[0] == 200
        for host, code in (
            ("[::1]", 200),
            ("LocalHost:1", 200),
            ("[::2]:80", 421),
            ("::1", 421),
            ("[::1].evil:80", 421),
        ):
            assert served.url("/api/state", Host=host, **bearer)[0] == code, host
        code, _, headers = served.url(f"/?token={server.token}")
        assert (code, headers["location"]) == (303, "/")
        assert headers["set-cookie"].startswith(f"ulna-{server.url.rstrip('/').rpartition(':')[2]}=")
        with pytest.raises(UlnaError, match=r"cannot listen on \[::1\]:\d+"):
            bound("::1", int(server.url.rstrip("/").rpartition(":")[2]))


def test_the_port_needs_the_token_the_name_and_the_header(served):
    token = served.server.token
    assert served.url("/api/state")[0] == 401
    assert served.url("/api/state", Authorization="Bearer wrong")[0] == 401
    assert served.url("/api/state", Authorization=f"Bearer {token}")[0] == 200
    assert served.url("/api/state", Host="evil.example", Authorization=f"Bearer {token}")[0] == 421
    code, _, headers = served.url(f"/?token={token}")
    cookie = headers["set-cookie"]
    assert cookie.startswith(f"ulna-{served.server.url.rstrip('/').rpartition(':')[2]}="), "each run has its own"
    assert code == 303 and "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
    assert served.url("/?token=wrong")[0] == 401
    kept = cookie.partition(";")[0]
    status, _, headers = served.url("/", Cookie=kept)
    assert status == 200 and "default-src 'self'" in headers["content-security-policy"]
    assert served.url("/api/reload", "POST", Cookie=kept)[0] == 403
    assert served.url("/api/reload", "POST", Cookie=kept, **{"X-Ulna": "1"})[0] == 200


def test_the_socket_and_what_says_where_it_is_are_the_owners_alone(served):
    folder: Path = served.running.host.folder
    address = read(folder)
    assert address is not None
    assert stat.S_IMODE(Path(address.socket).stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "live.json").stat().st_mode) == 0o600


def test_nothing_is_found_once_it_has_ended(live):
    served = Served(live)
    with served.server:
        assert found(served.running.host.folder) is not None
    assert found(served.running.host.folder) is None
