"""A provider for tests: `Test.Journal/pages`, files that take some `seconds` or wait `until` another is there, and a journal."""

import os
import time
from pathlib import Path

from engine.contract.difference import compare
from engine.contract.operator import Bid, Keep, Observed
from engine.contract.resource import body


class Pages:
    name = "journal"
    effects = True

    def __init__(self, folder):
        self.folder = folder

    def bid(self, resource, view):
        return Bid(100, "a page") if resource.type.lower() == "test.journal/pages" else None

    def render(self, resource, view):
        return Keep()

    def diff(self, resource, applied, observed):
        return compare(resource, applied, observed)

    def outputs(self, resource):
        return {}

    def observe(self, resource, token, call):
        try:
            text = self._file(token).read_text()
        except FileNotFoundError:
            return None
        timing = {k: v for k, v in body(resource).items() if k in ("seconds", "until")}
        return Observed(token, token, {"properties": {"text": text, **timing}}, {})

    def create(self, resource, token, call):
        wanted = body(resource)
        if wanted["text"] == "cannot":
            from engine.contract.errors import Terminal

            raise Terminal("it cannot be written")
        time.sleep(wanted.get("seconds", 0))
        while (sign := wanted.get("until")) and not Path(sign).exists():
            time.sleep(0.05)
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = self._file(token).with_suffix(f".{os.getpid()}")
        draft.write_text(wanted["text"])
        draft.replace(self._file(token))
        handle = os.open(self.folder / "journal", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(handle, f"{token}\n".encode())
        os.close(handle)
        return self.observe(resource, token, call)

    def update(self, resource, token, observed, call):
        return self.create(resource, token, call)

    def delete(self, resource, token, call):
        self._file(token).unlink(missing_ok=True)

    def _file(self, token):
        return self.folder / f"{token.replace('/', '%2F')}.txt"


class Journal:
    name = "journal"
    types = ("Test.Journal/pages",)
    kinds = ()

    def operators(self, site):
        return (Pages(site.folder),)

    def platform(self, kind):
        raise KeyError(kind)

    def schemas(self):
        return {"Test.Journal/pages@2026-12-01": {"type": "object"}}


provider = Journal()
