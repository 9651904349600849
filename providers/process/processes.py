"""`Ulna.Process/processes`: one supervised process, from its start to its end.

A process takes all of its settings at its start, so any change replaces it: the old one ends first, as both want the same port.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.blotting import blotted
from engine.contract.difference import differing, dotted
from engine.contract.errors import OperatorError, Terminal, Transient
from engine.contract.operator import (
    Applied,
    Bid,
    Call,
    Difference,
    Execution,
    Health,
    Keep,
    Observed,
    Rendering,
    Replace,
    Same,
    View,
)
from engine.contract.resource import Resource, body
from engine.contract.secretfiles import SecretFiles
from engine.contract.value import Properties, Secret, Value, decode, encode, revealed, rewrite
from providers.process.client import Client, alive
from providers.process.port import refuse_taken
from providers.process.shelf import Shelf, Status

TYPE = "ulna.process/processes"
GRACE = 10.0
GLANCE = 0.5
"""Seconds between two looks at whether a supervisor has said something else, or is gone."""
SHARE = 100.0
"""So many times as long as a look took is waited until the next: a hundredth of a core at most, however many there are."""
YOUNG = 5.0
"""For so many seconds after its start, a process is looked at often."""


class ProcessOperator:
    """See the module."""

    name = "process"
    effects = True
    session = True
    type = TYPE

    def __init__(self, folder: Path, secrets: SecretFiles | None = None) -> None:
        self.client = Client(folder)
        self.secrets = secrets or SecretFiles(folder.parent / "secrets")

    @property
    def source(self) -> str:
        """Proxies are processes of the same folder: who watches one sees all."""
        return str(self.client.folder)

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits processes."""
        return Bid(100, "a local process") if resource.type.lower() == self.type else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """A process is native as it is; what a cloud's operator hands over is emulated by one."""
        if resource.type.lower() == self.type:
            return Keep()
        from engine.contract.emulator import emulate
        from providers.process.platform import ProcessPlatform

        return emulate(resource, view, ProcessPlatform())

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Any change replaces it, and so does the loss of its supervisor."""
        paths = (
            tuple(dotted(p) for p in differing(applied.properties, resource.properties)) if applied is not None else ()
        )
        if observed is not None and not supervised(observed):
            return Replace(paths, body_of(observed.properties).get("alone") or "its supervisor is gone")
        return Replace(paths, "a process takes its settings at its start") if paths else Same()

    def outputs(self, resource: Resource) -> Properties:
        """It reports nothing that others need."""
        return {}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """What the supervisor says, or what is left without one."""
        return look(self.client.shelf(token), token)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Start it; what already runs under the token is left alone."""
        shelf = self.client.shelf(token)
        there = look(shelf, token)
        if there is not None and shelf.supervisor() is None:
            if supervised(there):
                return there  # it has run, and ended
            self.client.sweep(token)
        secrets: list[str] = []
        spec = self.spec(resource, shelf, self._revealed(body(resource), call, secrets))
        if shelf.supervisor() is None:
            refuse_taken(body(resource).get("ports") or {})
            self.prepare(resource, shelf, call)
        spec["secrets"] = sorted(secrets, key=len, reverse=True)
        self.client.start(token, encode(resource.properties), spec)
        found = look(shelf, token)
        if found is None:
            raise Transient("it is gone as soon as it was started")
        return found

    def watch(self, wake: Callable[[str], None], stopping: Callable[[], bool]) -> None:
        """A supervisor writes down what becomes of its process, and says so to nobody: the times of that are looked at."""
        known, took = self.client.marks(), 0.0
        while not stopping():
            time.sleep(max(GLANCE, SHARE * took))
            began = time.thread_time()
            now = self.client.marks()
            took = time.thread_time() - began
            for name, mark in now.items():
                if known.get(name) != mark and (token := self.client.token_of(name)) is not None:
                    wake(token)
            known = now

    def make_ready(self, resource: Resource, call: Call) -> None:
        """Look for its program, while the old one still runs."""
        wish = body(resource)
        command, folder = wish.get("command"), wish.get("workingDirectory")
        if command and isinstance(command[0], str) and isinstance(folder, str):
            path = (wish.get("env") or {}).get("PATH")
            self.client.look_for(command[0], folder, path if isinstance(path, str) else None)

    def prepare(self, resource: Resource, shelf: Shelf, call: Call) -> None:
        """Whatever must stand in the folder before the start."""

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Nothing of it can be changed in place."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """End it, with its whole group and its supervisor."""
        self.client.stop(token, grace_of(body(resource)), call.stopping)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Take over a process by its id; the next deployment starts it anew, under a supervisor."""
        from providers.process.adopting import adopt

        if resource.type.lower() != TYPE:
            raise Terminal(
                "a proxy of Ulna's own is never taken over", "End the program, and let a deploy start the proxy."
            )
        wish = body(resource)
        adopt(
            self.client,
            wish,
            id,
            token,
            lambda value: revealed(value, call.reveal),
            self.secrets.known(wish.get("secrets") or {}, call),
        )
        found = look(self.client.shelf(token), token)
        if found is None:
            raise Terminal(f"process {id} has ended", "Start it again, or let a deploy start it.")
        return found.replace(properties=decode((self.client.shelf(token).read("wish.json") or {})["wish"]))

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """Forget a process that was taken over; one with a supervisor of ours keeps it."""
        from providers.process.adopting import release

        release(self.client, token)

    def logs(self, resource: Resource, token: str, follow: bool) -> Iterator[str]:
        """What it said, as far as it is kept; values of secret stores are blotted out."""
        from providers.process.reading import lines

        values = [*self._kept(resource)]
        for line in lines(self.client.shelf(token), follow):
            yield blotted(line, values)

    def _kept(self, resource: Resource) -> Iterator[str]:
        """The values that it was given from secret stores, as far as they are still there."""
        for wish in (body(resource).get("secrets") or {}).values():
            with suppress(OperatorError):
                yield self.secrets.value(str(wish["store"]), str(wish["key"]))

    def execute(self, resource: Resource, token: str, command: tuple[str, ...], timeout: float) -> Execution:
        """Run a program beside the process: in its folder, with its variables."""
        from providers.process.executing import execute

        status = self.client.shelf(token).status()
        return execute(status["pid"] if status is not None else None, body(resource), command, timeout)

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """What is run, in the words of this platform."""
        return {"kind": "process", "name": resource.name, **body(resource)}

    def _revealed(self, properties: Properties, call: Call, secrets: list[str]) -> dict[str, Any]:
        """The properties with secrets opened; each is noted, so that the supervisor can blot it out."""

        def noted(value: str) -> str:
            if len(value) > 2:
                secrets.append(value)
            return value

        def reveal(leaf: Value) -> Value:
            if not isinstance(leaf, Secret):
                return leaf
            value = call.reveal(leaf)
            noted(text(value))
            return value

        own = {k: v for k, v in properties.items() if k not in ("secrets", "tls", "for")}
        opened: dict[str, Any] = rewrite(own, reveal)
        kept = properties.get("secrets") or {}
        more = {name: noted(self.secrets.opened(wish, call)) for name, wish in kept.items()}
        return {**opened, "env": {**(opened.get("env") or {}), **more}} if more else opened

    def spec(self, resource: Resource, shelf: Shelf, properties: Mapping[str, Any]) -> dict[str, Any]:
        """What the supervisor is told."""
        logs = properties.get("logs") or {}
        return {
            "command": [text(c) for c in properties["command"]],
            "folder": properties["workingDirectory"],
            "env": {k: text(v) for k, v in (properties.get("env") or {}).items()},
            "listens": properties.get("listens"),
            "restart": properties.get("restart") or "Always",
            "grace": grace_of(properties),
            "logBytes": int(logs.get("maxKilobytes") or 5120) * 1024,
            "logFiles": int(logs.get("maxFiles") or 3),
            **{k: properties[k] for k in ("readiness", "liveness") if properties.get(k)},
        }


