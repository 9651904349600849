"""The engine in the scripted world, one story a test."""

import time

import pytest
from world import PLANTED, FakeOperator, FakeValues, Script, World, boot, kill, nominate, resolve, resource

from engine.apply.batch import Batch, edits
from engine.apply.edit import Command
from engine.apply.effects import Observe
from engine.apply.engine import Engine
from engine.apply.rollup import Told, below, told
from engine.apply.why import why
from engine.contract.errors import Terminal, Transient, Unreachable
from engine.contract.resource import OUTPUTS, Condition, Drift, OnBroken, Reaction, Resource, Wait
from engine.contract.value import Output, Secret
from engine.diagnostics.diagnostic import UlnaError
from engine.expand.desired import Pending, Unit
from engine.expand.functions.signature import EvaluationError
from engine.live.goal import Reached, reached
from engine.state import codec
from engine.state.entry import Phase
from engine.state.event import Kind
from engine.state.fold import fold
from engine.state.log import Fenced
from engine.state.memory import MemoryLog, Shelf
from engine.state.owner import Owner


class Story:
    """A world with one engine, and short words for what happens in it."""

    def __init__(self, **options):
        self.world, self.shelf, self.options = World(), Shelf(), options
        self.engine = boot(self.world, self.shelf, **options)

    def deploy(self, *resources, wait=60.0, **more):
        self.engine.edit(edits(resources, self.engine.state.entries, "d", **more))
        return self.wait(wait)

    def wait(self, seconds=60.0):
        self.world.run_for(seconds)
        assert not self.world.violations, self.world.violations
        assert fold(self.shelf.events) == self.engine.state
        return self.engine._settlement(False)

    def crash(self, calls_die=True):
        kill(self.world, self.engine, calls_die)
        self.engine = boot(self.world, self.shelf, **self.options)

    def entry(self, name):
        return self.engine.state.entries[f"d/{name}"]

    def things(self):
        return {t.token: t for t in self.world.things.values()}

    def kinds(self, name):
        return [e.kind for e in self.shelf.events if e.key == f"d/{name}"]


@pytest.fixture
def story():
    return Story()


# ---------------------------------------------------------------- deploy


def test_a_chain_comes_up_in_order_and_goes_in_reverse(story):
    done = story.deploy(resource("a"), resource("b", waits=["a"]), resource("c", waits=["b"]))
    assert done.ok
    assert done.acted == {"d/a": "create", "d/b": "create", "d/c": "create"}
    assert [story.things()[f"d/{n}#1"].ready_at for n in "abc"] == sorted(
        story.things()[f"d/{n}#1"].ready_at for n in "abc"
    )
    done = story.deploy()
    assert done.gone == ("d/c", "d/b", "d/a")
    assert not story.world.things


def test_a_second_deploy_writes_nothing_and_touches_nothing(story):
    wanted = resource("a"), resource("v", "value", image=1), resource("b", "process", ["a"], ["v"])
    story.deploy(*wanted)
    events, mutations = len(story.shelf.events), story.world.mutations
    story.crash()
    assert story.deploy(*wanted).ok
    assert (len(story.shelf.events), story.world.mutations) == (events, mutations)


def test_a_change_touches_the_changed_and_those_who_read_it(story):
    v = resource("v", "value", image=1)
    b, c = resource("b", "process", reads=["v"]), resource("c", "process")
    story.deploy(v, b, c)
    story.engine._acted.clear()
    done = story.deploy(resource("v", "value", image=2), b, c)
    assert done.acted == {"d/v": "update"}, "the port that is read did not change"
    assert done.ok


def test_outputs_flow_into_the_properties_of_others(story):
    story.deploy(resource("a"), resource("b", reads=["a"]))
    port = story.entry("a").outputs["properties"]["port"]
    assert story.things()["d/b#1"].properties["port of a"] == port
    assert story.entry("b").outputs["properties"]["image"] is None
    assert story.entry("b").outputs["id"] == "/fake/b"


def test_properties_that_force_it_make_a_new_one(story):
    story.deploy(resource("a", triggers=1))
    done = story.deploy(resource("a", triggers=2))
    assert done.acted["d/a"] == "replace"
    assert list(story.things()) == ["d/a#2"]


def test_what_cannot_be_replaced_is_left_as_it_is(story):
    story.deploy(resource("a", triggers=1))
    done = story.deploy(resource("a", triggers=2, unready=True))
    assert done.failed == {"d/a": "there is no such image"}
    assert list(story.things()) == ["d/a#1"]
    assert story.deploy(resource("a", triggers=1)).ok
    assert list(story.things()) == ["d/a#1"], "the old wish finds the old one"
    assert story.deploy(resource("a", triggers=3)).ok
    assert list(story.things()) == ["d/a#2"]


def test_what_vanished_is_made_again(story):
    story.deploy(resource("a"))
    story.world.vanish("d/a#1")
    story.wait()
    assert list(story.things()) == ["d/a#2"]


def test_a_job_ends_and_what_waits_for_it_goes_on(story):
    done = story.deploy(resource("j", "job"), resource("k", waits=[("j", "completed")]))
    assert done.ok
    assert story.entry("j").phase is Phase.EXITED
    assert story.entry("k").phase is Phase.RUNNING


def test_a_replacement_waits_for_the_new_job_to_end(story):
    waits = [("j", "completed")]
    story.deploy(resource("j", "job", triggers=1), resource("k", waits=waits, triggers=1))
    story.deploy(resource("j", "job", triggers=2), resource("k", waits=waits, triggers=2), wait=4)
    assert story.things().keys() == {"d/j#2", "d/k#1"}
    assert not story.engine.is_settled, "the old one of those who wait lives, and waits all the same"
    done = story.wait()
    assert done.ok, done
    assert list(story.things()) == ["d/j#2", "d/k#2"]


def test_a_job_that_ends_badly_fails_and_skips_what_waits_for_it(story):
    done = story.deploy(resource("j", "job", exit=3), resource("k", waits=[("j", "completed")]))
    assert done.failed == {"d/j": "ended with exit code 3"}
    assert done.skipped == {"d/k": "'d/j' failed"}


