"""Figures of the engine alone, on `Ulna.Core/values` and a durable log: run it, it prints a table.

python tests/benchmarks/bench_engine.py [number of resources …]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from engine.apply.batch import edits
from engine.apply.engine import Engine
from engine.contract.resource import Resource, Wait
from engine.contract.value import Output, rewrite
from engine.render.native import Nomination
from engine.state.store import Store
from providers.core.values import ValuesOperator

LAYERS = 5


def graph(count: int, layers: int = LAYERS) -> list[Resource]:
    """Layers of equal width; each resource waits for two of the layer before, and reads one of them."""
    width = max(1, count // layers)
    resources = []
    for n in range(count):
        layer, place = divmod(n, width)
        address = f"bench/value[{n}]"
        before = [(layer - 1) * width + (place + k) % width for k in (0, 1)] if layer else []
        body = {"input": f"value {n}", "triggers": {}}
        if before:
            body["input"] = Output(f"bench/value[{before[0]}]", ("properties", "output"))
        waits = tuple(Wait(f"bench/value[{b}]") for b in dict.fromkeys(before))
        id = f"/planes/ulna/local/providers/Ulna.Core/values/value{n}"
        resources.append(
            Resource(address, "Ulna.Core/values", "2026-12-01", f"value{n}", id, {"properties": body}, waits)
        )
    return resources


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


def run(folder: Path, resources: list[Resource]) -> tuple[float, float, int, float]:
    """One deployment, from opening the store to closing it: wall seconds, CPU seconds, events, and wall seconds of settling."""
    wall, cpu = time.perf_counter(), time.process_time()
    engine = Engine(Store.open(folder).log("bench"), [ValuesOperator()], lambda r: Nomination("core"), resolve)
    engine.start()
    before = engine.state.seq
    engine.edit(edits(resources, engine.state.entries, "bench"))
    began = time.perf_counter()
    outcome = engine.settled()
    settling = time.perf_counter() - began
    assert outcome.ok and len(outcome.succeeded) == len(resources), outcome
    engine.close()
    return time.perf_counter() - wall, time.process_time() - cpu, engine.state.seq - before, settling


def measure(action: Callable[..., object], *arguments: object) -> float:
    """Wall seconds."""
    began = time.perf_counter()
    action(*arguments)
    return time.perf_counter() - began


def main() -> None:
    """Print the table."""
    counts = [int(a) for a in sys.argv[1:]] or [100, 1000, 5000]
    print(f"{'resources':>9} {'step':10} {'wall s':>8} {'cpu s':>8} {'events':>7} {'steps/s':>9}")
    for count in counts:
        with tempfile.TemporaryDirectory() as name:
            folder, resources = Path(name) / ".ulna", graph(count)
            for step, wanted in (("apply", resources), ("no-op", resources), ("destroy", [])):
                wall, cpu, events, settling = run(folder, wanted)
                print(f"{count:9} {step:10} {wall:8.3f} {cpu:8.3f} {events:7} {count / settling:9.0f}")
                if step == "apply":
                    store = Store.open(folder)
                    print(f"{count:9} {'open':10} {measure(store.read_only, 'bench'):8.3f}")


if __name__ == "__main__":
    main()
