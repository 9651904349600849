"""What types as data cost: the same file linted with indexes of every size, and with none.

python tests/benchmarks/bench_types.py      prints the table of BENCHMARKS.md
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[2]))

from measure import median, once

ULNA = [str(Path(sys.executable).parent / "ulna")]
PROGRAM = "".join(
    f"resource a{n} 'Fake.Rp{n}/things{n}@2015-01-01' = {{\n  name: 'a{n}'\n  properties: {{\n    property7: 'x'\n  }}\n}}\n"
    for n in range(10)
)


def main() -> None:
    """One row a size: the first run makes the compact form of the index, later ones find it."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        os.environ["XDG_CACHE_HOME"] = str(root / "cache")
        (root / "main.bicep").write_text(PROGRAM)
        command = [*ULNA, "lint", "main.bicep", "--no-restore"]
        empty = median([sys.executable, "-I", "-c", "pass"], root, 15).cpu
        without = median(command, root, 9)
        print(
            f"P = {empty * 1000:.1f} ms CPU\n\n| types | index, MB | first, P | later, P | MB |\n|---|---|---|---|---|"
        )
        print(f"| none | – | – | {without.cpu / empty:.1f} | {without.memory:.0f} |", flush=True)
        for types in (10, 350, 3500):
            place = root / f"types{types}"
            # In a process of its own: what a parent holds counts as memory of its children.
            subprocess.run([sys.executable, __file__, str(types), str(place)], check=True)
            size = (place / "index.json").stat().st_size / 1e6
            first = once([*command, "--types", str(place)], root)
            later = median([*command, "--types", str(place)], root, 9)
            print(
                f"| {types * 10} | {size:.1f} | {first.cpu / empty:.1f} | {later.cpu / empty:.1f} | {later.memory:.0f} |",
                flush=True,
            )


def write(types: int, place: Path) -> None:
    """An index of so many types, each in ten versions."""
    from tests.types.described import large

    for name, text in large(types).items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        write(int(sys.argv[1]), Path(sys.argv[2]))
    else:
        main()
