"""Bugs to test the tests with: each is planted at run time into a named function, and one of the tests must notice.

python tests/seeded/bugs.py [name …]      plant them one after the other, and say who was caught
"""

from __future__ import annotations

import inspect
import itertools
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent.parent / "apply"))

import machine
import pytest
import sweep
from hypothesis import Phase
from shelves import StoredShelf
from world import World, boot, resource

from engine.apply import call, edit, effects, engine, gate, model, ownership, passes, queue, report, wishes
from engine.apply.batch import edits
from engine.contract.value import Secret
from engine.live import goal
from engine.state import codec, entry, fold, memory, sqlite
from engine.state.event import Kind
from engine.state.log import Fenced
from engine.state.store import Store

Test = Callable[[], None]


def stories() -> None:
    """The stories of the scripted world, until one ends badly."""
    import test_asked
    import test_engine

    for module in (test_engine, test_asked):
        for name, test in vars(module).items():
            if name.startswith("test_"):
                _tell(module, name, test)


def _tell(module, name, test) -> None:
    for arguments in _cases(module, test):
        try:
            test(**arguments)
        except pytest.fail.Exception as failure:
            raise AssertionError(f"{name}: {failure}") from None
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


def _cases(module, test) -> Iterator[dict[str, object]]:
    """The arguments that pytest would call a test with."""
    marks = [m for m in getattr(test, "pytestmark", ()) if m.name == "parametrize"]
    for chosen in itertools.product(*(m.args[1] for m in marks)):
        arguments: dict[str, object] = {}
        for mark, value in zip(marks, chosen, strict=True):
            arguments |= (
                dict(zip(mark.args[0], value, strict=True))
                if isinstance(mark.args[0], tuple)
                else {mark.args[0]: value}
            )
        wanted = inspect.signature(test).parameters
        if "story" in wanted:
            arguments["story"] = module.Story()
        if "desk" in wanted:
            arguments["desk"] = module.Desk()
        if "monkeypatch" in wanted:
            with pytest.MonkeyPatch.context() as patch:
                yield {**arguments, "monkeypatch": patch}
        else:
            yield arguments


def takeovers() -> None:
    """A real store, whose second engine has what the first one wrote, and whose first one can write no more."""
    with tempfile.TemporaryDirectory() as folder:
        shelf, world = StoredShelf(Store.open(Path(folder)), "dev"), World()
        first = boot(world, log=shelf.log())
        first.edit(edits([resource("a", key=Secret("s", "one"))], {}, "d"))
        world.run_for(30.0)
        asked = first.operate(None, target="d/a", command="look", goal=goal.goal("ready", ["d/a"]))
        first.log.snapshot(first.state)
        second = boot(world, log=shelf.log())
        try:
            assert second.state == first.state and second.state.operations == {asked.id: asked}
            try:
                first.log.append([first.feed.after(0)[-1].replace(seq=first.state.seq + 1)])
            except Fenced:
                pass
            else:
                raise AssertionError("who lost the lease wrote")
            assert second.state == shelf.log().state()
        finally:
            shelf.close()


def random_walk() -> None:
    """The stateful machine, until it complains."""
    machine.run(400, report_multiple_bugs=False, phases=[Phase.generate], derandomize=True)


def crash_sweep() -> None:
    """The sweep: every so many of all single crashes."""
    count, _, wrong, _ = sweep.sweep(0, every=5)
    assert not wrong, f"{len(wrong)} of {count} plans end wrong"


BUGS: dict[str, Callable[[], object]] = {}
"""By name, a context that plants it."""


def bug(plant):
    BUGS[plant.__name__] = plant
    return plant


def swap(where, name, new):
    return mock.patch.object(where, name, new)


# ---------------------------------------------------------------- the log


@bug
def the_fence_is_not_checked():
    return swap(memory.MemoryLog, "check", lambda self: None)


@bug
def calls_carry_no_fence():
    born = call.EngineCall.__init__

    def init(self, fence, vault, stopping):
        born(self, 10**9, vault, stopping)

    return swap(call.EngineCall, "__init__", init)


@bug
def the_fold_forgets_the_time_of_a_change():
    def advance(state, event):
        if event.kind is Kind.ADDED:
            event = event.replace(time=-1.0)
        fold.advance(state, event)

    return swap(model, "advance", advance)


# ---------------------------------------------------------------- the queue


