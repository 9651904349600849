"""A run with many resources, looked at: how soon a change is seen, and what it costs to look.

python tests/benchmarks/bench_live.py [number of resources]

Milliseconds from the moment an event is written into the log to the moment a reader of the feed has it, and, where there is a
Chromium and the package playwright, to the frame in which the dashboard shows it; CPU of `ulna run` while nothing happens.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from graphs import bicep

from engine.live.client import Client, found

ULNA = Path(sys.executable).parent / "ulna"
CHANGES = 200
IDLE = 20.0
TICK = os.sysconf("SC_CLK_TCK")

SHOWN = """async () => {
  const { store } = await import("/scripts/store.js");
  window.found = [];
  let last = store.seq;
  store.listen(() => {
    const fresh = store.recent.filter(e => e.seq > last && e.resource);
    last = store.seq;
    // the table is drawn in the frame behind this one; what follows that has been painted
    requestAnimationFrame(() => requestAnimationFrame(() => fresh.forEach(e => found.push(Date.now() - e.time * 1000))));
  });
}"""


def told(title: str, values: list[float], unit: str = "ms") -> None:
    """A line of the table."""
    ordered = sorted(values)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(f"| {title} | {statistics.median(ordered):.0f} | {p95:.0f} | {ordered[-1]:.0f} | {unit} of {len(values)} |")


def cpu(pid: int) -> float:
    """Seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def idle(title: str, pid: int) -> None:
    """The share of a core that it uses while nothing happens."""
    time.sleep(3)
    before, begun = cpu(pid), time.monotonic()
    time.sleep(IDLE)
    print(f"| CPU {title} | {100 * (cpu(pid) - before) / (time.monotonic() - begun):.2f} % of a core |")


def stir(client: Client, names: list[str]) -> None:
    """Change one resource after the other, without hurry."""
    for _ in range(CHANGES):
        client.post("/api/command", {"name": random.choice(names), "verb": "restart"})
        time.sleep(0.03)


def follow(client: Client, after: int, into: list[float]) -> None:
    """Read the feed, and take down how late each event comes."""
    for item in client.stream("/api/events", after=after):
        if "resource" in item:
            into.append((time.time() - item["time"]) * 1000)


def look(entrance: str, client: Client, names: list[str], pid: int) -> None:
    """The same in a browser."""
    path = shutil.which("chromium")
    if path is None:
        print("(no chromium: the browser is left out)")
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-sync"],
        )
        page: Any = browser.new_page(viewport={"width": 1280, "height": 800})
        begun = time.monotonic()
        page.goto(entrance)
        page.locator("tr[data-address]").first.wait_for()
        print(f"| opening the dashboard | {(time.monotonic() - begun) * 1000:.0f} ms |")
        idle("with the dashboard open", pid)
        page.evaluate(SHOWN)
        stir(client, names)
        page.wait_for_timeout(1000)
        told("event to painted frame", page.evaluate("found"))
        browser.close()


def main(count: int) -> None:
    """The table."""
    folder = Path(tempfile.mkdtemp())
    (folder / "app.bicep").write_text(bicep(count))
    log = (folder / "out.jsonl").open("w")
    words = [ULNA, "run", "app.bicep", "--format", "json", "--no-watch"]
    run = subprocess.Popen(words, cwd=folder, stdout=log, stderr=subprocess.STDOUT)
    try:
        while (client := found(folder / ".ulna" / "default") or found(folder / ".ulna" / "global")) is None:
            assert run.poll() is None, (folder / "out.jsonl").read_text()
            time.sleep(0.2)
        state = client.get("/api/state")
        while any(r["state"] != "ready" for r in state["resources"]):
            time.sleep(1)
            state = client.get("/api/state")
        begun = time.perf_counter()
        size = len(json.dumps(client.get("/api/state")))
        print(
            f"{len(state['resources'])} resources; the state is {size / 1024:.0f} KB in {time.perf_counter() - begun:.2f} s\n"
        )
        idle("with nobody looking", run.pid)
        late: list[float] = []
        threading.Thread(target=follow, args=(client, state["seq"], late), daemon=True).start()
        idle("with one reader of the feed", run.pid)
        names = [r["address"] for r in state["resources"]]
        late.clear()
        stir(client, names)
        time.sleep(1)
        told("event to reader", late)
        address = client.address
        look(f"{address.url}?token={address.token}", client, names, run.pid)
    finally:
        run.send_signal(signal.SIGINT)
        run.wait(60)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
