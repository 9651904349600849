"""What the Docker configuration knows for a registry: names and passwords, kept there or by a helper program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from engine.record import Record

TIMEOUT = 60.0


class Credentials(Record):
    """A name and a password, or a token that stands for both. Never printed."""

    username: str = ""
    password: str = ""
    token: str = ""

    def __repr__(self) -> str:
        return "Credentials(…)"

    __str__ = __repr__

    def basic(self) -> str:
        """As a header says them."""
        from base64 import b64encode

        return "Basic " + b64encode(f"{self.username}:{self.password}".encode()).decode()


def credentials_of(host: str) -> Credentials | None:
    """The credentials for a host, as `docker login` left them; None where there are none."""
    document = _document()
    if document is None:
        return None
    helpers = document.get("credHelpers")
    program = helpers.get(host) if isinstance(helpers, Mapping) else None
    program = program or document.get("credsStore")
    if isinstance(program, str) and (found := _of_program(program, host)) is not None:
        return found
    auths = document.get("auths")
    if not isinstance(auths, Mapping):
        return None
    for key, entry in auths.items():
        if _host_of(str(key)) == host and isinstance(entry, Mapping) and (found := _of_entry(entry)) is not None:
            return found
    return None


def _document() -> Mapping[str, Any] | None:
    import json

    folder = os.environ.get("DOCKER_CONFIG") or f"{os.environ.get('HOME', '')}/.docker"
    try:
        with open(f"{folder}/config.json", "rb") as file:  # noqa: PTH123
            document = json.loads(file.read(4 * 1024 * 1024))
    except (OSError, ValueError, RecursionError):
        return None
    return document if isinstance(document, Mapping) else None


def _host_of(key: str) -> str:
    """The host in a key, which may be a URL."""
    return key.partition("://")[2].partition("/")[0].lower() if "://" in key else key.partition("/")[0].lower()


def _of_entry(entry: Mapping[str, Any]) -> Credentials | None:
    token = entry.get("identitytoken")
    if isinstance(token, str) and token:
        return Credentials(token=token)
    username, password = entry.get("username"), entry.get("password")
    if isinstance(username, str) and isinstance(password, str):
        return Credentials(username, password)
    encoded = entry.get("auth")
    if not isinstance(encoded, str) or not encoded:
        return None
    from base64 import b64decode

    try:
        username, colon, password = b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        return None
    return Credentials(username, password.rstrip("\0")) if colon else None


def _of_program(name: str, host: str) -> Credentials | None:
    """What `docker-credential-NAME get` says; it is found on the PATH, and is told the host alone."""
    import json
    import re
    import subprocess

    if not re.fullmatch(r"[A-Za-z0-9][\w.-]*", name):
        return None
    try:
        said = subprocess.run(
            [f"docker-credential-{name}", "get"], input=host.encode(), capture_output=True, timeout=TIMEOUT, check=True
        )
        answer = json.loads(said.stdout)
    except (OSError, ValueError, subprocess.SubprocessError, RecursionError):
        return None
    if not isinstance(answer, Mapping):
        return None
    username, secret = answer.get("Username"), answer.get("Secret")
    if not isinstance(username, str) or not isinstance(secret, str) or not secret:
        return None
    return Credentials(token=secret) if username == "<token>" else Credentials(username, secret)