@bug
def two_passes_of_one_key():
    take = queue.WorkQueue.take

    def both(self, now):
        key = take(self, now)
        if key is not None:
            self.busy.discard(key)
        return key

    return swap(queue.WorkQueue, "take", both)


@bug
def what_gets_dirty_while_busy_is_lost():
    def done(self, key):
        self.busy.discard(key)
        self._dirty.pop(key, None)

    return swap(queue.WorkQueue, "done", done)


@bug
def timers_never_fire():
    return swap(queue.WorkQueue, "_fire", lambda self, now: None)


@bug
def nobody_is_woken():
    advance = model.Model.advance

    def silent(self, event):
        advance(self, event)
        return ()

    return swap(model.Model, "advance", silent)


@bug
def former_dependencies_are_not_woken():
    advance = model.Model.advance

    def deaf(self, event):
        return tuple(k for k in advance(self, event) if k in self.waiters(event.key))

    return swap(model.Model, "advance", deaf)


# ---------------------------------------------------------------- gates


@bug
def readiness_outlives_its_incarnation():
    return swap(entry.Entry, "ready", property(lambda self: self.token is not None and self.incarnation > 0))


@bug
def gates_are_always_open():
    return swap(passes, "gate_now", lambda *_: gate.OPEN)


@bug
def waiting_for_completion_is_satisfied_by_the_start():
    look = gate._look

    def lax(wait, seen):
        return gate.OPEN if wait.condition == "completed" and seen is not None and seen.token else look(wait, seen)

    return swap(gate, "_look", lax)


@bug
def a_whole_has_not_started_until_it_is_ready():
    return swap(model, "begun", lambda *_: False)


@bug
def a_whole_is_judged_by_itself_alone():
    return swap(model, "failing", lambda *_: None)


@bug
def who_waits_for_a_whole_is_not_told_of_its_parts():
    return swap(model, "fails", lambda _: False)


@bug
def forcing_lasts_for_ever():
    return swap(gate, "is_forced", lambda entry: entry.forced >= 0)


# ---------------------------------------------------------------- intents


@bug
def no_intent_is_written():
    write = engine.Engine._write

    def silent(self, key, kind, changes):
        return write(self, key, kind, {f: v for f, v in changes.items() if f != "intent"})

    return swap(engine.Engine, "_write", silent)


@bug
def what_was_found_is_not_adopted():
    settled = report.settled

    def forget(intent, found, entry):
        return settled(intent, None if intent.operation == "create" else found, entry)

    return swap(report, "settled", forget)


@bug
def calls_go_out_before_the_intent_is_durable():
    commit = engine.Engine._commit

    def early(self):
        parked, self._parked = self._parked, []
        for task in parked:
            self.runner.submit(task)
        commit(self)

    return swap(engine.Engine, "_commit", early)


@bug
def a_failed_create_is_not_looked_for():
    def fail(self, reason, at):
        changes = {"phase": entry.Phase.FAILED, "reason": reason, "failed_at": at, "intent": None}
        yield effects.Write(Kind.STATUS, changes)
        return effects.Done()

    return swap(passes._Pass, "_fail", fail)


@bug
def an_adopted_object_is_recorded_as_the_newest_wish():
    settled = report.settled

    def wrong(intent, found, entry):
        return settled(intent.replace(generation=entry.generation, properties=entry.resource.properties), found, entry)

    return swap(report, "settled", wrong)


# ---------------------------------------------------------------- order of deletion


@bug
def deletion_in_any_order():
    return swap(model.Model, "leaning", lambda self, address: None)


@bug
def what_stops_together_stops_in_any_order():
    return swap(model.Model, "in_the_way", lambda self, a: self.leaning(a) if self.find(a).deleting else None)


@bug
def nobody_is_told_that_a_user_starts_again():
    advance = model.Model.advance

    def deaf(self, event):
        woken = advance(self, event)
        return () if event.kind is Kind.DESIRED else woken

    return swap(model.Model, "advance", deaf)


@bug
def deletion_ordered_by_the_wish_of_today():
    def leaning(self, address):
        return next((a for a in self.waiters(address) if self.find(a).token is not None), None)

    return swap(model.Model, "leaning", leaning)


@bug
def an_open_create_leans_on_nothing():
    return swap(model, "_leans_on", lambda entry: frozenset(entry.wired) if entry is not None else frozenset())


# ---------------------------------------------------------------- one beside the other


@bug
def the_old_one_goes_before_the_new_one_is_ready():
    return swap(passes, "is_in_place", lambda entry: entry.token is not None)


