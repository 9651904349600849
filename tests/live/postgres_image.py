"""An image with the PostgreSQL of this machine, which is begun as the official one is: POSTGRES_USER, POSTGRES_PASSWORD, port 5432."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.live.jobs import built

POSTGRES = "localhost/postgres:1"
BEGIN = """#!/bin/sh
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/word
  initdb -U "${POSTGRES_USER:-postgres}" --pwfile /tmp/word -A scram-sha-256 --no-locale -E UTF8 >/dev/null
  rm /tmp/word
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/tmp -c fsync=off
"""


def provide_postgres(client: Any) -> str:
    """The name of the image, which is built where it is not there; skips where there is no PostgreSQL to build it of."""
    if client.images(name=POSTGRES):
        return POSTGRES
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not homes:
        pytest.skip("initdb is not installed (Debian's postgresql)")
    home = homes[-1].parents[1]
    programs = [home / "bin" / name for name in ("initdb", "postgres", "psql")]
    modules = [m for m in (home / "lib").glob("*.so") if "llvm" not in m.name]
    shared = [Path("/usr/share/postgresql") / home.name, Path("/usr/share/zoneinfo/UTC")]
    file = (
        "FROM localhost/python:3\nCOPY root /\n"
        "RUN echo 'postgres:x:70:70::/tmp:/bin/sh' >>/etc/passwd && mkdir -p /data && chown 70:70 /data && chmod 1777 /tmp\n"
        f'ENV PATH={home}/bin:/usr/bin:/bin PGDATA=/data/pg\nUSER 70\nENTRYPOINT ["/begin"]\n'
    )
    files = (("Dockerfile", file.encode(), 0o644), ("root/begin", BEGIN.encode(), 0o755))
    paths = dict.fromkeys((*programs, *modules, *_libraries([*programs, *modules]), *filter(Path.exists, shared)))
    # /lib is a link there
    copies = ((path, f"root/usr/{str(path).removeprefix('/').removeprefix('usr/')}") for path in paths)
    return built(client, POSTGRES, files, copies)


def _libraries(files: list[Path]) -> list[Path]:
    """What they are linked with, but for what every program is."""
    found = subprocess.run(["ldd", *files], capture_output=True, text=True, check=False).stdout
    words = (line.split("=> ")[-1].split()[0] for line in found.splitlines() if "=> /" in line)
    return [Path(w) for w in dict.fromkeys(words) if not Path(w).name.startswith(("libc.", "libm.", "ld-"))]
