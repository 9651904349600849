"""What an editor's answers cost: `python tests/benchmarks/bench_lsp.py [lines]`, on Linux.

Speaks to the real server over pipes, about one file of so many lines (1,000 by default). Each question is asked at twenty
places of the open file, when it was looked at before; then right after a key was pressed at each of them, the change
counted in. Times are milliseconds of the server's processor, so what else the machine does counts little.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "lsp"), str(Path(__file__).parent)]

from bench_parse import program  # noqa: E402
from client import Editor, replace  # noqa: E402

from engine.lsp.workspace import Workspace  # noqa: E402

HEAD = """\
extension radius
param environment string
param registry string
param tag string
param settings object
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'app'
  properties: {
    environment: environment
  }
}
"""
LIMIT = 50.0
"""What no answer may cost more than, after the first."""

TIMES = 20

QUESTIONS: dict[str, dict[str, Any]] = {
    "hover": {},
    "completion": {},
    "signatureHelp": {},
    "definition": {},
    "references": {"context": {"includeDeclaration": True}},
    "documentHighlight": {},
    "prepareRename": {},
    "rename": {"newName": "renamed"},
    "documentSymbol": {},
    "foldingRange": {},
    "semanticTokens/full": {},
    "codeAction": {"context": {"diagnostics": []}},
    "formatting": {"options": {"tabSize": 2, "insertSpaces": True}},
}


def spent(pid: int) -> float:
    """Milliseconds of processor time that all threads of a process have had."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def measured(pid: int, calls: Iterable[Callable[[], object]]) -> tuple[float, float]:
    """The least and the middle of what a process spends on each of some calls."""
    found = []
    for call in calls:
        before = spent(pid)
        call()
        found.append(spent(pid) - before)
    return min(found), statistics.median(found)


def slices(text: str) -> tuple[float, float]:
    """What it costs to look for all findings of a file, and the longest that others wait for their turn meanwhile."""
    files = Workspace()
    files.buffers.put("/bench.bicep", text)
    files.analysis("/bench.bicep").findings  # noqa: B018  the rules are loaded now
    whole, longest = [], []
    for _ in range(TIMES):
        files.buffers.put("/bench.bicep", text)
        steps, times, before = files.analysis("/bench.bicep").steps, [], process_time()
        for _ in steps:
            times.append(process_time() - before)
            before = process_time()
        whole.append(sum(times) * 1000)
        longest.append(max(times) * 1000)
    return statistics.median(whole), statistics.median(longest)


def main() -> None:
    """Measure and print; exits with 1 if an answer costs too much."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    text = HEAD + program(lines - HEAD.count("\n"))
    slow = False
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor(Path(folder))
        pid = editor.process.pid
        print(f"start: {spent(pid):.0f} ms")
        _, first = measured(pid, [lambda: (editor.open("bench.bicep", text), editor.told("bench.bicep"))])
        print(f"{text.count(chr(10))} lines opened, and their findings told: {first:.0f} ms")
        print(f"{'':22}{'least':>8}{'median':>8}{'after a key: least':>21}{'median':>8}")
        rows = text.split("\n")
        named = [(n, row.index("name")) for n, row in enumerate(rows) if "name" in row]
        places = named[:: max(1, len(named) // TIMES)][:TIMES]
        for question, more in QUESTIONS.items():

            def ask(place: tuple[int, int], question: str = question, more: dict[str, Any] = more) -> None:
                at = editor.at("bench.bicep", place[0], place[1] + 2)
                span = {"range": {"start": at["position"], "end": at["position"]}} if question == "codeAction" else {}
                editor.answer(f"textDocument/{question}", {**at, **more, **span})

            def type_and_ask(place: tuple[int, int], ask: Callable[[tuple[int, int]], None] = ask) -> None:
                editor.change("bench.bicep", replace((place[0], 0), (place[0], 0), " "))
                ask(place)

            ask(places[0])
            still = measured(pid, [lambda p=p: ask(p) for p in places])
            typed = measured(pid, [lambda p=p: type_and_ask(p) for p in places])
            slow = slow or max(still[1], typed[1]) > LIMIT
            print(f"{question:22}{still[0]:8.1f}{still[1]:8.1f}{typed[0]:21.1f}{typed[1]:8.1f}")
        editor.close()
    whole, longest = slices(text)
    print(f"findings, asked by nobody: {whole:.0f} ms more, of which nobody waits longer than {longest:.1f}")
    raise SystemExit(slow)


if __name__ == "__main__":
    main()