def body_of(properties: Properties) -> Properties:
    """What stands under `properties`."""
    inner = properties.get("properties")
    return inner if isinstance(inner, Mapping) else properties


def grace_of(properties: Properties) -> float:
    """Seconds between SIGTERM and SIGKILL."""
    grace = properties.get("gracePeriodSeconds")
    return GRACE if grace is None else float(grace)


def text(value: Value) -> str:
    """A value as an argument or variable."""
    return value if isinstance(value, str) else json.dumps(value)


def supervised(there: Observed) -> bool:
    """Whether a supervisor looks after it, or it has ended under one."""
    return body_of(there.properties).get("supervised") is not False


def look(shelf: Shelf, token: str) -> Observed | None:
    """What is there under a token."""
    wish = shelf.read("wish.json")
    if wish is None:
        return None
    supervisor = shelf.supervisor()
    status = shelf.status()
    properties = decode(wish["wish"])
    if supervisor is not None:
        if status is None:
            return Observed(f"{supervisor}", token, properties, health=Health.STARTING, look_again=0.05)
        return _seen(status, token, properties)
    if status is not None and status["state"] == "ended":
        return _seen(status, token, properties)
    if alive(status, os.path.dirname(shelf.path)):  # noqa: PTH120
        inner = {**body_of(properties), "supervised": False}
        if status is not None and status.get("adopted"):
            inner["alone"] = "it was started by hand, and is started anew under a supervisor"
            return Observed(str(status["pid"]), token, {"properties": inner})
        message = "its supervisor is gone; it runs on without one"
        return Observed(_id(status), token, {"properties": inner}, health=Health.FAILED, message=message)
    return None


def _seen(status: Status, token: str, properties: Properties) -> Observed:
    """A status in the words of the contract; one that is meant to end is looked at until it has."""
    ends = body_of(properties).get("restart") in ("Never", "OnFailure")
    health = Health(status["health"])
    over = status["state"] == "ended"
    again: float | None = None
    if not over:
        young = time.time() - (status.get("started") or 0) < YOUNG
        if health is Health.STARTING and young:
            again = 0.05
        elif health is not Health.READY or ends:
            again = 0.2 if young else 1.0
    return Observed(
        _id(status),
        token,
        properties,
        health=health,
        exit_code=status["exit_code"] if over else None,
        message=status["message"],
        look_again=again,
    )


def _id(status: Status | None) -> str:
    return str(status["supervisor"]) if status else ""