def test_a_job_that_is_waited_for_is_waited_for_and_others_are_not(story):
    story.deploy(resource("j", "job"), wait=3)
    assert story.engine.is_settled, "it runs, and nobody asked for more"
    story.deploy(resource("j", "job"), resource("k", waits=[("j", "completed")]), wait=0.1)
    assert not story.engine.is_settled
    assert story.wait().ok


# ---------------------------------------------------------------- failures


def test_one_failure_stops_what_leans_on_it_and_nothing_else(story):
    story.world.faults["d/a"] = ["terminal"]
    wanted = resource("a"), resource("b", waits=["a"]), resource("c", waits=["b"]), resource("x")
    done = story.deploy(*wanted)
    assert done.failed == {"d/a": "no such image for it"}
    assert done.skipped == {"d/b": "'d/a' failed", "d/c": "'d/a' failed"}
    assert done.succeeded == ("d/x",)
    assert not done.ok
    assert story.deploy(*wanted).ok, "a new deploy goes on where it stopped"


def test_what_is_transient_is_tried_again_under_the_same_token(story):
    story.world.faults["d/a"] = ["transient", "lost answer", "transient"]
    assert story.deploy(resource("a")).ok
    assert list(story.things()) == ["d/a#1"]


def test_where_nobody_answered_yet_a_deploy_ends_and_says_what_to_do(story):
    story.world.faults["d/a"] = ["nobody"]
    done = story.deploy(resource("a"), resource("b", waits=["a"]))
    assert done.failed == {"d/a": "the engine cannot be reached. Start it."}
    assert done.skipped == {"d/b": "'d/a' failed"}
    assert story.deploy(resource("a"), resource("b", waits=["a"])).ok, "the next one asks again"


def test_a_look_where_nobody_answers_ends_a_deploy_as_well(story, monkeypatch):
    def nobody(token, opaque=False):
        raise Unreachable("the engine cannot be reached", "Start it.")

    story.deploy(resource("a"))
    with monkeypatch.context() as patch:
        patch.setattr(story.world, "see", nobody)
        assert story.deploy(resource("a", size=2)).failed == {"d/a": "the engine cannot be reached. Start it."}
    assert story.deploy(resource("a", size=2)).ok
    assert story.things()["d/a#1"].updates == 1


def test_who_stays_waits_for_whoever_will_answer_and_says_so(story):
    story.engine.model.stays = True
    story.world.faults["d/a"] = ["nobody"] * 3
    story.deploy(resource("a"), wait=0.61)
    assert why(story.entry("a"), story.engine.model) == ("retrying: the engine cannot be reached",)
    assert story.wait().ok
    assert list(story.things()) == ["d/a#1"]


def test_any_other_error_is_a_bug_of_the_provider_and_says_so(story):
    story.world.faults["d/a"] = ["bug"]
    done = story.deploy(resource("a"))
    assert done.failed == {"d/a": "provider bug: ZeroDivisionError: it"}


def test_what_a_failed_create_left_behind_is_kept_in_mind(story):
    story.world.faults["d/a"] = ["late terminal"]
    done = story.deploy(resource("a"))
    assert done.failed == {"d/a": "came up broken"}
    assert story.entry("a").token == "d/a#1"
    story.deploy()
    assert not story.world.things


def test_an_expression_without_a_value_fails_its_resource_and_no_other(story):
    def hopeless(value, known):
        raise EvaluationError("The index 3 is out of range", "Ask for less.")

    story.engine.model._resolve = hopeless
    done = story.deploy(resource("a"), resource("b", reads=["a"]), resource("c", waits=["b"]), resource("x"))
    assert done.failed == {"d/b": "The index 3 is out of range. Ask for less."}
    assert done.skipped == {"d/c": "'d/b' failed"}
    story.engine.model._resolve = resolve
    assert story.deploy(resource("a"), resource("b", reads=["a"]), resource("c", waits=["b"]), resource("x")).ok


def test_a_tie_starts_nothing_and_says_why(story):
    done = story.deploy(resource("a", "ambiguous"), resource("b", waits=["a"]))
    assert done.failed == {"d/a": "two operators bid the same"}
    assert done.skipped == {"d/b": "'d/a' failed"}
    assert story.deploy().ok


def test_a_failed_deletion_keeps_what_it_leans_on_and_is_tried_again(story):
    story.deploy(resource("a"), resource("b", waits=["a"]))
    story.world.faults["d/b"] = ["terminal"]
    done = story.deploy()
    assert list(done.failed) == ["d/b"]
    assert done.skipped == {"d/a": "'d/b' failed"}
    assert story.deploy().ok
    assert not story.world.things


# ---------------------------------------------------------------- edits


def refused(story, *resources, code):
    before = list(story.shelf.events)
    with pytest.raises(UlnaError) as error:
        story.deploy(*resources)
    assert story.shelf.events == before
    assert error.value.diagnostics[0].code == code
    return str(error.value)


def test_a_cycle_is_refused_with_its_path(story):
    wanted = [resource("a", waits=["c"]), resource("b", waits=["a"]), resource("c", waits=["b"])]
    assert "d/a' waits for itself: d/a → d/c → d/b → d/a" in refused(story, *wanted, code="ULN422")


def test_a_wait_for_nothing_is_refused(story):
    assert "'d/b' waits for 'd/nobody', which does not exist" in refused(
        story, resource("b", waits=["nobody"]), code="ULN421"
    )


def test_what_another_deployment_needs_is_not_removed(story):
    story.deploy(resource("a"))
    story.engine.edit(Batch("e", add=(resource("x", waits=["d/a"], deployment="e"),)))
    story.wait()
    assert "'d/a' cannot be removed: 'e/x' still needs it" in refused(story, code="ULN423")


def test_what_is_there_is_not_added_twice(story):
    story.deploy(resource("a"))
    with pytest.raises(UlnaError, match="there already"):
        story.engine.edit(Batch("d", add=(resource("a"),)))
    with pytest.raises(UlnaError, match="There is no resource 'd/b'"):
        story.engine.edit(Batch("d", remove=("d/b",)))


