"""A server with its workers, as a team would have it, in a folder of its own."""

import os
import subprocess
import sys
import time
from pathlib import Path

from engine.pipeline.request import Request
from engine.server.address import read
from engine.server.bundle import bundle
from engine.server.client import Client
from tests.postgres import server

ULNA = [sys.executable, "-c", "from engine.cli.main import program; program()"]
PROVIDER = Path(__file__).with_name("ulna_journal.py")
ENVIRONMENTS = """
param count int
resource environment 'Applications.Core/environments@2023-10-01-preview' = [for n in range(0, count): {
  name: 'e${n}'
  properties: { compute: { kind: 'process' } }
}]
"""
PAGES = """
param text string = 'hello'
param seconds string = '0.2'
param until string = ''
@secure()
param token string = ''
param count int = 5
resource first 'Test.Journal/pages@2026-12-01' = {
  name: 'first'
  properties: { text: text, seconds: json(seconds) }
}
resource page 'Test.Journal/pages@2026-12-01' = [for n in range(0, count): {
  name: 'page-${n}'
  properties: { text: '${text} ${n}', seconds: json(seconds), until: until }
  dependsOn: [ first ]
}]
output said string = text
"""


class Team:
    """See the module; a context. `url` is that of a database, or None for a file."""

    def __init__(self, folder, url=None, workers=1):
        self.folder, self.url, self.workers = folder, url, workers
        self.state = folder / ".ulna"
        library = folder / "library"
        info = library / "ulna_journal-1.0.dist-info"
        info.mkdir(parents=True)
        (library / PROVIDER.name).write_text(PROVIDER.read_text())
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ulna-journal\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[ulna.providers]\njournal = ulna_journal:provider\n")
        (folder / "envs.bicep").write_text(ENVIRONMENTS)
        (folder / "pages.bicep").write_text(PAGES)
        self.environ = {k: v for k, v in os.environ.items() if not k.startswith("ULNA_")} | {
            "PYTHONPATH": f"{library}{os.pathsep}{Path(__file__).parents[2]}",
            "XDG_CACHE_HOME": str(folder / "cache"),
            "ULNA_DEBUG": "1",
        }
        if url:
            self.environ["ULNA_STATE"] = url
        self.log = folder / "server.log"
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self, *words):
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                [*ULNA, "server", "--workers", str(self.workers), *words],
                cwd=self.folder,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        self.until(lambda: self.process.poll() is not None or read(self.state))
        assert self.process.poll() is None, self.log.read_text()
        address = read(self.state)
        self.client = Client(address.url, address.token)

    def stop(self):
        self.process.terminate()
        self.process.wait(120)

    def ulna(self, *words, code=0):
        done = subprocess.run(
            [*ULNA, *words], cwd=self.folder, env=self.environ, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == code, (done.stdout, done.stderr)
        return done

    def submit(self, environment, *parameters, file="pages.bicep", name=None):
        request = Request(str(self.folder / file), environment, parameters=parameters, name=name)
        return self.client.submit(bundle(request)[1])["id"]

    def until(self, true, seconds=240):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := true():
                return found
            time.sleep(0.1)
        raise AssertionError(self.log.read_text())

    def ended(self, id):
        return self.until(lambda: (s := self.client.show(id))["state"] not in ("queued", "running") and s)

    def store(self):
        if self.url is None:
            from engine.state.store import Store

            return Store.open(self.state)
        from engine.state.postgres_store import PostgresStore

        return PostgresStore.at(self.url, self.state)


def database(schema):
    """A schema of the real database."""
    return f"{server()}?schema={schema}"
