"""Any object of a cluster, by `GROUP/Kind@VERSION`: applied on the server's side, so that others may have a hand in it too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from engine.contract.difference import differing, dotted, drifted, touches, within
from engine.contract.errors import OperatorError, Terminal, Transient
from engine.contract.operator import (
    Applied,
    Bid,
    Call,
    Difference,
    Execution,
    Keep,
    Observed,
    Rendering,
    Replace,
    Same,
    Update,
    View,
)
from engine.contract.resource import Resource
from engine.contract.value import Properties, Secret, Value
from providers.kubernetes.bodies import native_of, readable, without_secrets
from providers.kubernetes.client import Client, Kind, Object
from providers.kubernetes.executing import RUNS, execute
from providers.kubernetes.health import address_of, look
from providers.kubernetes.kinds import FORCES, FOREGROUND, ONCE, group_and_kind, is_served, metadata_of
from providers.kubernetes.live import quantity, shaped
from providers.kubernetes.marks import ADDRESS, ENVIRONMENT, HOME, NO_LABELS, NO_NOTES, TOKEN, Marks
from providers.kubernetes.reading import lines
from providers.kubernetes.refusals import Forbidden
from providers.kubernetes.trouble import troubles_in
from providers.kubernetes.watching import Place, watch

GONE_WITHIN = 120.0
"""Seconds that a call waits for an object to go, before it is looked at again."""


class ObjectOperator:
    """See the module."""

    name = "kubernetes"
    effects = True

    def __init__(self, client: Client) -> None:
        self.client = client
        self._places: set[Place] = set()

    # ------------------------------------------------------------ pure

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits what has an id of a cluster."""
        return Bid(100, "an object of a Kubernetes cluster") if is_served(resource) else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """It is native as it is; what a cloud's operator hands over is emulated by a workload."""
        if is_served(resource):
            return Keep()
        from engine.contract.emulator import emulate
        from providers.kubernetes.platform import KubernetesPlatform

        return emulate(resource, view, KubernetesPlatform())

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Three-way; what cannot be changed in place is known by kind."""
        if applied is None:
            return Update()
        paths = set(differing(applied.properties, resource.properties))
        if observed is not None:
            paths.update(drifted(resource.properties, observed.properties))
            paths.update(tuple(p.split(".")) for p in observed.properties.get("$drift") or ())
        if not paths:
            return Same()
        forces = [("metadata", "name"), ("metadata", "namespace"), *map(_split, FORCES.get(resource.type, ()))]
        forced = sorted(
            dotted(p) for p in paths if any(touches(p, f) for f in forces) or _shrinks(p, resource, applied)
        )
        if forced:
            return Replace(tuple(forced), f"{_listed(forced)} cannot be changed in place")
        return Update(tuple(sorted(map(dotted, paths))))

    def outputs(self, resource: Resource) -> Properties:
        """Nothing but what it is declared with is known before."""
        return {}

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """The object that would be applied."""
        return native_of(resource, None)

    # ------------------------------------------------------------ effects

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """The object of this name, if it was made under the token; any of this name for one that exists already."""
        kind, namespace, name = self._place(resource)
        live = self.client.get(kind, namespace, name) if resource.existing else self._ours(resource, token)
        return None if live is None else self._seen(resource, live, token, call)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Apply it; what somebody else made is not touched."""
        kind, namespace, name = self._place(resource)
        home = self.client.make_home()
        live = self.client.get(kind, namespace, name)
        if live is not None:
            self._claim(resource, live, token, home)
        return self._seen(resource, self._apply(resource, kind, namespace, token, call), token, call)

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Apply it anew."""
        kind, namespace, _ = self._place(resource)
        return self._seen(resource, self._apply(resource, kind, namespace, token, call), token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Delete it with its parts, and wait until it is gone."""
        kind, _, _ = self._place(resource)
        live = self._ours(resource, token)
        if live is None:
            return
        meta = live["metadata"]
        namespace, name, uid = str(meta.get("namespace") or ""), str(meta["name"]), str(meta["uid"])
        if not meta.get("deletionTimestamp"):
            self.client.delete(kind, namespace, name, uid, resource.type in FOREGROUND)
        wait_until_gone(self.client, kind, namespace, name, uid, call)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Put our marks on what somebody else made; `id` is a native id, `NAMESPACE/NAME` or the bare name."""
        kind, namespace, name = self._place(resource)
        meant = (id.partition("/namespaces/")[2].partition("/")[0] if "/namespaces/" in id else "") or (
            id.rpartition("/")[0] if not id.startswith("/") else ""
        )
        if id.rpartition("/")[2] != name or meant not in ("", namespace):
            where = f"'{namespace}/{name}'" if namespace else f"'{name}'"
            help = "Give the resource in the file this name and namespace: they are what an object is known by."
            raise Terminal(f"the file declares {kind.name} {where}", help)
        live = self.client.get(kind, namespace, name)
        if live is None:
            raise Terminal(f"there is no {kind.name} '{name}'{f' in the namespace {namespace!r}' if namespace else ''}")
        home = self.client.make_home()
        if Marks.of(live).token:
            self._claim(resource, live, token, home)
        labels, notes = self._marks(token)
        change = {"metadata": {"labels": labels, "annotations": notes}}
        seen = self._seen(resource, self.client.patch(kind, namespace, name, change), token, call)
        return seen.replace(properties=within(resource.properties, seen.properties))

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """Take our marks off it: it stays."""
        kind, _, _ = self._place(resource)
        if (live := self._ours(resource, token)) is not None:
            meta = live["metadata"]
            change = {"metadata": {"labels": NO_LABELS, "annotations": NO_NOTES}}
            self.client.patch(kind, str(meta.get("namespace") or ""), str(meta["name"]), change)

    def logs(self, resource: Resource, token: str, follow: bool) -> Iterator[str]:
        """What its pods write; of several, with the pod's name before each line."""
        return self.logs_since(resource, token, follow, 0.0)

    def logs_since(self, resource: Resource, token: str, follow: bool, since: float) -> Iterator[str]:
        """The same, from a moment on."""
        kind, namespace, name = self._place(resource)
        live = self.client.get(kind, namespace, name)
        return iter(()) if live is None else lines(self.client, live, follow, since)

    def runs(self, resource: Resource) -> bool:
        """Whether it has pods."""
        return resource.type in RUNS

    def can_execute(self, resource: Resource) -> bool:
        """The same."""
        return self.runs(resource)

    def execute(self, resource: Resource, token: str, command: tuple[str, ...], timeout: float) -> Execution:
        """Run a program in one of its pods."""
        live = self._ours(resource, token)
        if live is None:
            raise Terminal("it is not there", "Deploy it first.")
        return execute(self.client, live, command, timeout)

    def watch(self, wake: Callable[[str], None], stopping: Callable[[], bool]) -> None:
        """The cluster tells of every change in the kinds and namespaces that this operator was asked about."""
        watch(self.client, lambda: tuple(self._places), wake, stopping)

    # ------------------------------------------------------------ parts

    def _place(self, resource: Resource) -> tuple[Kind, str, str]:
        group, name = group_and_kind(resource.type)
        kind = self.client.kind(group, resource.api_version, name)
        meta = metadata_of(resource)
        namespace = self.client.namespace(meta.get("namespace")) if kind.namespaced else ""
        if not resource.existing:
            self._places.add((kind, namespace))
        return kind, namespace, str(meta.get("name") or resource.name)

    def _ours(self, resource: Resource, token: str) -> Object | None:
        """The object that was made under a token: mostly that of its name; of another where the wish has a new name since."""
        kind, namespace, name = self._place(resource)
        home = self.client.home
        if not home:
            return None

        def made(live: Object) -> bool:
            return Marks.of(live).token == token and Marks.of(live).home == home

        live = self.client.get(kind, namespace, name)
        if live is not None and made(live):
            return live
        return next((each for each in self._all(kind, namespace, home) if made(each)), None)

    def _all(self, kind: Kind, namespace: str, home: str) -> list[Object]:
        """All of a kind that this state has, in every namespace that it may look into."""
        for where in ("", namespace) if namespace else ("",):
            try:
                return self.client.list(kind, where, labels=f"{HOME}={home}")
            except Forbidden:
                continue
        return []

    def _claim(self, resource: Resource, live: Object, token: str, home: str) -> None:
        """Whether what is there already may be taken: only what this resource made itself."""
        marks, what = Marks.of(live), _called(resource, live)
        if live["metadata"].get("deletionTimestamp"):
            raise Transient(f"{what} is still being deleted", after=1)
        if not marks.token:
            help = f"Delete it, choose another name, or take it over: ulna import {resource.address} {resource.id}"
            raise Terminal(f"{what} is there already, and was not made by Ulna", help)
        if marks.home != home:
            help = (
                "Destroy it there (with '--on-unmanage detach' if it is to stay), or choose another name or namespace. If that state is "
                f"gone: kubectl label {_kubectl(live)} {HOME}- {ENVIRONMENT}- && kubectl annotate {_kubectl(live)} {ADDRESS}- {TOKEN}-."
            )
            raise Terminal(
                f"{what} belongs to another Ulna (environment '{marks.environment}', '{marks.address}')", help
            )
        if marks.token != token and marks.address != token.rpartition("#")[0]:
            help = "Give one of them another name or namespace."
            raise Terminal(f"{what} belongs to '{marks.address}' already", help)

    def _apply(self, resource: Resource, kind: Kind, namespace: str, token: str, call: Call) -> Object:
        wish = native_of(resource, call)
        meta = {**wish["metadata"], "name": str(metadata_of(resource).get("name") or resource.name)}
        if kind.namespaced:
            meta["namespace"] = namespace
        else:
            meta.pop("namespace", None)
        labels, notes = self._marks(token)
        meta["labels"] = {**(meta.get("labels") or {}), **labels}
        meta["annotations"] = {**(meta.get("annotations") or {}), **notes}
        body = {**wish, "apiVersion": kind.api_version, "kind": kind.name, "metadata": meta}
        try:
            return self.client.apply(kind, namespace, body)
        except OperatorError as error:
            error.reason = f"{kind.name} '{meta['name']}': {without_secrets(error.reason, body)}"
            raise

    def _marks(self, token: str) -> tuple[dict[str, str], dict[str, str]]:
        """Labels and annotations that say whose it is."""
        labels = {HOME: self.client.make_home()}
        if self.client.target.environment:
            labels[ENVIRONMENT] = self.client.target.environment
        return labels, {ADDRESS: token.rpartition("#")[0], TOKEN: token}

    def _seen(self, resource: Resource, live: Object, token: str, call: Call) -> Observed:
        wish = resource.properties

        def opened(secret: Secret) -> Value:
            try:
                return call.reveal(secret)
            except (OperatorError, KeyError):
                return None  # who only looks has not been told

        shown = shaped(wish, readable(resource, live), opened)
        if "namespace" not in live["metadata"] and "namespace" in metadata_of(resource):
            shown["metadata"]["namespace"] = metadata_of(resource)["namespace"]  # its kind is in no namespace
        if resource.existing and resource.type == "core/Secret":
            data = live.get("data") or {}
            shown["data"] = {k: call.seal(v, f"{live['metadata']['name']}.{k}") for k, v in data.items()}
        if (address := address_of(live)) is not None:
            shown["address"] = address
        verdict = look(resource.type, live, troubles_in(self.client))
        return Observed(
            str(live["metadata"].get("uid")),
            token,
            shown,
            {},
            verdict.health,
            verdict.exit_code,
            verdict.message or ("a secret in it was changed outside of Ulna" if shown.get("$drift") else ""),
            verdict.look_again,
            mends=resource.type not in ONCE,
        )


