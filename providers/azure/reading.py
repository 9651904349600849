"""What the containers of a group wrote, or of all groups of a set: Azure gives all of it anew each time, so what was read is left out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from engine.contract.errors import Transient, Unreachable
from engine.contract.resource import Resource, body
from providers.azure.client import Client
from providers.azure.health import GROUP
from providers.azure.refusals import Absent
from providers.azure.sets import groups_of

PAUSE = 2.0


def lines(client: Client, resource: Resource, id: str, follow: bool) -> Iterator[str]:
    """The lines of each container; several are told apart by their names."""
    read: dict[str, int] = {}
    while True:
        there, gone = dict(_containers(client, resource, id)), 0
        for name, path in there.items():
            try:
                content = str(_content(client, path, resource.api_version))
            except Absent:
                gone += 1
                continue
            except Unreachable:
                raise
            except Transient:
                continue
            before = read.get(name, 0)
            whole = content if not follow else content[: content.rfind("\n") + 1]
            fresh = whole[before:] if len(whole) >= before else whole
            read[name] = len(whole)
            for line in fresh.splitlines():
                yield line if len(there) == 1 else f"{name}: {line}"
        if not follow or gone == len(there):
            return
        time.sleep(PAUSE)


def _containers(client: Client, resource: Resource, id: str) -> Iterator[tuple[str, str]]:
    """Where the lines of each container are, by its name; in a set, by that of its group as well."""
    if resource.type.lower() == GROUP:
        yield from ((c["name"], f"{id}/containers/{c['name']}/logs") for c in body(resource).get("containers") or ())
        return
    try:
        groups = list(groups_of(client, id, resource.api_version, client.ask(id, resource.api_version)))
    except Absent:
        return
    for group in groups:
        names = [c["name"] for c in group["properties"]["containers"]]
        short = group["name"]
        yield from ((short if len(names) == 1 else f"{short}/{n}", f"{group['id']}/containers/{n}/logs") for n in names)


def _content(client: Client, path: str, version: str) -> Any:
    return client.ask(path, version).get("content") or ""
