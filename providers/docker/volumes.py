"""`Ulna.Docker/volumes`: a named volume of an engine. It outlives the containers that use it, and goes with its resource."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.difference import compare
from engine.contract.errors import Terminal
from engine.contract.operator import Applied, Bid, Call, Difference, Keep, Observed, Rendering, View
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value
from providers.docker.adopted import alike
from providers.docker.client import Client, Seen


class VolumeOperator:
    """See the module."""

    name = "docker-volumes"
    effects = True

    def __init__(self, client: Client) -> None:
        self.client = client

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits volumes."""
        return Bid(100, "a volume of a Docker engine") if resource.type.lower() == "ulna.docker/volumes" else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """A volume is native as it is."""
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Any change is another volume: what is in the old one is lost, and the plan says so."""
        return compare(resource, applied, observed, forces=("properties",))

    def outputs(self, resource: Resource) -> Properties:
        """It reports nothing that others need."""
        return {}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """The volume under the token; one that exists already is found by its name."""
        if resource.existing:
            found = self.client.volume(str(resource.name))
            return None if found is None else self._seen(resource, found, token)
        if not self.client.home:
            return None
        taken = self.client.adopted.id(token)
        found = self.client.volume(taken or self._name(resource))
        mine = found is not None and (bool(taken) or self.client.ours(found.get("Labels"), token))
        return self._seen(resource, found, token) if found is not None and mine else None

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Create it; what is there under the token stays."""
        if (found := self.observe(resource, token, call)) is not None:
            return found
        wish = body(resource)
        settings = {k: wish.get(k) for k in ("driver", "options", "labels")}
        return self._seen(resource, self.client.create_volume(self._name(resource), token, settings), token)

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Nothing of it can be changed in place."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Remove it with what is in it."""
        if (found := self.observe(resource, token, call)) is not None:
            self.client.remove_volume(found.id)
        self.client.adopted.drop(token)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Take over a volume by its name, with what is in it: it keeps its name, and who names the resource finds it."""
        found = self.client.volume(id)
        if found is None:
            raise Terminal(f"there is no volume '{id}'", "'docker volume ls' shows what there is.")
        self.client.adopted.take(
            token, "volume", found["Name"], found.get("Labels"), found["Name"], self._plain(resource)
        )
        wish, there = body(resource), {"driver": found["Driver"], "options": found.get("Options") or {}}
        live: dict[str, Value] = {k: there[k] for k in wish if k in there}
        if "labels" in wish:
            live["labels"] = alike(wish["labels"], found.get("Labels") or {})
        return self._seen(resource, found, token).replace(properties={"properties": live})

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """Let go of it: it stays, with what is in it."""
        if (seen := self.observe(resource, token, call)) is not None:
            labels = (self.client.volume(seen.id) or {}).get("Labels")
            self.client.adopted.release(token, "volume", seen.id, labels)

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """The body of `POST /volumes/create`."""
        wish = body(resource)
        return {
            "kind": "volume",
            "Name": self._plain(resource),
            "Driver": wish.get("driver") or "local",
            "DriverOpts": wish.get("options") or {},
        }

    def _name(self, resource: Resource) -> str:
        return self.client.name(self._plain(resource))

    def _plain(self, resource: Resource) -> str:
        """Its name as resources that mount it have it."""
        return "-".join(filter(None, (self.client.target.environment, str(resource.name))))

    def _seen(self, resource: Resource, found: Seen, token: str) -> Observed:
        live = {"driver": found["Driver"]} if body(resource).get("driver") else {}
        return Observed(found["Name"], token, {"properties": live})
