"""The verbs on real files, with resources that live in the state alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from engine.state.owner import this_process
from engine.state.store import Store

SCHEMAS = Path(__file__).parents[2] / "schemas"
FILE = """\
param size int = 1
@secure()
param token string = ''

resource item 'Ulna.Core/values@2026-12-01' = {
  name: 'item'
  properties: { input: size }
}

resource reader 'Ulna.Core/values@2026-12-01' = {
  name: 'reader'
  properties: { input: { from: item.properties.output, token: token } }
}

output size int = item.properties.output
"""


@pytest.fixture
def file(ulna) -> Path:
    path = Path("app.bicep")
    path.write_text(FILE)
    return path


def document(text: str, schema: str):
    found = json.loads(text)
    Draft202012Validator(json.loads((SCHEMAS / schema).read_text())).validate(found)
    return found


def test_a_life(ulna, file):
    planned = ulna("plan", "app.bicep", "--exit-code")
    assert planned.code == 2 and "2 to create" in planned.out and planned.err == ""

    deployed = ulna("deploy", "app.bicep")
    assert deployed.code == 0
    assert "+ created   app/item" in deployed.out and "size: 1" in deployed.out
    assert "ready     app/item" in deployed.err

    assert ulna("what-if", "app.bicep", "--exit-code").code == 0
    again = ulna("deploy", "app.bicep")
    assert again.code == 0 and "no changes, 2 resources are as wanted" in again.out

    changed = ulna("deploy", "app.bicep", "-p", "size=2")
    assert "~ changed   app/item" in changed.out or "± replaced  app/item" in changed.out

    assert "app/item" in ulna("status").out
    assert "app/item" in ulna("state", "list").out
    assert json.loads(ulna("state", "show", "app/item").out)["address"] == "app/item"
    assert "Name: item (Ulna.Core/values)" in ulna("graph", "app.bicep").out

    destroyed = ulna("destroy", "app.bicep", "--yes")
    assert destroyed.code == 0 and "- deleted   app/reader" in destroyed.out
    assert "Nothing is deployed." in ulna("status").out


def test_what_programs_read_is_as_the_schemas_say(ulna, file):
    found = document(ulna("plan", "app.bicep", "--format", "json").out, "what-if.json")
    assert found["summary"] == {"Create": 2}
    lines = ulna("deploy", "app.bicep", "-o", "json").out.splitlines()
    for line in lines:
        document(line, "event.json")
    last = json.loads(lines[-1])
    assert last["event"] == "summary" and last["outputs"] == {"size": 1} and last["ok"] is True
    status = json.loads(ulna("status", "--format", "json").out)
    assert {r["address"]: r["state"] for r in status["resources"]} == {"app/item": "ready", "app/reader": "ready"}


def test_a_plan_is_kept_and_applied_and_refused_once_the_state_moved_on(ulna, file):
    assert ulna("plan", "app.bicep", "--out", "plan.json").code == 0
    document(Path("plan.json").read_text(), "plan.json")
    assert ulna("apply", "plan.json").code == 0
    refused = ulna("apply", "plan.json")
    assert refused.code == 1 and "ULN605" in refused.err and "has moved on" in refused.err


def test_a_plan_is_refused_once_a_file_or_a_parameter_is_another(ulna, file):
    ulna("plan", "app.bicep", "-p", "token=hunter2", "--out", "plan.json")
    assert "hunter2" not in Path("plan.json").read_text()
    refused = ulna("apply", "plan.json")
    assert refused.code == 1 and "ULN607" in refused.err
    file.write_text(FILE + "\n")
    refused = ulna("apply", "plan.json", "-p", "token=hunter2")
    assert refused.code == 1 and "ULN606" in refused.err and "'app.bicep' has changed" in refused.err
    file.write_text(FILE)
    assert ulna("apply", "plan.json", "-p", "token=hunter2").code == 0


def test_a_secret_is_nowhere_to_be_seen(ulna, file):
    said = [
        ulna("plan", "app.bicep", "-p", "token=hunter2"),
        ulna("plan", "app.bicep", "-p", "token=hunter2", "--format", "json"),
        ulna("deploy", "app.bicep", "-p", "token=hunter2", "--format", "json"),
        ulna("status", "--format", "json"),
        ulna("state", "show", "app/reader"),
        ulna("render", "app.bicep", "-p", "token=hunter2"),
    ]
    assert not [s for s in said if "hunter2" in s.out + s.err]
    assert "(secret)" in said[0].out and "(secret)" in said[4].out
    for path in Path(".ulna").rglob("*"):
        assert not path.is_file() or b"hunter2" not in path.read_bytes()


def test_destroying_asks_and_takes_no_answer_for_no(ulna, file, monkeypatch):
    ulna("deploy", "app.bicep")
    refused = ulna("destroy", "app.bicep")
    assert refused.code == 2 and "--yes" in refused.err

    class Answer:
        def __init__(self, text: str) -> None:
            self.text = text

        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return self.text

    monkeypatch.setattr("sys.stdin", Answer("no\n"))
    kept = ulna("destroy", "app.bicep")
    assert kept.code == 1 and "- app/item" in kept.err and "Nothing was deleted." in kept.err
    monkeypatch.setattr("sys.stdin", Answer("y\n"))
    assert ulna("destroy", "app.bicep").code == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["plan", "nowhere.bicep"], 1, "nowhere.bicep"),
        (["deploy", "app.bicep", "-p", "size=big"], 1, "must be of type int, and 'big' is not"),
        (["deploy", "app.bicep", "-p", "size"], 2, "'size' is no parameter"),
        (["deploy", "app.bicep", "-p", "sise=1"], 1, "sise"),
        (["deploy", "app.bicep", "-e", "nowhere"], 2, "There is no environment 'nowhere'"),
        (["deploy", "broken.bicep"], 1, "BCP057"),
        (["apply", "app.bicep"], 1, "This is not a plan"),
        (["apply", "nowhere.json"], 1, "nowhere.json"),
        (["destroy", "other.bicep", "--yes"], 1, "There is no deployment 'other'"),
        (["state", "show", "app/nothing"], 1, "There is no 'app/nothing'"),
        (["logs", "nobody"], 1, "There is no resource 'nobody'"),
        (["build", "dev.bicepparam"], 2, "ulna build-params"),
        (["build-params", "app.bicep"], 2, "ulna build"),
        (["build", "app.bicep", "--outfile", "app.bicep/x.json"], 1, "cannot be written"),
        (["plan", "app.bicep", "--out", "no/such/plan.json"], 1, "cannot be written"),
        (["plan", "app.bicep", "--out", "."], 1, "it is a folder"),
    ],
)
def test_what_cannot_be_done_is_said(ulna, file, words, code, message):
    Path("broken.bicep").write_text("output x string = nothing\n")
    result = ulna(*words)
    assert (result.code, message in result.err) == (code, True), result.err
    assert "Traceback" not in result.err and "bug" not in result.err


def test_build_writes_beside_the_file_or_where_it_is_told(ulna, file):
    assert ulna("build", "app.bicep").code == 0
    template = json.loads(Path("app.json").read_text())
    assert "Ulna.Core/values" in json.dumps(template["resources"])
    assert json.loads(ulna("build", "app.bicep", "--stdout").out) == template
    ulna("build", "app.bicep", "--outdir", "out")
    ulna("build", "app.bicep", "--outfile", "deep/er/t.json")
    assert json.loads(Path("out/app.json").read_text()) == json.loads(Path("deep/er/t.json").read_text()) == template
    assert ulna("deploy", "app.json", "--name", "other").code == 0


def test_build_params_writes_a_parameter_file(ulna, file):
    Path("dev.bicepparam").write_text("using 'app.bicep'\nparam size = 5\n")
    assert ulna("build-params", "dev.bicepparam").code == 0
    parameters = json.loads(Path("dev.json").read_text())
    assert parameters["parameters"] == {"size": {"value": 5}}
    both = json.loads(ulna("build-params", "dev.bicepparam", "--stdout").out)
    assert json.loads(both["parametersJson"]) == parameters and "Ulna.Core/values" in both["templateJson"]
    assert "properties.input: 5" in ulna("plan", "dev.bicepparam").out
    assert "properties.input: 5" in ulna("plan", "-p", "@dev.bicepparam").out
    assert "properties.input: 5" in ulna("plan", "app.bicep", "-p", "@dev.json").out


@pytest.mark.parametrize(
    ("form", "start"),
    [("json", "["), ("sarif", "{"), ("github", "::"), ("junit", "<?xml"), ("default", "broken.bicep:1:")],
)
def test_problems_come_in_the_form_that_is_asked_for(ulna, form, start):
    Path("broken.bicep").write_text("output x string = nothing\n")
    result = ulna("build", "broken.bicep", "--stdout", "--diagnostics-format", form)
    assert result.code == 1 and result.out == "" and result.err.startswith(start)


@pytest.mark.parametrize(("form", "start"), [("json", "["), ("sarif", "{"), ("github", "::"), ("junit", "<?xml")])
def test_findings_for_programs_go_to_stdout(ulna, form, start):
    Path("broken.bicep").write_text("param unused string\noutput x string = nothing\n")
    result = ulna("lint", "broken.bicep", "--format", form)
    assert result.code == 1 and result.err == "" and result.out.startswith(start)
    assert "BCP057" in result.out and "no-unused-params" in result.out


def test_findings_for_people_go_to_stderr_and_warnings_are_fine(ulna):
    Path("app.bicep").write_text("param unused string\n")
    result = ulna("lint", "app.bicep")
    assert result.code == 0 and result.out == "" and "app.bicep:1:7: warning no-unused-params" in result.err


def test_several_files_are_linted_in_one_call(ulna):
    for name in ("a", "b"):
        Path(f"{name}.bicep").write_text("output x string = nothing\n")
    result = ulna("lint", "a.bicep", "b.bicep", "nowhere.bicep")
    assert result.code == 1 and result.err.count("BCP057") == 2 and "nowhere.bicep" in result.err


def test_all_files_that_fit_a_pattern_are_linted_by_several_processes(ulna):
    Path("apps").mkdir()
    for number in range(40):
        Path(f"apps/a{number}.bicep").write_text(f"param unused{number} string\n")
    together = ulna("lint", "--pattern", "apps/*.bicep", "--jobs", "2")
    alone = ulna("lint", "--pattern", "apps/*.bicep", "--jobs", "1")
    assert together.err == alone.err and together.err.count("no-unused-params") == 40
    assert ulna("lint", "--pattern", "nowhere/*.bicep").code == 2
    assert ulna("lint").code == 2


def test_lint_tells_what_building_would_refuse(ulna):
    Path("app.bicep").write_text("func f() string => reference('x').y\n")
    result = ulna("lint", "app.bicep")
    assert result.code == 1 and "BCP341" in result.err


def test_lint_tells_which_parameters_cannot_be_evaluated(ulna):
    Path("app.bicepparam").write_text("using none\nparam a = int('x')\n")
    result = ulna("lint", "app.bicepparam")
    assert result.code == 1 and "BCP338" in result.err


def test_build_tells_what_the_linter_finds(ulna):
    Path("app.bicep").write_text("param unused string\n")
    result = ulna("build", "app.bicep", "--stdout")
    assert result.code == 0 and '"unused"' in result.out and "no-unused-params" in result.err


def test_environments_are_listed(ulna):
    assert "There is no environment yet" in ulna("env").out
    assert ulna("env", "list", "--format", "names").out == ""
    assert json.loads(ulna("env", "list", "--format", "json").out) == {"environments": []}


def test_the_state_may_be_elsewhere(ulna, file, monkeypatch):
    ulna("deploy", "app.bicep", "--state", "here")
    assert Path("here/state.db").exists() and not Path(".ulna").exists()
    monkeypatch.setenv("ULNA_STATE", "here")
    assert "app/item" in ulna("state", "list").out


def test_who_waits_says_for_whom_in_a_sentence(ulna, file):
    assert ulna("deploy", "app.bicep").code == 0
    holder = Store.open(Path(".ulna")).log("global")
    holder.acquire(this_process())
    waited = ulna("deploy", "app.bicep", "-p", "size=2", "--wait", "0.3")
    assert waited.err.startswith("Waiting for another Ulna (") and "ULN410" in waited.err
    holder.release()


def test_what_has_parts_is_as_well_as_they_are():
    from engine.cli.commands.status import _states
    from engine.contract.resource import Resource
    from engine.pipeline.looking import Seen
    from engine.state.entry import Entry, Phase

    def seen(address: str, owner: str | None = None, gone: bool = False) -> Seen:
        resource = Resource(address, "T/t", "1", address.rpartition("/")[2], address, {}, owner=owner)
        return Seen(Entry(address, resource, phase=Phase.RUNNING, ready_incarnation=0, token="t"), gone=gone)

    states = _states([seen("a/web"), seen("a/web/web-0", "a/web", gone=True), seen("a/api"), seen("a/api/x", "a/api")])
    assert states["a/web"] == ("gone", "'web-0' is gone") and states["a/api"][0] == "ready"


def test_an_endpoint_of_what_is_not_ready_is_told_with_its_state(ulna, monkeypatch):
    from engine.contract.resource import Resource
    from engine.pipeline import looking
    from engine.state.entry import Entry, Phase

    def seen(name: str, **more: object) -> looking.Seen:
        outputs = {"properties": {"endpoints": {"http": f"http://localhost/{name}"}}}
        return looking.Seen(
            Entry(f"a/{name}", Resource(f"a/{name}", "T/t", "1", name, "", {}), outputs=outputs, **more)
        )

    ready, off = {"phase": Phase.RUNNING, "ready_incarnation": 0, "token": "t"}, {"phase": Phase.STOPPED, "run": False}
    found = looking.Status("dev", "", (seen("up", **ready), seen("down", **off)))
    monkeypatch.setattr(looking, "status", lambda where: found)
    told = ulna("status").out
    assert told.endswith("  up    http://localhost/up\n  down  http://localhost/down  (stopped)\n")
    endpoints = json.loads(ulna("status", "--format", "json").out)["endpoints"]
    assert [(e["name"], e["state"]) for e in endpoints] == [("up", "ready"), ("down", "stopped")]


@pytest.mark.parametrize(
    ("drifted", "looked", "told"),
    [
        (0, 0, "There is nothing to look at."),
        (0, 1, "1 resource is as it was deployed."),
        (0, 2, "All 2 resources are as they were deployed."),
        (1, 1, "1 of 1 resource is not as it was deployed."),
        (1, 3, "1 of 3 resources is not as it was deployed."),
        (2, 3, "2 of 3 resources are not as they were deployed."),
    ],
)
def test_how_many_have_drifted_is_told_in_a_sentence(drifted, looked, told):
    from engine.cli.commands.drift import summed

    assert summed(drifted, looked) == told


def test_what_lives_on_is_told_as_detached(ulna, file):
    assert ulna("deploy", "app.bicep").code == 0
    file.write_text("param size int = 1\n")
    result = ulna("deploy", "app.bicep", "--on-unmanage", "detach")
    assert "2 detached" in result.out and "^ detached  app/item" in result.out
    assert "detached  app/item" in result.err and "deleted" not in result.out + result.err
    assert "no changes" in ulna("deploy", "app.bicep").out


def test_a_whole_deployment_may_live_on(ulna, file):
    ulna("deploy", "app.bicep")
    result = ulna("destroy", "app.bicep", "--yes", "--on-unmanage", "detach")
    assert result.code == 0 and "Detachment of" in result.out and "deleted" not in result.out + result.err
    assert "There is no deployment 'app'" in ulna("destroy", "app.bicep", "--yes").err


def test_lint_for_an_environment_tells_each_mistake_once(ulna):
    Path("env.bicep").write_text(
        "extension radius\nresource env 'Applications.Core/environments@2023-10-01-preview' = {\n  name: 'env'\n"
        "  properties: {\n    compute: {\n      kind: 'docker'\n      namespace: 'x'\n    }\n  }\n}\n"
    )
    head = "extension radius\nparam environment string\nresource app 'Applications.Core/applications@2023-10-01-preview' = {\n"
    head += "  name: 'app'\n  properties: {\n    environment: environment\n  }\n}\n"
    head += "resource c 'Applications.Core/containers@2023-10-01-preview' = {\n  name: 'c'\n  properties: {\n"
    head += "    application: app.id\n    container: {\n      image: 'x:1'\n"
    Path("app.bicep").write_text(
        f"{head}      imagePullPolicy: 'Alwys'\n    }}\n    runtimes: {{\n      dokcer: {{}}\n    }}\n  }}\n}}\n"
    )
    _, _, err = ulna("lint", "app.bicep", "-e", "env.bicep")
    assert [err.count(f"app.bicep:{place}") for place in ("15:7", "15:24", "18:7")] == [1, 0, 1]
