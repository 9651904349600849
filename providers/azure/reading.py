"""What the containers of a group wrote: Azure gives all of it anew each time, so what was read already is left out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from engine.contract.errors import Transient, Unreachable
from providers.azure.client import Client
from providers.azure.refusals import Absent

PAUSE = 2.0


def lines(client: Client, id: str, version: str, names: list[str], follow: bool) -> Iterator[str]:
    """The lines of each container; several are told apart by their names."""
    read: dict[str, int] = dict.fromkeys(names, 0)
    while True:
        for name in names:
            try:
                content = str(_content(client, f"{id}/containers/{name}/logs", version))
            except Absent:
                return
            except Unreachable:
                raise
            except Transient:
                continue
            whole = content if not follow else content[: content.rfind("\n") + 1]
            fresh = whole[read[name] :] if len(whole) >= read[name] else whole
            read[name] = len(whole)
            for line in fresh.splitlines():
                yield line if len(names) == 1 else f"{name}: {line}"
        if not follow:
            return
        time.sleep(PAUSE)


def _content(client: Client, path: str, version: str) -> Any:
    return client.ask(path, version).get("content") or ""
