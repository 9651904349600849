"""`Ulna.Kubernetes/namespaces`: a namespace that has to be there. It is made if it is not, and deleted only if it was made.

Several applications, and several Ulnas, may use one: each leaves a mark of its own on what Ulna made, and the last to go
deletes it. On a namespace that somebody else made, nothing is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from engine.contract.difference import compare
from engine.contract.errors import Transient
from engine.contract.operator import Applied, Bid, Call, Difference, Health, Keep, Observed, Rendering, View
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value
from providers.kubernetes.client import Client, Kind, Object
from providers.kubernetes.marks import ENVIRONMENT, HOME
from providers.kubernetes.objects import wait_until_gone
from providers.kubernetes.refusals import Forbidden

NAMESPACE = Kind("v1", "Namespace", "/api/v1", "namespaces", False)
USER = "user.ulna.dev/"
"""Before the mark of each that uses a namespace of ours; its value is the token."""
GIVEN = "given"


class NamespaceOperator:
    """See the module."""

    name = "kubernetes-namespaces"
    effects = True

    def __init__(self, client: Client) -> None:
        self.client = client

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits namespaces that are to be there."""
        suits = resource.type.lower() == "ulna.kubernetes/namespaces"
        return Bid(100, "a namespace of a Kubernetes cluster") if suits else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """It is native as it is."""
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Another name is another namespace."""
        return compare(resource, applied, observed, forces=("properties.name",))

    def outputs(self, resource: Resource) -> Properties:
        """It reports nothing that others need."""
        return {}

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """The namespace as it would be made."""
        return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": _name(resource)}}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """The namespace, if it is used under the token, or was given."""
        try:
            live = self.client.get(NAMESPACE, "", _name(resource))
        except Forbidden:
            return self._given(resource, token)
        if live is not None and not _is_ours(live):
            return self._given(resource, token)
        if live is not None and resource.existing:
            return self._seen(resource, live, token)
        used = self._used(_name(resource), token)
        return self._seen(resource, used, token) if used is not None else None

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Make it, or use what is there."""
        name = _name(resource)
        try:
            live = self.client.get(NAMESPACE, "", name)
        except Forbidden:
            return self._given(resource, token)  # whether it is there will show soon enough
        if live is not None and live["metadata"].get("deletionTimestamp"):
            raise Transient(f"the namespace '{name}' is still being deleted", after=1)
        if live is None:
            return self._seen(resource, self._make(resource, name, token), token)
        if not _is_ours(live):
            return self._given(resource, token)
        change = {"metadata": {"annotations": {self._mark(token): token}}}
        return self._seen(resource, self.client.patch(NAMESPACE, "", name, change), token)

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Nothing of it can be changed."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Take the mark away; the last one takes the namespace with it."""
        live = self._used(_name(resource), token)
        if live is None:
            return
        users, mark = _users(live), self._mark(token)
        name, uid = str(live["metadata"]["name"]), str(live["metadata"]["uid"])
        if not live["metadata"].get("deletionTimestamp"):
            if len(users) > 1:
                self._unmark(live, mark)
                return
            self.client.delete(NAMESPACE, "", name, uid, False)
        wait_until_gone(self.client, NAMESPACE, "", name, uid, call)

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """Take the mark away: the namespace stays, even if it was the last one."""
        live = self._used(_name(resource), token)
        if live is not None and not live["metadata"].get("deletionTimestamp"):
            self._unmark(live, self._mark(token))

    # ------------------------------------------------------------ parts

    def _unmark(self, live: Object, mark: str) -> None:
        meta = live["metadata"]
        change = {"metadata": {"annotations": {mark: None}, "resourceVersion": meta["resourceVersion"]}}
        self.client.patch(NAMESPACE, "", str(meta["name"]), change)

    def _make(self, resource: Resource, name: str, token: str) -> Object:
        labels = {HOME: self.client.make_home()}
        if self.client.target.environment:
            labels[ENVIRONMENT] = self.client.target.environment
        if application := body(resource).get("application"):
            labels["radapp.io/application"] = application
        meta = {"name": name, "labels": labels, "annotations": {self._mark(token): token}}
        wish = {"apiVersion": "v1", "kind": "Namespace", "metadata": meta}
        return self.client.apply(NAMESPACE, "", wish)

    def _used(self, name: str, token: str) -> Object | None:
        """The namespace that carries the mark of a token: of this name, or of the one that the wish had before."""
        if not self.client.home:
            return None
        mark = self._mark(token)
        try:
            live = self.client.get(NAMESPACE, "", name)
            if live is not None and _users(live).get(mark) == token:
                return live
            return next((n for n in self.client.list(NAMESPACE, labels=HOME) if _users(n).get(mark) == token), None)
        except Forbidden:
            return None

    def _mark(self, token: str) -> str:
        """A key of its own for each user: of one state, and one address."""
        address = token.rpartition("#")[0]
        return USER + hashlib.sha256(f"{self.client.make_home()} {address}".encode()).hexdigest()[:16]

    def _given(self, resource: Resource, token: str) -> Observed:
        return Observed(GIVEN, token, {"properties": dict(body(resource))})

    def _seen(self, resource: Resource, live: Object, token: str) -> Observed:
        uid = str(live["metadata"]["uid"])
        if live["metadata"].get("deletionTimestamp"):
            return Observed(uid, token, {}, {}, Health.NOT_READY, None, "it is being deleted", 1.0)
        return Observed(uid, token, {"properties": dict(body(resource))})


def _name(resource: Resource) -> str:
    return str(body(resource).get("name") or resource.name)


def _is_ours(live: Object) -> bool:
    return bool(_users(live)) and HOME in (live["metadata"].get("labels") or {})


def _users(live: Object) -> dict[str, Any]:
    notes = live["metadata"].get("annotations") or {}
    return {k: v for k, v in notes.items() if k.startswith(USER)}
