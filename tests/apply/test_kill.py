"""A real process, a real store, a real `kill -9` between an intent and its outcome."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.apply.batch import edits
from engine.apply.engine import Engine
from engine.contract.operator import Observed, Same
from engine.contract.resource import Resource, Wait
from engine.render.native import Nomination
from engine.state.store import Store

WANTED = [Resource("d/a", "T", "1", "a", "/a", {}), Resource("d/b", "T", "1", "b", "/b", {}, (Wait("d/a"),))]


class Files:
    """Every object is a file that counts how often it was made; it says when it is in the middle of a call, and may stay there."""

    name, effects = "files", True

    def __init__(self, folder, hang=""):
        self.folder, self.hang = folder, hang

    def path(self, token):
        return self.folder / token.replace("/", "-")

    def diff(self, resource, applied, observed):
        return Same()

    def observe(self, resource, token, call):
        return Observed(token, token, {}) if self.path(token).exists() else None

    def create(self, resource, token, call):
        self.pause("before", token)
        if not self.path(token).exists():
            self.path(token).write_text("made")
        self.pause("after", token)
        return Observed(token, token, {})

    def delete(self, resource, token, call):
        self.pause("before-delete", token)
        self.path(token).unlink(missing_ok=True)
        self.pause("after-delete", token)

    def pause(self, moment, token):
        if self.hang == f"{moment} {token}":
            print("here", flush=True)
            time.sleep(60)


def deploy(root, wanted, hang=""):
    world = root / "world"
    world.mkdir(exist_ok=True)
    engine = Engine(
        Store.open(root / ".ulna").log("dev"), [Files(world, hang)], lambda r: Nomination("files"), lambda v, k: v
    )
    engine.start()
    engine.edit(edits(wanted, engine.state.entries, "d"))
    done = engine.settled(timeout=30)
    engine.close()
    return done


@pytest.mark.parametrize("moment", ["before d/a#1", "after d/a#1", "before d/b#1", "after d/b#1"])
def test_kill_9_in_a_create_leaves_one_object_and_no_open_intent(tmp_path, moment):
    killed_in(tmp_path, moment, "deploy")
    state = Store.open(tmp_path / ".ulna").read_only("dev")
    assert state.entries[moment.split()[1].partition("#")[0]].intent is not None
    assert deploy(tmp_path, WANTED).ok
    assert sorted(p.name for p in (tmp_path / "world").iterdir()) == ["d-a#1", "d-b#1"]
    state = Store.open(tmp_path / ".ulna").read_only("dev")
    assert all(e.intent is None and e.ready for e in state.entries.values())


@pytest.mark.parametrize("moment", ["before-delete d/b#1", "after-delete d/b#1", "before-delete d/a#1"])
def test_kill_9_in_a_delete_leaves_nothing(tmp_path, moment):
    assert deploy(tmp_path, WANTED).ok
    killed_in(tmp_path, moment, "destroy")
    assert deploy(tmp_path, []).ok
    assert list((tmp_path / "world").iterdir()) == []
    assert Store.open(tmp_path / ".ulna").read_only("dev").entries == {}


def killed_in(root, moment, act):
    """Run it in a process of its own, and kill that in the middle of a call."""
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1])\n"
        "import test_kill\n"
        "test_kill.deploy(pathlib.Path(sys.argv[2]), test_kill.WANTED if sys.argv[4] == 'deploy' else [], sys.argv[3])\n"
    )
    here = Path(__file__).parent
    command = [sys.executable, "-c", code, str(here), str(root), moment, act]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=here.parents[1])
    assert child.stdout.readline() == "here\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
