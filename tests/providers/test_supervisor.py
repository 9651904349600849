"""Real processes under real supervisors."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from engine.contract.errors import Terminal, Transient
from engine.contract.operator import Applied, Health, Replace, Same
from providers.process import client
from providers.process.inheriting import inherited
from providers.process.shelf import name_of
from tests.providers.conftest import process

TOKEN = "app/web/web-0#1"
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_a_server_is_ready_once_it_listens_and_outlives_who_started_it(lab, server, free_port):
    resource = lab.python(
        server, env={"PORT": str(free_port), "NAME": "it"}, ports={"http": free_port}, listens=free_port
    )
    made = lab.start(resource)
    assert made.health is Health.STARTING and made.look_again
    lab.until(resource, lambda s: s.health is Health.READY)
    with urllib.request.urlopen(f"http://localhost:{free_port}/", timeout=5) as answer:
        assert answer.read() == b"it"
    parent = Path(f"/proc/{made.id}/stat").read_text().rpartition(")")[2].split()[1] if sys.platform == "linux" else "1"
    assert int(parent) != os.getpid()


def test_a_process_gets_no_secrets_of_whoever_deploys_but_its_own(lab, monkeypatch):
    for name in ("PGPASSWORD", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "STRIPE_API_KEY", "ULNA_STATE", "MYSQL_PWD"):
        monkeypatch.setenv(name, "leaked")
    monkeypatch.setenv("DATABASE_URL", "postgres://me:leaked@db/shop")
    monkeypatch.setenv("KEYBOARD", "kept")
    monkeypatch.setenv("PLAIN_URL", "http://db:80/@kept")
    resource = lab.shell("env; exec sleep 60", env={"API_TOKEN": "its own"})
    lab.start(resource)
    lab.until(resource, lambda s: "its own" in " ".join(lab.operator.logs(resource, TOKEN, False)))
    told = "\n".join(lab.operator.logs(resource, TOKEN, False))
    assert (
        "leaked" not in told and "KEYBOARD=kept" in told and "PLAIN_URL=http://db:80/@kept" in told and "PATH=" in told
    )


@pytest.mark.parametrize(
    ("name", "value", "passed"),
    [
        ("PATH", "/bin", True),
        ("HOME", "/root", True),
        ("SSH_AUTH_SOCK", "/run/agent", True),
        ("MONKEY", "x", True),
        ("OLDPWD", "/", True),
        ("REDIS_URL", "redis://localhost:6379/0", True),
        ("REDIS_URL", "redis://:word@localhost:6379", False),
        ("AZURE_CLIENT_SECRET", "x", False),
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=x", False),
        ("SIGNING_KEY", "x", False),
        ("key", "x", True),
        ("CONNECTION_DB_HOST", "x", False),
    ],
)
def test_which_variables_are_passed_on(name, value, passed):
    assert (name in inherited({name: value})) is passed


def test_an_engine_that_died_before_the_answer_came_finds_the_process(lab):
    resource = lab.shell("sleep 60")
    program = (
        "import os, pickle, sys\n"
        "from pathlib import Path\n"
        "from engine.contract.conformance import TestCall\n"
        "from providers.process.processes import ProcessOperator\n"
        "resource = pickle.loads(bytes.fromhex(sys.argv[2]))\n"
        f"ProcessOperator(Path(sys.argv[1])).create(resource, {TOKEN!r}, TestCall())\n"
        "os._exit(9)\n"
    )
    import pickle

    command = [sys.executable, "-c", program, str(lab.folder / "running"), pickle.dumps(resource).hex()]
    lab.started.append((lab.operator, resource, TOKEN))
    subprocess.run(command, check=False, cwd=Path(__file__).parents[2])
    seen = lab.look(resource)
    assert seen is not None
    assert lab.start(resource).id == seen.id, "creating again adopts it"


def test_many_who_create_under_one_token_at_once_make_one_process(lab):
    resource = lab.shell("echo started; exec sleep 60")
    ids: list[str] = []
    threads = [threading.Thread(target=lambda: ids.append(lab.start(resource).id)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(ids)) == 1 and len(ids) == 6
    lab.until(resource, lambda s: s.health is Health.READY)
    assert lab.log(resource) == ["started"]


@pytest.mark.parametrize(
    ("change", "reason", "help"),
    [
        ({"command": ["zq/xj/kw"]}, "the command 'zq/xj/kw' was not found", "neither on PATH"),
        ({"command": ["slepe"]}, "the command 'slepe' was not found", "Did you mean 'sleep'?"),
        ({"env": {"A=B": "c"}}, "'sh' cannot be started: illegal environment variable name", "environment variables"),
        ({"command": ["sleep 1"]}, "the command 'sleep 1' was not found", "put what follows 'sleep' into 'args'"),
        ({"command": ["./here"]}, "the command './here' was not found", "nor a file in"),
        ({"command": ["./script"]}, "permission denied to run './script'", "chmod +x ./script"),
        ({"command": ["./data"]}, "'./data' is not a program", "#!/bin/sh"),
        (
            {"workingDirectory": "/no/such/folder"},
            "the working directory '/no/such/folder' does not exist",
            "Make the folder",
        ),
    ],
    ids=lambda v: v if isinstance(v, str) else None,
)
def test_what_cannot_be_started_says_why(lab, change, reason, help):
    (lab.folder / "script").write_text("#!/bin/sh\n")
    (lab.folder / "data").write_bytes(b"\x01\x02\x03")
    (lab.folder / "data").chmod(0o755)
    resource = lab.shell("true")
    broken = resource.replace(properties={"properties": resource.properties["properties"] | change})
    with pytest.raises(Terminal) as raised:
        lab.start(broken)
    assert raised.value.reason == reason
    assert help in raised.value.help
    assert lab.look(broken) is None, "nothing is left of it"


def test_a_port_in_use_is_named_before_anything_starts(lab, free_port, monkeypatch):
    import socket

    from providers.process import port

    monkeypatch.setattr(port.refuse_taken, "__defaults__", (0.1,))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", free_port))
        taken.listen()
        with pytest.raises(Terminal, match=f"port {free_port} .'http'. is in use by ") as raised:
            lab.start(lab.shell("sleep 60", ports={"http": free_port}, listens=free_port))
    if sys.platform == "linux":
        assert f"(process {os.getpid()})" in raised.value.reason


# ---------------------------------------------------------------- ends and restarts


def test_a_process_that_dies_at_once_has_failed_with_its_code_and_last_words(lab):
    resource = lab.shell("echo one; echo two >&2; echo one; exit 3", restart="Never")
    lab.start(resource)
    seen = lab.until(resource, lambda s: s.health is Health.FAILED)
    assert seen.exit_code == 3
    assert seen.message == "it ended with exit code 3; its last lines:\none\ntwo"
    assert seen.look_again is None


def test_a_job_that_ends_well_keeps_its_exit_code_after_its_supervisor_has_gone(lab, alive):
    resource = lab.shell("echo done", restart="OnFailure")
    lab.start(resource)
    seen = lab.until(resource, lambda s: s.exit_code is not None)
    assert (seen.exit_code, seen.health, seen.message) == (0, Health.READY, "")
    lab.until(resource, lambda s: not alive(int(s.id)))
    assert lab.look(resource).exit_code == 0
    assert lab.start(resource).exit_code == 0, "creating again does not run it again"
    assert lab.log(resource) == ["done"]


def test_it_is_started_again_on_failure_until_it_works(lab):
    script = "echo x >> count; [ $(wc -l < count) -ge 3 ] && exit 0; exit 1"
    resource = lab.shell(script, restart="OnFailure")
    lab.start(resource)
    seen = lab.until(resource, lambda s: s.exit_code is not None)
    assert seen.exit_code == 0
    assert lab.status()["restarts"] == 2


def test_one_that_always_ends_is_a_crash_loop_and_goes_on_trying(lab):
    resource = lab.shell("echo boom; exit 7", restart="Always")
    lab.start(resource)
    seen = lab.until(resource, lambda s: s.health is Health.FAILED)
    assert seen.exit_code is None and seen.look_again
    assert "exit code 7, 4 times in a row" in seen.message and "boom" in seen.message
    assert lab.status()["state"] == "waiting"


def test_one_that_is_killed_is_started_again(lab, alive):
    resource = lab.shell("exec sleep 60")
    lab.start(resource)
    lab.until(resource, lambda s: s.health is Health.READY)
    first = lab.status()["pid"]
    os.kill(first, signal.SIGKILL)
    lab.until(resource, lambda s: lab.status()["pid"] not in (None, first))
    assert not alive(first)
    assert lab.status()["exit_code"] == 137
    lab.until(resource, lambda s: s.health is Health.READY)


# ---------------------------------------------------------------- probes


def test_a_readiness_probe_over_http_goes_by_the_status(lab, server, free_port):
    rhythm = {"delay": 0, "period": 0.1, "timeout": 1, "threshold": 2}
    good = {"kind": "http", "port": free_port, "path": "/", "headers": {}, **rhythm}
    resource = lab.python(server, env={"PORT": str(free_port)}, readiness=good)
    lab.start(resource)
    lab.until(resource, lambda s: s.health is Health.READY)
    lab.operator.delete(resource, TOKEN, lab.call)
    bad = lab.python(server, env={"PORT": str(free_port)}, readiness=good | {"path": "/bad"})
    lab.start(bad, "bad#1")
    seen = lab.until(bad, lambda s: s.health is Health.NOT_READY and "gives" in s.message, "bad#1")
    assert seen.message == "its readiness probe fails: GET /bad gives status 500"
    assert seen.look_again


def test_readiness_comes_and_goes_with_a_command(lab):
    check = {"kind": "exec", "command": ["test", "-e", "ok"], "delay": 0, "period": 0.05, "timeout": 1, "threshold": 1}
    resource = lab.shell("exec sleep 60", readiness=check)
    lab.start(resource)
    lab.until(resource, lambda s: s.health is Health.NOT_READY)
    (lab.folder / "ok").touch()
    lab.until(resource, lambda s: s.health is Health.READY)
    (lab.folder / "ok").unlink()
    seen = lab.until(resource, lambda s: s.health is Health.NOT_READY)
    assert seen.message == "its readiness probe fails: 'test' ends with exit code 1"


def test_a_liveness_probe_that_fails_restarts_the_process(lab, alive):
    check = {
        "kind": "exec",
        "command": ["test", "!", "-e", "sick"],
        "delay": 0,
        "period": 0.05,
        "timeout": 1,
        "threshold": 2,
    }
    resource = lab.shell("exec sleep 60", liveness=check)
    lab.start(resource)
    lab.until(resource, lambda s: s.health is Health.READY)
    first = lab.status()["pid"]
    (lab.folder / "sick").touch()
    seen = lab.until(resource, lambda s: "liveness" in s.message)
    assert seen.message == "its liveness probe failed: 'test' ends with exit code 1"
    (lab.folder / "sick").unlink()
    lab.until(resource, lambda s: s.health is Health.READY and lab.status()["pid"] != first)
    assert not alive(first)


def test_a_probe_that_hangs_is_a_failure(lab):
    check = {"kind": "exec", "command": ["sleep", "30"], "delay": 0, "period": 0.1, "timeout": 0.1, "threshold": 1}
    resource = lab.shell("exec sleep 60", readiness=check)
    lab.start(resource)
    seen = lab.until(resource, lambda s: s.health is Health.NOT_READY)
    assert "takes longer than 0.1 s" in seen.message


# ---------------------------------------------------------------- the end of a group


def test_the_whole_group_ends_and_has_time_to(lab, alive):
    script = "trap 'echo bye; exit 0' TERM; sleep 60 & echo $! > child; echo up; wait"
    resource = lab.shell(script)
    lab.start(resource)
    lab.until(resource, lambda s: (lab.folder / "child").exists() and lab.log(resource) == ["up"])
    child, pid = int((lab.folder / "child").read_text()), lab.status()["pid"]
    shelf = lab.operator.client.shelf(TOKEN)
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.extend(lab.operator.logs(resource, TOKEN, True)))
    reader.start()
    begun = time.monotonic()
    lab.operator.delete(resource, TOKEN, lab.call)
    assert time.monotonic() - begun < 4, "it did not wait for the grace period"
    assert not alive(child) and not alive(pid)
    assert lab.look(resource) is None and not Path(shelf.path).exists()
    reader.join(10)
    assert not reader.is_alive() and lines == ["up", "bye"]


def test_one_that_ignores_the_signal_is_killed_after_the_grace_period(lab, alive):
    resource = lab.shell("trap '' TERM; echo up; while :; do sleep 0.1; done", gracePeriodSeconds=0.3)
    lab.start(resource)
    lab.until(resource, lambda s: lab.log(resource) == ["up"])
    pid = lab.status()["pid"]
    begun = time.monotonic()
    lab.operator.delete(resource, TOKEN, lab.call)
    assert 0.3 <= time.monotonic() - begun < 5
    assert not alive(pid)


def test_a_delete_lets_go_when_the_engine_is_asked_to_stop_and_can_be_made_again(lab):
    resource = lab.shell("trap '' TERM; echo up; while :; do sleep 0.1; done", gracePeriodSeconds=0.5)
    lab.start(resource)
    lab.until(resource, lambda s: lab.log(resource) == ["up"])
    lab.call.stopped = True
    with pytest.raises(Transient):
        lab.operator.delete(resource, TOKEN, lab.call)
    lab.call.stopped = False
    lab.operator.delete(resource, TOKEN, lab.call)
    assert lab.look(resource) is None


def test_what_becomes_of_a_process_is_told_to_whoever_watches(lab, monkeypatch):
    monkeypatch.setattr("providers.process.processes.GLANCE", 0.01)
    ready, told, over = lab.folder / "ok", threading.Event(), threading.Event()
    check = {"kind": "exec", "command": ["test", "-e", "ok"], "delay": 0, "period": 0.05, "timeout": 1, "threshold": 1}
    resource = lab.shell("exec sleep 60", readiness=check)
    ready.touch()
    made = lab.start(resource)
    lab.until(resource, lambda s: s.health is Health.READY)
    tokens: set[str] = set()

    def wake(token: str) -> None:
        tokens.add(token)
        told.set()

    begun, marks = threading.Event(), lab.operator.client.marks
    monkeypatch.setattr(lab.operator.client, "marks", lambda: (marks(), begun.set())[0])
    watcher = threading.Thread(target=lab.operator.watch, args=(wake, over.is_set), daemon=True)
    watcher.start()
    assert begun.wait(60)
    try:
        for act in (ready.unlink, ready.touch, lambda: os.kill(int(made.id), signal.SIGKILL)):
            told.clear()
            act()
            assert told.wait(60)
        lab.operator.delete(resource, TOKEN, lab.call)
        assert tokens == {TOKEN}
    finally:
        over.set()
        watcher.join(60)


# ---------------------------------------------------------------- a supervisor that died


def test_a_process_whose_supervisor_was_killed_is_seen_and_replaced(lab, alive):
    resource = lab.shell("exec sleep 60")
    made = lab.start(resource)
    pid = lab.status()["pid"]
    os.kill(int(made.id), signal.SIGKILL)
    seen = lab.until(resource, lambda s: s.health is Health.FAILED)
    assert seen.message == "its supervisor is gone; it runs on without one"
    assert alive(pid)
    difference = lab.operator.diff(resource, Applied(resource.properties), seen)
    assert difference == Replace((), "its supervisor is gone")
    lab.operator.delete(resource, TOKEN, lab.call)
    assert not alive(pid)


@linux
def test_orphans_are_found_by_the_token_in_their_environment(lab, alive):
    """Even one that left the group and whose pid nobody wrote down."""
    resource = lab.shell("setsid sleep 61 & echo $! > far; wait")
    made = lab.start(resource)
    lab.until(resource, lambda s: (lab.folder / "far").exists() and (lab.folder / "far").read_text())
    os.kill(int(made.id), signal.SIGKILL)
    mark = lab.operator.client.mark(TOKEN)
    lab.until(resource, lambda s: s.health is Health.FAILED)
    carriers = list(client.carriers(mark))
    assert len(carriers) >= 2
    lab.operator.delete(resource, TOKEN, lab.call)
    lab.until(resource, lambda s: not any(map(alive, carriers)))  # who is killed takes a moment to be gone


def test_creating_again_after_the_supervisor_was_killed_leaves_one_process(lab, alive):
    resource = lab.shell("exec sleep 60")
    made = lab.start(resource)
    first = lab.status()["pid"]
    os.kill(int(made.id), signal.SIGKILL)
    lab.until(resource, lambda s: s.health is Health.FAILED)
    again = lab.start(resource)
    assert again.id != made.id
    lab.until(resource, lambda s: s.health is Health.READY)
    assert not alive(first)
    assert lab.operator.diff(resource, Applied(resource.properties), lab.look(resource)) == Same()


def test_when_both_are_gone_nothing_is_there(lab):
    resource = lab.shell("exec sleep 60")
    made = lab.start(resource)
    pid = lab.status()["pid"]
    os.kill(int(made.id), signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)
    lab.until(resource, lambda s: s is None)


def test_a_supervisor_that_is_told_to_end_takes_its_process_along(lab, alive):
    resource = lab.shell("exec sleep 60")
    made = lab.start(resource)
    pid = lab.status()["pid"]
    os.kill(int(made.id), signal.SIGTERM)
    lab.until(resource, lambda s: s is None)
    assert not alive(pid)


# ---------------------------------------------------------------- secrets, files, output


@linux
def test_a_secret_reaches_the_process_and_no_file_and_no_argument_list(lab):
    resource = lab.shell('echo "got $KEY" | tr a-z A-Z; exec sleep 60', env={"KEY": lab.secret()})
    made = lab.start(resource)
    value = lab.call.secrets["password"]
    lab.until(resource, lambda s: lab.log(resource) == [f"got {value}".upper()])
    written = [f.read_bytes() for f in lab.folder.rglob("*") if f.is_file()]
    assert not any(value.encode() in text for text in written)
    for pid in (made.id, lab.status()["pid"]):
        assert value.encode() not in Path(f"/proc/{pid}/cmdline").read_bytes()
    assert value.encode() not in Path(f"/proc/{made.id}/environ").read_bytes(), "not even the supervisor has it there"


def test_a_secret_that_is_said_last_is_blotted_out_of_the_message(lab):
    resource = lab.shell("echo the key is $KEY; exit 1", env={"KEY": lab.secret()}, restart="Never")
    lab.start(resource)
    seen = lab.until(resource, lambda s: s.health is Health.FAILED)
    assert seen.message.endswith("the key is ***")


def test_all_files_are_for_their_owner_only(lab):
    resource = lab.shell("echo hello; exec sleep 60")
    lab.start(resource)
    lab.until(resource, lambda s: lab.log(resource) == ["hello"])
    shelf = Path(lab.operator.client.shelf(TOKEN).path)
    assert stat.S_IMODE(shelf.stat().st_mode) == 0o700
    assert {stat.S_IMODE(f.stat().st_mode) for f in shelf.iterdir()} == {0o600}


def test_logs_are_of_limited_size_and_are_read_in_order_across_their_files(lab):
    script = "for i in range(3000): print(f'line {i:04} ' + 'x' * 30)"
    resource = lab.python(script, restart="Never", logs={"maxKilobytes": 16, "maxFiles": 3})
    lab.start(resource)
    lab.until(resource, lambda s: s.exit_code is not None)
    shelf = Path(lab.operator.client.shelf(TOKEN).path)
    sizes = {f.name: f.stat().st_size for f in shelf.glob("log*")}
    assert {"log", "log.1"} <= set(sizes) <= {"log", "log.1", "log.2"}  # a slow machine reads more at once
    assert all(size <= 96 * 1024 for size in sizes.values())
    lines = lab.log(resource)
    assert lines[-1] == "line 2999 " + "x" * 30
    numbers = [int(line[5:9]) for line in lines[1:]]
    assert numbers == list(range(numbers[0], 3000))


def test_following_a_log_survives_rotation(lab):
    script = "import time\nfor i in range(400):\n  print(f'{i:04}' + 'x' * 60, flush=True)\n  time.sleep(0.001)"
    resource = lab.python(script, restart="Never", logs={"maxKilobytes": 8, "maxFiles": 4})
    lab.start(resource)
    numbers = [int(line[:4]) for line in lab.operator.logs(resource, TOKEN, True)]
    assert numbers == list(range(numbers[0], 400))


def test_variables_of_whoever_deploys_are_passed_on_but_connections_are_not(lab, monkeypatch):
    monkeypatch.setenv("FROM_OUTSIDE", "yes")
    monkeypatch.setenv("CONNECTION_DB_HOST", "leaked")
    resource = lab.shell('echo "$FROM_OUTSIDE,$CONNECTION_DB_HOST,$MINE"', restart="Never", env={"MINE": "1"})
    lab.start(resource)
    lab.until(resource, lambda s: s.exit_code == 0)
    assert lab.log(resource) == ["yes,,1"]


@linux
def test_a_supervisor_is_small_and_listens_for_nothing(lab):
    made = lab.start(lab.shell("exec sleep 60"))
    status = Path(f"/proc/{made.id}/status").read_text()
    kilobytes = int(status.split("VmRSS:")[1].split()[0])
    assert kilobytes < 24_000
    fds = [str(f.readlink()) for f in Path(f"/proc/{made.id}/fd").iterdir()]
    assert not [f for f in fds if f.startswith("socket:")]


def test_a_folder_that_cannot_be_written_is_a_clear_failure(tmp_path):
    from engine.contract.conformance import TestCall
    from providers.process.processes import ProcessOperator

    (tmp_path / "file").write_text("")
    operator = ProcessOperator(tmp_path / "file" / "running")
    from engine.contract.resource import Resource

    body = {"command": ["true"], "workingDirectory": "/", "env": {}}
    resource = Resource("a", "Ulna.Process/processes", "1", "a", "/a", {"properties": body})
    with pytest.raises(Terminal, match="cannot be written: Not a directory"):
        operator.create(resource, "a#1", TestCall())


@linux
@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1])
def test_whenever_the_engine_is_killed_the_next_one_leaves_one_process(lab, alive, delay):
    import pickle

    resource = lab.shell("echo $$ >> pids; exec sleep 60")
    program = (
        "import pickle, sys\n"
        "from pathlib import Path\n"
        "from engine.contract.conformance import TestCall\n"
        "from providers.process.processes import ProcessOperator\n"
        "resource = pickle.loads(bytes.fromhex(sys.argv[2]))\n"
        "operator = ProcessOperator(Path(sys.argv[1]))\n"
        "print('go', flush=True)\n"
        f"operator.create(resource, {TOKEN!r}, TestCall())\n"
    )
    command = [sys.executable, "-c", program, str(lab.folder / "running"), pickle.dumps(resource).hex()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as engine:
        assert engine.stdout is not None
        engine.stdout.readline()
        time.sleep(delay)
        engine.kill()
    lab.start(resource)
    lab.until(resource, lambda s: s is not None and s.health is Health.READY)
    time.sleep(0.05)
    started = [int(p) for p in (lab.folder / "pids").read_text().split()]
    assert sum(map(alive, started)) == 1
    carriers = set(client.carriers(lab.operator.client.mark(TOKEN)))
    assert carriers == {lab.status()["supervisor"], lab.status()["pid"]}


def test_one_that_never_stops_talking_can_be_looked_at_and_ended(lab, alive):
    resource = lab.shell("exec yes", logs={"maxKilobytes": 64, "maxFiles": 2})
    lab.start(resource)
    lab.until(resource, lambda s: s.health is Health.READY)
    pid, shelf = lab.status()["pid"], Path(lab.operator.client.shelf(TOKEN).path)
    for name in ("log", "log.1"):
        with suppress(FileNotFoundError):  # it may be put aside at this moment
            assert (shelf / name).stat().st_size <= 2 * 65536
    assert not (shelf / "log.2").exists()
    lab.operator.delete(resource, TOKEN, lab.call)
    assert not alive(pid)


@linux
def test_a_full_disk_costs_the_output_and_not_the_process(lab):
    shelf = lab.operator.client.shelf(TOKEN)
    shelf.make()
    Path(shelf.file("log")).symlink_to("/dev/full")
    resource = lab.shell("echo lost; echo still here > here; exec sleep 60")
    lab.start(resource)
    lab.until(resource, lambda s: s.health is Health.READY)
    assert (lab.folder / "here").read_text() == "still here\n"
    assert lab.status()["restarts"] == 0


@linux
def test_the_same_token_in_another_folder_is_another_process(lab, alive, tmp_path):
    """Two projects use the same tokens; what one sweeps away is never the other's."""
    from engine.contract.conformance import TestCall
    from providers.process.processes import ProcessOperator

    resource = lab.shell("exec sleep 60")
    other = ProcessOperator(tmp_path / "another-project")
    lab.started.append((other, resource, TOKEN))
    other.create(resource, TOKEN, TestCall())
    theirs = (other.client.shelf(TOKEN).status() or {})["pid"]
    made = lab.start(resource)
    os.kill(int(made.id), signal.SIGKILL)  # so that the sweep has something to look for
    lab.operator.delete(resource, TOKEN, lab.call)
    assert alive(theirs)
    assert other.observe(resource, TOKEN, TestCall()) is not None