def test_edits_are_three_way():
    story = Story()
    a, b, c = resource("a"), resource("b", reads=["a"]), resource("c")
    story.deploy(a, b, c)
    story.engine.launch(resource("c/job", "job", owner="d/c").replace(address="d/c/job"))
    entries = story.engine.state.entries
    assert edits([a, b, c], entries, "d").is_empty
    newer = resource("a", image=1)
    batch = edits([newer, b, resource("n")], entries, "d")
    assert (batch.change, batch.touch, batch.add, batch.remove) == ((newer,), ("d/b",), (resource("n"),), ("d/c",))
    assert edits([a], entries, "d", [Pending("d/c", Unit.RESOURCE, frozenset())]).remove == ("d/b",)
    assert edits([], entries, "d").remove == ("d/c", "d/b", "d/a")
    assert edits([], entries, "other").is_empty
    assert edits([], entries, "d", detach=True).detach == ("d/c", "d/b", "d/a")


def test_what_is_detached_lives_on_and_is_forgotten(story):
    story.deploy(resource("a"))
    story.deploy(detach=True)
    assert story.engine.state.entries == {}
    assert list(story.things()) == ["d/a#1"]


@pytest.mark.parametrize(
    "says", [None, Transient("busy"), Terminal("no rights"), Unreachable("nobody"), OSError("a bug")]
)
def test_the_marks_of_what_is_detached_go_and_it_is_forgotten_whatever_the_outside_says(story, monkeypatch, says):
    released, answers = [], [says]

    def release(self, resource, token, call):
        released.append(token)
        if answers and (answer := answers.pop()) is not None:
            raise answer

    monkeypatch.setattr(FakeOperator, "release", release, raising=False)
    there = resource("x").replace(id="/fake/a", existing=True)
    story.deploy(resource("a"), there)
    done = story.deploy(detach=True)
    assert done.ok and not story.engine.state.entries and list(story.things()) == ["d/a#1"]
    assert released == ["d/a#1"] * (2 if isinstance(says, Transient) and not isinstance(says, Unreachable) else 1)


def test_what_was_launched_goes_with_its_owner(story):
    story.deploy(resource("a"))
    story.engine.launch(resource("a/job", "job", ["a"], owner="d/a").replace(address="d/a/job"))
    assert story.wait().ok
    assert story.deploy(resource("a")).ok, "it is none of the declared ones"
    assert "d/a/job" in story.engine.state.entries
    assert story.deploy().gone == ("d/a/job", "d/a")


def test_a_deploy_takes_back_what_is_being_deleted(story):
    story.deploy(resource("a"), resource("b", waits=["a"]))
    story.deploy(wait=0.1)
    assert story.deploy(resource("a"), resource("b", waits=["a"])).ok
    assert len(story.things()) == 2


def test_an_edit_in_the_middle_of_a_create_is_not_lost(story):
    story.deploy(resource("a", "process", image=1), wait=0.4)
    assert story.entry("a").intent is not None
    story.deploy(resource("a", "process", image=2))
    assert story.things()["d/a#1"].properties["image"] == 2
    assert story.entry("a").current


# ---------------------------------------------------------------- commands


def test_stop_start_and_restart(story):
    story.deploy(resource("a"))
    story.engine.command("d/a", Command.STOP)
    assert story.wait().ok
    assert story.entry("a").phase is Phase.STOPPED
    assert not story.world.things
    story.engine.command("d/a", Command.START)
    story.wait()
    story.engine.command("d/a", Command.RESTART)
    story.wait()
    assert list(story.things()) == ["d/a#3"]


def test_forcing_works_once_for_the_next_incarnation(story):
    story.deploy(resource("j", "job", exit=1), resource("k", waits=[("j", "completed")]))
    story.engine.command("d/k", Command.FORCE)
    story.wait()
    assert story.entry("k").phase is Phase.RUNNING
    story.engine.command("d/k", Command.RESTART)
    story.wait()
    assert story.entry("k").reason.startswith("waits: 'd/j' ended with exit code 1")


def test_a_command_on_nothing_is_refused(story):
    with pytest.raises(UlnaError, match="There is no resource"):
        story.engine.command("d/a", Command.STOP)


# ---------------------------------------------------------------- ownership


def test_another_owner_comes_only_after_the_first_let_go(story):
    story.deploy(resource("a"))
    story.deploy(resource("a", "process"))
    assert [t.made_by for t in story.things().values()] == ["process"]
    assert story.entry("a").epoch == 2
    assert story.entry("a").phase is Phase.RUNNING


def test_who_stops_what_nobody_can_own_any_more_lets_go_of_it_at_once(story):
    story.deploy(resource("a"))
    story.engine.command("d/a", Command.STOP)
    story.deploy(resource("a", pin="nobody"))
    assert story.entry("a").operator is None
    events = len(story.shelf.events)
    story.engine._want("d/a")
    story.wait()
    assert len(story.shelf.events) == events


def test_ownership_is_sticky_while_the_wish_is_unchanged(story, monkeypatch):
    story.deploy(resource("a"))
    monkeypatch.setattr(story.engine.model, "_nominate", lambda r: pytest.fail("asked again"))
    story.engine._want("d/a")
    story.wait()


def test_a_hand_off_is_recorded_and_ends_with_the_next_wish(story):
    story.deploy(resource("q", "azure", emulator=True))
    assert (story.entry("q").operator, story.entry("q").hops) == ("container", ("azure",))
    story.deploy(resource("q", "azure", emulator=False))
    assert (story.entry("q").operator, story.entry("q").hops) == ("azure", ())


# ---------------------------------------------------------------- undecided parts, composites, existing ones


def test_what_is_undecided_is_expanded_once_its_needs_are_known():
    asked = []

    def again(known):
        asked.append(dict(known))
        count = known["d/v"]["properties"]["image"]
        loop = [resource(f"l[{n}]", reads=["v"]) for n in range(count)]
        return edits([resource("v", "value", image=count), *loop], story.engine.state.entries, "d")

    story = Story(expand_again=again)
    part = Pending("d/l", Unit.LOOP, frozenset({"d/v"}))
    done = story.deploy(resource("v", "value", image=2), pending=[part])
    assert done.ok
    assert len(asked) == 1
    assert sorted(story.things()) == ["d/l[0]#1", "d/l[1]#1"]


