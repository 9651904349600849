"""The stateful machine: users, operators, crashes and takeovers in any order; invariants after every step, peace at the end.

python tests/apply/machine.py 20000      the long version
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

sys.path.insert(0, str(Path(__file__).parent))

from asked import Asked
from shelves import MemoryShelf
from world import PLANTED, FakeOperator, World, boot, kill, nominate, operators, resource

from engine.apply.batch import Batch, edits
from engine.apply.edit import Command
from engine.apply.gate import Broken, Closed, Open, gate_now, waited_since
from engine.apply.model import is_settled
from engine.contract.resource import OUTPUTS, Condition, Drift, OnBroken, Reaction, Wait
from engine.contract.value import Secret
from engine.diagnostics.diagnostic import UlnaError
from engine.state import codec
from engine.state.entry import Phase
from engine.state.fold import State, fold
from engine.state.log import Fenced

NAMES = ["a", "b", "c", "e", "f"]
KINDS = ["container"] * 3 + ["process"] * 2 + ["azure", "job", "value", "value", "ambiguous", "exotic"]
PARTS = ["w/p", "w/q", "w/r"]
names = st.sampled_from(NAMES)
others = st.sampled_from([*NAMES, "w", "w"])
"""Who may be waited for: `w` is made of parts."""
steerable = st.sampled_from([*NAMES, *PARTS])
"""What commands and faults are for."""


somewhere = precondition(lambda self: self.world.things)
"""For what happens to things."""
with_whole = precondition(lambda self: "w" in self.program)
WANTED = {Command.STOP: "stopped", Command.SLEEP: "stopped"}
"""What has to be seen for a command to be done; of all others that it is ready."""


class Machine(RuleBasedStateMachine):
    def __init__(self, shelf=MemoryShelf):
        super().__init__()
        self.shelf = shelf()

    @initialize(seconds=st.sampled_from([0.0, 0.4, 10.0]))
    def begin(self, seconds):
        self.world = World()
        self.asked = Asked(self.world)
        self.program = {}
        self.seen, self.born, self.counted = {}, {}, 0
        self.folded = State()
        self.jobs = 0
        self.engine = self.booted()
        self.early = self.engine.subscribe()
        self.view, self.view_from = self.early.snapshot, self.early
        # a chain from the start: most of what goes wrong needs one
        for name, waits in (("a", ()), ("b", ("a",)), ("c", ("b", ("a", "started")))):
            self.program[name] = resource(name, waits=waits, reads=["a"] if name == "c" else (), first=0)
        self.deploy()
        self.run_for(seconds)

    # ------------------------------------------------------------ plumbing

    def deploy(self):
        wanted = in_order(self.program.values())
        self.engine.edit(edits(wanted, self.engine.state.entries, "d"))

    def attempt(self, change):
        """Change the program; what the engine refuses is taken back. Whether it was taken."""
        before = dict(self.program)
        change()
        try:
            self.deploy()
        except UlnaError as error:
            assert not isinstance(error, Fenced)
            self.program = before
            return False
        return True

    def booted(self):
        return boot(self.world, log=self.shelf.log())

    def reboot(self):
        self.engine = self.booted()
        self.view_from = self.engine.subscribe()
        self.view = self.view_from.snapshot

    def drawn(self, data, name):
        waits = data.draw(
            st.lists(
                st.tuples(others, st.sampled_from(["started", "ready", "ready", "completed", "exists"])),
                max_size=2,
                unique_by=lambda w: w[0],
            )
        )
        known = [self.wait(data, *w) for w in waits if w[0] in self.program or w[0] == name]
        reads = [n for n in data.draw(st.lists(names, max_size=1)) if n in self.program and n != name]
        extra = {}
        if data.draw(st.integers(0, 3)) == 0:
            extra["key"] = Secret("s", data.draw(st.sampled_from(["one", "two"])))
        if data.draw(st.integers(0, 3)) == 0:
            extra["first"] = data.draw(st.integers(0, 1))
        return resource(
            name,
            data.draw(st.sampled_from(KINDS)),
            known,
            reads,
            pin=data.draw(st.sampled_from([None] * 8 + ["podman", "nobody", "nomad"])),
            image=data.draw(st.integers(0, 2)),
            triggers=data.draw(st.integers(0, 1)),
            emulator=data.draw(st.booleans()),
            exit=data.draw(st.sampled_from([0, 0, 1])),
            **extra,
        ).replace(
            drift=data.draw(st.sampled_from([Drift.HEAL] * 3 + [Drift.REPORT, Drift.IGNORE])),
            explicit=data.draw(st.sampled_from([False] * 4 + [True])),
        )

    def wait(self, data, name, condition):
        """A gate, now and then with a deadline, with a failure of its own, or following the other's lives."""
        return Wait(
            f"d/{name}",
            Condition(condition),
            data.draw(st.sampled_from([0, 0, 1])) if condition == "completed" else 0,
            on_broken=data.draw(st.sampled_from([OnBroken.HOLD, OnBroken.HOLD, OnBroken.FAIL])),
            deadline=data.draw(st.sampled_from([None, None, None, 0.5, 30.0])),
            keep=data.draw(st.sampled_from([None] * 4 + [Reaction.RESTART, Reaction.RESTART, Reaction.STOP])),
        )

    # ------------------------------------------------------------ what people do

    @rule(data=st.data(), name=names)
    def add_or_change(self, data, name):
        self.attempt(lambda: self.program.update({name: self.drawn(data, name)}))

    @rule(data=st.data())
    def add_or_change_a_whole(self, data):
        """One that is made of parts, each of which may fail, end badly or be stopped by itself."""
        explicit = data.draw(st.sampled_from([False] * 4 + [True]))
        named = PARTS[: data.draw(st.integers(1, 3))]
        parts = {n: self.drawn(data, f"d/{n}").replace(owner="d/w", explicit=explicit) for n in named}
        self.attempt(lambda: self.make(parts, explicit))

    def make(self, parts, explicit=False):
        """The whole of these parts, and no others."""
        own = resource("w", "whole", waits=[f"d/{n}" for n in parts])
        for name in PARTS:
            self.program.pop(name, None)
        whole = own.replace(properties={**own.properties, OUTPUTS: {}}, explicit=explicit)
        self.program |= {**parts, "w": whole}

    @with_whole
    @rule(number=st.integers(1, 3))
    def scale(self, number):
        """Another number of parts, each as the first is."""
        first = self.program[PARTS[0]]
        parts = {n: self.program.get(n) or _again(first, n) for n in PARTS[:number]}
        if self.attempt(lambda: self.make(parts, first.explicit)):
            self.asked.begin(self.engine, "scale", "ready", "d/w")

    @with_whole
    @rule()
    def remove_a_whole(self):
        self.attempt(lambda: [self.program.pop(n, None) for n in ("w", *PARTS)])

    @rule(name=steerable, image=st.integers(0, 3))
    def change_image(self, name, image):
        if name in self.program:
            old = self.program[name]
            self.attempt(
                lambda: self.program.update({name: old.replace(properties={**old.properties, "image": image})})
            )

    @rule(name=names, first=st.integers(0, 2))
    def make_anew_beside_the_old(self, name, first):
        if name in self.program:
            old = self.program[name]
            self.attempt(
                lambda: self.program.update({name: old.replace(properties={**old.properties, "first": first})})
            )

    @rule(name=names)
    def remove(self, name):
        self.attempt(lambda: self.program.pop(name, None))

    @rule(name=names)
    def remove_with_dependents(self, name):
        doomed = {name}
        while more := {n for n, r in self.program.items() if {u[2:] for u in r.properties["uses"]} & doomed} - doomed:
            doomed |= more
        self.attempt(lambda: [self.program.pop(n, None) for n in doomed])

    @rule(name=names)
    def drop_edges(self, name):
        if name in self.program:
            old = self.program[name]
            kept = {k: v for k, v in old.properties.items() if not k.startswith("port of")}
            kept["uses"] = []
            self.attempt(lambda: self.program.update({name: old.replace(waits=(), properties=kept)}))

    @rule(name=names)
    def drop_edges_and_what_they_led_to(self, name):
        """In one edit: the old wiring still stands while the thing it leads to is on its way out."""
        if name not in self.program:
            return
        old = self.program[name]
        kept = {k: v for k, v in old.properties.items() if not k.startswith("port of")}
        targets = [u[2:] for u in old.properties["uses"]]

        def change():
            self.program[name] = old.replace(waits=(), properties={**kept, "uses": []})
            for target in targets:
                self.program.pop(target, None)

        self.attempt(change)

    @rule()
    def remove_everything(self):
        self.attempt(self.program.clear)

    @rule()
    def deploy_again(self):
        self.deploy()

    @rule(name=steerable, command=st.sampled_from(Command))
    def command(self, name, command):
        """An operation, that is done once it is seen to be."""
        address = f"d/{name}"
        known = self.engine.model.find(address)
        old = known.token if known is not None and command is Command.RESTART else None
        try:
            self.engine.command(address, command)
        except UlnaError as error:
            assert error.diagnostics[0].code in ("ULN424", "ULN425")
        else:
            self.asked.begin(self.engine, str(command), WANTED.get(command, "ready"), address, old)

    @precondition(lambda self: not self.world.late)
    @rule()
    def an_operator_comes(self):
        """It was not there before; what is pinned to it waits, or stays with whoever holds it. It has at once what nobody had."""
        self.world.late.add("nomad")
        self.engine.register(FakeOperator(self.world, "nomad"))
        self.engine.pump()
        for entry in self.engine.state.entries.values():
            if nominate(entry.resource, self.world.late).operator == "nomad" and not entry.held and not entry.deleting:
                assert entry.operator == "nomad", entry

    @rule(name=names, code=st.sampled_from([0, 0, 1]))
    def launch_a_job(self, name, code):
        self.jobs += 1
        address = f"d/{name}/job{self.jobs}"
        try:
            job = resource(address, "job", [name], owner=f"d/{name}", exit=code)
            self.engine.launch(job)
        except UlnaError as error:
            assert error.diagnostics[0].code in ("ULN421", "ULN424")
        else:
            self.asked.begin(self.engine, "job", "completed", address, launched=(address,))

    @precondition(lambda self: self.jobs)
    @rule(number=st.integers(0, 3))
    def let_go_of_a_job(self, number):
        """Its time to live is over, or somebody has seen enough."""
        jobs = [a for a, e in self.engine.state.entries.items() if not e.declared and not e.deleting]
        if jobs:
            self.engine.edit(Batch("d", remove=(jobs[number % len(jobs)],)))

    # ------------------------------------------------------------ what the world does

    @rule(name=steerable, fault=st.sampled_from(["transient", "terminal", "lost answer", "late terminal", "bug"]))
    def fault(self, name, fault):
        self.world.faults.setdefault(f"d/{name}", []).append(fault)

    @somewhere
    @rule(number=st.integers(0, 5))
    def vanish(self, number):
        tokens = sorted(self.world.things)
        if tokens:
            self.world.vanish(tokens[number % len(tokens)])

    @somewhere
    @rule(number=st.integers(0, 5), image=st.integers(0, 3))
    def tamper(self, number, image):
        """Somebody else changes what is there, where an operator sees it."""
        seen = {o.name for o in operators(self.world) if not getattr(o, "opaque", False)}
        tokens = sorted(t for t, x in self.world.things.items() if x.ends_at is None and x.made_by in seen)
        if tokens:
            thing = self.world.things[tokens[number % len(tokens)]]
            thing.properties["image"] = image
            self.asked.touched.add(thing.token)
            self.engine._want(thing.address)

    @somewhere
    @rule(number=st.integers(0, 5), seconds=st.sampled_from([0.5, 4.0, 40.0]))
    def fall_ill(self, number, seconds):
        """It is not ready for a while, and then it is again."""
        if tokens := sorted(self.world.things):
            self.world.change(tokens[number % len(tokens)], ill_until=self.world.now + seconds)

    @somewhere
    @rule(number=st.integers(0, 5))
    def break_down(self, number):
        """It is there and will never do."""
        entries = self.engine.state.entries.values()
        tokens = sorted({e.token for e in entries if e.declared} & set(self.world.things))
        if tokens:
            self.world.change(tokens[number % len(tokens)], broken=True)

    @rule(seconds=st.sampled_from([0.01, 0.12, 0.35, 0.7, 3.0, 20.0]))
    def tick(self, seconds):
        self.run_for(seconds)

    def run_for(self, seconds):
        """Time passes; a zombie that notices ends."""
        end = self.world.now + seconds
        while True:
            try:
                self.world.run_for(max(0.0, end - self.world.now))
                return
            except Fenced:
                dead = [e for e in self.world.engines if e._dead is not None]
                assert dead
                assert self.engine not in dead, "the one with the lease was shut out"
                for engine in dead:
                    kill(self.world, engine, calls_die=False)

    @rule(calls_die=st.booleans())
    def crash(self, calls_die):
        kill(self.world, self.engine, calls_die)
        self.reboot()

    @rule()
    def takeover(self):
        """The old engine does not know yet that it lost the lease."""
        self.reboot()

    @rule()
    def snapshot(self):
        self.engine.log.snapshot(self.engine.state)

    # ------------------------------------------------------------ invariants

    @invariant()
    def operations_end_when_it_is_so(self):
        self.asked.judge(self.engine)
        self.asked.ended_once(self.shelf.events)

    @invariant()
    def the_world_has_no_complaint(self):
        assert not self.world.violations, self.world.violations

    @invariant()
    def the_log_is_the_truth(self):
        events = self.shelf.events
        for number in range(self.folded.seq, len(events)):
            assert events[number].seq == number + 1
            assert not number or events[number].writer >= events[number - 1].writer, "a fenced writer appended"
        self.folded = fold(events[self.folded.seq :], self.folded)
        assert self.folded == self.engine.state

    @invariant()
    def counters_never_go_back(self):
        for event in self.shelf.events[self.counted :]:
            if event.kind == "added":
                self.born[event.key] = event.seq
        self.counted = len(self.shelf.events)
        born = self.born
        for key, entry in self.engine.state.entries.items():
            now = (entry.epoch, entry.generation, entry.incarnation, entry.nonce)
            old = self.seen.get((key, born[key]), (0, 0, 0, 0))
            assert all(n >= o for n, o in zip(now, old, strict=True)), (key, old, now)
            assert entry.observed_generation <= entry.generation
            assert entry.applied_generation <= entry.generation
            assert entry.ready_incarnation <= entry.incarnation
            self.seen[key, born[key]] = now

    @invariant()
    def nothing_leaks(self):
        named = {e.token for e in self.engine.state.entries.values()}
        named |= {e.intent.token for e in self.engine.state.entries.values() if e.intent}
        named |= {e.retiring.token for e in self.engine.state.entries.values() if e.retiring}
        assert not set(self.world.things) - named, "things that nobody accounts for"

    @invariant()
    def the_graph_is_sound(self):
        entries = self.engine.state.entries
        edges = {k: list(e.resource.depends_on) for k, e in entries.items() if not e.deleting}
        for key, targets in edges.items():
            for target in targets:
                assert target in edges, f"{key} waits for {target}, which is not there"
        done: set[str] = set()

        def visit(key, path):
            assert key not in path, f"a cycle: {path} {key}"
            if key not in done:
                for target in edges[key]:
                    visit(target, [*path, key])
                done.add(key)

        for key in edges:
            visit(key, [])

    @invariant()
    def the_maker_is_the_owner(self):
        for entry in self.engine.state.entries.values():
            thing = self.world.things.get(entry.token or "")
            if thing is not None and entry.phase is Phase.RUNNING and entry.intent is None:
                assert thing.made_by == entry.operator

    @invariant()
    def no_secret_is_told(self):
        if self.shelf.events:
            assert PLANTED not in repr(self.shelf.events[-30:])
            assert PLANTED not in codec.state_text(self.engine.state)

    @invariant()
    def subscribers_see_the_same(self):
        self.view = fold(self.view_from.poll(), self.view)
        assert self.view == self.engine.state

    @invariant()
    def memory_is_bounded(self):
        known = len(self.engine.state.entries) + len(self.engine._passes)
        queue = self.engine.queue
        assert queue.dirty + queue.timers <= 2 * known + len(NAMES)
        assert len(queue._heap) <= 2 * queue.timers + 17

    # ------------------------------------------------------------ peace

    def teardown(self):
        try:
            if hasattr(self, "engine"):
                self.comes_to_rest()
        finally:
            self.shelf.close()

    def comes_to_rest(self):
        self.world.faults.clear()
        self.settle()
        self.deploy()  # what failed is tried again
        self.settle()
        broken, before = self.broken(), None
        while broken and broken != before:  # what was seen to be broken only then is made anew, and lets others be seen
            self.deploy()
            self.settle()
            broken, before = self.broken(), broken
        assert fold(self.shelf.events) == self.shelf.log().state() == self.engine.state
        for check in (
            self.operations_end_when_it_is_so,
            self.the_world_has_no_complaint,
            self.the_log_is_the_truth,
            self.nothing_leaks,
            self.the_graph_is_sound,
            self.the_maker_is_the_owner,
            self.no_secret_is_told,
            self.subscribers_see_the_same,
        ):
            check()
        self.everything_is_where_it_should_be()
        self.asked.nobody_waits_in_vain(self.engine)
        self.looking_again_changes_nothing()

    def broken(self):
        return {token for token, thing in self.world.things.items() if thing.broken}

    def settle(self):
        until = self.world.now + 500
        while self.world.now < until:
            self.run_for(5.0)
            if self.engine.queue.settled and not self.engine.queue.timers and not self.engine._passes:
                return
        raise AssertionError("it did not settle in 500 seconds")

    def everything_is_where_it_should_be(self):
        state = self.engine.state
        declared = {k[2:] for k, e in state.entries.items() if e.declared and not e.deleting}
        assert declared == set(self.program), (declared, set(self.program))
        for entry in state.entries.values():
            if entry.deleting:  # only what cannot be changed now may still lean on it as it is
                user = state.entries.get(self.engine.model.leaning(entry.address) or "")
                assert user is not None, f"{entry} never went away"
                assert user.deleting or not user.current, f"{entry} never went away"
                continue
            assert entry.intent is None, entry
            if entry.retiring is not None:  # what is not as it should be, or whose user is not, keeps what works
                user = self.engine.model.left_behind(entry.address)
                assert user is not None or not is_settled(entry), f"nobody uses what {entry} replaced"
            thing = self.world.things.get(entry.token or "")
            alone = entry.operator in ("values", "composite")
            nominee = nominate(entry.resource, self.world.late)
            if nominee.operator is None and not entry.held:
                assert entry.phase in (Phase.PENDING, Phase.STOPPED) and thing is None, entry
            elif nominee.operator is None:
                assert entry.reason or not entry.run
            elif not entry.run:
                assert entry.phase is Phase.STOPPED and thing is None, entry
            elif entry.token is None:
                wanted, unknown = self.engine.model.resolved(entry)
                waited = waited_since(entry, self.engine.runner.wall())
                verdict = gate_now(entry, self.engine.model, unknown)
                if entry.failed_at == (entry.generation, entry.nonce):
                    assert entry.phase is Phase.FAILED
                else:
                    assert not isinstance(verdict, Open), f"could run and does not: {entry}"
                    self.who_waits_for_a_whole_knows_its_parts(entry)
                    fails = isinstance(verdict, Broken) and verdict.fail
                    assert entry.phase is (Phase.FAILED if fails else Phase.WAITING), entry
                    closed = {r.address for r in getattr(verdict, "reasons", ())}
                    late = [
                        w
                        for w in entry.resource.waits
                        if w.deadline is not None and w.deadline <= waited and w.address in closed
                    ]
                    assert not late or isinstance(verdict, Broken), f"a deadline passed and nothing broke: {entry}"
            else:
                assert thing is not None or alone, entry
                assert entry.operator == nominee.operator
                wanted, unknown = self.engine.model.resolved(entry)
                verdict = gate_now(entry, self.engine.model, unknown)
                if unknown or not entry.current:  # it waits with what it has
                    assert isinstance(verdict, Closed | Broken), entry
                    continue
                if entry.operator == "composite" and not isinstance(verdict, Open):
                    assert not entry.ready, "it is ready, and not all of its parts are"
                    continue
                assert entry.phase in (Phase.RUNNING, Phase.EXITED), entry
                assert entry.phase is Phase.EXITED or entry.ready, entry
                assert is_settled(entry)
                if thing is not None and entry.resource.drift is Drift.HEAL and thing.properties != wanted.properties:
                    assert not isinstance(verdict, Open), (entry, thing.properties)  # it is put right through its gate
                    assert entry.reason, entry
                if thing is not None and isinstance(verdict, Open):
                    self.nobody_is_left_behind(entry)
                assert entry.applied.properties == {k: v for k, v in wanted.properties.items() if k != OUTPUTS}

    def who_waits_for_a_whole_knows_its_parts(self, entry):
        """What is not made yet and waits for one with a part that failed or ended badly, is held or fails for that."""
        for wait in entry.resource.waits:
            parts = [e for e in self.engine.state.entries.values() if e.resource.owner == wait.address and e.declared]
            badly = [e for e in parts if e.phase is Phase.FAILED or (e.phase is Phase.EXITED and e.exit_code)]
            if badly and wait.condition == "ready" and wait.on_broken is OnBroken.FAIL:
                assert entry.phase is Phase.FAILED, (entry, badly)

    def nobody_is_left_behind(self, entry):
        """Who follows another, and may be made anew, was made in the life that the other has now."""
        for wait in entry.resource.waits:
            lives = self.engine.model.lives(wait.address)
            moved = any(entry.met.get(address, life) != life for address, life in lives.items())
            if wait.keep is not None and moved:
                others = [self.engine.state.entries[address] for address in lives]
                well = all(o.token is not None and (o.ready or o.phase is Phase.EXITED) for o in others)
                assert not well, (entry, others)

    def looking_again_changes_nothing(self):
        before, mutations = len(self.shelf.events), self.world.mutations
        for key in self.engine.state.entries:
            self.engine._want(key)
        self.run_for(60.0)
        assert not self.engine._passes and self.engine.queue.settled
        assert self.shelf.events[before:] == []
        assert self.world.mutations == mutations


def in_order(resources):
    """Dependencies first, as far as there is an order."""
    left, out = {r.address: r for r in resources}, []
    while left:
        free = [a for a, r in left.items() if not set(r.properties["uses"]) & left.keys()] or list(left)
        out += [left.pop(a) for a in free]
    return out


def _again(part, name):
    """Another part like this one."""
    return part.replace(address=f"d/{name}", name=f"d/{name}", id=f"/fake/d/{name}")


def run(examples, steps=40, shelf=MemoryShelf, **more):
    """Run the machine so many times, with its log on such a shelf."""
    run_state_machine_as_test(
        lambda: Machine(shelf),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            **more,
        ),
    )


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else int(os.environ.get("ULNA_RUNS", "20000"))
    began = time.perf_counter()
    run(count)
    print(f"{count} runs of the machine, no complaint, {time.perf_counter() - began:.0f} s")
