"""Commands as operations in the scripted world: each ends by what is seen of what was asked for, not of what was before."""

import pytest
from asked import Asked
from test_engine import Story, whole
from world import resource

from engine.apply.edit import Command
from engine.contract.resource import Condition, OnBroken, Reaction, Wait
from engine.state.entry import Phase
from engine.state.event import Progress
from engine.state.fold import fold


class Desk(Story):
    """A story with somebody who gives commands, and waits for what becomes of them."""

    def __init__(self):
        super().__init__()
        self.asked = Asked(self.world)

    def command(self, name, command, want=None):
        """The operation, judged at once: whoever waits for it looks as soon as it has begun."""
        address, entry = f"d/{name}", self.entry(name)
        self.engine.command(address, command)
        want = want or ("stopped" if command is Command.STOP else "ready")
        self.asked.begin(self.engine, str(command), want, address, entry.token if command == "restart" else None)
        return self.seen()

    def seen(self, seconds=0.0):
        """How far the last operation is after some time."""
        if seconds:
            self.wait(seconds)
        self.asked.judge(self.engine)
        return list(self.engine.state.operations.values())[-1].progress


@pytest.fixture
def desk():
    return Desk()


@pytest.mark.parametrize("command", [Command.START, Command.STOP, Command.RESTART, Command.FORCE])
@pytest.mark.parametrize("fault", ["terminal", "late terminal"])
def test_what_had_failed_before_a_command_is_not_what_becomes_of_it(desk, command, fault):
    desk.world.faults["d/a"] = [fault]
    desk.deploy(resource("a"))
    assert desk.entry("a").phase is Phase.FAILED
    assert desk.command("a", command) is not Progress.FAILED
    assert desk.seen(0.1) is not Progress.FAILED, "it is at work"
    assert desk.seen(60.0) is Progress.SUCCEEDED
    assert desk.entry("a").phase is (Phase.STOPPED if command is Command.STOP else Phase.RUNNING)


def test_what_fails_after_the_command_is(desk):
    desk.world.faults["d/a"] = ["terminal", "terminal"]
    desk.deploy(resource("a"))
    assert desk.command("a", Command.RESTART) is Progress.RUNNING
    assert desk.seen(60.0) is Progress.FAILED
    assert desk.engine.state.operations.popitem()[1].message == "'d/a': no such image for it"


def test_what_is_as_it_was_wished_and_broke_is_made_anew(desk):
    desk.deploy(resource("a"))
    desk.world.change("d/a#1", broken=True)
    desk.wait()
    assert desk.entry("a").phase is Phase.FAILED
    assert desk.command("a", Command.START) is Progress.RUNNING
    assert desk.seen(60.0) is Progress.SUCCEEDED
    assert list(desk.things()) == ["d/a#2"]


def test_what_could_not_be_changed_is_tried_again_as_it_is(desk):
    desk.deploy(resource("a"))
    desk.world.faults["d/a"] = ["terminal"]
    desk.deploy(resource("a", image=2))
    assert desk.command("a", Command.START) is Progress.RUNNING
    assert desk.seen(60.0) is Progress.SUCCEEDED
    assert list(desk.things()) == ["d/a#1"], "a failed change is no reason to take away what works"


@pytest.mark.parametrize("crash", [False, True])
def test_a_restart_in_the_middle_of_a_create_ends(desk, crash):
    """The create may be tried again under its own number: then no other follows."""
    desk.world.faults["d/a"] = ["transient"] * 3
    desk.deploy(resource("a"), wait=0.1)
    assert desk.entry("a").intent is not None
    assert desk.command("a", Command.RESTART) is Progress.RUNNING
    if crash:
        desk.crash()
    assert desk.seen(60.0) is Progress.SUCCEEDED


def test_a_restart_is_not_done_by_what_lived_before(desk):
    desk.deploy(resource("a"))
    assert desk.command("a", Command.RESTART) is Progress.RUNNING
    assert desk.seen(0.3) is Progress.RUNNING
    assert desk.seen(60.0) is Progress.SUCCEEDED