def wait_until_gone(client: Client, kind: Kind, namespace: str, name: str, uid: str, call: Call) -> None:
    """Look until there is no such object any more, or another one; put off what takes long."""
    deadline, pause = time.monotonic() + GONE_WITHIN, 0.05
    while True:
        live = client.get(kind, namespace, name)
        if live is None or live["metadata"].get("uid") != uid:
            return
        if time.monotonic() > deadline or call.stopping():
            held = ", ".join(live["metadata"].get("finalizers") or ())
            raise Transient(
                f"{kind.name} '{name}' is still being deleted{f' (held by {held})' if held else ''}", after=1
            )
        time.sleep(pause)
        pause = min(1.0, pause * 1.5)


def _kubectl(live: Object) -> str:
    meta = live["metadata"]
    where = f" -n {meta['namespace']}" if meta.get("namespace") else ""
    return f"{str(live['kind']).lower()} {meta['name']}{where}"


def _called(resource: Resource, live: Object) -> str:
    meta = live["metadata"]
    where = f" in the namespace '{meta['namespace']}'" if meta.get("namespace") else ""
    return f"{group_and_kind(resource.type)[1]} '{meta['name']}'{where}"


# ---------------------------------------------------------------- differences


def _split(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def _shrinks(path: tuple[str | int, ...], resource: Resource, applied: Applied) -> bool:
    """Whether a claim is to be smaller than it is: it can only grow."""
    if resource.type != "core/PersistentVolumeClaim" or path[-1] != "storage":
        return False
    before, after = (quantity(_at(p, path)) for p in (applied.properties, resource.properties))
    return before is not None and after is not None and after < before


def _at(value: Value, path: tuple[str | int, ...]) -> Value:
    for key in path:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _listed(words: list[str]) -> str:
    quoted = [f"'{w}'" for w in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
