"""HTTP for registries: one call in, one whole answer out, with limits, deadlines, and further tries where they may help."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from engine.record import Record

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.request import OpenerDirector

TRIES = 4
SILENCE = 10.0
"""After so many seconds without a word no further try is made, and the host is left alone for a while."""
QUIET = 60.0
"""How long a host that said nothing is not asked again, in seconds: what else it has is not waited for one by one."""
AGAIN = frozenset({408, 429, 500, 502, 503, 504})
PATIENCE = 30.0
"""No pause between tries is longer, whatever the other side asks for."""


class RegistryError(Exception):
    """Why something could not be had; `reason` is the second half of a sentence and has no secrets in it."""

    def __init__(self, reason: str, status: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status


class Silent(RegistryError):
    """Nothing came from a host for as long as one try waits."""

    def __init__(self, host: str) -> None:
        super().__init__(_silent(host))
        self.host = host


_quiet: dict[str, float] = {}
"""Until when hosts that said nothing are left alone, by the monotonic clock."""


def _silent(host: str) -> str:
    return f"'{host}' does not answer in time"


class Answer(Record):
    """What came back: `headers` are by lower-case name."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """Makes calls; `idle` is how long the other side may say nothing, `total` how long one try may take, in seconds."""

    __slots__ = ("_opener", "idle", "pause", "total", "tries")

    def __init__(
        self,
        idle: float = 7.0,
        total: float = 180.0,
        tries: int = TRIES,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self.idle = idle
        self.total = total
        self.tries = tries
        self.pause = pause
        self._opener: OpenerDirector | None = None

    def call(self, method: str, url: str, headers: Mapping[str, str], limit: int, body: bytes | None = None) -> Answer:
        """The answer, whatever its status; `RegistryError` where there is none, or a longer one than `limit`."""
        silent = 0.0
        for attempt in range(self.tries):
            last = attempt == self.tries - 1
            start = time.monotonic()
            try:
                answer = self._once(method, url, headers, limit, body)
            except Silent as error:
                silent += time.monotonic() - start
                if last or silent > SILENCE:
                    _quiet[error.host] = time.monotonic() + QUIET
                    raise RegistryError(error.reason) from None
                self.pause(_backoff(attempt))
                continue
            except RegistryError as error:
                if last or error.status != -1:
                    raise RegistryError(error.reason) from None
                self.pause(_backoff(attempt))
                continue
            if answer.status not in AGAIN or last:
                return answer
            self.pause(_asked(answer.headers.get("retry-after")) or _backoff(attempt))
        raise AssertionError("the last try returns or raises")

    def _once(self, method: str, url: str, headers: Mapping[str, str], limit: int, body: bytes | None) -> Answer:
        """One try; an error with the status -1 may be gone the next time."""
        from http.client import HTTPException
        from urllib.error import HTTPError, URLError
        from urllib.request import Request

        request = Request(url, data=body, headers=dict(headers), method=method)
        deadline = time.monotonic() + self.total
        host = request.host
        if _quiet.get(host, 0.0) > time.monotonic():
            raise RegistryError(_silent(host))
        try:
            try:
                response = self._open().open(request, timeout=self.idle)
            except HTTPError as error:  # an answer like others
                response = error
            with response:
                read = _read(response, limit, deadline) if method != "HEAD" else b""
                return Answer(response.status, {k.lower(): v for k, v in response.headers.items()}, read)
        except Refused as error:
            raise RegistryError(str(error)) from None
        except TimeoutError:
            raise Silent(host) from None
        except URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise Silent(host) from None
            raise RegistryError(*_unreachable(host, error.reason)) from None
        except (HTTPException, OSError) as error:
            raise RegistryError(f"the connection to '{host}' broke: {type(error).__name__}", -1) from None
        except ValueError:
            raise RegistryError(f"'{host}' answered something that is not HTTP") from None

    def _open(self) -> OpenerDirector:
        if self._opener is None:
            self._opener = _opener()
        return self._opener


class Refused(Exception):
    """A redirect that is not followed."""


def is_loopback(host: str) -> bool:
    """Whether a host, with or without a port, is this machine: the only kind that is spoken to without TLS."""
    name = host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]
    return name in ("localhost", "127.0.0.1", "[::1]")


def base_url(host: str) -> str:
    """The scheme and host of a registry."""
    return f"{'http' if is_loopback(host) else 'https'}://{host}"


def _opener() -> OpenerDirector:
    from urllib.parse import urlsplit
    from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener, getproxies

    class Redirects(HTTPRedirectHandler):
        """Follows GET and HEAD; who is asked is told to nobody else, and TLS is not left."""

        max_redirections = 5

        def http_error_302(self, req: Request, fp: Any, code: int, msg: str, headers: Any) -> Any:
            scheme = urlsplit(headers.get("location", "")).scheme
            if scheme not in ("", "http", "https"):
                fp.close()
                raise Refused(f"'{req.host}' sends to a '{scheme}:' address")
            return super().http_error_302(req, fp, code, msg, headers)

        http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

        def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
            old, new = urlsplit(req.full_url), urlsplit(newurl)
            if new.scheme != "https" and not (new.scheme == "http" and is_loopback(new.netloc)):
                fp.close()
                raise Refused(f"'{old.netloc}' sends to '{new.scheme}://{new.netloc}', which is not encrypted")
            if is_loopback(new.netloc) and not is_loopback(old.netloc):
                fp.close()
                raise Refused(f"'{old.netloc}' sends to this machine itself, which is not followed")
            request = super().redirect_request(req, fp, code, msg, headers, newurl)
            if request is not None and (old.scheme, old.netloc.lower()) != (new.scheme, new.netloc.lower()):
                request.remove_header("Authorization")
            return request

    class Proxies(ProxyHandler):
        """The proxies of the environment, but none to this machine itself."""

        def proxy_open(self, req: Request, proxy: str, type: str) -> Any:
            return None if is_loopback(req.host) else super().proxy_open(req, proxy, type)

    return build_opener(Proxies(getproxies()), Redirects())


def _read(response: HTTPResponse, limit: int, deadline: float) -> bytes:
    """The body, as long as it is neither too long nor too slow, and whole."""
    length = response.headers.get("Content-Length", "")
    expected = int(length) if length.isdigit() else None
    if expected is not None and expected > limit:
        raise RegistryError(f"the answer is too large: {_megabytes(expected)}, where {_megabytes(limit)} are allowed")
    parts: list[bytes] = []
    size = 0
    while part := response.read1(65536):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise RegistryError(f"the answer is too large: more than {_megabytes(limit)}")
        if time.monotonic() > deadline:
            raise TimeoutError
    if expected is not None and size < expected:
        raise RegistryError(f"the answer ended after {size} of {expected} bytes", -1)
    return b"".join(parts)


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f} MB"


def _unreachable(host: str, reason: object) -> tuple[str, int]:
    """What is said of a host that could not be reached, and whether to try again."""
    import socket
    import ssl

    match reason:
        case ssl.SSLCertVerificationError():
            return f"the certificate of '{host}' is not trusted: {reason.verify_message}", 0
        case ssl.SSLError():
            return f"'{host}' does not speak TLS as it should", 0
        case socket.gaierror():
            return f"there is no host '{host}', or the network is down", 0
        case ConnectionRefusedError():
            return f"nobody listens at '{host}'", 0
        case OSError():
            return f"'{host}' cannot be reached: {(reason.strerror or type(reason).__name__).lower()}", -1
        case _:
            return f"'{host}' cannot be reached", 0


def _asked(retry_after: str | None) -> float | None:
    """How many seconds the other side asked to wait for."""
    return min(float(retry_after), PATIENCE) if retry_after is not None and retry_after.strip().isdigit() else None


def _backoff(attempt: int) -> float:
    """Twice as long each time, and never quite the same, so that many do not come back at once."""
    from os import urandom

    return float(min(0.4 * 2.0**attempt, PATIENCE) * (0.75 + urandom(1)[0] / 510))
