"""Command lines and probes as a container group has them: it can only replace the whole command line of an image. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping

from engine.contract.app import Container, Exec, HttpGet, Probe, TcpConnect
from engine.contract.resource import Resource
from engine.contract.value import Value
from engine.contract.variables import expand
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place

_ENTER = 'cd "$0" && exec "$@"'
"""Run by sh with the folder and the command line."""


def command_of(container: Container, env: Mapping[str, Value], resource: Resource) -> list[Value] | Diagnostic | None:
    """The command line; None where the image's own is kept."""
    if container.command is None and (container.args is not None or container.working_dir is not None):
        what = "args" if container.args is not None else "workingDir"
        message = (
            f"'{resource.name}': {what} without command is not supported on compute kind 'aci': "
            "Azure replaces the whole command line of an image, and does not know its entry point"
        )
        help = f"Give the entry point of the image '{container.image}' as container.command."
        return Diagnostic("ULN318", Severity.ERROR, message, place(resource.origin, ("container", what)), help=help)
    if container.command is None:
        return None
    words = [expand(w, env) for w in (*container.command, *(container.args or ()))]
    if container.working_dir is None:
        return words
    return ["/bin/sh", "-c", _ENTER, expand(container.working_dir, env), *words]


def probe_of(probe: Probe) -> dict[str, Value]:
    """A probe; Azure counts whole seconds, and has none of kind tcp: a command looks for the listening socket."""
    written: dict[str, Value]
    match probe.check:
        case HttpGet(port, path, headers):
            get: dict[str, Value] = {"path": path or "/", "port": port, "scheme": "http"}
            if headers:
                get["httpHeaders"] = [{"name": k, "value": v} for k, v in headers.items()]
            written = {"httpGet": get}
        case TcpConnect(port):
            written = {"exec": {"command": ["/bin/sh", "-c", _listening(port)]}}
        case Exec(command):
            written = {"exec": {"command": list(command)}}
    return {
        **written,
        "initialDelaySeconds": math.ceil(probe.initial_delay),
        "periodSeconds": max(1, math.ceil(probe.period)),
        "timeoutSeconds": max(1, math.ceil(probe.timeout)),
        "failureThreshold": max(1, probe.failure_threshold),
    }


def _listening(port: int) -> str:
    """A socket in state 0A listens; the kernel writes its port in four hexadecimal digits."""
    return f"cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q ':{port:04X} [0-9A-F]*:0000 0A'"
