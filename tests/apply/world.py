"""The outside, faked: things with a life of their own on a clock that jumps, and an oracle that trusts no engine.

Calls take time in two parts: until they land, and until their answer is back. Between the two, everything may happen.
"""

from __future__ import annotations

import copy
import heapq
from collections.abc import Callable

from engine.apply.effects import Create, Delete, MakeReady, Observe, Release, Retire
from engine.apply.effects import Update as UpdateCall
from engine.apply.engine import Engine
from engine.apply.runner import Task
from engine.contract.errors import Terminal, Transient, Unreachable
from engine.contract.operator import Health, Keep, Observed, Order, Replace, Same, Update
from engine.contract.resource import Condition, Resource, Wait
from engine.contract.value import Output, Secret, rewrite
from engine.render.native import Nomination
from engine.state.memory import MemoryLog, Shelf
from engine.state.owner import Owner, host_name

PLANTED = "correct-horse-battery"
NOBODY = Owner(host_name(), 2**30, "", "")
"""A process that is not there: whoever comes next may have its lease at once."""
READY_AFTER = 2.0
JOB_TAKES = 5.0


class Thing:
    """One external object."""

    def __init__(self, token, resource, made_by, now):
        self.token = token
        self.address = resource.address
        self.properties = copy.deepcopy(resource.properties)
        self.uses = frozenset(resource.properties.get("uses", ()))
        self.made_by = made_by
        self.ready_at = now + resource.properties.get("slow", 0.0 if resource.type == "Fake/process" else READY_AFTER)
        self.ends_at = now + JOB_TAKES if resource.type == "Fake/job" else None
        self.port = 1000 + len(token) + (100 * int(token.rpartition("#")[2]) if "first" in resource.properties else 0)
        self.updates = 0
        self.ill_until = 0.0
        self.broken = False

    def health(self, now):
        if self.broken:
            return Health.FAILED
        if self.ready_at > now:
            return Health.STARTING
        return Health.NOT_READY if self.ill_until > now else Health.READY


