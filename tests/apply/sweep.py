"""The crash sweep: the process dies at every append and around every external call, once and twice; the end is always the same.

python tests/apply/sweep.py 2000      that many double crashes besides all single ones
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from world import Script, World, boot, kill, resource

from engine.apply.batch import edits
from engine.apply.edit import Command
from engine.diagnostics.diagnostic import UlnaError
from engine.state.fold import fold
from engine.state.memory import MemoryLog, Shelf


class Crash(BaseException):
    """The process is gone."""


class Plan:
    """When to die: (what is counted, the how-manieth, before or after it); the next one counts from there anew."""

    def __init__(self, *points):
        self.points = list(points)
        self.counts = {"append": 0, "call": 0}
        self.crashes = 0

    def passes(self, what):
        self.counts[what] += 1

    def strikes(self, what, when):
        if not self.points:
            return False
        kind, number, moment = self.points[0]
        if (kind, moment) != (what, when) or self.counts[what] != number:
            return False
        self.points.pop(0)
        self.counts = {"append": 0, "call": 0}
        self.crashes += 1
        return True


class CrashLog(MemoryLog):
    def __init__(self, shelf, plan):
        super().__init__(shelf)
        self.plan = plan

    def append(self, events):
        self.plan.passes("append")
        if self.plan.strikes("append", "before"):
            raise Crash
        super().append(events)
        if self.plan.strikes("append", "after"):
            raise Crash


class CrashScript(Script):
    def __init__(self, world, plan):
        super().__init__(world)
        self.plan = plan
        self.calls_die = True

    def before(self, task):
        if not self.dead:
            self.plan.passes("call")
            if self.plan.strikes("call", "before"):
                raise Crash

    def after(self, task):
        if not self.dead and self.plan.strikes("call", "after"):
            raise Crash


def deploy(*resources):
    return lambda engine: engine.edit(edits(resources, engine.state.entries, "d"))


def command(name, what):
    return lambda engine: engine.command(f"d/{name}", what)


DB, QUEUE = resource("db"), resource("q", "azure", emulator=True)
VALUE = resource("v", "value", image=1)
API = resource("api", "process", ["db", "q"], ["v"])
NEWER = resource("db", image=2)
OTHER = resource("q", "azure", emulator=False)
CHANGED = resource("v", "value", image=1, triggers=2)
WEB = resource("web", "process", [("db", "started")])
BESIDE, ANEW = resource("db", first=1), resource("db", first=2)
JOB = resource("api/load", "job", ["api"], owner="d/api").replace(address="d/api/load")

SCRIPT = [
    deploy(DB, QUEUE, VALUE, API),
    lambda engine: engine.launch(JOB),
    deploy(NEWER, QUEUE, VALUE, API),
    command("db", Command.RESTART),
    deploy(NEWER, OTHER, CHANGED, API),
    command("api", Command.STOP),
    command("api", Command.START),
    deploy(NEWER, OTHER, CHANGED, resource("api", "process", ["db"], ["v"], triggers=1)),
    deploy(NEWER, CHANGED, resource("api", "process", ["db"], ["v"], triggers=1)),
    deploy(NEWER, WEB),
    deploy(resource("db", "process", image=2), WEB),
    deploy(BESIDE, resource("api", "process", ["db"], ["db"])),
    deploy(ANEW, resource("api", "process", ["db"], ["db"])),
    deploy(ANEW.replace(properties={**ANEW.properties, "first": 3}), resource("api", "container", ["db"], ["db"])),
]


def run(plan, calls_die=True):
    """Play the script under a plan of crashes; what is left at the end, and the shelf."""
    world, shelf = World(), Shelf()

    def start():
        engine = boot(world, log=CrashLog(shelf, plan), script=CrashScript(world, plan), group=1)
        engine.runner.calls_die = calls_die
        return engine

    engine = start()
    for act in [*SCRIPT, None]:
        until = world.now
        while True:
            try:
                if act is not None:
                    act(engine)
                    act = None
                until = max(until, world.now + 30)
                world.run_for(until - world.now)
                assert engine.queue.settled and not engine._passes
                break
            except Crash:
                kill(world, engine, calls_die)
                engine = start()
            except UlnaError as error:
                # who sees a request fail sends it again; what was stored is not asked for twice
                assert error.diagnostics[0].code == "ULN420", error
                act = None
    assert fold(shelf.events) == engine.state
    entries = engine.state.entries
    end = {
        k: (e.phase, e.operator, e.ready, e.current, e.applied and e.applied.properties, e.exit_code, e.reason)
        for k, e in entries.items()
    }
    things = sorted((t.address, t.made_by, repr(t.properties)) for t in world.things.values())
    named = {e.token for e in entries.values()} | {e.retiring.token for e in entries.values() if e.retiring}
    return (end, things, sorted(set(world.things) - named), world.violations), plan


def sweep(doubles, every=1, seed=1):
    """All single crashes (or every so many of them) and some double ones; the plans, the crashes, and what ended wrong."""
    calm, counted = run(Plan())
    assert not calm[2] and not calm[3], calm
    appends, calls = counted.counts["append"], counted.counts["call"]
    points = [
        (w, n, m)
        for w, most in (("append", appends), ("call", calls))
        for n in range(1, most + 1)
        for m in ("before", "after")
    ]
    dice = random.Random(seed)
    plans = [([p], die) for p in points[dice.randrange(every) :: every] for die in (True, False)]
    for _ in range(doubles):
        second = (
            *dice.choice([("append", dice.randrange(1, 40)), ("call", dice.randrange(1, 30))]),
            dice.choice(["before", "after"]),
        )
        plans.append(([dice.choice(points), second], dice.random() < 0.5))
    wrong, crashes = [], 0
    for chosen, die in plans:
        got, plan = run(Plan(*chosen), die)
        crashes += plan.crashes
        if got != calm:
            wrong.append((chosen, die, got))
    return len(plans), crashes, wrong, calm


if __name__ == "__main__":
    began = time.perf_counter()
    count, crashes, wrong, calm = sweep(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
    for chosen, die, got in wrong[:5]:
        print("DIFFERS", chosen, "calls die" if die else "calls land")
        print("  expected", calm)
        print("  got     ", got)
    print(f"{count} crash plans, {crashes} crashes, {len(wrong)} wrong ends, {time.perf_counter() - began:.0f} s")
    sys.exit(bool(wrong))
