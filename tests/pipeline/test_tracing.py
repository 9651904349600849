"""Traces of deployments, as a collector on this machine gets them: decoded with the protocol's own messages."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from engine.live.desk import Desk
from engine.live.host import Host
from engine.pipeline.deploying import deploy
from engine.pipeline.destroying import destroy
from engine.pipeline.request import Control, Request, Where
from engine.pipeline.tracing import is_wanted

PLANTED = "planted-and-never-told"
VALUES = """
param word string = 'one'
@secure()
param key string = newGuid()
resource first 'Ulna.Core/values@2026-12-01' = { name: 'first', properties: { input: { word: word, key: key } } }
resource second 'Ulna.Core/values@2026-12-01' = { name: 'second', properties: { input: first.name } }
"""
FAILING = """
extension radius
param environment string
@secure()
param key string
resource app 'Applications.Core/applications@2023-10-01-preview' = { name: 'app', properties: { environment: environment } }
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: { image: 'none:1', env: { KEY: { value: key } } }
    runtimes: { process: { command: COMMAND } }
  }
}
"""
STAYING = FAILING.replace("COMMAND", "'sleep', args: ['600']")


class Collector:
    """Takes spans over OTLP/HTTP."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.status = 200
        self.hold = threading.Event()
        self.hold.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.hold.wait(60)
                outer.raw.append(body)
                outer.asked.append((self.path, dict(self.headers)))
                self.send_response(outer.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    @property
    def resources(self):
        return [s for body in self.raw for s in ExportTraceServiceRequest.FromString(body).resource_spans]

    @property
    def spans(self):
        return [span for r in self.resources for scope in r.scope_spans for span in scope.spans]

    def roots(self):
        ids = {s.span_id for s in self.spans}
        return [s for s in self.spans if s.parent_span_id not in ids]

    def root(self):
        (root,) = self.roots()
        return root

    def below(self):
        """What each resource's passes came to: (address, action, outcome), in the order in which they ended."""
        root = self.root()
        passes = sorted((s for s in self.spans if s is not root and s != root), key=lambda s: s.end_time_unix_nano)
        assert all(s.parent_span_id == root.span_id and s.trace_id == root.trace_id for s in passes)
        return [tuple(about(s)[f"ulna.{k}"] for k in ("resource.address", "action", "outcome")) for s in passes]


def about(span):
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in span.attributes}


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    collector = Collector()
    for name in ("TRACEPARENT", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    yield collector
    collector.hold.set()
    collector.server.shutdown()
    collector.server.server_close()


def test_a_deployment_is_a_root_with_a_span_for_each_resource_below_it(write, collector, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=shop")
    monkeypatch.setenv("TRACEPARENT", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    path = write("app.bicep", VALUES)
    assert deploy(Request(str(path), parameters=(f"key={PLANTED}",))).ok
    ((where, headers),) = collector.asked
    assert where == "/v1/traces" and headers["x-team"] == "shop"
    root = collector.root()
    assert (root.name, root.trace_id.hex(), root.parent_span_id.hex()) == (
        "deploy app",
        "0af7651916cd43dd8448eb211c80319c",
        "b7ad6b7169203331",
    )
    told = about(root)
    assert (told["ulna.environment"], told["ulna.deployment"]) == ("global", "app")
    assert (told["ulna.changed"], told["ulna.failed"]) == (2, 0)
    assert collector.below() == [("app/first", "create", "ready"), ("app/second", "create", "ready")]
    first = next(s for s in collector.spans if s.name == "create app/first")
    told = about(first)
    assert told["ulna.resource.type"] == "Ulna.Core/values" and told["ulna.resource.operator"] == "core"
    assert (told["ulna.attempts"], told["ulna.environment"]) == (1, "global")
    assert [e.name for e in first.events] == ["create"] and first.status.code == 0
    assert root.start_time_unix_nano <= first.start_time_unix_nano <= first.end_time_unix_nano
    assert first.end_time_unix_nano <= root.end_time_unix_nano
    named = {a.key: a.value.string_value for a in collector.resources[0].resource.attributes}
    assert named["service.name"] == "ulna"
    assert PLANTED.encode() not in b"".join(collector.raw)


def test_a_deployment_that_changes_nothing_is_a_root_alone_and_names_are_taken_from_the_variables(
    write, collector, monkeypatch
):
    path = write("app.bicep", VALUES.replace("newGuid()", "'always'"))
    assert deploy(Request(str(path))).ok
    collector.raw.clear()
    monkeypatch.setenv("OTEL_SERVICE_NAME", "pipeline")
    assert deploy(Request(str(path))).ok
    assert collector.below() == [] and about(collector.root())["ulna.unchanged"] == 2
    named = {a.key: a.value.string_value for a in collector.resources[0].resource.attributes}
    assert named["service.name"] == "pipeline"


def test_what_failed_says_why_and_no_secret(write, collector):
    path = write("app.bicep", FAILING.replace("COMMAND", "'there-is-no-such-program'"))
    outcome = deploy(Request(str(path), parameters=(f"key={PLANTED}",)))
    assert not outcome.ok
    told = {(a, o) for a, _, o in collector.below()}
    assert ("app/web/web-0", "failed") in told
    failed = next(s for s in collector.spans if about(s).get("ulna.outcome") == "failed")
    assert failed.status.code == 2 and "there-is-no-such-program" in failed.status.message
    raised = next(e for e in failed.events if e.name == "exception")
    assert about(raised)["exception.type"] == "Terminal"
    root = collector.root()
    assert root.status.code == 2 and root.status.message == "failed: app/web/web-0"
    assert PLANTED.encode() not in b"".join(collector.raw)
    destroy(Where("app"))
    assert any(s.name == "destroy app" for s in collector.spans)


def test_what_cannot_even_be_planned_is_a_root_with_the_code(write, collector):
    path = write("app.bicep", VALUES.replace("first.name", "int(word)"))
    with pytest.raises(Exception):  # noqa: B017
        deploy(Request(str(path)))
    assert collector.root().status.code == 2 and collector.root().status.message


def test_a_run_is_traced_while_it_goes_on(write, collector, monkeypatch):
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
    path = write("app.bicep", STAYING)
    host = Host(Request(str(path), parameters=(f"key={PLANTED}",)))
    host.start()
    desk = Desk(host)
    desk.open()

    def until(holds) -> None:
        end = time.monotonic() + 120
        while not holds():
            assert time.monotonic() < end, [s.name for s in collector.spans]
            time.sleep(0.02)

    def seen(root, name) -> bool:
        ids = {r.span_id for r in collector.roots() if r.name == root}
        return any(s.name == name and s.parent_span_id in ids for s in collector.spans)

    until(lambda: seen("run app", "create app/web/web-0"))
    desk.act("web", "restart")
    until(lambda: seen("restart app/web", "replace app/web/web-0"))
    desk.change("web", {"container.env.WORD": {"value": "other"}})
    until(lambda: seen("change app/web", "replace app/web/web-0"))
    desk.close()
    host.stop()
    host.wait(60)
    host.close()
    assert seen("stop app", "delete app/web/web-0")
    assert [r.name for r in collector.roots()] == ["run app", "restart app/web", "change app/web", "stop app"]
    assert PLANTED.encode() not in b"".join(collector.raw)
    destroy(Where("app"))


@pytest.mark.parametrize("trouble", ["away", "silent", "refusing"])
def test_a_collector_in_trouble_breaks_nothing_and_is_said_once(write, collector, monkeypatch, capsys, trouble):
    if trouble == "away":
        collector.server.shutdown()
        collector.server.server_close()
    elif trouble == "silent":
        collector.hold.clear()
    else:
        collector.status = 401
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.replace("//", f"//me:{PLANTED}@"))
    path, notes = write("app.bicep", VALUES), []
    outcome = deploy(Request(str(path)), control=Control(notes.append))
    assert outcome.ok
    assert notes == [f"warning: not all traces could be sent to {collector.url[7:]}"]
    assert capsys.readouterr() == ("", "")


def test_a_library_that_is_missing_is_said_and_what_else_speaks_too(write, collector, monkeypatch):
    path, notes = write("app.bicep", VALUES), []
    with monkeypatch.context() as patch:
        patch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
        assert deploy(Request(str(path)), control=Control(notes.append)).ok
    monkeypatch.delitem(sys.modules, "engine.pipeline.spans", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.context", None)
    assert deploy(Request(str(path)), control=Control(notes.append)).ok
    assert notes == [
        "warning: no traces are sent: they are spoken as http/protobuf only, not as grpc",
        "warning: OTEL_EXPORTER_OTLP_ENDPOINT is set, and no traces are sent: run pip install 'ulna[otel]'",
    ]
    assert not collector.raw


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_SDK_DISABLED": "TRUE"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_TRACES_EXPORTER": "none"}, False),
    ],
)
def test_what_asks_for_traces(variables, wanted):
    assert is_wanted(variables) is wanted


def test_nothing_of_it_is_loaded_unless_it_is_asked_for(write, folder: Path, monkeypatch):
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    write("app.bicep", VALUES)
    program = "import sys; sys.argv[1:] = ['deploy', 'app.bicep']\nfrom engine.cli.main import main\nmain()\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "engine.pipeline.tracing" in loaded
    assert not {m for m in loaded if m.startswith("opentelemetry")} | (
        loaded & {"engine.pipeline.spans", "engine.apply.tracing", "logging", "requests"}
    )
