"""What it takes to plan many containers for a compute kind: the whole command, in seconds of CPU, without a platform.

python tests/benchmarks/bench_containers.py [number of containers …] [compute kind …] [--profile]
"""

from __future__ import annotations

import cProfile
import os
import pstats
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

from measure import once

PLAN = [str(Path(sys.executable).parent / "ulna"), "plan", "app.bicep"]
AZURE = "azure: { scope: '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/bench' }"
AWS = "aws: { scope: '/planes/aws/aws/accounts/123456789012/regions/eu-west-1' }"
KINDS = {
    "kubernetes": ("compute: { kind: 'kubernetes', namespace: 'bench' }", "pod: { terminationGracePeriodSeconds: 5 }"),
    "docker": ("compute: { kind: 'docker' }", "HostConfig: { ShmSize: 1048576 }"),
    "ecs": (f"compute: {{ kind: 'ecs' }}\n    providers: {{ {AWS} }}", "service: { enableExecuteCommand: true }"),
    "aci": (f"compute: {{ kind: 'aci', location: 'westeurope' }}\n    providers: {{ {AZURE} }}", "osType: 'Linux'"),
}
"""For each compute kind the environment, and what a container patches."""


def head(kind: str) -> str:
    """The environment, declared in the file so that nothing has to be there, and the application."""
    return f"""extension radius
resource place 'Applications.Core/environments@2023-10-01-preview' = {{
  name: 'place'
  properties: {{
    {KINDS[kind][0]}
  }}
}}
resource app 'Applications.Core/applications@2023-10-01-preview' = {{
  name: 'shop'
  properties: {{ environment: place.id }}
}}
"""


def container(n: int, kind: str) -> str:
    """A container with what most have: variables, a port, a probe, a connection to the one before."""
    before = f"    connections: {{ before: {{ source: c{n - 1}.id }} }}\n" if n % 10 else ""
    return f"""resource c{n} 'Applications.Core/containers@2023-10-01-preview' = {{
  name: 'c{n}'
  properties: {{
    application: app.id
    container: {{
      image: 'ghcr.io/example/c{n}:1'
      env: {{ NAME: {{ value: 'c{n}' }}, LEVEL: {{ value: 'info' }} }}
      ports: {{ http: {{ containerPort: 8080, port: 80 }} }}
      readinessProbe: {{ kind: 'httpGet', containerPort: 8080, path: '/ok' }}
    }}
{before}    extensions: [ {{ kind: 'manualScaling', replicas: 2 }} ]
    runtimes: {{ {kind}: {{ {KINDS[kind][1]} }} }}
  }}
}}
"""


def loop(count: int, kind: str) -> str:
    """The same containers, written once."""
    text = (
        container(0, kind)
        .replace("resource c0 ", "resource c ")
        .replace("'c0'", "'c${n}'")
        .replace("example/c0:", "example/c${n}:")
    )
    head, _, body = text.partition("= {")
    return f"{head}= [for n in range(0, {count}): {{{body.rstrip()}]\n"


def prepare(folder: Path, kind: str, count: int, looped: bool = False) -> None:
    """The file."""
    many = loop(count, kind) if looped else "".join(container(n, kind) for n in range(count))
    (folder / "app.bicep").write_text(head(kind) + many)


def run(words: list[str], folder: Path) -> str:
    """What a command prints, which must succeed."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2000:]
    return done.stdout


def profile(folder: Path) -> None:
    """Where the time of one plan goes."""
    from engine.cli.main import main as command

    os.chdir(folder)
    profiler = cProfile.Profile()
    profiler.enable()
    command(["plan", "app.bicep", "--format", "json"])
    profiler.disable()
    pstats.Stats(profiler, stream=sys.stderr).sort_stats("tottime").print_stats(35)


def main() -> None:
    counts = [int(a) for a in sys.argv[1:] if a.isdigit()] or [500]
    kinds = [k for k in KINDS if k in sys.argv] or list(KINDS)
    print(
        "| kind | containers | written | resources | lines | CPU s | CPU s as JSON | P |\n|---|---|---|---|---|---|---|---|"
    )
    for kind, count, looped in product(kinds, counts, (False, True)):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            prepare(folder, kind, count, looped)
            text = run(PLAN, folder)  # fills the caches
            spent = min(once(PLAN, folder).cpu for _ in range(3))
            as_json = min(once([*PLAN, "--format", "json"], folder).cpu for _ in range(3))
            start = min(once([sys.executable, "-I", "-c", "pass"], folder).cpu for _ in range(9))
            created = text.rsplit("Resource changes: ", 1)[1].split()[0]
            written, lines = "in a loop" if looped else "one by one", text.count("\n")
            figures = f"{spent:.2f} | {as_json:.2f} | {spent / start:.0f}"
            print(f"| {kind} | {count} | {written} | {created} | {lines} | {figures} |", flush=True)
            if "--profile" in sys.argv:
                profile(folder)


if __name__ == "__main__":
    main()
