"""Speaks to a run over its socket: what `ulna status`, `stop`, `command` and the others ask of it. Standard library alone."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError
from engine.live.address import Address, read


class _Connection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str, timeout: float | None) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Client:
    """A run that lives; `found` gives it."""

    def __init__(self, address: Address) -> None:
        self.address = address

    def get(self, path: str, timeout: float = 120.0, **query: object) -> Any:
        """The answer to a question."""
        return self._ask("GET", path, None, query, timeout)

    def post(self, path: str, body: Mapping[str, Any] | None = None, timeout: float = 120.0) -> Any:
        """The answer to a wish; raises `UlnaError` with what the run says of one that it refuses."""
        return self._ask("POST", path, body or {}, {}, timeout)

    def stream(self, path: str, **query: object) -> Iterator[Any]:
        """What comes, until the run ends."""
        connection, answer = self._send("GET", path, None, query, None)
        try:
            while line := answer.readline():
                if line.strip():
                    yield json.loads(line)
        except (OSError, http.client.HTTPException):
            return
        finally:
            connection.close()

    def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | None, query: Mapping[str, object], timeout: float
    ) -> Any:
        connection, answer = self._send(method, path, body, query, timeout)
        try:
            whole = answer.read()
            data = json.loads(whole or b"null") if answer.status <= 400 else None
        except (OSError, http.client.HTTPException, ValueError):
            raise _gone(self.address) from None
        finally:
            connection.close()
        if answer.status == 400 and isinstance(data, dict) and "diagnostics" in data:
            raise UlnaError(*map(_diagnostic, data["diagnostics"]), exit_code=data.get("exitCode", 1))
        if answer.status >= 400:
            raise UlnaError.of("ULN562", f"The run of '{self.address.deployment}' answered {answer.status}")
        return data

    def _send(
        self, method: str, path: str, body: Mapping[str, Any] | None, query: Mapping[str, object], timeout: float | None
    ) -> tuple[_Connection, http.client.HTTPResponse]:
        words = urlencode({k: v for k, v in query.items() if v is not None})
        connection = _Connection(self.address.socket, timeout)
        try:
            connection.request(
                method,
                f"{path}?{words}" if words else path,
                json.dumps(body) if body is not None else None,
                {"Content-Type": "application/json", "X-Ulna": "1"},
            )
            return connection, connection.getresponse()
        except OSError:
            connection.close()
            raise _gone(self.address) from None


def found(folder: Path) -> Client | None:
    """The run of an environment, if one lives; `folder` is that of the environment."""
    address = read(folder)
    if address is None:
        return None
    client = Client(address)
    try:
        connection = _Connection(address.socket, 5.0)
        connection.connect()
        connection.close()
    except OSError:
        return None  # it was killed, and left its socket
    return client


def _gone(address: Address) -> UlnaError:
    return UlnaError.of("ULN562", f"The run of '{address.deployment}' has ended", "Begin another with 'ulna run'.")


def _diagnostic(plain: Mapping[str, Any]) -> Diagnostic:
    severity = Severity(plain.get("severity", Severity.ERROR))
    return Diagnostic(
        str(plain.get("code", "")), severity, str(plain.get("message", "")), help=str(plain.get("help") or "")
    )
