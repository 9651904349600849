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


class Trouble(Record):
    """Why the Docker configuration gives nothing, though it may have it: `reason` is half a sentence without secrets."""

    reason: str


def credentials_of(host: str) -> Credentials | Trouble | None:
    """The credentials for a host, as `docker login` left them; None where there are none."""
    document = _document()
    if not isinstance(document, Mapping):
        return document
    helpers = document.get("credHelpers")
    program = helpers.get(host) if isinstance(helpers, Mapping) else None
    program = program or document.get("credsStore")
    found = _of_program(program, host) if isinstance(program, str) and program else None
    if isinstance(found, Credentials):
        return found
    auths = document.get("auths")
    for key, entry in auths.items() if isinstance(auths, Mapping) else ():
        if _host_of(str(key)) != host or not isinstance(entry, Mapping):
            continue
        match _of_entry(entry):
            case Credentials() as known:
                return known
            case Trouble() as trouble:
                found = found or trouble
            case None:
                pass
    return found


def _document() -> Mapping[str, Any] | Trouble | None:
    import json

    folder = os.environ.get("DOCKER_CONFIG") or f"{os.environ.get('HOME', '')}/.docker"
    path = f"{folder}/config.json"
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            document = json.loads(file.read(4 * 1024 * 1024))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        return Trouble(f"the Docker configuration '{path}' cannot be read: {why}")
    except (ValueError, RecursionError):
        return Trouble(f"the Docker configuration '{path}' is not valid JSON")
    return (
        document if isinstance(document, Mapping) else Trouble(f"the Docker configuration '{path}' is no JSON object")
    )


def _host_of(key: str) -> str:
    """The host in a key, which may be a URL."""
    return key.partition("://")[2].partition("/")[0].lower() if "://" in key else key.partition("/")[0].lower()


def _of_entry(entry: Mapping[str, Any]) -> Credentials | Trouble | None:
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
        name, colon, secret = b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        name, colon, secret = "", "", ""
    if not colon:
        return Trouble("what the Docker configuration has for it under 'auth' is no name and password in base64")
    return Credentials(name, secret.rstrip("\0"))


def _of_program(name: str, host: str) -> Credentials | Trouble | None:
    """What `docker-credential-NAME get` says; it is found on the PATH, and is told the host alone.

    A program that fails, or names nobody, knows nothing of the host; that is how they say so.
    """
    import json
    import re
    import subprocess

    if not re.fullmatch(r"[A-Za-z0-9][\w.-]*", name):
        return Trouble("what the Docker configuration names as its helper is no name of a program")
    program = f"docker-credential-{name}"
    try:
        said = subprocess.run([program, "get"], input=host.encode(), capture_output=True, timeout=TIMEOUT, check=True)
        answer = json.loads(said.stdout)
    except subprocess.CalledProcessError:
        return None
    except FileNotFoundError:
        return Trouble(f"the program '{program}' that the Docker configuration names is not installed")
    except subprocess.TimeoutExpired:
        return Trouble(f"the program '{program}' that the Docker configuration names does not answer in time")
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        return Trouble(f"the program '{program}' that the Docker configuration names does not start: {why}")
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, Mapping):
        return Trouble(f"the program '{program}' that the Docker configuration names says nothing that makes sense")
    username, secret = answer.get("Username"), answer.get("Secret")
    if not isinstance(username, str) or not isinstance(secret, str) or not secret:
        return None
    return Credentials(token=secret) if username == "<token>" else Credentials(username, secret)
