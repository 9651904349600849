"""What touches the ground: threads, calls, the feed."""

import threading
import time

import pytest
from world import FakeValues, nominate, resolve, resource

from engine.apply.batch import edits
from engine.apply.call import MASK, EngineCall
from engine.apply.effects import Create, ProviderBug
from engine.apply.engine import Engine
from engine.apply.feed import KEPT, Feed
from engine.apply.runner import Task, Threads
from engine.contract.errors import Terminal
from engine.contract.operator import Keep, Observed, Same
from engine.contract.value import Secret
from engine.diagnostics.diagnostic import UlnaError
from engine.state.event import Event, Kind
from engine.state.memory import MemoryLog
from engine.state.owner import Owner
from engine.state.store import Store


class Slow:
    """An operator whose calls take a while, and count how many of them there are at once."""

    effects = True

    def __init__(self, name="container", seconds=0.02, limit=None, stubborn=False):
        self.name, self.seconds, self.stubborn = name, seconds, stubborn
        if limit:
            self.concurrency = limit
        self.made, self.now, self.most = {}, 0, 0
        self.lock = threading.Lock()
        self.let_go = threading.Event()

    def diff(self, resource, applied, observed):
        return Same()

    def render(self, resource, view):
        return Keep()

    def observe(self, resource, token, call):
        return self.made.get(token)

    def create(self, resource, token, call):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        if self.seconds is None:
            while not (self.let_go.is_set() or (call.stopping() and not self.stubborn)):
                time.sleep(0.01)
        else:
            time.sleep(self.seconds)
        with self.lock:
            self.now -= 1
        self.made[token] = Observed(token, token, resource.properties)
        return self.made[token]

    def delete(self, resource, token, call):
        self.made.pop(token, None)


def engine_of(*operators, log=None, **more):
    engine = Engine(log or MemoryLog(), [*operators, FakeValues()], nominate, resolve, random=lambda: 0.0, **more)
    engine.start(owner=Owner("", 0, "", ""))
    return engine


def test_start_and_edit_return_at_once_and_settled_waits():
    operator = Slow(seconds=0.2)
    engine = engine_of(operator)
    began = time.perf_counter()
    engine.edit(edits([resource("a"), resource("b", waits=["a"])], {}, "d"))
    assert time.perf_counter() - began < 0.15
    done = engine.settled(timeout=20)
    assert done.ok
    assert list(operator.made) == ["d/a#1", "d/b#1"]
    engine.close()


def test_independent_calls_run_at_the_same_time_within_the_limit_of_their_operator():
    wide, narrow = Slow(seconds=0.05), Slow("process", 0.01, limit=2)
    engine = engine_of(wide, narrow)
    wanted = [resource(f"w{n}") for n in range(6)] + [resource(f"n{n}", "process") for n in range(6)]
    engine.edit(edits(wanted, {}, "d"))
    assert engine.settled(timeout=20).ok
    assert wide.most > 1
    assert narrow.most == 2
    engine.close()


def test_time_may_run_out_and_the_rest_is_named():
    operator = Slow(seconds=None)
    engine = engine_of(operator)
    engine.edit(edits([resource("a"), resource("v", "value")], {}, "d"))
    done = engine.settled(timeout=0.1)
    assert done.timed_out
    assert done.succeeded == ("d/v",)
    assert list(done.unfinished) == ["d/a"]
    operator.let_go.set()
    assert engine.settled(timeout=20).ok
    engine.close()


def test_the_second_stop_waits_for_nobody():
    operator = Slow(seconds=None, stubborn=True)
    engine = engine_of(operator)
    engine.edit(edits([resource("a")], {}, "d"))
    threading.Timer(0.1, engine.stop).start()
    threading.Timer(0.2, engine.stop).start()
    began = time.perf_counter()
    done = engine.settled(timeout=20)
    assert time.perf_counter() - began < 5
    assert done.stopped
    assert engine.state.entries["d/a"].intent is not None, "the next start settles it"
    engine.close()
    operator.let_go.set()


def test_an_edit_by_another_thread_wakes_who_waits():
    operator = Slow(seconds=None)
    engine = engine_of(operator)
    engine.edit(edits([resource("a")], {}, "d"))

    def later():
        time.sleep(0.1)
        engine.edit(edits([resource("a"), resource("v", "value")], engine.state.entries, "d"))
        while "d/v" not in engine.model.outputs:
            time.sleep(0.01)
        operator.let_go.set()

    thread = threading.Thread(target=later)
    thread.start()
    began = time.perf_counter()
    assert engine.settled(timeout=20).ok
    assert time.perf_counter() - began < 4, "the heartbeat would have woken it after five seconds"
    thread.join()
    engine.close()


def test_progress_is_told_in_the_order_of_the_log():
    engine, seen = engine_of(Slow()), []
    engine.edit(edits([resource("a"), resource("b", waits=["a"])], {}, "d"))
    engine.settled(timeout=20, on_progress=seen.extend)
    assert [e.seq for e in seen] == list(range(seen[0].seq, engine.state.seq + 1))
    engine.close()