class World:
    def __init__(self):
        self.now = 0.0
        self.things: dict[str, Thing] = {}
        self.faults: dict[str, list[str]] = {}
        self.made: set[str] = set()
        self.violations: list[str] = []
        self.mutations = 0
        self.fence = 0
        self.engines: list[Engine] = []
        self.late: set[str] = set()
        """Operators that were registered while an engine ran."""
        self.taken: dict[str, Thing] = {}
        """What vanished, as it was."""
        self.meant: dict[tuple[int, str], bool] = {}
        """By writer and token of a deletion that was let out, whether it was for good."""
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    # ------------------------------------------------------------ time

    def at(self, moment, action):
        self._count += 1
        heapq.heappush(self._events, (moment, self._count, action))

    def run_for(self, seconds, until=None):
        """Let time pass; engines do what they can at every moment in between."""
        end = self.now + seconds
        rounds = 0
        while True:
            rounds += 1
            assert rounds < 20_000, "it runs in circles"
            self.pump()
            if until is not None and until():
                return
            times = [
                t
                for t in (
                    *(e.queue.due() for e in self.engines if not e._stage),
                    self._events[0][0] if self._events else None,
                )
                if t is not None
            ]
            if not times or min(times) > end:
                self.now = end
                return
            self.now = max(self.now, min(times))
            while self._events and self._events[0][0] <= self.now:
                heapq.heappop(self._events)[2]()

    def pump(self):
        for engine in list(self.engines):
            engine.pump()

    # ------------------------------------------------------------ what operators do

    def check(self, fence):
        if fence < self.fence:
            raise Transient("an older writer is shut out")
        self.fence = fence

    def see(self, token, opaque=False):
        thing = self.things.get(token)
        if thing is None:
            return None
        ended = thing.ends_at is not None and thing.ends_at <= self.now
        well_at = max(thing.ready_at, thing.ill_until)
        ready = well_at <= self.now
        waiting = None if ready else min(5.0, well_at - self.now)
        if thing.ends_at is not None and not ended:
            waiting = max(0.1, min(thing.ends_at - self.now, waiting or JOB_TAKES))
        return Observed(
            thing.token,
            thing.token,
            {} if opaque else copy.deepcopy(thing.properties),
            {"port": thing.port, "image": thing.properties.get("image")},
            thing.health(self.now),
            exit_code=thing.properties.get("exit", 0) if ended else None,
            look_again=waiting,
        )

    def fault(self, address):
        waiting = self.faults.get(address)
        return waiting.pop(0) if waiting else ""

    def create(self, resource, token, name, call):
        self.check(call.fence)
        fault = self.fault(resource.address)
        self._before(fault, resource)
        if token not in self.things:
            twins = [t.token for t in self.things.values() if t.address == resource.address]
            known = self.entry(resource.address)
            retiring = known.retiring.token if known is not None and known.retiring is not None else None
            if twins and twins != [retiring]:
                self.violations.append(f"{token} was created beside {twins}")
            self.things[token] = Thing(token, resource, name, self.now)
            self.made.add(resource.address)
            self.mutations += 1
        self._after(fault)

    def update(self, resource, token, call):
        self.check(call.fence)
        fault = self.fault(resource.address)
        self._before(fault, resource)
        thing = self.things.get(token)
        if thing is None:
            raise Transient("it vanished under the update")
        if thing.properties != resource.properties:
            self.mutations += 1
        thing.properties = copy.deepcopy(resource.properties)
        thing.uses = frozenset(resource.properties.get("uses", ()))
        thing.updates += 1
        self._after(fault)

    def entry(self, address):
        """What the engine that holds the lease knows of an address."""
        for engine in self.engines:
            if engine.log.writer == engine.log.shelf.writer:
                return engine.state.entries.get(address)
        return None

    def is_final(self, address):
        """Whether the engine that holds the lease means to be rid of it for good."""
        known = self.entry(address)
        return known is not None and known.deleting

    def retire(self, thing):
        """The old one goes for good: is the new one there, and does nobody live on what the old one told?"""
        known = self.entry(thing.address)
        if (
            known is None
            or known.deleting
            or not known.run
            or nominate(known.resource, self.late).operator != known.operator
        ):
            return  # then both go
        newer = self.things.get(known.token or "")
        if newer is None or newer is thing or newer.ready_at > self.now:
            self.violations.append(f"{thing.token} was deleted before another was in its place")
        for user in self.things.values():
            if user is not thing and user.properties.get(f"port of {thing.address[2:]}") == thing.port:
                self.violations.append(f"{thing.token} was deleted under {user.token}, which still uses it")

    def delete(self, resource, token, call):
        """What is out is judged by what it was meant for when it was let out: an edit that comes later cannot call it back.

        Where nobody audits what is let out, nothing is edited meanwhile.
        """
        final = self.meant.pop((call.fence, token), None)
        final = self.is_final(resource.address) if final is None else final
        self.check(call.fence)
        fault = self.fault(resource.address)
        self._before(fault, resource)
        thing = self.things.get(token)
        if thing is not None:
            users = [t.token for t in self.things.values() if thing.address in t.uses and t is not thing]
            if final and users:  # only for good may nothing lean on it
                self.violations.append(f"{token} was deleted under {users}")
            known = self.entry(resource.address)
            if known is not None and known.retiring is not None and known.retiring.token == token:
                self.retire(thing)
            del self.things[token]
            self.mutations += 1
        self._after(fault)

    def _before(self, fault, resource):
        told = PLANTED if "key" in resource.properties else "it"
        if fault == "transient":
            raise Transient(f"try {told} later")
        if fault == "nobody":
            raise Unreachable("the engine cannot be reached", "Start it.")
        if fault == "terminal":
            raise Terminal(f"no such image for {told}")
        if fault == "bug":
            raise ZeroDivisionError(told)

    def _after(self, fault):
        if fault == "lost answer":
            raise Transient("the answer was lost")
        if fault == "late terminal":  # it exists, and the operator says it will never do
            raise Terminal("came up broken")

    def change(self, token, **what):
        """Something happens to a thing, and whoever listens is told."""
        thing = self.things[token]
        for name, value in what.items():
            setattr(thing, name, value)
        for engine in self.engines:
            engine._want(thing.address)

    def vanish(self, token):
        thing = self.things.pop(token, None)
        if thing is not None:
            self.taken[token] = thing
            for engine in self.engines:
                engine._want(thing.address)

    # ------------------------------------------------------------ the oracle

    def audit(self, engine, task):
        """At the moment a create is let out: is what it leans on really there? Asked of the world, not of the gate."""
        if isinstance(task.effect, Delete | Retire):
            self.meant[engine.log.writer, task.effect.token] = self.is_final(task.key)
        if not isinstance(task.effect, Create) or engine.log.writer != engine.log.shelf.writer:
            return
        entry = engine.state.entries[task.key]
        told = (e.data["intent"] for e in reversed(engine.log.shelf.events) if e.key == task.key and "intent" in e.data)
        intent = next(told, None)
        if intent is None or intent.token != task.effect.token:
            self.violations.append(f"{task.key} is made before the log knows")
        if not self._was_asked_for(engine, entry):
            self.violations.append(f"{task.key} is made, and nobody asked for that")
        if entry.forced == entry.incarnation:
            return
        for wait in task.effect.resource.waits:
            seen = engine.state.entries.get(wait.address)
            if seen is None or seen.operator in ("values", "composite"):
                begun = wait.condition is Condition.STARTED and self._parts_are_there(engine, wait.address)
                if seen is None or (seen.token is None and not begun):
                    self.violations.append(f"{task.key} starts without {wait.address}")
                continue
            if wait.address not in self.made:
                self.violations.append(f"{task.key} starts before {wait.address} ever was")
            for thing in self.things.values():
                if thing.address != wait.address:
                    continue
                if wait.condition is Condition.READY and thing.ready_at > self.now:
                    self.violations.append(f"{task.key} starts on {thing.token}, which is not ready")
                if wait.condition is Condition.COMPLETED:
                    if thing.ends_at is None or thing.ends_at > self.now:
                        self.violations.append(f"{task.key} starts on {thing.token}, which is not completed")
                    elif thing.properties.get("exit", 0) != wait.exit_code:
                        self.violations.append(f"{task.key} starts on {thing.token}, which ended otherwise")

    def _was_asked_for(self, engine, entry):
        """Whether people want it to run: by the last word of the log, for what is explicit once somebody said so."""
        runs = explicit = True
        for event in engine.log.shelf.events:
            if event.key != entry.address:
                continue
            if event.kind == "added":
                explicit = event.data["resource"].explicit
                runs = not explicit or event.data["resource"].owner is not None  # a part runs when its whole does
            elif event.kind == "spec" and "resource" in event.data:
                runs = runs or (explicit and not event.data["resource"].explicit)
                explicit = event.data["resource"].explicit
            elif event.kind == "desired":
                runs = event.data.get("run", runs)
        return runs

    def _parts_are_there(self, engine, whole):
        there = {t.address for t in self.things.values()}
        parts = [e for e in engine.state.entries.values() if e.resource.owner == whole]
        return bool(parts) and all(e.address in there or e.token is not None for e in parts)