@bug
def nobody_is_waited_for_who_uses_the_old_one():
    return swap(model, "left_behind", lambda *_: None)


@bug
def who_reads_what_hands_on_is_not_waited_for():
    left_behind = model.left_behind

    def near(of, address):
        name = left_behind(of, address)
        return name if name in of.users(address) else None

    return swap(model, "left_behind", near)


@bug
def the_old_one_is_forgotten():
    def forget(entry, operator):
        if entry.retiring is not None:
            yield effects.Write(Kind.STATUS, {"retiring": None})

    return swap(passes, "retire", forget)


@bug
def the_old_one_never_goes():
    return swap(passes, "is_in_place", lambda entry: False)


@bug
def the_old_one_is_not_in_the_log():
    return swap(passes, "retired", lambda entry: dict(report.NOTHING))


@bug
def those_who_moved_wake_nobody():
    return swap(model, "MOVING", frozenset())


# ---------------------------------------------------------------- ownership


@bug
def the_owner_changes_without_letting_go():
    return mock.patch.multiple(passes, must_release=lambda *_: False)


@bug
def nobody_takes_over_what_was_released():
    remove = passes._Pass._remove

    def drop(self):
        end = yield from remove(self)
        return effects.Done() if isinstance(end, effects.Again) else end

    return swap(passes._Pass, "_remove", drop)


@bug
def the_nominee_is_asked_only_once():
    return mock.patch.multiple(passes, is_due=lambda entry: not entry.deleting and entry.operator is None)


# ---------------------------------------------------------------- edits


@bug
def cycles_are_let_in():
    return swap(edit, "find_cycle", lambda *_: ())


@bug
def what_is_needed_may_be_removed():
    return swap(edit, "_check", lambda batch, model, pending: None)


@bug
def what_failed_is_not_tried_again():
    return swap(edit, "_again", lambda entry: {})


@bug
def restarts_are_forgotten():
    difference = passes._Pass._difference

    def deaf(self, entry, wanted, observed):
        return difference(self, entry.replace(applied_nonce=entry.nonce), wanted, observed)

    return swap(passes._Pass, "_difference", deaf)


# ---------------------------------------------------------------- the rest


@bug
def errors_tell_secrets():
    return swap(call.EngineCall, "cleaned", lambda self, error: error)


@bug
def a_vanished_object_is_believed_in():
    steps = passes._Pass._steps

    def blind(self):
        generator, answer = steps(self), None
        while True:
            try:
                wanted = generator.send(answer)
            except StopIteration as stop:
                return stop.value
            answer = yield wanted
            if isinstance(wanted, effects.Observe) and answer is None and self.entry.intent is None:
                return effects.Done()

    return swap(passes._Pass, "_steps", blind)


@bug
def every_look_writes_an_event():
    health = report.health

    def chatty(entry, observed):
        changes, end = health(entry, observed)
        return {**changes, "since": entry.since + 1}, end

    return swap(report, "health", chatty)


@bug
def an_exit_is_taken_for_running():
    health = report.health

    def blind(entry, observed):
        return health(entry, observed.replace(exit_code=None))

    return swap(report, "health", blind)


@bug
def nobody_is_told_that_an_operator_came():
    def register(self, operator):
        self.model.operators[operator.name] = operator

    return swap(wishes.Wishes, "register", register)


@bug
def who_comes_gets_only_what_nobody_has():
    return swap(wishes, "is_due", lambda entry: entry.operator is None)


@bug
def all_of_a_whole_rests():
    return swap(edit, "runs", lambda *_: False)


@bug
def what_should_rest_is_started():
    return swap(edit, "asleep", lambda *_: set())


@bug
def hand_offs_go_to_the_first():
    checked = ownership.checked

    def first(nomination):
        found = checked(nomination)
        return found.replace(operator=found.hops[0], hops=()) if found.hops else found

    return swap(ownership, "checked", first)


# ---------------------------------------------------------------- what people ask for


def judge(want, how):
    return mock.patch.dict(goal._JUDGES, {want: how})


@bug
def a_command_is_done_by_what_was_there_before():
    def lax(address, entry):
        return goal.Reached(True) if entry is not None and entry.ready else None

    return judge("ready", lax)


@bug
def a_stop_is_done_as_soon_as_it_is_wished():
    return judge("stopped", lambda address, entry: goal.Reached(True) if entry is None or not entry.run else None)


