"""How long an editor waits: `python tests/benchmarks/bench_lsp.py [lines]`.

Speaks to the real server over pipes, about one file of so many lines (1,000 by default). Each question is asked at
several places of the open file, after it was analysed once; then after every one of a few keystrokes, when it has to
be analysed again. Times are in milliseconds, as the editor sees them.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "lsp"), str(Path(__file__).parent)]

from bench_parse import program  # noqa: E402
from client import Editor, replace  # noqa: E402

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
"""What no answer may take longer than, after the first."""

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


def timed(function: Callable[[], object]) -> float:
    """Milliseconds that a call takes."""
    start = perf_counter()
    function()
    return (perf_counter() - start) * 1000


def main() -> None:
    """Measure and print; exits with 1 if an answer took too long."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    text = HEAD + program(lines - HEAD.count("\n"))
    count = text.count("\n")
    slow = False
    with tempfile.TemporaryDirectory() as folder:
        started = perf_counter()
        editor = Editor(Path(folder))
        print(f"start: {(perf_counter() - started) * 1000:.0f} ms")
        editor.open("bench.bicep", text)
        first = timed(lambda: editor.ask("textDocument/hover", editor.at("bench.bicep", 1, 7)))
        print(f"first answer about {count} lines: {first:.1f} ms, findings among it")
        print(f"{'':22}{'median':>8}{'worst':>8}{'after a key':>13}")
        rows = text.split("\n")
        words = [(n, row.index("name")) for n, row in enumerate(rows) if "name" in row][:: max(1, count // 60)]
        for question, more in QUESTIONS.items():

            def ask(place: tuple[int, int], question: str = question, more: dict[str, Any] = more) -> None:
                at = editor.at("bench.bicep", place[0], place[1] + 2)
                span = {"range": {"start": at["position"], "end": at["position"]}} if question == "codeAction" else {}
                editor.answer(f"textDocument/{question}", {**at, **more, **span})

            ask(words[0])
            times = [timed(lambda place=place: ask(place)) for place in words]
            typed = []
            for place in words[:5]:
                editor.change("bench.bicep", replace((count, 0), (count, 0), "\n"))
                typed.append(timed(lambda place=place: ask(place)))
            slow = slow or statistics.median(times) > LIMIT
            median = statistics.median(times)
            print(f"{question:22}{median:8.1f}{max(times):8.1f}{statistics.median(typed):13.1f}")
        editor.close()
    raise SystemExit(slow)


if __name__ == "__main__":
    main()
