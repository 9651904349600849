"""Whole commands, against `python -c pass` and against terraform, in one run.

python tests/benchmarks/bench_cli.py [--quick]      prints the tables of BENCHMARKS.md
"""

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median as median_of

sys.path.insert(0, str(Path(__file__).parent))

from graphs import bicep, terraform
from measure import Cost, median, once

ULNA = [str(Path(sys.executable).parent / "ulna")]
TERRAFORM = shutil.which("terraform")
QUICK = "--quick" in sys.argv


def start_up(root: Path) -> None:
    """What a fresh process costs, in units of an empty Python: the least and the median of runs in turn."""
    for lines in (100, 1000, 5000):
        (root / f"lines{lines}.bicep").write_text(typical(lines))
    (root / "ten.bicep").write_text(bicep(10))
    rows = [
        ("--help", ["--help"], "2.5"),
        ("version", ["version"], "2.5"),
        ("plan, 10 values", ["plan", "ten.bicep"], "7"),
        ("lint, 100 lines", ["lint", "lines100.bicep"], "4"),
        ("lint, 1000 lines", ["lint", "lines1000.bicep"], "7"),
        ("lint, 5000 lines", ["lint", "lines5000.bicep"], "20"),
        ("build, 1000 lines", ["build", "lines1000.bicep", "--stdout"], "8"),
    ]
    commands = [[sys.executable, "-I", "-c", "pass"], *(ULNA + arguments for _, arguments, _ in rows)]
    for command in commands:
        once(command, root)  # which keeps what later runs take from the cache
    empty, *costs = zip(*([once(c, root).cpu for c in commands] for _ in range(7 if QUICK else 15)), strict=True)
    print(f"P = {min(empty) * 1000:.1f} ms CPU\n\n| command | P, least | median | target |\n|---|---|---|---|")
    for (title, _, target), cost in zip(rows, costs, strict=True):
        print(f"| `{title}` | {min(cost) / min(empty):.1f} | {median_of(cost) / median_of(empty):.1f} | {target} |")


def folder(root: Path) -> None:
    """What a file costs where 500 of them are linted at once."""
    files = root / "five-hundred"
    files.mkdir()
    for n in range(500):
        (files / f"{n}.bicep").write_text(typical(100).replace("size", f"size{n}x"))
    print(f"\na folder of 500 files: {once([*ULNA, 'lint', str(files)], root).cpu * 2:.1f} ms CPU a file")


def typical(lines: int) -> str:
    """A file of about so many lines with parameters, variables, resources and outputs, all of them used."""
    blocks, n = [], 0
    while sum(b.count("\n") for b in blocks) < lines:
        size = f"@description('Size of group {n}.')\n@minValue(1)\nparam size{n} int = {n + 1}\n\n"
        blocks.append(
            (size if n < 250 else f"var size{n} = {n + 1}\n\n")  # a template may have 256 parameters
            + f"var label{n} = 'group-${{size{n}}}-{n}'\n\n"
            f"resource group{n} 'Ulna.Core/values@2026-12-01' = [\n  for i in range(0, size{n}): {{\n"
            f"    name: '${{label{n}}}-${{i}}'\n    properties: {{\n      input: {{\n"
            f"        label: toUpper(label{n})\n        place: i * 2\n        odd: i % 2 == 1 ? 'odd' : 'even'\n"
            f"      }}\n    }}\n  }}\n]\n\n"
        )
        if n < 60:  # a template may have 64 outputs
            blocks.append(f"output first{n} string = group{n}[0].properties.output.label\n\n")
        n += 1
    return "".join(blocks)


def graphs(root: Path) -> None:
    """The life of a graph of pure resources, beside terraform's."""
    for title, layers in (("independent", 1), ("5 layers", 5)):
        print(
            f"\n### {title}\n\n| N | step | CPU s | terraform | ratio | MB | terraform |\n|---|---|---|---|---|---|---|"
        )
        for n in (10, 100, 1000, 5000):
            peer = TERRAFORM if n <= (100 if QUICK else 1000) else None
            ours, theirs = life_of_ulna(root, n, layers), life_of_terraform(root, n, layers, peer)
            for step, cost in ours.items():
                other = theirs.get(step.removeprefix("first "))
                peers = f"{other.cpu:.2f} | {cost.cpu / other.cpu:.3f}" if other else "– | –"
                memory = f"{other.memory:.0f}" if other else "–"
                print(f"| {n} | {step} | {cost.cpu:.2f} | {peers} | {cost.memory:.0f} | {memory} |", flush=True)


def life_of_ulna(root: Path, n: int, layers: int) -> dict[str, Cost]:
    """Plan, apply, plan again, destroy."""
    folder = root / f"ulna-{n}-{layers}"
    folder.mkdir()
    (folder / "main.bicep").write_text(bicep(n, layers))
    state = ["--state", str(folder / ".ulna")]
    runs = 5 if n <= 100 else 3
    first = once([*ULNA, "plan", "main.bicep", *state], folder)  # compiles; later ones find the template kept
    return {
        "first plan": first,
        "plan": median([*ULNA, "plan", "main.bicep", *state], folder, runs),
        "apply": once([*ULNA, "deploy", "main.bicep", *state], folder),
        "no-op plan": median([*ULNA, "plan", "main.bicep", *state], folder, runs),
        "destroy": once([*ULNA, "destroy", "main.bicep", "--yes", *state], folder),
    }


def life_of_terraform(root: Path, n: int, layers: int, peer: str | None) -> dict[str, Cost]:
    """The same with terraform_data."""
    if peer is None:
        return {}
    folder = root / f"terraform-{n}-{layers}"
    folder.mkdir()
    (folder / "main.tf").write_text(terraform(n, layers))
    once([peer, "init", "-no-color"], folder)
    plan = [peer, "plan", "-no-color", "-lock=false"]
    return {
        "plan": median(plan, folder, 3),
        "apply": once([peer, "apply", "-auto-approve", "-no-color"], folder),
        "no-op plan": median(plan, folder, 3),
        "destroy": once([peer, "destroy", "-auto-approve", "-no-color"], folder),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        start_up(Path(name))
        folder(Path(name))
        graphs(Path(name))
