"""A command that launches a resource: it belongs to its target, is rendered as any other, and is outside of what is declared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from engine.contract.operator import runs
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value
from engine.diagnostics.diagnostic import UlnaError, has_errors
from engine.live.declared import Declared, filled, text_of
from engine.live.host import Host
from engine.record import Record
from engine.state.entry import Entry

CONTAINER = "Applications.Core/containers@2023-10-01-preview"
LONGEST = 63
"""Characters of a name."""
LOOKED_AT = 200
"""Lines at the end of a log in which a summary is looked for."""
TEXTS = ("env", "command", "args")
"""What holds texts alone, though an input that is a number may stand there."""


class Launched(Record):
    """What was launched: its address, and those of what has to end for it to be done."""

    address: str
    jobs: tuple[str, ...]


def launch(host: Host, target: Entry, command: Declared, inputs: Mapping[str, Value]) -> Launched:
    """Add the resource that a command launches; raises `UlnaError` where it cannot be made here."""
    resource = _resource(host, target, command, inputs)
    native, problems = host.render(resource)
    if has_errors(problems):
        raise UlnaError(*problems)
    host.add(native)
    running = [
        r.address
        for r in native.resources
        if (name := native.nominations[r.address].operator) is not None and runs(host.run.registered(name, r), r)
    ]
    return Launched(resource.address, tuple(running) or (resource.address,))


def _resource(host: Host, target: Entry, command: Declared, inputs: Mapping[str, Value]) -> Resource:
    vault = host.prepared.vault
    secure = {i.name for i in command.inputs if i.secure}
    sealed = {n: vault.seal(v, f"input {n}") if n in secure else v for n, v in inputs.items()}
    type, _, version = str(command.details.get("type") or CONTAINER).partition("@")
    properties = dict(_worded(filled(command.details["properties"], sealed)))
    if type.lower() == "applications.core/containers":
        properties.setdefault("application", body(target.resource).get("application"))
        properties.setdefault("restartPolicy", "Never")
    number = _number(host, f"{target.address}/{command.name}-")
    name = f"{target.resource.name}-{command.name}-{number}"
    if len(name) > LONGEST:
        name = f"{command.name}-{number}"
    id = f"{str(target.resource.id).rpartition('/providers/')[0]}/providers/{type}/{name}"
    address = f"{target.address}/{command.name}-{number}"
    resource = Resource(address, type, version, name, id, {"properties": properties}, owner=target.address)
    return resource.replace(origin=host.origin(command.address))


def _number(host: Host, stem: str) -> int:
    """The next number of a job: none that is there, nor one that an operation still speaks of."""
    state = host.engine.state
    known = {*state.entries, *(a for o in state.operations.values() for a in o.launched)}
    return next(n for n in range(1, len(known) + 2) if f"{stem}{n}" not in known)


def _worded(value: Value, texts: bool = False) -> Value:
    """A value with numbers as texts where only texts can be: in variables, commands and arguments."""
    if isinstance(value, Mapping):
        return {k: _worded(v, texts or k in TEXTS) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_worded(v, texts) for v in value]
    return text_of(value) if texts and isinstance(value, bool | int | float) else value


def summary_of(lines: Sequence[str]) -> Properties:
    """What a job says of itself: the last line of its log that is a JSON object; {} where there is none."""
    for line in reversed(lines[-LOOKED_AT:]):
        if line.startswith("{") and line.endswith("}"):
            try:
                return dict(json.loads(line, parse_constant=lambda _: None))  # NaN and the like are no JSON
            except ValueError:
                continue
    return {}
