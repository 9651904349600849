"""Speaks to a server: what `ulna submit` and `ulna deployments` ask of it. Standard library alone."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError
from engine.live.address import LOOPBACKS
from engine.server.address import read

PATIENCE = 60.0
"""Seconds for which a stream that broke is taken up again."""


class _NoRedirect(HTTPRedirectHandler):
    """Leads nowhere else: the token is for this server alone."""

    def redirect_request(self, *_: object) -> None:
        return None


class Client:
    """A server at a URL; the token is never in an address, nor in a message."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self._token = token
        near = urlsplit(url).hostname in LOOPBACKS
        self._open = build_opener(_NoRedirect(), *([ProxyHandler({})] if near else [])).open

    def submit(self, bundle: bytes) -> dict[str, Any]:
        """Queue a bundle."""
        return self._document("POST", "/api/deployments", bundle)

    def list(self, environment: str | None = None) -> list[dict[str, Any]]:
        """The last deployments, of one environment or of all."""
        query = f"?{urlencode({'environment': environment})}" if environment else ""
        found: list[dict[str, Any]] = self._document("GET", f"/api/deployments{query}")["deployments"]
        return found

    def show(self, id: str) -> dict[str, Any]:
        """One deployment."""
        return self._document("GET", f"/api/deployments/{quote(id, safe='')}")

    def act(self, verb: str, id: str) -> dict[str, Any]:
        """Cancel or retry one."""
        return self._document("POST", f"/api/deployments/{quote(id, safe='')}/{verb}", b"")

    def events(self, id: str) -> Iterator[dict[str, Any]]:
        """What it tells, until it ends; taken up again where the connection breaks, or the server starts anew."""
        at, end = 0, time.monotonic() + PATIENCE
        while True:
            try:
                with self._send("GET", f"/api/deployments/{quote(id, safe='')}/events?after={at}") as answer:
                    for line in answer:
                        end = time.monotonic() + PATIENCE
                        if line.strip():
                            event = json.loads(line)
                            at = event.pop("number")
                            yield event
                if self.show(id)["state"] not in ("queued", "running"):
                    return
            except (OSError, HTTPException, ValueError):
                if time.monotonic() > end:
                    raise self._away("the connection broke") from None
            except UlnaError as error:
                if error.diagnostics[0].code != "ULN570" or time.monotonic() > end:
                    raise
            time.sleep(0.5)

    def _document(self, method: str, path: str, body: bytes | None = None) -> dict[str, Any]:
        try:
            with self._send(method, path, body) as answer:
                found: dict[str, Any] = json.loads(answer.read())
                return found
        except (OSError, HTTPException, ValueError):
            raise self._away("it did not answer as a server of Ulna does") from None

    def _send(self, method: str, path: str, body: bytes | None = None) -> HTTPResponse:
        headers = {"Authorization": f"Bearer {self._token}", "X-Ulna": "1", "Content-Type": "application/gzip"}
        try:
            answer: HTTPResponse = self._open(Request(self.url + path, body, headers, method=method), timeout=120)
            return answer
        except HTTPError as error:
            with error:
                raise self._refusal(error.code, error.read()) from None
        except URLError as error:
            reason = getattr(error.reason, "strerror", None) or str(error.reason)
            raise self._away(reason.lower()) from None
        except (OSError, HTTPException, ValueError) as error:
            raise self._away(type(error).__name__) from None

    def _refusal(self, status: int, body: bytes) -> UlnaError:
        if status == 401:
            help = "Give the token in ULNA_TOKEN; the server says at its start where it is kept."
            return UlnaError.of("ULN571", f"The server at {self.url} does not know the token", help)
        try:
            data = json.loads(body)
            return UlnaError(*map(_diagnostic, data["diagnostics"]), exit_code=data.get("exitCode", 1))
        except (ValueError, KeyError, TypeError):
            help = "Where it is reached by a name, the server needs --name." if status == 421 else ""
            return UlnaError.of("ULN570", f"The server at {self.url} answered {status}", help)

    def _away(self, reason: str) -> UlnaError:
        help = "Check --server or ULNA_SERVER, and that 'ulna server' runs there."
        return UlnaError.of("ULN570", f"The server at {self.url} cannot be reached: {reason}", help)


def found(url: str | None, folder: Path) -> Client:
    """The server that is named, else that of `ULNA_SERVER`, else the one whose state is in the folder."""
    url = url or os.environ.get("ULNA_SERVER")
    known = read(folder)
    token = os.environ.get("ULNA_TOKEN")
    if url is None and known is None:
        help = "Name one with --server URL or ULNA_SERVER, or start one here with 'ulna server'."
        raise UlnaError.of("ULN570", "There is no server here", help, exit_code=2)
    if url is not None and not url.startswith(("http://", "https://")):
        raise UlnaError.of("ULN570", f"'{url}' is no address of a server", "Write http://HOST:PORT.", exit_code=2)
    if known is not None and (url is None or url.rstrip("/") == known.url):
        return Client(known.url, token or known.token)
    assert url is not None
    return Client(url, token or "")


def _diagnostic(plain: Mapping[str, Any]) -> Diagnostic:
    words = {s.value: s for s in Severity}
    severity = words.get(str(plain.get("severity")), Severity.ERROR)
    code, message, help = (str(plain.get(k) or "") for k in ("code", "message", "help"))
    return Diagnostic(code, severity, message, help=help)


def diagnostics(summary: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """The problems in a summary, without the lines of the files."""
    return tuple(map(_diagnostic, summary.get("diagnostics", ())))