def test_what_is_undecided_is_skipped_when_its_needs_fail(story):
    story.world.faults["d/a"] = ["terminal"]
    done = story.deploy(resource("a"), pending=[Pending("d/l", Unit.LOOP, frozenset({"d/a"}))])
    assert done.skipped == {"d/l": "'d/a' failed"}


def test_a_composite_is_as_ready_as_its_children_and_reports_theirs(story):
    child = resource("app/web", owner="d/app").replace(address="d/app/web")
    port = Output("d/app/web", ("properties", "port"))
    parent = Resource(
        "d/app", "Fake/container", "1", "app", "/app", {"p": 1, OUTPUTS: {"at": port}}, (Wait("d/app/web"),)
    )
    user = resource("u", waits=["app"])
    assert story.deploy(child, parent, user).ok
    entry = story.entry("app")
    assert entry.outputs["properties"] == {"at": story.entry("app/web").outputs["properties"]["port"]}
    assert "$outputs" not in entry.applied.properties
    story.world.vanish("d/app/web#1")
    story.wait(0.1)
    assert not story.entry("app").ready
    assert story.wait().ok
    assert list(story.deploy().gone) == ["d/u", "d/app", "d/app/web"]


def test_an_existing_resource_is_read_and_never_made_or_deleted(story):
    story.engine.edit(Batch("e", add=(resource("a", deployment="e"),)))
    there = resource("x").replace(id="/fake/a", existing=True)
    done = story.deploy(there, resource("b", reads=["x"]))
    assert done.failed == {"d/x": "'/fake/a' does not exist"}, "it is not there yet when it is looked for"
    done = story.deploy(there, resource("b", reads=["x"]))
    assert done.ok
    assert (
        story.things()["d/b#1"].properties["port of x"]
        == story.engine.state.entries["e/a"].outputs["properties"]["port"]
    )
    story.deploy()
    assert list(story.things()) == ["e/a#1"]


def test_an_existing_resource_that_is_there_at_once_is_read_in_one_step(story):
    story.engine.edit(Batch("e", add=(resource("a", deployment="e"),)))
    assert story.wait().ok
    there = resource("x").replace(id="/fake/a", existing=True)
    assert story.deploy(there).ok
    assert story.entry("x").ready


def test_a_look_that_is_in_vain_is_not_made_again_and_again(story, monkeypatch):
    """A create failed for good, and what is there cannot be looked at: the run ends, and the next one settles it."""
    looks = []

    def blind(token, opaque=False):
        looks.append(token)
        raise Terminal("the credentials have expired")

    story.world.faults["d/a"] = ["terminal"]
    with monkeypatch.context() as patch:
        patch.setattr(story.world, "see", blind)
        assert story.deploy(resource("a")).failed == {"d/a": "no such image for it"}
        assert len(looks) == 1
    assert story.deploy(resource("a", size=2)).ok
    assert list(story.things()) == ["d/a#1"]


# ---------------------------------------------------------------- crashes and stops


@pytest.mark.parametrize("calls_die", [True, False])
@pytest.mark.parametrize("moment", [0.1, 0.35, 0.65])
def test_a_crash_in_a_create_leaves_one_object(story, moment, calls_die):
    story.deploy(resource("a"), wait=moment)
    story.crash(calls_die)
    assert story.wait().ok
    assert list(story.things()) == ["d/a#1"]


@pytest.mark.parametrize("moment", [0.1, 0.3, 0.5])
def test_a_crash_in_an_update_ends_with_the_update_done(story, moment):
    story.deploy(resource("a", "process", image=1))
    story.deploy(resource("a", "process", image=2), wait=moment)
    story.crash()
    assert story.wait().ok
    assert story.things()["d/a#1"].properties["image"] == 2


def test_what_was_adopted_is_what_was_sent_not_what_is_wished_now(story):
    """An operator that cannot read back relies on the log."""
    story.deploy(resource("a", "process", image=1), wait=0.4)
    story.engine.edit(edits([resource("a", "process", image=2)], story.engine.state.entries, "d"))
    story.crash(calls_die=False)
    assert story.wait().ok
    assert story.things()["d/a#1"].properties["image"] == 2


def test_the_first_stop_lets_calls_finish_and_begins_nothing(story):
    story.deploy(resource("a"), resource("b", waits=["a"]), wait=0.1)
    story.engine.stop()
    done = story.wait()
    assert story.engine.is_settled
    assert done.stopped
    assert list(story.things()) == ["d/a#1"]
    assert story.entry("a").intent is None
    assert "d/b" in done.unfinished
    story.crash()
    assert story.wait().ok


def test_who_lost_the_lease_stops_for_good(story):
    story.deploy(resource("a"), wait=0.1)
    old, story.engine = story.engine, boot(story.world, story.shelf)
    with pytest.raises(Fenced):
        story.world.run_for(60)
    with pytest.raises(Fenced):
        old.edit(edits([], old.state.entries, "d"))
    story.world.engines.remove(old)
    assert story.wait().ok


def test_a_late_call_of_who_lost_the_lease_is_shut_out(story):
    """It lands after the new engine saw nothing there, and after nobody wants it any more."""
    story.deploy(resource("a"), wait=0.1)
    old, story.engine = story.engine, boot(story.world, story.shelf)
    story.world.engines.remove(old)  # too busy to notice
    story.deploy()
    assert not story.world.things


def test_what_is_being_made_leans_already_on_what_it_will_use(story):
    story.deploy(resource("a"))
    story.deploy(resource("a"), resource("b", waits=["a"]), wait=0.1)
    assert story.deploy(resource("b")).ok
    assert list(story.things()) == ["d/b#1"]


