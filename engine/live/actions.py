"""What a declared command does by itself: a program run in the target, or a request sent to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from engine.contract.operator import Executes
from engine.contract.resource import Resource
from engine.contract.value import Properties, Value
from engine.diagnostics.diagnostic import UlnaError
from engine.live.declared import Declared, filled, text_of
from engine.live.host import Host
from engine.record import Record
from engine.state.entry import Entry

TIMEOUT = 60.0
MOST = 20_000
"""Characters of an answer that are kept."""


class Ended(Record):
    """How an action ended, and what it brought."""

    ok: bool
    message: str = ""
    result: Properties = {}


Action = Callable[[], Ended]


def action_of(command: Declared, target: Entry, host: Host, inputs: Mapping[str, Value]) -> Action:
    """The action of a command, ready to be performed; raises `UlnaError` where it cannot be."""
    if command.action == "exec":
        return _exec(command, target, host, words_of(command, inputs))
    return _http(command, target, host, filled(command.details, inputs))


def words_of(command: Declared, inputs: Mapping[str, Value]) -> tuple[str, ...]:
    """What `exec` runs, with the inputs in it."""
    return tuple(map(text_of, filled(command.details["command"], inputs)))


def _exec(command: Declared, target: Entry, host: Host, words: tuple[str, ...]) -> Action:
    timeout = float(command.details.get("timeoutSeconds", TIMEOUT))
    resource, token, operator = _place(command, target, host)

    def run() -> Ended:
        ended = operator.execute(resource, token, words, timeout)
        message = "" if ended.exit_code == 0 else f"it ended with exit code {ended.exit_code}"
        return Ended(ended.exit_code == 0, message, {"exitCode": ended.exit_code, "output": ended.output[-MOST:]})

    return run


def _place(command: Declared, target: Entry, host: Host) -> tuple[Resource, str, Executes]:
    """Where a program of the target can be run: in the first of its parts that lets one."""
    for entry in host.entries():
        within = entry.address == target.address or entry.address.startswith(f"{target.address}/")
        operator = host.operator(entry)
        if not (within and entry.declared and entry.token is not None and isinstance(operator, Executes)):
            continue
        if getattr(operator, "can_execute", lambda resource: True)(entry.resource):
            return entry.resource, entry.token, operator
    message = f"Nothing of '{target.address}' runs in which the command '{command.name}' could be run"
    raise UlnaError.of("ULN552", message, "Start it first; 'ulna why' says what it waits for.")


def _http(command: Declared, target: Entry, host: Host, details: Properties) -> Action:
    properties = target.outputs.get("properties")
    endpoints = properties.get("endpoints") if isinstance(properties, Mapping) else None
    known = dict(endpoints) if isinstance(endpoints, Mapping) else {}
    url = known.get(details.get("port")) if details.get("port") else next(iter(known.values()), None)
    if not isinstance(url, str):
        message = f"'{target.address}' has no endpoint to send the command '{command.name}' to"
        help = f"Its ports: {', '.join(known)}." if known else "Give the container 'ports', and start it."
        raise UlnaError.of("ULN552", message, help)

    def run() -> Ended:
        from urllib.error import HTTPError
        from urllib.request import Request, urlopen

        body = details.get("body")
        data = None if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
        headers = {k: text_of(v) for k, v in (details.get("headers") or {}).items()}
        if data is not None and not isinstance(body, str):
            headers.setdefault("Content-Type", "application/json")
        asked = Request(
            url.rstrip("/") + text_of(details["path"]), data, headers, method=str(details.get("method", "POST"))
        )
        try:
            with urlopen(asked, timeout=float(details.get("timeoutSeconds", TIMEOUT))) as answer:
                status, text = answer.status, answer.read(MOST).decode("utf-8", "replace")
        except HTTPError as refused:
            status, text = refused.code, refused.read(MOST).decode("utf-8", "replace")
        ok = 200 <= status < 300
        return Ended(ok, "" if ok else f"it answered {status}", {"status": status, "body": text})

    return run
