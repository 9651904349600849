"""A model of many resources that is edited at random for a while: does everything settle, and does memory stay as it is?

python tests/live/soak.py SECONDS [RESOURCES] [SEED]      one line of JSON; the log is a real one, and somebody reads the feed
"""

from __future__ import annotations

import gc
import json
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "apply"))

from world import World, boot, resource

from engine.apply.batch import Batch, edits
from engine.apply.edit import Command
from engine.diagnostics.diagnostic import UlnaError
from engine.live import rows
from engine.state.event import Progress
from engine.state.store import Store

PAGE = 4096


class Soak:
    """One engine, and somebody who edits without end."""

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        self.count = count
        self.random = random.Random(seed)
        self.world = World()
        log = Store.open(folder).log("dev")
        log.shelf = log  # the world asks it who writes; what it knows of single events is for short stories
        self.world.audit = lambda engine, task: None
        self.engine = boot(self.world, log=log)
        self.read = self.told = self.rounds = self.jobs = 0
        self.deploy(self.model())

    def model(self):
        """The resources as they are whenever memory is measured: chains of ten."""
        waits = ([f"r{n - 1}"] if n % 10 else [] for n in range(self.count))
        return [resource(f"r{n}", self.kind(n), w) for n, w in enumerate(waits)]

    def kind(self, n: int) -> str:
        return ("container", "value", "process", "azure")[n % 4]

    def deploy(self, wanted) -> None:
        self.engine.edit(edits(wanted, self.engine.state.entries, "d"))
        self.settle()

    def settle(self) -> None:
        """Until nothing is to do, with somebody who reads along."""
        for _ in range(200):
            self.world.run_for(20.0)
            events = self.engine.feed.after(self.read)
            if events:
                self.read = events[-1].seq
                self.told += len(rows.changes(events, self.engine.model, self.engine.state.operations))
            self.engine._acted.clear()  # as `serve` does, which has no account to give
            self.engine._gone.clear()
            queue = self.engine.queue
            if queue.settled and not queue.timers and not self.engine._passes:
                return
        raise AssertionError("it did not settle")

    def round(self) -> None:
        """Some edits, commands and mishaps at once, and then peace."""
        chance, entries = self.random, self.engine.state.entries
        self.rounds += 1
        fresh = [resource(f"x{self.rounds}-{n}", self.kind(n)) for n in range(chance.randint(0, 20))]
        changed = [
            resource(f"r{n}", self.kind(n), image=chance.randint(0, 9), triggers=chance.randint(0, 1))
            for n in chance.sample(range(self.count), 20)
        ]
        self.engine.edit(Batch("d", add=tuple(fresh), change=tuple(r for r in changed if r.address in entries)))
        for address in chance.sample(sorted(entries), 10):
            command = chance.choice(list(Command))
            self.jobs += 1
            job = f"{address}/job{self.jobs}"
            try:
                self.engine.command(address, command)
                self.engine.launch(resource(job, "job", owner=address).replace(address=job))
            except UlnaError:
                continue
            begun = self.engine.operate(None, target=address, command=str(command), launched=(job,))
            self.engine.operate(begun.id, progress=Progress.SUCCEEDED)
        for token in chance.sample(sorted(self.world.things), min(5, len(self.world.things))):
            self.world.vanish(token)
        for address in chance.sample(sorted(entries), 5):
            self.world.faults.setdefault(address, []).append(chance.choice(["transient", "lost answer", "terminal"]))
        self.settle()
        gone = [a for a in self.engine.state.entries if a.startswith("d/x") or "/job" in a]
        self.engine.edit(Batch("d", remove=tuple(reversed(gone))))
        self.settle()

    def measure(self) -> dict[str, int]:
        """How much there is in memory once the model is what it always is then."""
        self.world.faults.clear()
        self.world.made.clear()
        self.world.taken.clear()
        for address, entry in list(self.engine.state.entries.items()):
            if not entry.run:
                self.engine.command(address, Command.START)
        self.deploy(self.model())
        self.deploy(self.model())  # what failed is tried again
        entries = self.engine.state.entries
        assert len(entries) == self.count
        assert all(e.ready for e in entries.values()), [
            (a, e.word, e.reason) for a, e in entries.items() if not e.ready
        ]
        assert not self.world.violations, self.world.violations[:3]
        assert self.told == self.engine.state.seq, "whoever reads along misses nothing"
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1]) if sys.platform == "linux" else 0
        return {"objects": len(gc.get_objects()), "kilobytes": pages * PAGE // 1024}


def main(seconds: float, count: int, seed: int) -> dict[str, object]:
    """The whole; a third of the time is for what may grow at first: the tail of the feed, the operations that are kept."""
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder), count, seed)
        begun = time.process_time()
        while time.process_time() - begun < seconds / 3 or soak.engine.state.seq < 12_000:
            soak.round()
        first = soak.measure()
        until = time.process_time() + seconds * 2 / 3
        before = soak.rounds
        while time.process_time() < until or soak.rounds < before + 20:
            soak.round()
        last = soak.measure()
        soak.engine.close()
        return {"rounds": soak.rounds, "events": soak.told, "first": first, "last": last}


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]] + [10.0, 1000, 1][len(sys.argv) - 1 :]
    print(json.dumps(main(given[0], int(given[1]), int(given[2]))))