def test_an_error_does_not_tell_a_secret(story):
    story.world.faults["d/a"] = ["terminal"]
    done = story.deploy(resource("a", key=Secret("password", "digest")))
    assert done.failed == {"d/a": "no such image for •••"}
    assert PLANTED not in repr(story.shelf.events)


def test_an_engine_of_one_deployment_leaves_the_others_alone(story):
    story.engine.edit(Batch("e", add=(resource("x", deployment="e"),)))
    story.wait()
    kill(story.world, story.engine, True)
    story.world.things.clear()
    story.engine = boot(story.world, story.shelf, deployment="d")
    assert story.deploy(resource("a")).succeeded == ("d/a",)
    assert list(story.things()) == ["d/a#1"]


# ---------------------------------------------------------------- what has no effect


def test_what_has_no_effect_goes_through_all_layers_in_one_commit():
    class Counting(MemoryLog):
        commits = 0

        def append(self, events):
            Counting.commits += 1
            super().append(events)

    engine = Engine(Counting(), [FakeValues()], nominate, resolve, runner=Script(World()))
    engine.start(owner=Owner("", 0, "", ""))
    layers = [resource(f"v{n}", "value", [f"v{n - 1}"] if n else [], [f"v{n - 1}"] if n else []) for n in range(50)]
    engine.edit(edits(layers, {}, "d"))
    assert engine.settled().ok
    assert Counting.commits == 2
    assert engine.state.seq == 100, "an event to add it, an event that it is there"
    assert engine.state.entries["d/v49"].intent is None


def test_a_long_chain_takes_no_more_than_its_length():
    """A failure at the head of five thousand: no recursion, nothing quadratic."""
    engine = Engine(MemoryLog(), [FakeValues()], nominate, resolve, runner=Script(World()))
    engine.start(owner=Owner("", 0, "", ""))
    chain = [resource("v0", "ambiguous"), *(resource(f"v{n}", "value", [f"v{n - 1}"]) for n in range(1, 5000))]
    engine.edit(edits(chain, {}, "d"))
    began = time.process_time()
    done = engine.settled()
    assert len(done.skipped) == 4999
    assert set(done.skipped.values()) == {"'d/v0' failed"}
    assert time.process_time() - began < 5


def test_deployments_are_remembered_once(story):
    story.engine.deployed("d", "app.bicep", {"url": "u"})
    story.engine.deployed("d", "app.bicep", {"url": "u"})
    assert [e.kind for e in story.shelf.events] == [Kind.DEPLOYED]
    story.engine.undeployed("d")
    assert story.engine.state.deployments == {}


def test_a_subscriber_sees_what_one_who_came_later_sees(story):
    early = story.engine.subscribe()
    story.deploy(resource("a"), resource("b", waits=["a"]))
    late = story.engine.subscribe()
    story.deploy(resource("b"))
    assert fold(early.poll(), early.snapshot) == fold(late.poll(), late.snapshot) == story.engine.state


def test_two_orders_of_edits_end_in_the_same(story):
    a, b, c = resource("a"), resource("b", waits=["a"]), resource("c", reads=["b"])
    other = Story()
    story.deploy(a)
    story.deploy(a, b)
    story.deploy(a, b, c)
    other.deploy(c.replace(waits=(), properties={"uses": []}), resource("x"))
    other.deploy(a, b, c)

    def view(s):
        return {k: (e.phase, e.operator, e.applied.properties, e.ready) for k, e in s.engine.state.entries.items()}

    assert view(story) == view(other)


# ---------------------------------------------------------------- deadlines, and who follows whom


SLOW = resource("a", slow=3600.0)
"""Not ready for an hour."""


def test_who_waits_too_long_fails_and_says_for_what(story):
    b = resource("b", waits=[Wait("d/a", on_broken=OnBroken.FAIL, deadline=30.0)])
    story.deploy(SLOW, b, wait=29)
    assert story.entry("b").phase is Phase.WAITING
    story.wait(5)
    entry = story.entry("b")
    assert (entry.phase, entry.reason) == (Phase.FAILED, "'d/a' is not ready yet after 30 s")
    events = len(story.shelf.events)
    story.wait(300)
    assert [e for e in story.shelf.events[events:] if e.key == "d/b"] == []


def test_what_failed_at_its_deadline_starts_once_the_condition_holds(story):
    story.deploy(SLOW, resource("b", waits=[Wait("d/a", on_broken=OnBroken.FAIL, deadline=30.0)]), wait=60)
    story.things()["d/a#1"].ready_at = story.world.now
    story.wait(10)
    assert story.entry("b").phase is Phase.RUNNING


def test_another_deploy_begins_the_deadline_anew(story):
    wanted = SLOW, resource("b", waits=[Wait("d/a", on_broken=OnBroken.FAIL, deadline=30.0)])
    story.deploy(*wanted, wait=60)
    story.deploy(*wanted, wait=20)
    assert story.entry("b").phase is Phase.WAITING
    story.wait(20)
    assert story.entry("b").phase is Phase.FAILED


def test_a_deadline_that_only_holds_leaves_it_waiting_with_the_reason(story):
    story.deploy(SLOW, resource("b", waits=[Wait("d/a", deadline=30.0)]), wait=60)
    assert story.entry("b").phase is Phase.WAITING
    done = story.engine._settlement(False)
    assert {**done.skipped, **done.unfinished}["d/b"] == "cannot start: 'd/a' is not ready yet after 30 s"


def test_a_deadline_goes_on_over_a_crash(story):
    story.deploy(SLOW, resource("b", waits=[Wait("d/a", on_broken=OnBroken.FAIL, deadline=30.0)]), wait=20)
    story.crash()
    story.wait(11)
    assert story.entry("b").phase is Phase.FAILED


def follower(keep):
    return resource("b", waits=[Wait("d/a", keep=Reaction(keep))])


def test_who_follows_restarts_once_the_other_lives_anew_and_is_ready(story):
    story.deploy(resource("a"), follower("restart"), resource("c", waits=["a"]))
    story.engine.command("d/a", Command.RESTART)
    story.wait()
    assert set(story.things()) == {"d/a#2", "d/b#2", "d/c#1"}
    events, mutations = len(story.shelf.events), story.world.mutations
    story.crash()
    story.wait()
    assert (len(story.shelf.events), story.world.mutations) == (events, mutations)


