"""What is started only when people ask for it: the tag `ulna.start`."""

from __future__ import annotations

import json

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.live import rows
from engine.pipeline.deploying import deploy
from engine.pipeline.destroying import destroy
from engine.pipeline.looking import logs
from engine.pipeline.planning import plan
from engine.pipeline.request import Request, Where
from engine.plan.change import Action
from engine.plan.report import report
from engine.plan.whatif import whatif
from engine.state.entry import Phase
from engine.state.event import Progress
from tests.live.staged import APP, container

TOOL = container("tool").replace("name: 'tool'", "name: 'tool'\n  tags: { 'ulna.start': 'explicit' }")
USER = container("user", properties="connections: { tool: { source: tool.id, disableDefaultEnvVars: true } }")


def shown(running, name):
    engine = running.host.engine
    return rows.row(running.desk.find(name), engine.model)


def test_a_resource_rests_until_it_is_asked_for_and_who_needs_it_waits(live):
    running = live(APP + TOOL + USER + container("web"))
    running.ready("web")
    running.until(lambda: shown(running, "tool")["state"] == "stopped")
    row = shown(running, "tool")
    assert row["verbs"][0] == "start" and row["health"] is None
    part = running.entry("tool-0")
    assert part.phase is Phase.STOPPED and part.incarnation == 0
    assert running.desk.why("tool-0") == ("it is started only when that is asked for; to start it: ulna start tool-0",)
    assert running.desk.why("tool") == ("it is started only when that is asked for; to start it: ulna start tool",)
    assert running.desk.why("user-0") == ("it waits: 'app/tool' is started only when that is asked for",)
    assert running.entry("user-0").incarnation == 0
    operation = running.desk.act("tool", "start")
    assert running.desk.wait(operation.id, 60).progress is Progress.SUCCEEDED
    running.ready("tool", "user")
    operation = running.desk.scale("tool", 2)
    assert running.desk.wait(operation.id, 60).progress is Progress.SUCCEEDED
    assert running.entry("tool-1").ready, "a part that comes to others is started as they were"


def test_the_next_run_begins_with_it_at_rest_and_without_the_tag_it_starts(live):
    running = live(APP + TOOL)
    running.until(lambda: shown(running, "tool")["state"] == "stopped")
    running.desk.act("tool", "start")
    running.ready("tool")
    running.close()
    running.open()
    running.until(lambda: shown(running, "tool")["state"] == "stopped")
    running.path.write_text(APP + container("tool"))
    running.host.reload()
    running.ready("tool")


def test_a_deploy_with_something_at_rest_is_well_and_does_what_its_plan_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ULNA_STATE", raising=False)
    (tmp_path / "app.bicep").write_text(APP + TOOL + USER)
    planned = plan(Request("app.bicep")).plan
    asked = "it is started only when that is asked for; to start it: ulna start tool"
    held = "nothing is done until 'tool' is started; to start it: ulna start tool"
    rest = {c.address: c.reason for c in planned.changes if c.action is Action.NO_CHANGE}
    assert rest == {"app/tool/tool-0": asked, "app/tool": asked, "app/user/user-0": held, "app/user": held}
    first = deploy(Request("app.bicep"))
    assert first.ok, (first.failed, first.skipped)
    assert set(first.changed) == {c.address for c in planned.changes if c.action.acts}
    assert first.resting == {"app/tool": asked}
    assert not plan(Request("app.bicep")).plan.acts
    second = deploy(Request("app.bicep"))
    assert second.ok and not second.changed and second.resting == first.resting, second.changed
    destroy(Where("app"))


def test_what_its_run_stopped_at_its_end_is_started_by_a_deploy_and_what_people_stopped_is_not(live):
    running = live(APP + container("web") + container("other") + TOOL)
    running.ready("web", "other")
    running.desk.wait(running.desk.act("web", "stop").id, 60)
    running.desk.act("tool", "start")
    running.ready("tool")
    running.close()
    planned = {c.address: (c.action, c.reason) for c in plan(Request("app.bicep")).plan.changes}
    assert planned["app/other/other-0"] == (Action.CREATE, "it was stopped when its run ended")
    ended = deploy(Request("app.bicep"))
    assert ended.ok and ended.resting == {
        "app/web": "it was stopped by a command; to start it: ulna start web",
        "app/tool": "it is started only when that is asked for; to start it: ulna start tool",
    }
    assert "app/other/other-0" in ended.changed
    running.open()
    running.ready("other")
    assert running.entry("web-0").phase is Phase.STOPPED, "also in the next run"
    assert running.desk.wait(running.desk.act("web", "start").id, 60).progress is Progress.SUCCEEDED


def test_what_a_command_stopped_rests_in_a_plan_as_in_a_deploy(live):
    running = live(APP + container("web") + container("other"))
    running.ready("web", "other")
    running.desk.act("web", "stop")
    running.until(lambda: running.entry("web-0").phase is Phase.STOPPED)
    running.until(lambda: any("other" in name for name, _ in running.lines))
    running.close(keep=True)
    assert len(list(logs(Where(), "other", False, tail=1))) == 1 and not list(logs(Where(), "other", False, tail=0))
    assert "says" in next(logs(Where(), "other", True, tail=5))[1]
    with pytest.raises(UlnaError, match="known only to a run that saw them"):
        list(logs(Where(), "other", False, since=1.0))
    planned = plan(Request("app.bicep")).plan
    rest = {c.address: (c.action, c.reason) for c in planned.changes if c.reason}
    why = "it was stopped by a command; to start it: ulna start web"
    assert rest == {"app/web": (Action.NO_CHANGE, why), "app/web/web-0": (Action.NO_CHANGE, why)}
    assert not planned.acts and why in whatif(planned)
    assert why in {c.get("reason") for c in report(planned)["changes"]}
    ended = deploy(Request("app.bicep"))
    assert ended.ok and not ended.changed, (ended.failed, ended.skipped, ended.changed)


def test_a_word_that_is_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.bicep").write_text(APP + TOOL.replace("explicit", "explicitly"))
    with pytest.raises(UlnaError) as raised:
        deploy(Request("app.bicep"))
    (found,) = raised.value.diagnostics
    assert (found.code, found.help) == ("ULN337", "Did you mean 'explicit'?"), json.dumps(str(found))
