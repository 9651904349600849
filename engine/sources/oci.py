"""A client of one OCI registry: manifests and blobs, down and up; whoever must be asked for a token is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from engine.sources.cache import digest_of
from engine.sources.credentials import Credentials, Trouble, credentials_of
from engine.sources.transport import Answer, RegistryError, Transport, base_url, is_loopback

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
ACCEPTED = f"{MANIFEST}, application/vnd.docker.distribution.manifest.v2+json;q=0.5"
SMALL = 4 * 1024 * 1024
"""No manifest or token is larger."""


class Client:
    """Speaks to one registry. It may be used by one thread at a time."""

    __slots__ = ("_authorization", "_credentials", "_known", "_why", "host", "transport")

    def __init__(
        self,
        host: str,
        transport: Transport | None = None,
        credentials: Callable[[str], Credentials | Trouble | None] = credentials_of,
    ) -> None:
        self.host = host
        self.transport = transport or Transport()
        self._credentials = credentials
        self._known: Credentials | None = None
        self._why = ""
        """Why there are no credentials, if something is the matter."""
        self._authorization: dict[str, str] = {}
        """What opened the door before, by repository."""

    def manifest(self, repository: str, reference: str) -> tuple[bytes, str]:
        """A manifest by tag or digest, as its very bytes, and its digest; both are checked."""
        answer = self._call("GET", repository, f"manifests/{reference}", SMALL, {"Accept": ACCEPTED})
        digest = digest_of(answer.body)
        for wanted in (reference if ":" in reference else digest, answer.headers.get("docker-content-digest", digest)):
            if wanted.startswith("sha256:") and wanted != digest:
                raise RegistryError(f"'{self.host}' sent a manifest with the digest {digest} for {wanted}")
        return answer.body, digest

    def digest(self, repository: str, tag: str) -> str | None:
        """The digest that a tag has now; None where there is no such tag."""
        try:
            return self.manifest(repository, tag)[1]
        except RegistryError as error:
            if error.status == 404:
                return None
            raise

    def blob(self, repository: str, digest: str, size: int, limit: int) -> bytes:
        """A blob, checked against its digest and size."""
        if size > limit:
            raise RegistryError(f"a part of it is too large: {size} bytes, where {limit} are allowed")
        answer = self._call("GET", repository, f"blobs/{digest}", size, {})
        found = digest_of(answer.body)
        if found != digest or len(answer.body) != size:
            raise RegistryError(f"'{self.host}' sent {len(answer.body)} bytes with the digest {found} for {digest}")
        return answer.body

    def push_blob(self, repository: str, content: bytes) -> None:
        """Uploads a blob, unless it is there."""
        digest = digest_of(content)
        answer = self._call("HEAD", repository, f"blobs/{digest}", SMALL, {}, allowed=(200, 404))
        if answer.status == 200:
            return
        answer = self._call("POST", repository, "blobs/uploads/", SMALL, {}, b"", allowed=(202,))
        place = self._upload_url(answer.headers.get("location", ""))
        url = f"{place}{'&' if '?' in place else '?'}digest={digest.replace(':', '%3A')}"
        headers = {"Content-Type": "application/octet-stream"}
        self._send("PUT", url, repository, SMALL, headers, content, (201,))

    def push_manifest(self, repository: str, tag: str, content: bytes) -> None:
        """Uploads a manifest under a tag."""
        self._call("PUT", repository, f"manifests/{tag}", SMALL, {"Content-Type": MANIFEST}, content, allowed=(201,))

    def _upload_url(self, location: str) -> str:
        from urllib.parse import urljoin, urlsplit

        url = urljoin(f"{base_url(self.host)}/v2/", location)
        parts = urlsplit(url)
        if not location or (parts.scheme != "https" and not is_loopback(parts.netloc)):
            raise RegistryError(f"'{self.host}' names no place to upload to")
        return url

    def _call(
        self,
        method: str,
        repository: str,
        path: str,
        limit: int,
        headers: Mapping[str, str],
        body: bytes | None = None,
        allowed: tuple[int, ...] = (200,),
    ) -> Answer:
        return self._send(
            method, f"{base_url(self.host)}/v2/{repository}/{path}", repository, limit, headers, body, allowed
        )

    def _send(
        self,
        method: str,
        url: str,
        repository: str,
        limit: int,
        headers: Mapping[str, str],
        body: bytes | None,
        allowed: tuple[int, ...],
    ) -> Answer:
        """An answer with one of the statuses that are allowed; logs in where that is asked for, and tries once more."""
        own = url.startswith(f"{base_url(self.host)}/")
        known = self._authorization.get(repository) if own else None
        answer = self._with(method, url, known, limit, headers, body)
        if answer.status == 401 and own:
            challenge = answer.headers.get("www-authenticate", "")
            self._authorization[repository] = known = self._login(challenge, repository, known is not None)
            answer = self._with(method, url, known, limit, headers, body)
        if answer.status == 401 and known is not None and self._known is not None:
            raise RegistryError(self._unauthorized(), 401)
        if answer.status not in allowed:
            raise RegistryError(_refusal(self.host, answer), answer.status)
        return answer

    def _with(
        self, method: str, url: str, known: str | None, limit: int, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        # What is refused is told in a page of its own, so an answer may be longer than what was asked for.
        authorized = {**headers, "User-Agent": "ulna", **({"Authorization": known} if known else {})}
        return self.transport.call(method, url, authorized, max(limit, SMALL), body)

    def _login(self, challenge: str, repository: str, again: bool) -> str:
        """What to put into the header, as the challenge asks for."""
        scheme, _, rest = challenge.partition(" ")
        known = self._known or self._credentials(self.host)
        self._known, self._why = (None, known.reason) if isinstance(known, Trouble) else (known, "")
        if scheme.lower() == "bearer":
            return self._token(dict(re.findall(r'(\w+)="([^"]*)"', rest)), repository)
        if scheme.lower() == "basic" and self._known is not None and self._known.username and not again:
            return self._known.basic()
        raise RegistryError(self._unauthorized(), 401)

    def _token(self, asked: Mapping[str, str], repository: str) -> str:
        """A token from whom the registry trusts, with our credentials if there are any, else as anybody."""
        from urllib.parse import urlencode, urlsplit

        realm = asked.get("realm", "")
        parts = urlsplit(realm)
        if parts.scheme != "https" and not (
            parts.scheme == "http" and is_loopback(parts.netloc) and is_loopback(self.host)
        ):
            raise RegistryError(f"'{self.host}' wants a token from a place that is not encrypted")
        query = {"service": asked.get("service", ""), "scope": asked.get("scope", f"repository:{repository}:pull")}
        query = {key: value for key, value in query.items() if value}
        known = self._known
        headers = {"User-Agent": "ulna"}
        if known is not None and known.token:
            form = urlencode(
                {**query, "grant_type": "refresh_token", "refresh_token": known.token, "client_id": "ulna"}
            )
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            answer = self.transport.call("POST", realm, headers, SMALL, form.encode())
        else:
            if known is not None:
                headers["Authorization"] = known.basic()
            url = f"{realm}{'&' if parts.query else '?'}{urlencode(query)}"
            answer = self.transport.call("GET", url, headers, SMALL)
        if answer.status != 200:
            raise RegistryError(self._unauthorized(), answer.status)
        document = _json(answer.body)
        token = document.get("token") or document.get("access_token") if isinstance(document, dict) else None
        if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]+", token):
            raise RegistryError(f"whom '{self.host}' sends to for a token gives none")
        return f"Bearer {token}"

    def _unauthorized(self) -> str:
        if self._known is not None:
            return f"'{self.host}' does not accept the credentials that the Docker configuration has for it"
        none = f"the Docker configuration has none for it; 'docker login {self.host}' adds them"
        return f"'{self.host}' wants credentials, and {self._why or none}"


def _refusal(host: str, answer: Answer) -> str:
    """What an answer means to people."""
    match answer.status:
        case 401:
            return f"'{host}' does not accept who we are"
        case 403:
            return f"'{host}' does not allow it"
        case 404:
            return f"'{host}' does not have it"
        case 405 | 501:
            return f"'{host}' does not do that"
        case 429:
            return f"'{host}' says that there were too many requests; try again later"
        case _:
            pass
    said = _json(answer.body)
    errors = said.get("errors") if isinstance(said, dict) else None
    first = errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], dict) else {}
    word = str(first.get("code", ""))
    return f"'{host}' answers {answer.status}" + (f" ({word})" if re.fullmatch(r"[A-Z_]{1,40}", word) else "")


def _json(content: bytes) -> Any:
    import json

    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
