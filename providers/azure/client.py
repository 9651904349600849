"""All calls of the SDK: resources by id and API version, as they are written; what takes long is waited for.

Bodies go and come as JSON, since a typed client of the SDK knows one version of one service and drops what it does not know.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from engine.contract.errors import Terminal, Transient, Unreachable
from providers.azure.refusals import Absent, refused, speaking, wait_of
from providers.azure.target import Target, connect

Seen = dict[str, Any]
"""A resource as Azure shows it."""
PAUSE = 3.0
"""Seconds between two looks at an operation, where Azure does not say."""
PAGES = 1000
"""More than a collection can have."""
VAULT_VERSION, TAGS_VERSION = "7.4", "2025-04-01"
PURGES, PURGE_PAUSE = 10, 1.0
_SAFE = "/()~'!*@:$&,;=+-._"


class Client:
    """Azure, as one environment sees it."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._lock = threading.Lock()
        self._arm: Any = None
        self._vaults: Any = None
        self._reached = False

    @property
    def arm(self) -> Any:
        """The SDK's pipeline, made when it is first needed."""
        with self._lock:
            if self._arm is None:
                with speaking(self.target):
                    self._arm = connect(self.target)
            return self._arm

    def close(self) -> None:
        """Give up the connections; the next call makes new ones."""
        with self._lock:
            if self._arm is not None:
                self._arm.close()
            if self._vaults is not None:
                self._vaults.close()
            self._arm = self._vaults = None

    # ------------------------------------------------------------ calls

    def get(self, id: str, version: str) -> Seen | None:
        """A resource as it is now; None if there is none."""
        try:
            seen: Seen = self._body(self._send("GET", id, version))
        except Absent:
            return None
        return seen

    def put(self, id: str, version: str, body: Mapping[str, Any], stopping: Callable[[], bool]) -> Seen:
        """Make a resource or change it, and wait until that is done."""
        try:
            answer = self._send("PUT", id, version, body)
            self._finish(answer, stopping)
        except Absent as error:
            raise Terminal(str(error), error.help) from error
        seen = self.get(id, version)
        if seen is None:
            raise Transient(f"'{id}' was made and is not there yet")
        return seen

    def delete(self, id: str, version: str, stopping: Callable[[], bool]) -> None:
        """Make a resource go, and wait until it has; no error if it is gone."""
        try:
            self._finish(self._send("DELETE", id, version), stopping)
        except Absent:
            return

    def tag(self, id: str, tags: Mapping[str, str], stopping: Callable[[], bool]) -> None:
        """Put tags on a resource, beside those it has; nothing else of it is changed."""
        self._tag("Merge", id, tags, stopping)

    def untag(self, id: str, tags: Mapping[str, str], stopping: Callable[[], bool]) -> None:
        """Take tags off a resource; the others it has stay."""
        self._tag("Delete", id, tags, stopping)

    def _tag(self, operation: str, id: str, tags: Mapping[str, str], stopping: Callable[[], bool]) -> None:
        body = {"operation": operation, "properties": {"tags": dict(tags)}}
        try:
            answer = self._send("PATCH", f"{id}/providers/Microsoft.Resources/tags/default", TAGS_VERSION, body)
            self._finish(answer, stopping)
        except Absent as error:
            raise Terminal(str(error), error.help) from error

    def post(self, id: str, version: str, body: Mapping[str, Any] | None = None) -> Any:
        """What an action of a resource answers; raises `Absent`."""
        return self._body(self._send("POST", id, version, body))

    def ask(self, path: str, version: str, **query: str) -> Any:
        """What a path answers; raises `Absent`."""
        return self._body(self._send("GET", path, version, **query))

    def pages(self, path: str, version: str) -> Iterator[Any]:
        """What a collection has, page by page: each says where the next one is. Of that only the query counts, so that
        nobody but Azure is asked.
        """
        query: dict[str, str] = {}
        for _ in range(PAGES):
            page = self.ask(path, version, **query)
            yield from page.get("value") or ()
            given = {k: v for k, v in parse_qsl(urlsplit(page.get("nextLink") or "").query) if k != "api-version"}
            if not given or given == query:
                return
            query = given

    def remove_secret(self, uri: str, stopping: Callable[[], bool]) -> None:
        """Remove a secret of a vault for good, where the vault allows that: only the vault itself can."""
        vault, _, name = uri.partition("/secrets/")
        name = name.partition("/")[0]
        with suppress(Absent):
            self._vault("DELETE", f"{vault}/secrets/{name}", vault)
        for _ in range(PURGES):  # it takes a moment until what is deleted can be purged
            try:
                self._vault("DELETE", f"{vault}/deletedsecrets/{name}", vault)
                return
            except Terminal:
                return  # it is protected, or we may not: it goes when its time is over
            except (Absent, Transient):
                if stopping():
                    return
                time.sleep(PURGE_PAUSE)

    def _vault(self, method: str, url: str, vault: str) -> None:
        with self._lock:
            if self._vaults is None:
                domain = urlsplit(vault).netloc.partition(".")[2]
                with speaking(self.target):
                    self._vaults = connect(self.target, f"https://{domain}")
        self._send(method, url, VAULT_VERSION, through=self._vaults)

    # ------------------------------------------------------------ the wire

    def _send(self, method: str, path: str, version: str, body: Any = None, through: Any = None, **query: str) -> Any:
        """One request; raises what its answer says if that is an error."""
        from azure.core.rest import HttpRequest

        url = path if through is not None else f"{self.target.endpoint}{quote(path, safe=_SAFE)}"
        request = HttpRequest(method, url, params={"api-version": version, **query}, json=body)
        try:
            pipeline = through if through is not None else self.arm
            with speaking(self.target):
                answer = pipeline.send_request(request, _return_pipeline_response=True)
        except Transient as error:
            if self._reached:
                raise
            raise Unreachable(error.reason, error.help) from error
        self._reached = True
        http = answer.http_response
        if http.status_code >= 400:
            raise refused(http.status_code, self._json(http), http.headers)
        return answer

    def _body(self, answer: Any) -> Any:
        return self._json(answer.http_response) or {}

    def _json(self, http: Any) -> Any:
        try:
            return http.json()
        except ValueError:
            return None

    def _finish(self, answer: Any, stopping: Callable[[], bool]) -> None:
        """Wait for a long-running operation; asked to stop, leave it to itself: the next look finds what it came to."""
        from azure.core.polling import LROPoller
        from azure.mgmt.core.polling.arm_polling import ARMPolling

        if answer.http_response.status_code in (200, 204) and not self._is_long(answer):
            return
        pause = wait_of(answer.http_response.headers)
        with speaking(self.target):
            poller = LROPoller(self.arm, answer, lambda _: None, ARMPolling(PAUSE if pause is None else pause))
            while not poller.done():
                if stopping():
                    raise Transient("Azure was still at work when Ulna was asked to stop")
                time.sleep(0.02)
                poller.wait(0.2)
            poller.result()

    def _is_long(self, answer: Any) -> bool:
        headers = answer.http_response.headers
        state = ((self._json(answer.http_response) or {}).get("properties") or {}).get("provisioningState", "Succeeded")
        return (
            "Azure-AsyncOperation" in headers
            or "Location" in headers
            or state not in ("Succeeded", "Failed", "Canceled")
        )
