"""Probes as health checks: ECS runs a command in the container, so a request is made with what the image has for it. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.app import Container, Exec, HttpGet, Probe, TcpConnect

_LIMITS: Mapping[str, tuple[int, int]] = {
    "interval": (5, 300),
    "timeout": (2, 60),
    "retries": (1, 10),
    "startPeriod": (0, 300),
}
_WORDS = {
    "interval": "periodSeconds",
    "timeout": "timeoutSeconds",
    "retries": "failureThreshold",
    "startPeriod": "initialDelaySeconds",
}


def probe_of(container: Container) -> Probe | None:
    """The probe that becomes the health check: ECS has one, and replaces the task when it fails, as liveness asks."""
    return container.liveness or container.readiness


def health_check(container: Container) -> dict[str, Any] | None:
    """The `healthCheck` of a container definition."""
    probe = probe_of(container)
    if probe is None:
        return None
    return {
        "command": _command(probe),
        **{k: min(max(v, _LIMITS[k][0]), _LIMITS[k][1]) for k, v in _numbers(probe).items()},
    }


def clamped(container: Container) -> Iterator[str]:
    """What of the rhythm ECS does not take, in words."""
    probe = probe_of(container)
    for key, value in _numbers(probe).items() if probe is not None else ():
        least, most = _LIMITS[key]
        if not least <= value <= most:
            yield f"{_WORDS[key]} {value} becomes {min(max(value, least), most)}, as ECS takes {least} to {most}"


def _numbers(probe: Probe) -> dict[str, int]:
    return {
        "interval": round(probe.period),
        "timeout": round(probe.timeout),
        "retries": probe.failure_threshold,
        "startPeriod": round(probe.initial_delay),
    }


def _command(probe: Probe) -> list[str]:
    match probe.check:
        case Exec(command):
            return ["CMD", *command]
        case HttpGet(port, path, headers):
            return ["CMD-SHELL", _http(port, path, headers, max(2, round(probe.timeout)))]
        case TcpConnect(port):
            return ["CMD-SHELL", _tcp(port)]


def _http(port: int, path: str, headers: Mapping[str, str], seconds: int) -> str:
    """With curl, wget or python3; an image that has none of them counts as healthy."""
    url = f"http://127.0.0.1:{port}/{path.lstrip('/')}"
    lines = [f"{name}: {value}" for name, value in headers.items()]
    curl = " ".join(
        ["curl -fsS -o /dev/null -m", str(seconds), *(f"-H {shlex.quote(line)}" for line in lines), shlex.quote(url)]
    )
    wget = " ".join(
        [
            "wget -q -O /dev/null -T",
            str(seconds),
            *(f"--header {shlex.quote(line)}" for line in lines),
            shlex.quote(url),
        ]
    )
    program = f"import urllib.request as u;u.urlopen(u.Request({url!r},headers={dict(headers)!r}),timeout={seconds})"
    return _first(("curl", curl), ("wget", wget), ("python3", f"python3 -c {shlex.quote(program)}"))


def _tcp(port: int) -> str:
    program = f"import socket;socket.create_connection(('127.0.0.1',{port}),2)"
    return _first(
        ("nc", f"nc -z 127.0.0.1 {port}"),
        ("python3", f"python3 -c {shlex.quote(program)}"),
        ("bash", f"bash -c '</dev/tcp/127.0.0.1/{port}'"),
    )


def _first(*tools: tuple[str, str]) -> str:
    """The first tool that is there."""
    steps = [f"if command -v {name} >/dev/null; then {command} || exit 1" for name, command in tools]
    return "; el".join(steps) + "; fi"
