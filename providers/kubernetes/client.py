"""All calls of the Kubernetes SDK: objects by kind, namespace and name, as plain JSON; what fails is mapped in `refusals.py`."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.errors import Transient, Unreachable
from engine.contract.home import Home
from engine.record import Record
from providers.kubernetes.kinds import OTHER_VERSIONS
from providers.kubernetes.refusals import Absent, Contested, NoNamespace, Unauthorized, refused, speaking
from providers.kubernetes.target import Connection, Target, connect

MANAGER = "ulna"
TIMES = (5, 60)
"""Seconds to connect, and to wait for an answer."""

Object = Mapping[str, Any]
"""An object as the API server shows it."""


class Kind(Record):
    """A kind as the cluster serves it: `root` is its API's path, `plural` its collection there."""

    api_version: str
    name: str
    root: str
    plural: str
    namespaced: bool


class Changes:
    """Events of a watch, as they come; another thread may end it."""

    def __init__(self, response: Any, lines: Iterator[bytes]) -> None:
        self._response, self._lines = response, lines

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return (json.loads(line) for line in self._lines if line)

    def end(self) -> None:
        """Let whoever waits for the next one wait no more."""
        with suppress(OSError, ValueError, RuntimeError):  # it has ended already
            self._response.shutdown()


class Client:
    """The cluster of one environment. Several states may use one: each marks its objects with an identity of its own."""

    def __init__(self, folder: Path, target: Target) -> None:
        self.folder = folder
        self.target = target
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._reached = False
        self._kinds: dict[tuple[str, str], dict[str, Kind]] = {}
        self._home = Home(folder)

    @property
    def connection(self) -> Connection:
        """The SDK's client, made when it is first needed."""
        with self._lock:
            if self._connection is None:
                with speaking(self.target):
                    self._connection = connect(self.target)
            return self._connection

    def close(self) -> None:
        """Give up the connection; the next call makes a new one."""
        with self._lock:
            if self._connection is not None:
                self._connection.api.rest_client.close()
            self._connection = None

    # ------------------------------------------------------------ identity

    @property
    def home(self) -> str:
        """The identity, made when something is first created; "" before."""
        return self._home.id

    def make_home(self) -> str:
        """The identity, made if there is none yet."""
        return self._home.make()

    def namespace(self, named: Any) -> str:
        """The namespace for what names one, or none."""
        if isinstance(named, str) and named:
            return named
        return self.target.namespace or self.connection.namespace

    # ------------------------------------------------------------ kinds

    def kind(self, group: str, version: str, name: str) -> Kind:
        """A kind as the cluster serves it, in another version of the same shape if need be."""
        for each in (version, *OTHER_VERSIONS.get((group, version), ())):
            found = self._of(group, each).get(name)
            if found is not None:
                return found
        group_version = f"{group}/{version}".removeprefix("core/")
        help = "Check the spelling; or install what defines it, and let the resource depend on that."
        raise Absent(f"{self.target.words} has no kind '{name}' in '{group_version}'", help)

    def serves(self, group: str, version: str, name: str) -> bool:
        """Whether the cluster has a kind."""
        return name in self._of(group, version)

    def _of(self, group: str, version: str) -> dict[str, Kind]:
        key = (group, version)
        if not self._kinds.get(key):  # what is not there may be installed meanwhile
            core = group == "core"
            root = f"/api/{version}" if core else f"/apis/{group}/{version}"
            try:
                listed = self.call("GET", root)
            except Absent:
                listed = {}
            api_version = version if core else f"{group}/{version}"
            self._kinds[key] = {
                r["kind"]: Kind(api_version, r["kind"], root, r["name"], r["namespaced"])
                for r in listed.get("resources") or ()
                if "/" not in r["name"]
            }
        return self._kinds[key]

    # ------------------------------------------------------------ objects

    def get(self, kind: Kind, namespace: str, name: str) -> Object | None:
        """An object, or None."""
        try:
            found: Object = self.call("GET", _path(kind, namespace, name))
            return found
        except (Absent, NoNamespace):
            return None

    def list(self, kind: Kind, namespace: str = "", **selectors: str) -> list[Any]:
        """The objects of a kind; `labels` and `fields` are selectors."""
        return list(self.listed(kind, namespace, **selectors).get("items") or ())

    def listed(self, kind: Kind, namespace: str = "", **selectors: str) -> Any:
        """The list of them, with the version of the whole."""
        return self.call("GET", _path(kind, namespace), _selecting(selectors))

    def changes(self, kind: Kind, namespace: str, version: str, seconds: int, **selectors: str) -> Changes:
        """What changes from a version on, as the API tells it, for so many seconds."""
        query = [("watch", "true"), ("allowWatchBookmarks", "true"), ("resourceVersion", version)]
        query += [("timeoutSeconds", str(seconds)), *_selecting(selectors)]
        times = (TIMES[0], seconds + TIMES[1])
        response = self._send("GET", _path(kind, namespace), query, None, "application/json", stream=True, times=times)
        return Changes(response, self._lines(response))

    def apply(self, kind: Kind, namespace: str, body: Object) -> Object:
        """Server-side apply. Fields that a person's one-off change holds are taken back; those of other managers are not."""
        path = _path(kind, namespace, str(body["metadata"]["name"]))
        if kind.name == "Namespace" and self.get(kind, "", str(body["metadata"]["name"])) is None:
            made: Object = self.call(
                "POST", _path(kind, ""), [("fieldManager", MANAGER)], body
            )  # older ones apply none
            return made
        try:
            return self._apply(path, body, self.target.takes)
        except Contested as contested:
            if any(_keeps(manager, applies) for manager, applies, _ in contested.holders):
                raise
            return self._apply(path, body, True)

    def _apply(self, path: str, body: Object, force: bool) -> Object:
        query = [("fieldManager", MANAGER), *([("force", "true")] if force else [])]
        applied: Object = self.call("PATCH", path, query, body, "application/apply-patch+yaml")
        return applied

    def patch(self, kind: Kind, namespace: str, name: str, change: Object) -> Object:
        """A merge patch."""
        query = [("fieldManager", MANAGER)]
        patched: Object = self.call(
            "PATCH", _path(kind, namespace, name), query, change, "application/merge-patch+json"
        )
        return patched

    def delete(self, kind: Kind, namespace: str, name: str, uid: str, foreground: bool) -> None:
        """Begin the deletion of the object with this uid, if it is still there."""
        options = {
            "propagationPolicy": "Foreground" if foreground else "Background",
            "preconditions": {"uid": uid},
        }
        with suppress(Absent, NoNamespace):
            self.call("DELETE", _path(kind, namespace, name), (), options)

    # ------------------------------------------------------------ calls

    def call(
        self, method: str, path: str, query: Any = (), body: Object | None = None, content: str = "application/json"
    ) -> Any:
        """One call, answered as JSON; credentials that expired are read anew once."""
        try:
            return json.loads(self._send(method, path, query, body, content) or b"{}")
        except Unauthorized:
            if not self._reached:
                raise
            self.close()
            return json.loads(self._send(method, path, query, body, content) or b"{}")
        except ValueError as error:
            raise Transient(f"{self.target.words} answered with something that is not JSON") from error

    def _send(self, method: str, path: str, query: Any, body: Object | None, content: str, **more: Any) -> Any:
        api = self.connection.api
        headers = {"Accept": "application/json", "Content-Type": content}
        request = api.param_serialize(
            method, path, query_params=list(query), header_params=headers, body=body, auth_settings=["BearerToken"]
        )
        try:
            with speaking(self.target):
                answer = api.call_api(*request, _request_timeout=more.get("times", TIMES))
        except Transient as error:
            if self._reached:
                raise
            raise Unreachable(error.reason, error.help) from error
        with speaking(self.target):
            if not 200 <= answer.status <= 299:
                raise refused(answer.status, answer.read(), answer.headers, self.target)
            self._reached = True
            if more.get("stream"):
                return answer.response
            return answer.read()

    # ------------------------------------------------------------ logs

    def log(self, namespace: str, pod: str, container: str, **options: Any) -> Iterator[str]:
        """Lines of a container's log; `follow`, `tailLines`, `previous`, `timestamps` as the API has them."""
        query = [("container", container)] + [(k, str(v).lower()) for k, v in options.items() if v]
        path = f"/api/v1/namespaces/{namespace}/pods/{pod}/log"
        follow = bool(options.get("follow"))
        response = self._send(
            "GET", path, query, None, "application/json", stream=True, times=(5, None if follow else 60)
        )
        yield from (line.decode(errors="replace") for line in self._lines(response))

    def _lines(self, response: Any) -> Iterator[bytes]:
        """The lines of an answer as they come."""
        try:
            rest = b""
            with speaking(self.target):
                for piece in response.stream(4096, decode_content=False):
                    *whole, rest = (rest + piece).split(b"\n")
                    yield from whole
            if rest:
                yield rest
        finally:
            response.close()  # there may be more to come


def _selecting(selectors: Mapping[str, str]) -> list[tuple[str, str]]:
    """Selectors as the API's parameters: `labels` is `labelSelector`."""
    return [(f"{k[:-1]}Selector", v) for k, v in selectors.items()]


def _path(kind: Kind, namespace: str, name: str = "") -> str:
    where = f"/namespaces/{namespace}" if kind.namespaced and namespace else ""
    return f"{kind.root}{where}/{kind.plural}" + (f"/{name}" if name else "")


def _keeps(manager: str, applies: bool) -> bool:
    """Whether a manager would set the field again: one that applies, or a controller."""
    lower = manager.lower()
    return applies or any(w in lower for w in ("controller", "operator", "autoscaler", "kubelet", "vpa", "hpa"))
