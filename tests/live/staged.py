"""A deployment that runs in this process, and files to run."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from engine.live.desk import Desk
from engine.live.host import Host
from engine.pipeline.request import Request
from engine.state.entry import Entry

PROGRAM = 'import os, time\\nprint("says", os.environ.get("WORD"), os.getpid())\\ntime.sleep(600)'

APP = """
extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
"""


def container(name: str, more: str = "", properties: str = "", program: str = PROGRAM) -> str:
    return f"""
resource {name} 'Applications.Core/containers@2023-10-01-preview' = {{
  name: '{name}'
  properties: {{
    application: app.id
    container: {{ image: 'none:1'{f", {more}" if more else ""} }}
    runtimes: {{ process: {{ command: 'python3', args: ['-u', '-c', '{program}'] }} }}
    {properties}
  }}
}}
"""


class Live:
    """A deployment that runs, and short words for what is asked of it."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        path.write_text(text)
        self.lines: list[tuple[str, str]] = []
        self.open()

    def open(self) -> None:
        self.host = Host(Request(str(self.path)), lines=lambda e, line: self.lines.append((str(e.resource.name), line)))
        self.host.start()
        self.desk = Desk(self.host)
        self.desk.open()

    def close(self, keep: bool = False) -> None:
        self.desk.close()
        self.host.stop(keep)
        self.host.wait(120)
        self.host.close()

    def entry(self, name: str) -> Entry:
        return self.desk.find(name)

    def until(self, holds: Callable[[], object], seconds: float = 120) -> None:
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, {e.address: (e.phase, e.reason) for e in self.host.entries()}
            assert self.host.failure is None, self.host.failure
            time.sleep(0.02)

    def ready(self, *names: str) -> None:
        self.until(lambda: all(self.entry(n).ready for n in names))
