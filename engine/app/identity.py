"""Whom a container acts as, and the roles that it needs on what it is connected to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.contract.app import Grant, Identity
from engine.contract.value import Properties


def identity_of(properties: Properties, environment: Properties) -> Identity | None:
    """The identity of a container: its own, or that of its environment; None without one."""
    compute = environment.get("compute")
    layers = (properties.get("identity"), compute.get("identity") if isinstance(compute, Mapping) else None)
    for asked in layers:
        kind = asked.get("kind") if isinstance(asked, Mapping) else None
        if isinstance(asked, Mapping) and isinstance(kind, str) and kind != "undefined":
            return Identity(kind, tuple(asked.get("managedIdentity") or ()), asked.get("oidcIssuer") or "")
    return None


def grants_of(properties: Properties) -> Iterator[Grant]:
    """What its connections ask for by `iam`, in the order they are written."""
    connections = properties.get("connections")
    for connection in connections.values() if isinstance(connections, Mapping) else ():
        iam = connection.get("iam") if isinstance(connection, Mapping) else None
        if isinstance(iam, Mapping):
            yield Grant(str(connection.get("source")), iam.get("kind") or "", tuple(iam.get("roles") or ()))