def test_a_disk_that_fills_up_ends_the_run_and_loses_nothing(tmp_path):
    operator = Slow()
    store = Store.open(tmp_path / ".ulna")
    engine = engine_of(operator, log=store.log("dev"))
    engine.edit(edits([resource("a")], {}, "d"))
    pages = engine.log._writing.execute("PRAGMA page_count").fetchone()[0]
    engine.log._writing.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(Exception, match="disk is full") as error:
        engine.edit(edits([resource(f"x{n}", image="y" * 500) for n in range(50)], engine.state.entries, "d"))
    with pytest.raises(Exception, match="disk is full"):
        engine.settled(timeout=5)
    assert error.value.diagnostics[0].code == "ULN405"
    assert operator.made == {}, "no call went out whose intent is not stored"
    engine.close()
    again = engine_of(operator, log=store.log("dev"))
    assert again.settled(timeout=20).ok
    assert list(operator.made) == ["d/a#1"]
    again.close()


def test_closing_keeps_a_snapshot_when_it_is_worth_it(tmp_path):
    store = Store.open(tmp_path / ".ulna")
    engine = engine_of(log=store.log("dev"))
    engine.edit(edits([resource(f"v{n}", "value") for n in range(300)], {}, "d"))
    assert engine.settled().ok
    engine.close()
    assert store.read_only("dev") == engine.state
    again = engine_of(log=store.log("dev"))
    assert again.settled().ok
    assert again.state.seq == 600
    again.close()


def test_an_engine_that_got_no_lease_can_be_closed(tmp_path):
    store = Store.open(tmp_path / ".ulna")
    first = Engine(store.log("dev"), [], nominate, resolve)
    first.start()
    second = Engine(store.log("dev"), [], nominate, resolve)
    with pytest.raises(UlnaError, match="in use by another Ulna"):
        second.start()
    second.stop()
    second.close()
    first.edit(edits([], {}, "d"))
    first.close()
    second = Engine(store.log("dev"), [], nominate, resolve)
    second.start()
    second.close()


def test_threads_that_are_closed_begin_nothing():
    runner, operator = Threads(), Slow()
    runner.close()
    runner.submit(Task("k", Create(operator, resource("a"), "t"), EngineCall(1, None, lambda: False)))
    runner.close()
    runner.submit(Task("k", Create(operator, resource("a"), "t"), EngineCall(1, None, lambda: False)))
    time.sleep(0.05)
    assert len(operator.made) <= 1


# ---------------------------------------------------------------- calls


class OneSecret:
    def open(self, secret):
        return {"password": "hunter2-and-more", "pin": "12"}


def test_what_was_revealed_comes_back_as_a_reference():
    call = EngineCall(1, OneSecret(), lambda: False)
    secret = Secret("login", "digest")
    assert call.reveal(secret)["password"] == "hunter2-and-more"
    seen = Observed(
        "i", "t", {"env": ["hunter2-and-more", "x"]}, {"url": "u:hunter2-and-more@h"}, message="hunter2-and-more?"
    )
    clean = call.clean(seen)
    assert clean.properties == {"env": [secret, "x"]}
    assert clean.outputs == {"url": f"u:{MASK}@h"}
    assert clean.message == f"{MASK}?"
    told = call.cleaned(ValueError("hunter2-and-more"))
    assert isinstance(told, ProviderBug)
    assert str(told) == f"provider bug: ValueError: {MASK}"


def test_an_error_of_the_contract_keeps_its_kind_and_loses_the_secret():
    call = EngineCall(1, OneSecret(), lambda: False)
    call.reveal(Secret("login", "digest"))
    told = call.cleaned(Terminal("no hunter2-and-more", "not hunter2-and-more"))
    assert isinstance(told, Terminal)
    assert (told.reason, told.help) == (f"no {MASK}", f"not {MASK}")
    assert "hunter2" not in str(told)


def test_a_secret_that_this_run_was_not_told_is_a_failure_with_a_help():
    class Empty:
        def open(self, secret):
            raise KeyError(secret.name)

    for vault in (None, Empty()):
        with pytest.raises(Terminal, match="'login' is not known in this run"):
            EngineCall(1, vault, lambda: False).reveal(Secret("login", "digest"))


# ---------------------------------------------------------------- the feed


def test_who_is_far_behind_reads_the_log():
    events = [Event(n, 0.0, 1, Kind.STATUS, "k") for n in range(1, KEPT + 101)]
    feed = Feed(0, lambda after: iter(events[after:]))
    for event in events:
        feed.publish([event])
    assert feed.after(0) == events
    assert feed.after(KEPT) == events[KEPT:]
    assert feed.after(KEPT + 100) == []


def test_a_watcher_is_told_until_it_leaves():
    feed, seen = Feed(0, lambda after: iter(())), []
    leave = feed.watch(seen.extend)
    feed.publish([Event(1, 0.0, 1, Kind.STATUS, "k")])
    leave()
    feed.publish([Event(2, 0.0, 1, Kind.STATUS, "k")])
    assert [e.seq for e in seen] == [1]
