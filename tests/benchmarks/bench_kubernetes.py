"""What it takes to plan many containers for compute kind `kubernetes`: the whole command, in seconds of CPU, without a cluster.

python tests/benchmarks/bench_kubernetes.py [number of containers …] [--profile]
"""

from __future__ import annotations

import cProfile
import os
import pstats
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ULNA = Path(sys.executable).parent / "ulna"
HEAD = """extension radius
resource kube 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'kube'
  properties: {
    compute: { kind: 'kubernetes', namespace: 'bench' }
  }
}
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: kube.id }
}
"""


def container(n: int) -> str:
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
    runtimes: {{ kubernetes: {{ pod: {{ terminationGracePeriodSeconds: 5 }} }} }}
  }}
}}
"""


def loop(count: int) -> str:
    """The same containers, written once."""
    text = (
        container(0)
        .replace("resource c0 ", "resource c ")
        .replace("'c0'", "'c${n}'")
        .replace("example/c0:", "example/c${n}:")
    )
    head, _, body = text.partition("= {")
    return f"{head}= [for n in range(0, {count}): {{{body.rstrip()}]\n"


def prepare(folder: Path, count: int, looped: bool = False) -> None:
    """The file: the environment is declared in it, so that nothing has to be there."""
    (folder / "app.bicep").write_text(HEAD + (loop(count) if looped else "".join(map(container, range(count)))))


def plan(folder: Path) -> float:
    """Seconds of CPU of one plan."""
    return spend([str(ULNA), "plan", "app.bicep"], folder)


def spend(words: list[str], folder: Path | None = None) -> float:
    """Seconds of CPU of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run.returncode == 0, run.stdout[-500:] + run.stderr[-2000:]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
    counts = [int(a) for a in sys.argv[1:] if a.isdigit()] or [100, 500]
    print("| containers | written | CPU s | P |\n|---|---|---|---|")
    for count, looped in [(c, looped) for c in counts for looped in (False, True)]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            prepare(folder, count, looped)
            plan(folder)  # fills the caches
            spent, start = (
                min(plan(folder) for _ in range(3)),
                min(spend([sys.executable, "-I", "-c", "pass"]) for _ in range(9)),
            )
            written = "in a loop" if looped else "one by one"
            print(f"| {count} | {written} | {spent:.2f} | {spent / start:.0f} |", flush=True)
            if "--profile" in sys.argv:
                profile(folder)


if __name__ == "__main__":
    main()