@pytest.mark.parametrize("command", [Command.STOP, Command.SLEEP])
def test_what_is_on_its_way_out_is_no_start(desk, command):
    desk.deploy(resource("a"))
    desk.engine.command("d/a", command)
    desk.wait(0.15)
    assert desk.entry("a").intent is not None
    assert desk.command("a", Command.START) is Progress.RUNNING
    assert desk.seen(60.0) is Progress.SUCCEEDED and list(desk.things()) == ["d/a#2"]


def test_what_is_removed_while_it_is_asked_for_ends_as_that(desk):
    desk.deploy(resource("a"))
    desk.world.change("d/a#1", broken=True)
    desk.wait()
    assert desk.command("a", Command.START) is Progress.RUNNING
    desk.deploy(wait=0.0)
    assert desk.seen() is Progress.FAILED


def test_a_deadline_that_passed_begins_anew_with_a_command(desk):
    late = Wait("d/a", Condition.READY, on_broken=OnBroken.FAIL, deadline=5.0)
    slow = resource("a", slow=1000.0)
    desk.deploy(slow, resource("b", waits=[late]))
    assert desk.entry("b").phase is Phase.FAILED
    assert desk.command("b", Command.START) is Progress.RUNNING
    assert desk.seen(3.0) is Progress.RUNNING and desk.entry("b").phase is Phase.WAITING
    assert desk.seen(3.0) is Progress.FAILED


def test_a_stop_is_done_once_nothing_is_there_and_what_still_uses_it_is_told(desk):
    desk.deploy(resource("a"), resource("b", waits=["a"]))
    assert desk.command("a", Command.STOP) is Progress.RUNNING
    while desk.seen(0.05) is Progress.RUNNING:
        assert desk.entry("a").held
    assert "d/a#1" not in desk.things()


@pytest.mark.parametrize(("code", "progress"), [(0, Progress.SUCCEEDED), (1, Progress.FAILED)])
def test_a_launched_job_is_done_once_it_has_ended_and_well_only_with_nought(desk, code, progress):
    desk.deploy(resource("a"))
    job = resource("d/a/job", "job", ["a"], owner="d/a", exit=code)
    desk.engine.launch(job)
    desk.asked.begin(desk.engine, "job", "completed", job.address, launched=(job.address,))
    assert desk.seen(3.0) is Progress.RUNNING
    assert desk.seen(60.0) is progress


def test_a_whole_that_is_scaled_is_so_once_all_of_its_parts_are_ready_or_one_cannot_be(desk):
    desk.deploy(*whole("a"))
    desk.deploy(*whole("a", "b"), wait=0.0)
    desk.asked.begin(desk.engine, "scale", "ready", "d/w")
    assert desk.seen(0.1) is Progress.RUNNING
    assert desk.seen(60.0) is Progress.SUCCEEDED and len(desk.things()) == 2
    desk.deploy(*whole("a"), wait=0.0)
    desk.asked.begin(desk.engine, "scale", "ready", "d/w")
    assert desk.seen(0.1) is Progress.RUNNING and len(desk.things()) == 2, "one too many is still there"
    assert desk.seen(60.0) is Progress.SUCCEEDED and len(desk.things()) == 1
    desk.world.faults["d/w/c"] = ["terminal"]
    desk.deploy(*whole("a", "c"), wait=0.0)
    desk.asked.begin(desk.engine, "scale", "ready", "d/w")
    assert desk.seen(60.0) is Progress.FAILED
    assert not desk.entry("w").ready


def scaled(desk, *parts):
    """The operation, judged at once."""
    desk.deploy(*parts, wait=0.0)
    desk.asked.begin(desk.engine, "scale", "ready", "d/w")
    return desk.seen()


