"""Containers of a real Docker engine: how much of the time is Ulna's own CPU, and how many calls are in flight at most.

python tests/benchmarks/bench_docker.py [containers]      needs an engine (DOCKER_HOST) with the image localhost/busybox:1
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 100
ENVIRONMENT = """
resource bench 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'bench'
  properties: { compute: { kind: 'docker' } }
}
"""
APPLICATION = f"""
param environment string
param level string = 'info'
resource app 'Applications.Core/applications@2023-10-01-preview' = {{
  name: 'bench'
  properties: {{ environment: environment }}
}}
resource many 'Applications.Core/containers@2023-10-01-preview' = [for n in range(0, {COUNT}): {{
  name: 'many-${{n}}'
  properties: {{
    application: app.id
    container: {{
      image: 'localhost/busybox:1'
      command: ['sleep', '36000']
      env: {{ LEVEL: {{ value: level }} }}
    }}
    runtimes: {{ docker: {{ StopTimeout: 1, HostConfig: {{ Init: true }} }} }}
  }}
}}]
"""
COUNTING = """
import os, sys, threading
from requests import Session
lock, flying, most, calls, send = threading.Lock(), 0, 0, 0, Session.send
def counting(self, request, **more):
    global flying, most, calls
    with lock:
        flying += 1
        calls += 1
        most = max(most, flying)
        with open(os.environ["BENCH_CALLS"], "w") as out:
            out.write(f"{most} {calls}")
    try:
        return send(self, request, **more)
    finally:
        with lock:
            flying -= 1
Session.send = counting
from engine.cli.main import main
sys.exit(main())
"""


def step(folder: Path, *arguments: str) -> str:
    """One command: wall and CPU seconds, their ratio, the most calls at once, and all calls."""
    calls = folder / "calls"
    calls.write_text("0 0")
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run = subprocess.run(
        [sys.executable, "-c", COUNTING, *arguments],
        cwd=folder,
        env={**os.environ, "BENCH_CALLS": str(calls), "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    most, total = calls.read_text().split()
    return f"{wall:.1f} | {cpu:.2f} | {cpu / wall:.1%} | {most} | {total}"


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "env.bicep").write_text(ENVIRONMENT)
        (folder / "app.bicep").write_text(APPLICATION)
        step(folder, "deploy", "env.bicep")
        print(
            "| containers | step | wall s | CPU s | CPU of wall | calls at once | calls |\n|---|---|---|---|---|---|---|"
        )
        app = ("app.bicep", "-e", "bench")
        try:
            for title, arguments in (
                ("deploy", ("deploy", *app)),
                ("deploy, no change", ("deploy", *app)),
                ("replace all", ("deploy", *app, "-p", "level=debug")),
            ):
                print(f"| {COUNT} | {title} | {step(folder, *arguments)} |", flush=True)
        finally:
            print(f"| {COUNT} | destroy | {step(folder, 'destroy', *app, '--yes')} |")


if __name__ == "__main__":
    main()
