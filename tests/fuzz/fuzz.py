"""Fuzz targets, one after the other, for a while each: `python -m tests.fuzz.fuzz TARGET,TARGET… SECONDS [FOLDER]`.

Inputs are made by atheris, guided by the branches they reach. Whatever a target raises is written to FOLDER/findings,
one input a place that raised, and the run goes on; a hang or a crash of the interpreter ends it. What has been found
interesting stays in FOLDER/corpus/TARGET, so that the next run begins where this one ended.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import traceback
from pathlib import Path
from typing import NoReturn

import atheris

# A record's `__init__` is a template's code with other names in it, which instrumented code does not survive.
with atheris.instrument_imports(include=["engine"], exclude=["engine.record"]):
    from tests.fuzz.targets import TARGETS

from tests.fuzz.seeds import LARGEST, dictionary, write

HANG, MEMORY = 60, 2048
"""Seconds and megabytes that no input may need."""


def place(error: BaseException) -> str:
    """The innermost place of ours that raised, as a file's name can hold it."""
    frames = [
        f for f in traceback.extract_tb(error.__traceback__) if "/engine/" in f.filename or "/fuzz/" in f.filename
    ]
    last = frames[-1]
    where = f"{type(error).__name__}-{Path(last.filename).stem}-{last.name}-{last.lineno}"
    if isinstance(error, RecursionError):
        return f"RecursionError-{Path(frames[len(frames) // 2].filename).stem}"
    return re.sub(r"[^\w.-]", "_", where)


def main(names: str, seconds: str, folder: str = "") -> int:
    """Each target in a process of its own, as atheris ends the one it runs in; the first exit code that is not 0.

    They are forked off, for what takes longest is to prepare the engine's code.
    """
    home, worst = Path(folder or tempfile.mkdtemp(prefix="ulna-fuzz-")), 0
    for name in names.split(","):
        if not (child := os.fork()):
            fuzz(name, seconds, home)
        worst = worst or os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return worst


def fuzz(name: str, seconds: str, home: Path) -> NoReturn:
    """Run until time is up."""
    kind, function = TARGETS[name]
    findings, corpus, seeds = home / "findings" / name, home / "corpus" / name, home / "seeds" / kind
    for each in (findings, corpus):
        each.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(seeds, ignore_errors=True)
    write(kind, seeds, 4 * int(seconds))
    words = home / "words.dict"
    words.write_text(dictionary(), encoding="utf-8")

    def one(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        try:
            function(text)
        except Exception as error:
            file = findings / place(error)
            if not file.exists() or file.stat().st_size > len(text.encode()):
                file.write_bytes(text.encode())
                print(f"FOUND {name}: {file.name}: {error!r:.200}", flush=True)

    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LARGEST}",
        f"-timeout={HANG}",
        f"-report_slow_units={HANG}",
        f"-rss_limit_mb={MEMORY}",
        f"-dict={words}",
        f"-artifact_prefix={findings}/",
        "-print_final_stats=1",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus), str(seeds)], one)
    atheris.Fuzz()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