def test_a_whole_is_not_there_before_its_parts_are_as_they_are_wished_now(desk):
    part, own = whole("a")
    desk.deploy(part, own)
    assert scaled(desk, part.replace(properties={**part.properties, "image": 2}), own) is Progress.RUNNING
    assert desk.seen(60.0) is Progress.SUCCEEDED


def test_a_whole_fails_with_the_gate_of_a_part_and_is_tried_again(desk):
    part, own = whole("a")
    late = Wait("d/x", Condition.READY, on_broken=OnBroken.FAIL, deadline=5.0)
    parts = (resource("x", slow=1000.0), part.replace(waits=(late,)), own)
    for _ in range(2):
        assert scaled(desk, *parts) is Progress.RUNNING
        assert desk.seen(3.0) is Progress.RUNNING
        assert desk.seen(60.0) is Progress.FAILED


def test_a_whole_fails_with_a_part_that_breaks(desk):
    assert scaled(desk, *whole("a")) is Progress.RUNNING
    assert desk.seen(1.0) is Progress.RUNNING
    desk.world.change("d/w/a#1", broken=True)
    assert desk.seen(60.0) is Progress.FAILED


@pytest.mark.parametrize("broken", [False, True])
def test_what_had_failed_of_a_whole_before_it_is_scaled_does_not_count(desk, broken):
    desk.world.faults["d/w/a"] = [] if broken else ["late terminal"]
    desk.deploy(*whole("a"))
    if broken:
        desk.world.change("d/w/a#1", broken=True)
        desk.wait()
    assert desk.entry("w/a").phase is Phase.FAILED and desk.entry("w/a").current
    assert scaled(desk, *whole("a", "b")) is Progress.RUNNING
    assert desk.seen(60.0) is Progress.SUCCEEDED


@pytest.mark.parametrize("keep", Reaction)
@pytest.mark.parametrize("condition", [Condition.STARTED, Condition.READY])
def test_who_follows_a_whole_is_left_alone_while_that_is_scaled(desk, keep, condition):
    user = resource("u", waits=[Wait("d/w", condition, keep=keep)])
    for names in (["a"], ["a", "b"], ["a", "b", "c"], ["a"]):
        desk.deploy(*whole(*names), user)
        desk.engine.look("d/u")
        desk.wait()
        assert {"d/u#1", *(f"d/w/{n}#1" for n in names)} == desk.things().keys()
    desk.engine.command("d/w/a", Command.RESTART)
    desk.wait()
    assert ("d/u#2" in desk.things()) == (keep is Reaction.RESTART)
    assert desk.entry("u").run == (keep is Reaction.RESTART) and "d/u#1" not in desk.things()


def test_operations_are_there_for_the_next_engine_and_one_that_has_ended_is_let_be(desk):
    desk.deploy(resource("a"))
    desk.command("a", Command.RESTART)
    desk.engine.log.snapshot(desk.engine.state)
    desk.crash()
    assert desk.seen(60.0) is Progress.SUCCEEDED
    desk.asked.ended_once(desk.shelf.events)
    desk.asked.nobody_waits_in_vain(desk.engine)
    assert fold(desk.shelf.events).operations == desk.engine.state.operations


def test_a_gate_for_an_exit_code_takes_no_other(desk):
    completed = Wait("d/j", Condition.COMPLETED, 1)
    desk.deploy(resource("j", "job", exit=0), resource("b", waits=[completed]))
    assert not desk.entry("b").held
    desk.deploy(resource("j", "job", exit=1), resource("b", waits=[completed]))
    assert desk.entry("b").ready


def test_what_falls_ill_is_told_and_gets_well_by_itself(desk):
    desk.deploy(resource("a"), resource("b", waits=["a"]))
    mutations = desk.world.mutations
    desk.world.change("d/a#1", ill_until=desk.world.now + 20.0)
    desk.wait(1.0)
    assert desk.entry("a").word == "unhealthy"
    desk.wait()
    assert desk.entry("a").word == "ready" and desk.world.mutations == mutations
