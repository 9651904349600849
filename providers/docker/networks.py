"""`Ulna.Docker/networks`: a network of an engine, where the containers of an application find each other by name."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.difference import compare
from engine.contract.errors import Terminal, Transient
from engine.contract.operator import Applied, Bid, Call, Difference, Keep, Observed, Rendering, View
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value
from providers.docker.adopted import alike
from providers.docker.client import Client, Seen
from providers.docker.refusals import Absent

BUILT_IN = ("bridge", "host", "none")


class NetworkOperator:
    """See the module."""

    name = "docker-networks"
    effects = True

    def __init__(self, client: Client) -> None:
        self.client = client

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits networks."""
        return Bid(100, "a network of a Docker engine") if resource.type.lower() == "ulna.docker/networks" else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """A network is native as it is."""
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Any change is another network."""
        return compare(resource, applied, observed, forces=("properties",))

    def outputs(self, resource: Resource) -> Properties:
        """It reports nothing that others need."""
        return {}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """The network under the token; one that exists already is found by its name."""
        if resource.existing:
            try:
                return self._seen(resource, self.client.network_by_name(str(resource.name)), token)
            except Absent:
                return None
        found = self.client.network(token)
        return None if found is None else self._seen(resource, found, token)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Create it; what is there under the token stays."""
        found = self.client.network(token)
        if found is None:
            wish = body(resource)
            labels = {k: str(v) for k, v in (wish.get("labels") or {}).items()}
            name = self.client.name(str(wish.get("name") or resource.name))
            found = self.client.create_network(name, token, str(wish.get("driver") or "bridge"), labels)
        return self._seen(resource, found, token)

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Nothing of it can be changed in place."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Remove it, once nobody is in it."""
        found = self.client.network(token)
        if found is None:
            return
        users = sorted(c.get("Name") or i[:12] for i, c in (found.get("Containers") or {}).items())
        if users:
            reason = f"containers are still in the network '{found['Name']}': {', '.join(users)}"
            raise Transient(reason, "Destroy what they belong to, or remove them.", after=1)
        try:
            self.client.remove_network(found["Id"])
        except Transient as error:
            if "has active endpoints" not in error.reason:
                raise
            help = "Somebody is joining it, or the engine has lost track of who left it: then it lets go once it is restarted."
            raise Transient(error.reason, help, after=2) from error
        self.client.adopted.drop(token)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Take over a network by its name or id: it keeps its name, and who names the resource finds it."""
        try:
            found = self.client.network_by_name(id)
        except Absent:
            raise Terminal(f"there is no network '{id}'", "'docker network ls' shows what there is.") from None
        if found["Name"] in BUILT_IN:
            help = "Make a network for the application, or let a deploy make it."
            raise Terminal(f"'{found['Name']}' is the engine's own, and everybody's", help)
        wish = body(resource)
        called = str(wish.get("name") or resource.name)
        self.client.adopted.take(token, "network", found["Id"], found.get("Labels"), found["Name"], called)
        there = found.get("Labels") or {}
        live = {"driver": found["Driver"]} if "driver" in wish else {}
        live |= {k: wish[k] for k in ("name",) if k in wish}
        if "labels" in wish:
            live["labels"] = alike(wish["labels"], there)
        return self._seen(resource, found, token).replace(properties={"properties": live})

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """Let go of it: it stays."""
        if (found := self.client.network(token)) is not None:
            self.client.adopted.release(token, "network", found["Id"], found.get("Labels"))

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """The body of `POST /networks/create`."""
        wish = body(resource)
        return {"kind": "network", "Name": wish["name"], "Driver": wish["driver"], "Labels": wish.get("labels") or {}}

    def _seen(self, resource: Resource, found: Seen, token: str) -> Observed:
        live = {"driver": found["Driver"]} if body(resource).get("driver") else {}
        return Observed(found["Id"], token, {"properties": live})
