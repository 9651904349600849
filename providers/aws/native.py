"""The operator of the types in `kinds/`: those that the compute kind `ecs` renders. What a template declares itself goes through
Cloud Control, unless it is pinned to this one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from engine.contract.difference import compare
from engine.contract.errors import Terminal
from engine.contract.operator import Applied, Bid, Call, Difference, Keep, Observed, Order, Rendering, View
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value, revealed
from providers.aws.client import Client, Seen
from providers.aws.kinds.table import thing_of
from providers.aws.kinds.thing import Thing
from providers.aws.refusals import Absent, Busy


class NativeOperator:
    """See the module."""

    name = "aws"
    effects = True

    def __init__(self, client: Client) -> None:
        self.client = client

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits what a platform rendered; what is declared, it can do, and Cloud Control can do better."""
        if thing_of(resource.type) is None:
            return None
        ours = resource.owner is not None or resource.type.lower().startswith("ulna.ecs/")
        return Bid(150, "rendered for ECS") if ours else Bid(60, "by the service's own API")

    def render(self, resource: Resource, view: View) -> Rendering:
        """It is native as it is; what another cloud's operator hands over is emulated by a service."""
        if thing_of(resource.type) is not None:
            return Keep()
        from engine.contract.emulator import emulate
        from providers.aws.platform import EcsPlatform

        return emulate(resource, view, EcsPlatform())

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """What the service cannot change replaces it."""
        thing = self._thing(resource)
        forces = tuple(f"properties.{name}" for name in thing.forces)
        order = Order.CREATE_FIRST if thing.beside else Order.DELETE_FIRST
        return compare(resource, applied, observed, forces=forces, order=order)

    def outputs(self, resource: Resource) -> Properties:
        """Identities are given by the service."""
        return {}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """What is there under the token."""
        thing = self._thing(resource)
        found = thing.find(self.client, token) if self.client.home else None
        return None if found is None else self._seen(thing, resource, found, token)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Make it, or what is missing of it."""
        thing = self._thing(resource)
        self.client.make_home()
        wish = self._opened(resource, call)
        found = thing.find(self.client, token)
        if found is None:
            found = thing.create(self.client, token, wish)
        found = thing.update(self.client, found, token, wish)
        return self._seen(thing, resource, found, token)

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Make it as it is wished."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Remove it; what takes its time is looked at again."""
        thing = self._thing(resource)
        found = thing.find(self.client, token) if self.client.home else None
        if found is None:
            return
        self.client.ready()
        with suppress(Absent):
            thing.delete(self.client, found, token)
        if not thing.gone(self.client, found, token):
            raise Busy("it is being deleted", after=2)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Take over what somebody else made, where its type can be; only tags are put on it."""
        thing = self._thing(resource)
        self.client.make_home()
        found = thing.adopt(self.client, id, token)
        seen = self._seen(thing, resource, found, token)
        live = {**thing.given(found, body(resource)), **seen.properties["properties"]}
        return seen.replace(properties={"properties": live})

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """Take our tags off it, where its type can be taken over: it stays."""
        thing = self._thing(resource)
        found = thing.find(self.client, token) if self.client.home else None
        if found is not None:
            thing.release(self.client, found, token)

    def runs(self, resource: Resource) -> bool:
        """Whether it has tasks."""
        return resource.type in ("AWS.ECS/Service", "Ulna.Ecs/tasks")

    def logs(self, resource: Resource, token: str, follow: bool) -> Iterator[str]:
        """What its tasks wrote, from CloudWatch Logs."""
        return self.logs_since(resource, token, follow, 0.0)

    def logs_since(self, resource: Resource, token: str, follow: bool, since: float) -> Iterator[str]:
        """The same, from a moment on."""
        from providers.aws.reading import lines

        if self.runs(resource):
            yield from lines(self.client, self._thing(resource), resource, token, follow, since)

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """The properties, in the words of a template."""
        return {"kind": resource.type, **body(resource)}

    # ------------------------------------------------------------ inside

    def _thing(self, resource: Resource) -> Thing:
        thing = thing_of(resource.type)
        if thing is None:
            raise Terminal(f"'{resource.type}' is not one of the types that are rendered for ECS")
        return thing

    def _opened(self, resource: Resource, call: Call) -> Properties:
        opened: Properties = revealed(dict(body(resource)), call.reveal)
        return opened

    def _seen(self, thing: Thing, resource: Resource, found: Seen, token: str) -> Observed:
        wish = body(resource)
        verdict = thing.verdict(self.client, found, wish, token)
        return Observed(
            thing.id(found),
            token,
            {"properties": dict(thing.live(found, wish))},
            dict(thing.outputs(found)),
            verdict.health,
            verdict.exit_code,
            verdict.message,
            verdict.look_again,
        )
