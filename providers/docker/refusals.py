"""What an engine says when it fails, mapped once to the contract's kinds of failure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from engine.contract.errors import OperatorError, Terminal, Transient
from providers.docker.target import Target


class PortTaken(Terminal):
    """A port of the engine's machine is in use: another may be tried."""

    def __init__(self, port: int | None, reason: str) -> None:
        super().__init__(reason, "End the program that listens on it, or leave the choice of the port to Ulna.")
        self.port = port


class NameTaken(Terminal):
    """A name is in use: by what was created under the same token, perhaps."""


class Absent(Terminal):
    """What was asked for is not there."""


_TERMINAL = (
    (
        r"no basic auth credentials|unauthorized|authentication required|denied: requested access",
        "Log in to the registry: docker login REGISTRY.",
    ),
    (
        r"pull access denied|repository .*does not exist",
        "Correct the image's name; if it is private: docker login REGISTRY.",
    ),
    (r"manifest unknown|manifest for .* not found|not found: manifest", "Correct the image's name and tag."),
    (r"connection refused|no such host", "Correct the name of the registry, or start it."),
    (r"invalid reference format", "Write it as REGISTRY/NAME:TAG."),
    (r"non-overlapping IPv4 address pool", "Remove networks that are not used: docker network prune."),
    (r"no space left on device", "Free some space on the engine's machine: docker system df shows who has it."),
    (
        r"executable file not found|no such file or directory|exec format error|permission denied",
        "Check 'command' and 'args', and that the image is for this kind of processor.",
    ),
)
"""What cannot get better by itself, and what to do about it."""

_TRANSIENT = re.compile(
    r"toomanyrequests|too many requests|timeout|deadline exceeded|unexpected EOF|connection reset|TLS handshake|"
    r"has active endpoints|volume is in use|temporarily unavailable|is already in progress|network \S+ not found",
    re.I,
)
_PORT = re.compile(r"port is already allocated|address already in use|ports are not available", re.I)
_NUMBER = re.compile(r":(\d+)(?: failed)?: (?:port is already|bind)")


def refused(status: int, said: str) -> OperatorError:
    """The failure that an answer of the engine means."""
    text = " ".join(said.split()).strip(' "')
    if _PORT.search(text):
        number = _NUMBER.search(text)
        port = int(number[1]) if number else None
        return PortTaken(port, f"port {port or 'of the machine'} is in use by another program or container")
    if "is already in use by container" in text or (status == 409 and "already exists" in text):
        return NameTaken(_first(text), "Remove what has the name, or rename the resource.")
    if status == 429 or _TRANSIENT.search(text):
        return Transient(_first(text), after=10 if "many" in text.lower() or status == 429 else None)
    for pattern, help in _TERMINAL:
        if re.search(pattern, text, re.I):
            return Terminal(_first(text), help)
    if status == 404:
        return Absent(_first(text))
    return Transient(_first(text)) if status in (502, 503, 504) else Terminal(_first(text))


def _first(text: str) -> str:
    """Without what only the engine's authors understand."""
    text = re.sub(r"^(?:Error response from daemon: |driver failed programming \S+ )", "", text)
    found = re.search(
        r'exec: "(?P<word>[^"]*)": (?P<why>[^:]*(?:not found|no such file or directory|permission denied)[^:]*)', text
    )
    if found:
        return f'its command cannot be run: "{found["word"]}": {found["why"].strip()}'
    return text.removesuffix(": unknown") or "the engine gave no reason"


@contextmanager
def speaking(target: Target) -> Iterator[None]:
    """Around every call of the SDK."""
    try:
        from docker.errors import APIError, DockerException
        from requests.exceptions import ReadTimeout, RequestException
    except ImportError as error:
        help = "Install it: pip install 'ulna[docker]'."
        raise Terminal(f"the Docker SDK for Python is not installed ({error})", help) from error

    try:
        yield
    except APIError as error:
        status = error.status_code
        raise refused(int(status or 500), str(error.explanation or error)) from error
    except ReadTimeout as error:
        raise Transient(f"{target.words} does not answer in time") from error
    except (RequestException, DockerException, OSError) as error:
        raise unreachable(target, error) from error


def unreachable(target: Target, error: BaseException) -> OperatorError:
    """The failure to reach an engine at all; the reason is in the innermost cause."""
    text = str(error)
    if "Permission denied" in text or isinstance(error, PermissionError):
        help = "Let the user use the engine (group 'docker'), or name another engine with DOCKER_HOST."
        return Terminal(f"{target.words} may not be used: permission denied", help)
    why = next(
        (w for w in ("Connection refused", "No such file or directory", "Name or service not known") if w in text), ""
    )
    reason = f"{target.words} cannot be reached" + (f": {why.lower()}" if why else f": {_last(error)}")
    return Transient(
        reason, "Start Docker, or name the engine with DOCKER_HOST or with compute.host of the environment."
    )


def _last(error: BaseException) -> str:
    inner = error
    while (deeper := inner.__cause__ or inner.__context__) is not None:
        inner = deeper
    return " ".join(str(inner).split())[:200] or type(inner).__name__
