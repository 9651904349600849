"""Commands are operations: done when what is observed says so."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.state.entry import Phase
from engine.state.event import Progress
from tests.live.staged import APP, container

WEB = container("web", properties="connections: { api: { source: api.id, disableDefaultEnvVars: true } }")
SHOP = APP + container("api", "env: { WORD: { value: 'hello' } }") + WEB

SERVES = (
    "import http.server as h, os; "
    'h.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), h.SimpleHTTPRequestHandler).serve_forever()'
)

COMMANDS = """
resource word 'Ulna.Core/commands@2026-12-01' = {
  name: 'word'
  properties: {
    target: api.id
    displayName: 'Say the word'
    inputs: { times: { type: 'int', default: 2, minValue: 1, maxValue: 3 }, tail: { default: '!', allowed: ['!', '?'] } }
    exec: { command: ['python3', '-c', 'import os, sys; print(os.environ["WORD"] * int(sys.argv[1]) + sys.argv[2])', '$(times)', '$(tail)'] }
  }
}
resource fails 'Ulna.Core/commands@2026-12-01' = {
  name: 'fails'
  properties: { target: api.id, exec: { command: ['python3', '-c', 'raise SystemExit(3)'] } }
}
resource job 'Ulna.Core/commands@2026-12-01' = {
  name: 'job'
  properties: {
    target: api.id
    inputs: { code: { type: 'int', default: 0 }, seconds: { type: 'number', default: '0.2' }, key: { default: '', secure: true } }
    launch: {
      timeToLiveSeconds: 3600
      properties: {
        container: { image: 'none:1', env: { KEY: { value: '$(key)' } } }
        runtimes: {
          process: {
            command: 'python3'
            args: ['-u', '-c', 'import time, sys; print("working"); time.sleep($(seconds)); print("summary"); sys.exit($(code))']
          }
        }
      }
    }
  }
}
"""


def done(live, operation, seconds=30):
    ended = live.desk.wait(operation.id, seconds)
    assert ended.progress is not Progress.RUNNING, (
        ended,
        {e.address: (e.phase, e.reason) for e in live.host.entries()},
    )
    return ended


def test_starting_returns_at_once_whatever_waits(live):
    begun = time.monotonic()
    running = live(SHOP)
    assert time.monotonic() - begun < 5
    running.ready("web", "api")


def test_stop_and_start_are_done_when_they_are_seen_to_be(live):
    running = live(SHOP)
    running.ready("web", "api")
    stopped = done(running, running.desk.act("web", "stop"))
    assert stopped.progress is Progress.SUCCEEDED and running.entry("web-0").phase is Phase.STOPPED
    assert running.entry("api-0").phase is Phase.RUNNING
    assert running.desk.why("web-0") == ("it was stopped by a command; to start it: ulna start web-0",)
    assert running.desk.why("web") == ("it was stopped by a command; to start it: ulna start web",)
    assert done(running, running.desk.act("web", "start")).progress is Progress.SUCCEEDED
    running.ready("web")


NONE = "extensions: [{ kind: 'manualScaling', replicas: 0 }]"
TWO = NONE.replace("0", "2")


def test_what_has_no_part_that_runs_is_stopped_and_stays_so_until_it_is_started(live):
    waits = container("late", properties="connections: { tool: { source: tool.id, disableDefaultEnvVars: true } }")
    tool = container("tool").replace("name: 'tool'", "name: 'tool'\n  tags: { 'ulna.start': 'explicit' }")
    running = live(APP + container("none", properties=NONE) + tool + waits + container("web"))
    running.ready("web")
    for name in ("none", "late", "web"):
        assert done(running, running.desk.act(name, "stop")).progress is Progress.SUCCEEDED
        assert running.desk.why(name) == (f"it was stopped by a command; to start it: ulna start {name}",)
    done(running, running.desk.act("tool", "start"))
    running.desk.scale("none", 2)
    running.desk.scale("web", 2)
    running.until(lambda: running.entry("none-1").phase is running.entry("web-1").phase is Phase.STOPPED)
    assert running.entry("late-0").phase is Phase.STOPPED and not running.entry("late-0").incarnation
    for name in ("none", "late", "web"):
        assert done(running, running.desk.act(name, "start"), 60).progress is Progress.SUCCEEDED
        running.ready(name)
    running.ready("none-1", "web-1")


def test_a_file_that_is_added_again_takes_away_the_parts_that_a_resource_has_no_longer(live, tmp_path):
    running = live(APP + container("web"))
    (tmp_path / "more.bicep").write_text(APP + container("extra", properties=TWO))
    running.desk.add("more.bicep")
    running.ready("extra-0", "extra-1")
    (tmp_path / "more.bicep").write_text(APP + container("extra"))
    assert running.desk.add("more.bicep").remove == ("app/extra/extra-1",)
    running.until(lambda: "app/extra/extra-1" not in running.host.engine.state.entries)
    running.ready("extra", "extra-0", "web")


def test_a_restart_lives_anew_and_takes_dependants_along_if_wanted(live):
    running = live(SHOP)
    running.ready("web", "api")
    lives = {n: running.entry(n).incarnation for n in ("api-0", "web-0")}
    assert done(running, running.desk.act("api", "restart")).progress is Progress.SUCCEEDED
    assert (running.entry("api-0").incarnation, running.entry("web-0").incarnation) == (2, lives["web-0"])
    done(running, running.desk.act("api", "restart", with_dependants=True))
    assert (running.entry("api-0").incarnation, running.entry("web-0").incarnation) == (3, lives["web-0"] + 1)


def test_what_is_forced_is_there_for_those_who_wait_for_it(live):
    on = "connections: {{ {0}: {{ source: {0}.id, waitFor: '{1}', disableDefaultEnvVars: true }} }}"
    fails = container("fails", properties="restartPolicy: 'Never'", program="raise SystemExit(3)")
    web = container("web", properties=on.format("fails", "completed"))
    running = live(APP + fails + web + container("user", properties=on.format("web", "ready")))
    running.until(lambda: running.desk.why("web")[0] == "it cannot start: 'app/fails/fails-0' failed")
    assert done(running, running.desk.act("web", "force")).progress is Progress.SUCCEEDED
    assert running.entry("web").ready
    running.ready("user")
    assert running.desk.why("web") == ()


def test_a_process_that_is_ready_no_longer_is_seen_to_be_so_and_one_without_its_supervisor_is_made_anew(live, tmp_path):
    ready = tmp_path / "ready"
    ready.touch()
    probe = f"readinessProbe: {{ kind: 'exec', command: 'test -e {ready}', periodSeconds: 1, failureThreshold: 1 }}"
    running = live(APP + container("web", probe))
    running.ready("web")
    ready.unlink()
    running.until(lambda: not running.entry("web").ready and not running.entry("web-0").ready)
    ready.touch()
    running.ready("web", "web-0")
    os.kill(int(running.entry("web-0").external_id or 0), signal.SIGKILL)
    running.until(lambda: running.entry("web-0").incarnation == 2)
    running.ready("web", "web-0")


def test_scale_to_three_and_back(live):
    running = live(SHOP)
    running.ready("api")
    assert done(running, running.desk.scale("api", 3)).progress is Progress.SUCCEEDED
    assert running.entry("api-2").ready
    assert done(running, running.desk.scale("api", 1)).progress is Progress.SUCCEEDED
    running.until(lambda: "app/api/api-2" not in running.host.engine.state.entries)


def test_what_the_file_does_not_declare_is_neither_changed_nor_scaled_in_silence(live, tmp_path):
    running = live(SHOP + COMMANDS)
    running.ready("api", "job")
    (tmp_path / "more.bicep").write_text(APP + container("extra"))
    running.desk.add("more.bicep")
    job = done(running, running.desk.command("api", "job", {})).launched[0]
    running.ready("extra")
    for name in ("extra", "api-0", job):
        for ask in (lambda name: running.desk.change(name, {"x": 1}), lambda name: running.desk.scale(name, 2)):
            with pytest.raises(UlnaError) as raised:
                ask(name)
            assert raised.value.diagnostics[0].code == "ULN423"
    with pytest.raises(UlnaError, match="has no replicas"):
        running.desk.scale("word", 2)
    assert done(running, running.desk.scale("web", 2)).progress is Progress.SUCCEEDED, "nothing of it is left"


def test_a_program_runs_in_the_target_with_its_inputs(live):
    running = live(SHOP + COMMANDS)
    running.ready("api", "word")
    ended = done(running, running.desk.command("api", "word", {"times": "3"}))
    assert (ended.progress, ended.title, ended.inputs) == (
        Progress.SUCCEEDED,
        "Say the word",
        {"times": 3, "tail": "!"},
    )
    assert ended.result == {"exitCode": 0, "output": "hellohellohello!\n"}
    failed = done(running, running.desk.command("api", "fails", {}))
    assert (failed.progress, failed.message) == (Progress.FAILED, "it ended with exit code 3")


@pytest.mark.parametrize(
    ("word", "given", "code", "message"),
    [
        ("wrod", {}, "ULN550", "'app/api' has no command 'wrod'"),
        ("word", {"times": "4"}, "ULN551", "The command 'word' of 'app/api': 'times' is 4"),
        ("word", {"times": "many"}, "ULN551", "The command 'word' of 'app/api': 'times' must be of type int"),
        ("word", {"tail": "x"}, "ULN551", "The command 'word' of 'app/api': 'tail' cannot be 'x'"),
        ("word", {"time": "1"}, "ULN551", "The command 'word' of 'app/api': there is no input 'time'"),
    ],
)
def test_what_does_not_fit_is_refused_and_begins_nothing(live, word, given, code, message):
    running = live(SHOP + COMMANDS)
    running.ready("word")
    with pytest.raises(UlnaError) as raised:
        running.desk.command("api", word, given)
    assert [(d.code, d.message) for d in raised.value.diagnostics] == [(code, message)]
    assert running.desk.operations() == ()


def test_a_launched_job_is_owned_logged_judged_and_survives_a_reload(live):
    running = live(SHOP + COMMANDS)
    running.ready("api", "job")
    first = running.desk.command("api", "job", {"key": "s3cr3t-key"})
    second = running.desk.command("api", "job", {"code": "2", "seconds": "0.1"})
    assert first.launched == ("app/api/job-1",) and second.launched == ("app/api/job-2",)
    ended, failed = done(running, first), done(running, second)
    assert (ended.progress, failed.progress) == (Progress.SUCCEEDED, Progress.FAILED)
    assert failed.message == "'app/api/job-2/job-2-0' ended with exit code 2"
    assert ended.result["api-job-1-0"] == {"exitCode": 0, "log": ["working", "summary"]}
    assert ended.inputs["key"] == "•••" and "s3cr3t-key" not in repr(running.host.engine.state)
    running.until(lambda: ("api-job-1-0", "summary") in running.lines)  # lines come by another way than events
    running.path.write_text(running.path.read_text().replace("'hello'", "'changed'"))
    running.host.reload()
    running.until(lambda: running.entry("api-0").incarnation == 2)
    assert "app/api/job-1" in running.host.engine.state.entries
    running.path.write_text(APP)
    running.host.reload()
    running.until(lambda: not any("job" in a for a in running.host.engine.state.entries))


def test_a_job_that_has_ended_is_in_nobodys_way(live):
    """It used a port that goes once there are replicas; it is done once, whoever is restarted."""
    port = "ports: { http: { containerPort: 8080 } }"
    used = "connections: { api: { source: api.id } }\n        container: { image: 'none:1', env"
    running = live(
        APP + container("api", port, program=SERVES) + COMMANDS.replace("container: { image: 'none:1', env", used)
    )
    running.ready("api", "job")
    first = done(running, running.desk.command("api", "job", {}))
    life = running.entry("job-1-0").incarnation
    assert done(running, running.desk.act("api", "restart", with_dependants=True)).progress is Progress.SUCCEEDED
    running.ready("api")
    assert running.entry("job-1-0").incarnation == life
    second = running.desk.command("api", "job", {"seconds": "60"})
    with pytest.raises(UlnaError, match="still needs it"):
        running.desk.scale("api", 2)  # this one works still
    running.desk.remove(second.launched)
    running.until(lambda: second.launched[0] not in running.host.engine.state.entries)
    assert done(running, running.desk.scale("api", 2)).progress is Progress.SUCCEEDED
    running.until(lambda: first.launched[0] not in running.host.engine.state.entries)
    kept = next(o for o in running.desk.operations() if o.id == first.id)
    assert kept.result["api-job-1-0"]["exitCode"] == 0


def test_a_job_goes_after_its_time_to_live(live):
    running = live(SHOP + COMMANDS.replace("3600", "1"))
    running.ready("api", "job")
    done(running, running.desk.command("api", "job", {}))
    running.until(lambda: not any(a.startswith("app/api/job") for a in running.host.engine.state.entries))


def test_what_an_earlier_run_began_is_judged_by_the_next(live):
    running = live(SHOP + COMMANDS)
    running.ready("api", "job")
    begun = running.desk.command("api", "job", {"seconds": "2", "key": "kept nowhere"})
    running.until(lambda: any(line == "working" for _, line in running.lines))
    running.close(keep=True)
    running.open()
    assert done(running, begun).progress is Progress.SUCCEEDED


def test_what_people_set_stays_when_the_file_changes(live):
    running = live(SHOP)
    running.ready("api")
    done(running, running.desk.scale("api", 2))
    running.desk.change("api", {"container.env": {"WORD": {"value": "set"}}})
    running.until(lambda: running.entry("api-1").incarnation == 2 and running.entry("api-1").ready)
    running.path.write_text(SHOP.replace("'hello'", "'changed'") + container("more"))
    assert "app/more" in [r.address for r in running.host.reload().add]
    running.ready("more", "api")
    assert running.entry("api-1").ready and running.entry("api-0").incarnation == 2


def test_operations_that_begin_at_the_same_time_are_told_apart(live):
    running = live(SHOP)
    running.ready("api", "web")
    with ThreadPoolExecutor(8) as pool:
        begun = list(pool.map(lambda _: running.desk.act("api", "start"), range(40)))
    assert len({operation.id for operation in begun}) == 40


def test_who_waits_for_the_start_does_not_wait_until_it_is_ready(live):
    probed = "ports: { web: { containerPort: 80 } }, readinessProbe: { kind: 'httpGet', containerPort: 80, path: '/' }"
    waits = "connections: { slow: { source: slow.id, waitFor: 'started' } }"
    running = live(APP + container("slow", probed) + container("user", properties=waits))
    running.ready("user")
    assert running.entry("slow-0").phase is Phase.RUNNING and not running.entry("slow-0").ready
    assert not running.entry("slow").ready