def test_a_pid_that_is_another_process_by_now_is_left_alone(lab, alive):
    """After a restart of the machine, the pid in the status may be anybody's."""
    resource = lab.shell("exec sleep 60")
    shelf = lab.operator.client.shelf(TOKEN)
    shelf.make()
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as bystander:
        shelf.write("wish.json", {"token": TOKEN, "wish": dict(resource.properties)})
        shelf.write(
            "status.json",
            {"state": "running", "supervisor": 1, "pid": bystander.pid, "birth": "long ago", "health": "ready"},
        )
        assert lab.look(resource) is None, "it did not survive"
        lab.operator.delete(resource, TOKEN, lab.call)
        assert alive(bystander.pid)
        bystander.kill()


def test_what_a_process_leaves_behind_in_its_group_goes_when_it_ends(lab, alive):
    resource = lab.shell("sleep 60 & echo $! > child; exit 0", restart="Never")
    lab.start(resource)
    lab.until(resource, lambda s: s.exit_code == 0)
    child = int((lab.folder / "child").read_text())
    lab.until(resource, lambda s: not alive(child))


def test_a_process_with_a_port_is_not_ready_before_it_listens(lab, server, free_port):
    import socket

    slow = f"import time; time.sleep(0.7)\n{server}"
    resource = lab.python(slow, env={"PORT": str(free_port)}, ports={"http": free_port}, listens=free_port)
    lab.start(resource)
    lab.until(resource, lambda s: s.health is Health.READY)
    with socket.create_connection(("localhost", free_port), 1):
        pass


def test_a_process_whose_name_the_system_cuts_in_the_middle_of_a_letter_is_found_again(lab):
    program = lab.folder / ("x" * 14 + "é")  # 15 bytes are kept
    program.symlink_to(shutil.which("sleep") or "/bin/sleep")
    resource = process(lab.folder, str(program), "60")
    made = lab.start(resource)
    seen = lab.look(resource)
    assert seen is not None and seen.id == made.id and seen.health is not Health.FAILED


def test_no_two_tokens_share_a_folder():
    assert name_of("ä4") != name_of("\u0e44")
    assert name_of("app/web/web-0#1") == "app%2Fweb%2Fweb-0%231"


@linux
def test_a_copy_of_a_project_leaves_the_processes_of_the_original_alone(lab, alive, tmp_path):
    resource = lab.shell("exec sleep 60")
    lab.start(resource)
    pid = int((lab.operator.client.shelf(TOKEN).status() or {})["pid"])
    shutil.copytree(lab.folder / "running", tmp_path / "copy" / "running")
    copy = type(lab.operator)(tmp_path / "copy" / "running")
    assert copy.observe(resource, TOKEN, lab.call) is None
    copy.delete(resource, TOKEN, lab.call)
    assert alive(pid) and lab.look(resource) is not None