@bug
def a_job_is_done_well_however_it_ends():
    def lax(address, entry):
        return goal.Reached(True) if entry is None or entry.exit_code is not None else None

    return judge("completed", lax)


@bug
def a_command_is_failed_by_what_had_failed_before():
    def strict(address, entry):
        if entry is not None and entry.phase == "Failed":
            return goal.Reached(False, entry.reason)
        return ready(address, entry)

    ready = goal._JUDGES["ready"]
    return judge("ready", strict)


@bug
def a_command_leaves_the_failure_as_it_is():
    return swap(edit, "_mended", lambda _: {})


@bug
def who_waits_for_a_whole_to_be_ready_does_not_see_a_part_fail():
    return swap(goal, "_with_parts", lambda own, parts: own)


@bug
def a_whole_is_ready_when_its_first_part_is():
    gate_now = gate.gate_now

    def lax(entry, around, unknown):
        if entry.operator == "composite":
            entry = entry.replace(resource=entry.resource.replace(waits=entry.resource.waits[:1]))
        return gate_now(entry, around, unknown)

    return swap(passes, "gate_now", lax)


@bug
def any_exit_code_completes():
    look = gate._look

    def lax(wait, seen):
        return look(wait if seen is None or seen.exit_code is None else wait.replace(exit_code=seen.exit_code), seen)

    return swap(gate, "_look", lax)


def take(seen, instead):
    health = report.health

    def blind(entry, observed):
        return health(entry, observed.replace(health=instead) if observed.health is seen else observed)

    return swap(report, "health", blind)


@bug
def what_is_ill_is_taken_for_ready():
    return take(report.Health.NOT_READY, instead=report.Health.READY)


@bug
def what_broke_is_taken_for_starting():
    return take(report.Health.FAILED, instead=report.Health.STARTING)


# ---------------------------------------------------------------- what is asked again after a while


@bug
def who_replaces_does_not_look_whether_it_is_still_wanted():
    unwanted = passes._Pass._unwanted.fget

    def blind(self):
        return sys._getframe(1).f_code.co_name != "_provide" and unwanted(self)

    return swap(passes._Pass, "_unwanted", property(blind))


@bug
def who_goes_in_two_steps_asks_once_who_is_in_the_way():
    in_the_way, free = model.Model.in_the_way, set()

    def once(self, address):
        if address in free:
            free.discard(address)
            return None
        user = in_the_way(self, address)
        if user is None and self.find(address).retiring is not None:
            free.add(address)
        return user

    return swap(model.Model, "in_the_way", once)


@bug
def what_was_seen_before_a_deployment_is_taken_for_what_becomes_of_it():
    again = edit._again
    return swap(edit, "_again", lambda old: {k: v for k, v in again(old).items() if k != "observed_generation"})


@bug
def a_whole_is_there_before_its_parts_are():
    with_parts = goal._with_parts
    return swap(goal, "_with_parts", lambda own, parts: own or with_parts(own, parts))


# ---------------------------------------------------------------- the store


@bug
def the_store_shuts_nobody_out():
    return swap(sqlite.SqliteLog, "_fence", lambda self, db: None)


@bug
def a_stored_snapshot_forgets_the_operations():
    state_of = codec.state_of

    def forget(text):
        found = state_of(text)
        found.operations.clear()
        return found

    return swap(codec, "state_of", forget)


# ---------------------------------------------------------------- planting


QUICK: tuple[Test, ...] = (stories, takeovers)
TESTS: tuple[Test, ...] = (*QUICK, crash_sweep, random_walk)
"""Who looks, the quickest first."""


def is_caught(name: str, tests: tuple[Test, ...] = TESTS) -> str | None:
    """By whom, and in what words, a bug was noticed; None if it was not."""
    with BUGS[name]():
        for test in tests:
            try:
                test()
            except Exception as error:
                words = str(error).splitlines()[0] if str(error) else ""
                return f"{test.__name__}: {type(error).__name__}: {words}"
    return None


def main() -> int:
    missed = []
    for name in sys.argv[1:] or BUGS:
        began = time.perf_counter()
        words = is_caught(name)
        missed += [name] if words is None else []
        verdict = "MISSED" if words is None else "caught"
        print(f"{name:52} {verdict} {time.perf_counter() - began:5.1f} s  {(words or '')[:110]}", flush=True)
    print(f"{len(missed)} of {len(BUGS)} missed: {', '.join(missed)}" if missed else f"all {len(BUGS)} caught")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
