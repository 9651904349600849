"""The sample `emulator`: a cache of Azure is handed on to whoever runs things here, and the page that uses it notices nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from urllib.request import urlopen

import pytest

from tests.live.jobs import Folder, api, engine, program
from tests.live.postgres_image import provide_postgres
from tests.looking import nothing_new

pytestmark = pytest.mark.e2e
FILE = "emulator/app.bicep"
DATABASE = "emulator/database.bicep"
WORD = "a-word-that-is-told-nowhere"


@pytest.fixture(params=["process", "docker"])
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Folder, tuple[str, ...], str]]:
    kind, host, words = request.param, "", ()
    if kind == "docker":
        host = engine()
        words = ("-e", "docker", "-p", "redis=localhost/redis:7", "-p", "python=localhost/python:3")
    else:
        program("redis-server", "Debian's redis-server")
    folder = Folder(tmp_path, "emulator", host)
    if host:
        folder.ulna("deploy", "emulator/docker.bicep")
    yield folder, words, kind
    folder.ulna("destroy", "app", *words[:2], "--yes", code=None)
    assert not folder.left()


def fetch(url: str) -> str:
    with urlopen(url, timeout=30) as answer:
        return str(answer.read().decode())


def test_a_cache_of_azure_runs_here(sample):
    folder, words, kind = sample
    chain = f"azure → {kind}"
    assert chain in folder.ulna("plan", FILE, *words)
    folder.ulna("deploy", FILE, *words)
    status = folder.json("status", *words[:2])
    rows = {r["address"]: r for r in status["resources"]}
    assert rows["app/cache"]["hops"] == ["azure", kind] and rows["app/cache"]["state"] == "ready"
    assert chain in folder.ulna("status", *words[:2])
    (url,) = {e["url"] for e in status["endpoints"]}
    assert fetch(url) == "visit 1\n"
    assert fetch(url) == "visit 2\n"
    with nothing_new(folder.path):
        assert "no changes" in folder.ulna("deploy", FILE, *words)
    folder.ulna("destroy", "app", *words[:2], "--yes")
    assert not folder.left()


def test_without_the_tag_it_is_azures_again(sample):
    folder, words, _kind = sample
    shown = folder.ulna("plan", FILE, *words, "-p", "emulated=false", code=None)
    assert "handed on" not in shown and "cache-0" not in shown


@pytest.mark.parametrize("kind", ["process", "docker"])
def test_a_database_of_azure_runs_here(tmp_path, kind):
    program("psql", "Debian's postgresql-client")
    if not list(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        program("initdb", "Debian's postgresql")
    host = engine() if kind == "docker" else ""
    folder = Folder(tmp_path, "emulator", host)
    (tmp_path / "word").write_text(WORD)
    words: tuple[str, ...] = ("-p", "password=@word")
    where: tuple[str, ...] = ()
    if host:
        where = ("-e", "docker")
        words = (*words, *where, "-p", f"postgres={provide_postgres(api(host))}")
        folder.ulna("deploy", "emulator/docker.bicep")
    try:
        assert f"azure → {kind}" in folder.ulna("plan", DATABASE, *words)
        folder.ulna("deploy", DATABASE, *words)
        rows = {r["address"]: r for r in folder.json("status", *where)["resources"]}
        assert rows["database/server"]["hops"] == ["azure", kind] and rows["database/server"]["state"] == "ready"
        assert "2 | ada" in folder.ulna("logs", "migrate", *where)
        with nothing_new(folder.path):
            assert "no changes" in folder.ulna("deploy", DATABASE, *words)
        kept = b"".join(f.read_bytes() for f in (tmp_path / ".ulna").rglob("*") if f.is_file())
        assert WORD.encode() not in kept
    finally:
        folder.ulna("destroy", "database", *where, "--yes", code=None)
    assert "database/" not in folder.ulna("status", *where) and not folder.left()
    homes = Path(gettempdir()).glob(f"ulna-postgres-{os.getuid()}-*")
    assert not [d for d in homes if alive(d.name.rpartition("-")[2])]


def alive(pid: str) -> bool:
    return Path(f"/proc/{pid}").exists()