def test_who_would_stop_restarts_when_that_is_asked_of_it_too(story):
    story.deploy(resource("a"), follower("stop"))
    for name in ("a", "b"):
        story.engine.command(f"d/{name}", Command.RESTART)
    story.wait()
    assert set(story.things()) == {"d/a#2", "d/b#2"}
    story.world.vanish("d/a#2")
    story.wait()
    assert story.entry("b").phase is Phase.STOPPED


def test_who_follows_stops_when_it_is_told_to(story):
    story.deploy(resource("a"), follower("stop"))
    story.world.vanish("d/a#1")
    story.wait()
    assert set(story.things()) == {"d/a#2"}
    assert story.entry("b").phase is Phase.STOPPED
    story.engine.command("d/b", Command.START)
    story.wait()
    assert set(story.things()) == {"d/a#2", "d/b#2"}


def test_who_follows_a_composite_restarts_with_its_parts(story):
    whole = Resource("d/w", "Fake/container", "1", "w", "/fake/w", {OUTPUTS: {}}, (Wait("d/w/a"),))
    part = resource("d/w/a", owner="d/w")
    story.deploy(part, whole, resource("b", waits=[Wait("d/w", keep=Reaction.RESTART)]))
    story.engine.command("d/w/a", Command.RESTART)
    story.wait()
    assert set(story.things()) == {"d/w/a#2", "d/b#2"}


def test_a_part_that_was_stopped_runs_once_it_is_not_explicit_any_more(story):
    parts = whole("a", explicit=True)
    story.deploy(parts[0].replace(explicit=True), *parts[1:])
    story.engine.command("d/w/a", Command.STOP)
    story.deploy(*whole("a"))
    assert story.entry("w/a").ready and story.entry("w").ready


def test_who_follows_and_reads_another_is_made_anew_even_where_it_could_be_changed_in_place(story):
    story.deploy(resource("a", first=1), resource("b", "job", [Wait("d/a", keep=Reaction.RESTART)], reads=["a"]))
    assert story.entry("b").phase is Phase.EXITED
    story.engine.command("d/a", Command.RESTART)
    story.wait()
    assert set(story.things()) == {"d/a#2", "d/b#2"}
    assert story.things()["d/b#2"].updates == 0


def whole(*names, **more):
    """A resource `w` that is made of others."""
    waits = tuple(Wait(f"d/w/{n}") for n in names)
    own = Resource("d/w", "Fake/container", "1", "w", "/fake/w", {OUTPUTS: {}}, waits, **more)
    return *(resource(f"d/w/{n}", owner="d/w") for n in names), own


@pytest.mark.parametrize("condition", ["ready", "started"])
@pytest.mark.parametrize("on_broken", OnBroken)
def test_who_waits_for_a_whole_sees_that_a_part_failed_and_goes_on_once_it_is_mended(story, condition, on_broken):
    story.world.faults["d/w/b"] = ["terminal"]
    user = resource("u", waits=[Wait("d/w", Condition(condition), on_broken=on_broken)])
    story.deploy(*whole("a", "b"), user)
    entry, model = story.entry("u"), story.engine.model
    assert told(story.entry("w"), model) == Told("failed", "'d/w/b' failed")
    assert entry.phase is (Phase.FAILED if on_broken is OnBroken.FAIL else Phase.WAITING)
    word = "failed" if on_broken is OnBroken.FAIL else "cannot start"
    assert why(entry, model) == (f"it {word}: 'd/w' failed: 'd/w/b' failed",)
    assert why(story.entry("w"), model) == ("it failed: 'd/w/b' failed",), "by its part, as is told of it"
    goal = {"want": "ready", "of": ["d/w"]}
    verdict = reached(goal, model.find, lambda e: below(e, model))
    assert verdict is not None and not verdict.ok and verdict.message.startswith("'d/w/b': ")
    lead = "" if on_broken is OnBroken.FAIL else "cannot start: "
    assert entry.reason == f"{lead}'d/w' failed: 'd/w/b' failed", "what it was told first is not what is so"
    story.engine.command("d/w/b", Command.START)
    assert reached(goal, model.find, lambda e: below(e, model)) is None, "it is tried again"
    story.wait()
    assert story.entry("u").ready and story.entry("w").ready
    assert reached(goal, model.find, lambda e: below(e, model)) == Reached(True)


def test_a_whole_has_started_once_its_parts_have_whether_they_are_ready_or_not(story):
    first, second, own = whole("a", "b")
    slow = first.replace(properties={**first.properties, "slow": 3600.0})
    users = [resource(n, waits=[Wait("d/w", Condition(n))]) for n in ("started", "ready")]
    story.deploy(slow, second, own, *users, wait=30)
    assert story.entry("started").ready and not story.entry("w").ready
    assert story.entry("ready").phase is Phase.WAITING


def test_a_whole_whose_parts_are_stopped_or_not_all_made_has_not_started(story):
    first, second, own = whole("a", "b")
    late = second.replace(waits=(Wait("d/w/a"),))
    slow = first.replace(properties={**first.properties, "slow": 3600.0})
    story.deploy(slow, late, own, resource("u", waits=[Wait("d/w", Condition.STARTED)]), wait=30)
    assert story.entry("u").phase is Phase.WAITING
    assert why(story.entry("u"), story.engine.model) == ("it waits: 'd/w' is not started yet",)


def test_a_part_that_fails_while_others_are_still_made_is_seen_at_once(story):
    first, second, own = whole("a", "b")
    slow = first.replace(properties={**first.properties, "slow": 3600.0})
    story.world.faults["d/w/b"] = ["terminal"]
    story.deploy(slow, second, own, resource("u", waits=[Wait("d/w", on_broken=OnBroken.FAIL)]), wait=30)
    assert story.entry("u").phase is Phase.FAILED


