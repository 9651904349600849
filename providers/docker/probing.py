"""Readiness probes made from where Ulna runs, for images that have nothing to make them with."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import closing
from typing import Any


def passes(probe: Mapping[str, Any], inspected: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether a probe passes, and why not: asked at the published port, else at the container's own address."""
    reason = "it has no address that can be reached from here"
    for host, port in addresses(probe["port"], inspected):
        reason = _ask(probe, host, port)
        if not reason:
            return True, ""
    return False, reason


def addresses(port: int, inspected: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Where a port of a container may be reached."""
    settings = inspected.get("NetworkSettings") or {}
    found = [
        ("127.0.0.1" if b.get("HostIp") in ("", "0.0.0.0", None) else b["HostIp"], int(b["HostPort"]))
        for b in (settings.get("Ports") or {}).get(f"{port}/tcp") or ()
        if ":" not in (b.get("HostIp") or "")
    ]
    if found:
        return found
    own = [n.get("IPAddress") for n in (settings.get("Networks") or {}).values()]
    return [(address, port) for address in own if address]


def _ask(probe: Mapping[str, Any], host: str, port: int) -> str:
    """What is wrong; "" if nothing is."""
    from http.client import HTTPConnection, HTTPException

    seconds = max(float(probe.get("timeout") or 5), 1)
    try:
        if probe["kind"] == "tcp":
            with closing(socket.create_connection((host, port), seconds)):
                return ""
        with closing(HTTPConnection(host, port, timeout=seconds)) as connection:
            connection.request("GET", probe["path"], headers=dict(probe.get("headers") or {}))
            status = connection.getresponse().status
            return "" if 200 <= status < 400 else f"HTTP {status}"
    except (OSError, HTTPException) as error:
        return str(error) or type(error).__name__