DELAYS = {
    Observe: (0.05, 0.0),
    MakeReady: (0.1, 0.1),
    Create: (0.3, 0.3),
    UpdateCall: (0.2, 0.2),
    Delete: (0.2, 0.2),
    Retire: (0.2, 0.2),
    Release: (0.2, 0.2),
}


class Script:
    """The runner of one engine in the world."""

    def __init__(self, world):
        self.world = world
        self.engine = None
        self.dead = False
        self.calls_die = False
        self.flying: dict[str, Task] = {}
        self._answers: list[Task] = []

    def now(self):
        return self.world.now

    def wall(self):
        return self.world.now

    def submit(self, task):
        if task.key in self.flying:
            self.world.violations.append(f"two passes of {task.key}")
        self.flying[task.key] = task
        self.world.audit(self.engine, task)
        landing, back = DELAYS[type(task.effect)]

        def land():
            if self.dead and self.calls_die:
                return
            self.before(task)
            if self.dead and self.calls_die:
                return
            task.run()
            self.after(task)
            self.world.at(self.world.now + back, answer)

        def answer():
            if not self.dead:
                self.flying.pop(task.key, None)
                self._answers.append(task)

        self.world.at(self.world.now + landing, land)

    def before(self, task):
        """Just before a call lands."""

    def after(self, task):
        """Just after."""

    def answers(self):
        answers, self._answers = self._answers, []
        return answers

    def wait(self, timeout):
        raise AssertionError("nobody sleeps in a scripted world")

    def wake(self):
        pass

    def close(self):
        pass


# ---------------------------------------------------------------- operators


class FakeOperator:
    """Drives things of some kinds; what is in `triggers` or `first` forces a new one, the rest changes in place."""

    effects = True

    def __init__(self, world, name, opaque=False):
        self.world, self.name = world, name
        self.opaque = opaque
        """Whether it cannot read back what a thing was made with, so that only the log knows."""

    def bid(self, resource, view):
        raise AssertionError("nominations come from elsewhere")

    def render(self, resource, view):
        return Keep()

    def outputs(self, resource):
        return {}

    def diff(self, resource, applied, observed):
        have = applied.properties if applied is not None and (self.opaque or observed is None) else None
        if observed is not None and not self.opaque:
            have = observed.properties
        if have == resource.properties:
            return Same()
        if have is not None and have.get("triggers") != resource.properties.get("triggers"):
            return Replace(("triggers",), "the triggers changed")
        if have is not None and have.get("first") != resource.properties.get("first"):
            return Replace(("first",), "", Order.CREATE_FIRST)
        return Update()

    def observe(self, resource, token, call):
        self.world.check(call.fence)
        return self.world.see(token, self.opaque)

    def make_ready(self, resource, call):
        if resource.properties.get("unready"):
            raise Terminal("there is no such image")

    def create(self, resource, token, call):
        _reveal(resource, call)
        self.world.create(resource, token, self.name, call)
        return self.world.see(token, self.opaque)

    def update(self, resource, token, observed, call):
        _reveal(resource, call)
        self.world.update(resource, token, call)
        return self.world.see(token, self.opaque)

    def delete(self, resource, token, call):
        _reveal(resource, call)
        self.world.delete(resource, token, call)