def test_who_follows_a_whole_is_left_alone_while_a_part_of_it_has_failed(story):
    story.deploy(*whole("a", "b"), resource("u", waits=[Wait("d/w", keep=Reaction.RESTART)]))
    story.world.faults["d/w/b"] = ["terminal"]
    story.engine.command("d/w/b", Command.RESTART)
    story.wait()
    assert story.entry("w/b").phase is Phase.FAILED and "d/u#1" in story.things()
    story.engine.command("d/w/b", Command.START)
    story.wait()
    assert "d/u#2" in story.things()


# ---------------------------------------------------------------- what somebody else changed


def changed_outside(story, drift):
    """`a` as the file has it, and as somebody else has made it since."""
    wanted = resource("a", image="1").replace(drift=Drift(drift))
    story.deploy(wanted)
    story.things()["d/a#1"].properties["image"] = "2"
    story.engine._want("d/a")
    story.wait()
    return wanted


@pytest.mark.parametrize(
    ("drift", "image", "reason"),
    [("heal", "1", ""), ("report", "2", "was changed outside of Ulna: as a whole"), ("ignore", "2", "")],
)
def test_a_change_from_outside_is_healed_told_or_left(story, drift, image, reason):
    changed_outside(story, drift)
    assert (story.things()["d/a#1"].properties["image"], story.entry("a").reason) == (image, reason)
    assert story.entry("a").ready
    events, mutations = len(story.shelf.events), story.world.mutations
    story.engine._want("d/a")
    story.wait()
    assert (len(story.shelf.events), story.world.mutations) == (events, mutations)


def test_a_change_of_the_file_is_made_whatever_the_policy(story):
    wanted = changed_outside(story, "ignore")
    story.deploy(wanted.replace(properties={**wanted.properties, "image": "3"}))
    assert story.things()["d/a#1"].properties["image"] == "3"


def test_what_is_reported_and_put_back_is_not_reported_any_more(story):
    changed_outside(story, "report")
    story.things()["d/a#1"].properties["image"] = "1"
    story.engine._want("d/a")
    story.wait()
    assert story.entry("a").reason == ""


def test_what_can_live_beside_its_successor_goes_when_all_have_moved(story):
    story.deploy(resource("a", first=1), resource("b", "container", ["a"], ["a"]))
    old = story.things()["d/a#1"].port
    story.deploy(resource("a", first=2), resource("b", "container", ["a"], ["a"]), wait=1.5)
    assert {"d/a#1", "d/a#2"} <= story.things().keys(), "the old one lives while the new one is not ready"
    assert story.entry("a").retiring.token == "d/a#1"
    assert codec.state_of(codec.state_text(story.engine.state)) == story.engine.state
    assert story.things()["d/b#1"].properties["port of a"] == old
    done = story.wait()
    assert done.ok and done.acted["d/a"] == "replace"
    assert story.things().keys() == {"d/a#2", "d/b#1"}
    assert story.things()["d/b#1"].properties["port of a"] == story.things()["d/a#2"].port
    assert story.entry("a").retiring is None


def test_without_users_the_old_one_goes_once_the_new_one_is_ready(story):
    story.deploy(resource("a", first=1))
    story.deploy(resource("a", first=2), wait=1.5)
    story.engine._want("d/a")
    assert story.wait().ok
    assert list(story.things()) == ["d/a#2"]


def test_the_old_one_stays_where_the_new_one_cannot_be_made(story):
    users = (resource("b", "container", ["a"], ["a"]),)
    story.deploy(resource("a", first=1), *users)
    story.world.faults["d/a"] = ["terminal"]
    done = story.deploy(resource("a", first=2), *users)
    assert done.failed.keys() == {"d/a"}
    assert story.things().keys() == {"d/a#1", "d/b#1"}
    assert story.deploy(resource("a", first=2), *users).ok
    assert story.things().keys() == {"d/a#3", "d/b#1"} or story.things().keys() == {"d/a#2", "d/b#1"}


def test_the_old_one_stays_while_a_user_cannot_move(story):
    story.deploy(resource("a", first=1), resource("b", "container", ["a"], ["a"]))
    story.world.faults["d/b"] = ["terminal"]
    done = story.deploy(resource("a", first=2), resource("b", "container", ["a"], ["a"]))
    assert done.failed.keys() >= {"d/b"}
    assert "d/b" in story.entry("a").reason and story.things().keys() == {"d/a#1", "d/a#2", "d/b#1"}
    assert story.deploy(resource("a", first=2), resource("b", "container", ["a"], ["a"])).ok
    assert story.things().keys() == {"d/a#2", "d/b#1"}


def test_users_of_what_hands_on_are_waited_for(story):
    """A value in between lives in the log alone: whoever reads it is a user all the same."""
    values = resource("v", "value", ["a"], image=Output("d/a", ("properties", "port")))
    user = resource("b", "container", ["v"], **{"port of a": Output("d/v", ("properties", "image"))})
    story.deploy(resource("a", first=1), values, user)
    story.world.faults["d/b"] = ["transient"]
    assert story.deploy(resource("a", first=2), values, user).ok
    assert story.things()["d/b#1"].properties["port of a"] == story.things()["d/a#2"].port
    assert story.things().keys() == {"d/a#2", "d/b#1"}


@pytest.mark.parametrize("seconds", [0.01, 0.06, 0.13, 0.2, 0.3, 0.5])
def test_what_is_taken_away_while_it_is_about_to_be_replaced_goes_after_its_users(story, seconds):
    story.deploy(resource("b"))
    story.deploy(resource("b"), resource("f", reads=["b"]), wait=0.0)
    story.engine.command("d/b", Command.RESTART)
    story.wait(seconds)
    story.deploy()
    assert not story.world.things and not story.engine.state.entries


@pytest.mark.parametrize("seconds", [0.06, 0.26, 0.42, 0.46])
def test_what_is_taken_away_while_the_one_before_it_goes_goes_after_its_users(story, seconds):
    story.deploy(resource("b", first=1), resource("f", reads=["b"]))
    story.deploy(resource("b", first=2), resource("f", reads=["b"]), wait=1.5)
    assert story.entry("b").retiring is not None
    story.engine.command("d/b", Command.STOP)
    story.wait(seconds)
    story.deploy()
    assert not story.world.things and not story.engine.state.entries


