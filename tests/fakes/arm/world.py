"""The resources of the stand-in: stored by id, referring to each other, made and removed by operations that take time."""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from tests.fakes.arm import filling
from tests.fakes.arm.faults import Failure, Faults
from tests.fakes.arm.pods import NoPods, Pods

Json = Any
INLINE = ("subnets", "securityrules", "backendaddresspools")
"""Collections that are resources of their own and stand in their parent as well."""


class Refused(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message

    @property
    def body(self) -> Json:
        """As Azure writes it."""
        return {"error": {"code": self.code, "message": self.message}}


@dataclass
class Stored:
    """A resource: its body as it was sent and filled in, and the state it is in."""

    id: str
    version: str
    body: dict[str, Json]
    state: str = "Succeeded"
    operation: str = ""
    why: str = ""


@dataclass
class Long:
    """A long-running operation: done after so many looks at it, and not before the pod is up."""

    id: str
    target: str
    kind: str
    looks: int
    failure: Failure | None = None
    status: str = "InProgress"
    error: Json = None
    started: float = field(default_factory=time.time)


class World:
    """All of it. `looks` is how often a long-running operation is looked at before it is done."""

    def __init__(self, pods: Pods | NoPods | None = None, looks: int = 1) -> None:
        self.lock = threading.RLock()
        self.stored: dict[str, Stored] = {}
        self.operations: dict[str, Long] = {}
        self.faults = Faults()
        self.pods = pods if pods is not None else NoPods()
        self.pods.world = self
        self.looks = looks
        self.cores = 100.0
        self.url = ""
        self.deleted: set[str] = set()
        self.secrets: dict[str, str] = {}
        self.marks: dict[str, Json] = {}

    # ------------------------------------------------------------ looking

    def get(self, id: str) -> Json:
        """The body of a resource as it is now; None if there is none."""
        with self.lock:
            inline = self._inline(id)
            if inline is not None:
                return copy.deepcopy(inline)
            stored = self.stored.get(id.lower())
            if stored is None:
                return None
            if stored.operation:
                self.look(stored.operation)
                stored = self.stored.get(id.lower())
                if stored is None:
                    return None
            return self._shown(stored)

    def _shown(self, stored: Stored) -> Json:
        body = copy.deepcopy(stored.body)
        if filling.has_state(stored.id):
            body.setdefault("properties", {})["provisioningState"] = stored.state
        if filling.type_of(stored.id) == "microsoft.containerinstance/containergroups":
            self.pods.show(stored.id, body)
            if stored.why:
                event = {"name": "Failed", "type": "Warning", "message": stored.why, "count": 1}
                body["properties"]["instanceView"] = {"state": "Failed", "events": [event]}
        return body

    def list(self, prefix: str) -> list[Json]:
        """The resources right below a collection."""
        with self.lock:
            depth = prefix.rstrip("/").count("/") + 1
            below = prefix.rstrip("/").lower() + "/"
            found = [self._shown(s) for k, s in self.stored.items() if k.startswith(below) and k.count("/") == depth]
            for body in found:
                if "containergroups" in below:
                    body["properties"].pop("instanceView", None)  # a list does not have it
            return found

    def all(self) -> list[str]:
        """The ids of everything there is, but for resource groups."""
        with self.lock:
            return sorted(s.id for s in self.stored.values() if "/providers/" in s.id)

    def _inline(self, id: str) -> Json:
        parent, collection, name = _split(id)
        stored = self.stored.get(parent.lower())
        if stored is None or collection.lower() not in INLINE:
            return None
        items = stored.body.get("properties", {}).get(_key(stored.body, collection), [])
        return next((i for i in items if i["name"].lower() == name.lower()), None)

    # ------------------------------------------------------------ changing

    def put(self, id: str, version: str, body: dict[str, Json], long: bool) -> tuple[int, Json, Long | None]:
        """Make or change a resource: the status, its body, and the operation if it takes long."""
        with self.lock:
            self._refuse_orphan(id)
            self._refuse_dangling(id, body)
            before = self.stored.get(id.lower())
            if before is not None and before.state in ("Creating", "Updating", "Deleting") and before.operation:
                self.look(before.operation)
                if before.state in ("Creating", "Updating", "Deleting"):
                    raise Refused(409, "ContainerGroupTransitioning", f"The resource '{id}' is still {before.state}.")
            filling.refuse(self, id, body, before.body if before is not None else None)
            parent, collection, name = _split(id)
            if collection.lower() in INLINE and parent.lower() in self.stored:
                made = self._put_inline(parent, collection, name, body)
                return (201, made, self._begin(id, "put") if long else None)
            filled = filling.fill(self, id, copy.deepcopy(body), before.body if before is not None else None)
            if before is not None:
                self._refuse_lost_subnets(before, filled)
            fresh = before is None
            stored = Stored(before.id if before is not None else id, version, filled)
            self.stored[id.lower()] = stored
            if filling.type_of(id) == "microsoft.containerinstance/containergroups":
                self.pods.apply(stored.id, copy.deepcopy(body), filled)
            operation = None
            if long:
                stored.state = "Creating" if fresh and "microsoft.network" not in id.lower() else "Updating"
                operation = self._begin(id, "put")
                stored.operation = operation.id
            else:
                filling.settle(self, stored.id)
            return (201 if fresh else 200), self._shown(stored), operation

    def _put_inline(self, parent: str, collection: str, name: str, body: dict[str, Json]) -> Json:
        stored = self.stored[parent.lower()]
        properties = stored.body.setdefault("properties", {})
        key = _key(stored.body, collection)
        others = [i for i in properties.get(key, []) if i["name"].lower() != name.lower()]
        properties[key] = [*others, {**body, "name": name}]
        filling.fill(self, parent, stored.body, stored.body)
        return copy.deepcopy(self._inline(f"{parent}/{collection}/{name}"))

    def delete(self, id: str, long: bool) -> tuple[int, Long | None]:
        """Remove a resource, unless another refers to it."""
        with self.lock:
            inline = self._inline(id)
            stored = self.stored.get(id.lower())
            if stored is None and inline is None:
                return 204, None
            self._refuse_in_use(id)
            if inline is not None:
                parent, collection, _ = _split(id)
                body = self.stored[parent.lower()].body
                items = body["properties"][_key(body, collection)]
                items[:] = [i for i in items if i is not inline]
                return (202, self._begin(id, "delete")) if long else (200, None)
            assert stored is not None
            if not long:
                self._remove(stored.id)
                return 200, None
            stored.state = "Deleting"
            operation = self._begin(id, "delete")
            stored.operation = operation.id
            return 202, operation

    def _remove(self, id: str) -> None:
        below = id.lower() + "/"
        for key in [k for k in self.stored if k == id.lower() or k.startswith(below)]:
            gone = self.stored.pop(key)
            if filling.type_of(gone.id) == "microsoft.containerinstance/containergroups":
                self.pods.remove(gone.id)
            else:
                self.pods.forget(gone.id)
        filling.settle(self, id)

    # ------------------------------------------------------------ references

    def _refuse_orphan(self, id: str) -> None:
        parts = id.split("/")
        if "/providers/" in id and len(parts) > 4 and parts[3].lower() == "resourcegroups":
            group = "/".join(parts[:5])
            if group.lower() not in self.stored:
                raise Refused(404, "ResourceGroupNotFound", f"Resource group '{parts[4]}' could not be found.")
        owner, found, tail = id.rpartition("/providers/")
        if not found:
            return
        if tail.count("/") > 2:
            parent = f"{owner}/providers/{tail.rsplit('/', 2)[0]}"
            if parent.lower() not in self.stored and not parent.lower().endswith("/default"):
                raise Refused(404, "ParentResourceNotFound", f"Cannot perform the operation: '{parent}' is not there.")
        elif "/providers/" in owner and not self.exists(owner):
            raise Refused(404, "ResourceNotFound", f"The resource '{owner}' was not found.")

    def _refuse_dangling(self, id: str, body: Json) -> None:
        for reference in references(body):
            if not reference.lower().startswith(id.lower()) and not self.exists(reference):
                raise Refused(400, "InvalidResourceReference", f"'{reference}' referenced by '{id}' was not found.")

    def exists(self, id: str) -> bool:
        """Whether there is a resource, or a part of one, of this id."""
        if id.lower() in self.stored or "/providers/" not in id or "/roledefinitions/" in id.lower():
            return True
        parent, collection, name = _split(id)
        stored = self.stored.get(parent.lower())
        if stored is None:
            return False
        items = stored.body.get("properties", {}).get(_key(stored.body, collection))
        return isinstance(items, list) and any(i.get("name", "").lower() == name.lower() for i in items)

    def _refuse_in_use(self, id: str) -> None:
        below = id.lower() + "/"
        for stored in self.stored.values():
            own = stored.id.lower()
            if id.lower().startswith(own + "/"):
                continue  # it stands in there
            if own == id.lower() or own.startswith(below):
                if "privatednszones" in below and own.startswith(f"{below}virtualnetworklinks/"):
                    raise Refused(409, "CannotDeleteResource", f"'{id}' has nested resources: '{stored.id}'.")
                continue
            for reference in references(stored.body):
                if reference.lower() == id.lower() or reference.lower().startswith(below):
                    code = f"InUse{id.split('/')[-2][0].upper()}{id.split('/')[-2][1:-1]}CannotBeDeleted"
                    raise Refused(400, code, f"'{id}' is in use by '{stored.id}' and cannot be deleted.")

    def _refuse_lost_subnets(self, before: Stored, after: Json) -> None:
        kept = {s["name"].lower() for s in after.get("properties", {}).get("subnets", [])}
        for subnet in before.body.get("properties", {}).get("subnets", []):
            if subnet["name"].lower() not in kept:
                self._refuse_in_use(f"{before.id}/subnets/{subnet['name']}")

    # ------------------------------------------------------------ operations that take time

    def _begin(self, id: str, kind: str) -> Long:
        number = str(uuid5(NAMESPACE_URL, f"{id}{kind}{len(self.operations)}"))
        made = Long(number, id, kind, self.looks, self.faults.failure(id))
        self.operations[number] = made
        return made

    def look(self, number: str) -> Long | None:
        """An operation as it is now; looking is what makes time pass."""
        with self.lock:
            found = self.operations.get(number)
            if found is None or found.status != "InProgress":
                return found
            found.looks -= 1
            stored = self.stored.get(found.target.lower())
            if found.looks > 0 or (stored is not None and found.kind == "put" and not self.pods.settled(found.target)):
                return found
            if found.failure is not None:
                found.status, found.error = "Failed", {"code": found.failure.code, "message": found.failure.message}
                if stored is not None:
                    stored.state, stored.operation = "Failed", ""
                return found
            found.status = "Succeeded"
            if found.kind == "delete":
                self._remove(found.target)
            elif stored is not None:
                stored.state, stored.operation = "Succeeded", ""
                filling.settle(self, stored.id)
            return found


def references(body: Json, key: str = "") -> Iterator[str]:
    """The ids of other resources in a body."""
    if isinstance(body, Mapping):
        for name, inner in body.items():
            if name == "tags":
                continue
            if name == "userAssignedIdentities" and isinstance(inner, Mapping):
                yield from inner
            yield from references(inner, name)
    elif isinstance(body, list):
        for inner in body:
            yield from references(inner, key)
    elif isinstance(body, str) and key in ("id", "resource", "identity") and body.startswith("/subscriptions/"):
        yield body


def _split(id: str) -> tuple[str, str, str]:
    """An id as its parent's, the collection in it, and the name."""
    parts = id.rsplit("/", 2)
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else ("", "", id)


def _key(body: Json, collection: str) -> str:
    """The property that holds a collection, as it is spelt."""
    return next((k for k in body.get("properties", {}) if k.lower() == collection.lower()), collection)