class FakeValues:
    """Lives in the log alone."""

    name = "values"
    effects = False

    def __init__(self):
        self.calls = 0

    def render(self, resource, view):
        return Keep()

    def bid(self, resource, view):
        return None

    def outputs(self, resource):
        return {}

    def diff(self, resource, applied, observed):
        assert observed is None
        if applied is not None and applied.properties.get("triggers") != resource.properties.get("triggers"):
            return Replace(("triggers",), "the triggers changed")
        return Same() if applied is not None and applied.properties == resource.properties else Update()

    def observe(self, resource, token, call):
        raise AssertionError("what has no effect is not observed")

    def create(self, resource, token, call):
        self.calls += 1
        return Observed(token, token, resource.properties, {"image": resource.properties.get("image"), "port": 1})

    def update(self, resource, token, observed, call):
        return self.create(resource, token, call)

    def delete(self, resource, token, call):
        self.calls += 1


def _reveal(resource, call):
    for value in resource.properties.values():
        if isinstance(value, Secret):
            call.reveal(value)


class FakeVault:
    def seal(self, value, name):
        return Secret(name, "digest")

    def open(self, secret):
        return PLANTED


def operators(world):
    return [
        *(FakeOperator(world, name) for name in sorted(world.late)),
        FakeOperator(world, "container"),
        FakeOperator(world, "process", opaque=True),
        FakeOperator(world, "azure"),
        FakeOperator(world, "podman"),
        FakeValues(),
    ]


_KINDS = {"container": "container", "job": "container", "process": "process", "azure": "azure", "value": "values"}
_KINDS["whole"] = "composite"
_KINDS["exotic"] = "nomad"


def nominate(resource, late=()):
    """Bids as a table: pins beat all, `ambiguous` is a tie, an azure resource with `emulator` is handed off; `late` came later."""
    if resource.pin is not None:
        known = resource.pin in ("podman", "container", "process", *late)
        return Nomination(resource.pin) if known else Nomination(None, f"no operator '{resource.pin}'")
    kind = resource.type.partition("/")[2]
    if kind == "ambiguous":
        return Nomination(None, "two operators bid the same")
    if kind == "azure" and resource.properties.get("emulator"):
        return Nomination("container", hops=("azure",))
    if kind == "exotic" and "nomad" not in late:
        return Nomination(None, "nobody serves that")
    return Nomination(_KINDS[kind])


def resolve(value, known):
    """What `expand` does, for plain outputs."""

    def leaf(item):
        if not isinstance(item, Output):
            return item
        found = known[item.address]
        for key in item.path:
            found = found[key]
        return found

    return rewrite(value, leaf)


# ---------------------------------------------------------------- building things


def resource(name, kind="container", waits=(), reads=(), pin=None, owner=None, deployment="d", **properties):
    """A resource `d/name`; `waits` are names, (name, condition) or whole `Wait`s, `reads` names whose port it reads."""
    conditions = tuple(w if isinstance(w, Wait) else _wait(w, deployment) for w in waits)
    uses = sorted({w.address for w in conditions} | {_address(n, deployment) for n in reads})
    body = {"uses": uses, **properties}
    for n in reads:
        body[f"port of {n}"] = Output(_address(n, deployment), ("properties", "port"))
    address = _address(name, deployment)
    return Resource(address, f"Fake/{kind}", "1", name, f"/fake/{name}", body, conditions, pin=pin, owner=owner)


def _wait(wait, deployment):
    name, condition = wait if isinstance(wait, tuple) else (wait, "ready")
    return Wait(_address(name, deployment), Condition(condition))


def _address(name, deployment):
    return name if "/" in name else f"{deployment}/{name}"


def boot(world, shelf=None, log=None, script=None, **options):
    """An engine in the world, on a log that others may share."""
    log = log or MemoryLog(shelf or Shelf())
    runner = script or Script(world)
    engine = Engine(
        log,
        operators(world),
        lambda wanted: nominate(wanted, world.late),
        resolve,
        runner=runner,
        vault=FakeVault(),
        random=lambda: 1.0,
        **options,
    )
    runner.engine = engine
    engine.start(owner=NOBODY)
    world.engines.append(engine)
    return engine


def kill(world, engine, calls_die):
    """The process dies; what it had sent may still land."""
    engine.runner.dead = True
    engine.runner.calls_die = calls_die
    if engine in world.engines:
        world.engines.remove(engine)