@pytest.mark.parametrize("lost", [False, True])
def test_what_is_to_stop_while_it_is_looked_for_is_not_made(story, lost):
    if not lost:
        story.world.faults["d/a"] = ["transient"]
    story.deploy(resource("a"), wait=0.61)
    if lost:
        story.world.vanish("d/a#1")
        story.world.made.clear()
    looking = story.engine.runner.flying
    story.world.run_for(60.0, lambda: any(isinstance(t.effect, Observe) for t in looking.values()))
    story.engine.command("d/a", Command.STOP)
    story.wait()
    assert story.entry("a").phase is Phase.STOPPED and not story.world.made


def test_what_is_taken_away_while_it_is_replaced_goes_whole(story):
    story.deploy(resource("a", first=1))
    story.deploy(resource("a", first=2), wait=1.0)
    assert story.entry("a").retiring is not None
    story.deploy()
    assert not story.things()


@pytest.mark.parametrize("moment", [0.1, 0.4, 0.7, 1.0, 2.5, 3.0])
@pytest.mark.parametrize("dies", [True, False])
def test_killed_while_it_is_replaced_one_is_left_and_everybody_uses_it(story, moment, dies):
    wanted = (resource("a", first=2), resource("b", "container", ["a"], ["a"]))
    story.deploy(resource("a", first=1), wanted[1])
    story.deploy(*wanted, wait=moment)
    story.crash(dies)
    assert story.wait().ok and len(story.things()) == 2
    assert story.things()["d/b#1"].properties["port of a"] == story.things()[story.entry("a").token].port


def test_who_comes_later_gets_what_waited_for_it_and_what_others_still_hold(story):
    story.deploy(resource("held"), resource("other"))
    story.deploy(resource("held", pin="nomad"), resource("other"), resource("waiting", pin="nomad"))
    assert story.entry("waiting").phase is Phase.PENDING and story.entry("held").operator == "container"
    seen = len(story.kinds("other"))
    story.world.late.add("nomad")
    story.engine.register(FakeOperator(story.world, "nomad"))
    story.wait()
    for name in ("held", "waiting"):
        assert story.entry(name).operator == "nomad" and story.entry(name).ready
    assert len(story.kinds("other")) == seen
    assert {t.made_by for t in story.things().values()} == {"nomad", "container"}


def test_what_is_stopped_together_stops_users_first(story):
    story.deploy(resource("a"), resource("b", waits=["a"]), resource("c", waits=["b"]), resource("d", waits=["a"]))
    for name in "abc":
        story.engine.command(f"d/{name}", Command.STOP)
    assert why(story.entry("a"), story.engine.model) == ("it is being stopped, and 'd/b' stops first",)
    story.wait()
    stopped = [e.key for e in story.shelf.events if e.data.get("phase") is Phase.STOPPED]
    assert stopped == ["d/c", "d/b", "d/a"] and set(story.things()) == {"d/d#1"}
    for name in "abc":
        story.engine.command(f"d/{name}", Command.START)
    assert story.wait().ok


def test_who_waits_for_a_user_that_is_started_again_stops_all_the_same(story):
    story.deploy(resource("a"), resource("b", waits=["a"]))
    story.world.faults["d/b"] = ["transient"] * 3
    for name in "ab":
        story.engine.command(f"d/{name}", Command.STOP)
    story.wait(0.3)
    assert story.entry("a").held
    story.engine.command("d/b", Command.START)
    story.wait()
    assert story.entry("a").phase is Phase.STOPPED and story.entry("b").held


def test_what_runs_of_a_whole_rests_and_what_it_uses_is_there(story, monkeypatch):
    for operator in story.engine.model.operators.values():  # not of their class: what a class can do is remembered
        if isinstance(operator, FakeOperator):
            monkeypatch.setattr(operator, "runs", lambda r: r.type == "Fake/container", raising=False)
    volume = resource("d/w/volume", "process", owner="d/w")
    program = resource("d/w/program", waits=["d/w/volume"], owner="d/w")
    name = resource("d/w/name", "process", waits=["d/w/program"], owner="d/w")
    waits = tuple(Wait(r.address) for r in (volume, program, name))
    own = Resource("d/w", "Fake/container", "1", "w", "/fake/w", {OUTPUTS: {}}, waits)
    wanted = tuple(r.replace(explicit=True) for r in (volume, program, name, own))
    assert story.deploy(*wanted).ok and set(story.things()) == {"d/w/volume#1"}
    story.engine.command("d/w/program", Command.START)
    assert story.wait().ok and set(story.things()) == {"d/w/volume#1", "d/w/program#1", "d/w/name#1"}
    story.engine.command("d/w/program", Command.STOP)
    assert story.wait().ok and set(story.things()) == {"d/w/volume#1", "d/w/name#1"}
    user = resource("u", waits=["d/w"])
    settled = story.deploy(*wanted, user)
    assert "d/u" in settled.succeeded and "d/u#1" not in story.things(), "it rests as what it waits for does"
    reasons = why(story.entry("w"), story.engine.model)
    assert reasons == ("it was stopped by a command; to start it: ulna start w",), "of the whole, not of a part"
    assert why(story.entry("u"), story.engine.model) == ("it waits: 'd/w' is stopped",)


def test_what_is_explicit_rests_until_it_is_started_and_without_the_word_it_starts(story):
    resting = resource("a").replace(explicit=True)
    settled = story.deploy(resting, resource("b", waits=["a"]))
    assert story.entry("a").phase is Phase.STOPPED and not story.things()
    assert settled.ok and settled.resting.keys() == {"d/a"}, "who waits for it rests as well"
    story.engine.command("d/a", Command.START)
    story.wait()
    assert story.entry("b").ready
    story.engine.command("d/a", Command.STOP)
    story.deploy(resource("b"), resting)
    assert story.entry("a").phase is Phase.STOPPED
    story.deploy(resource("b"), resource("a"))
    assert story.entry("a").ready
