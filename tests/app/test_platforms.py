"""What a platform is asked for, and what is said of one that lacks a part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.app.capability import FEATURES
from engine.app.operator import AppOperator
from engine.contract.app import Endpoint, Gateway, Port, SecretStore, Volume
from engine.contract.operator import Children, Keep, Undecided
from engine.contract.platform import Capability, Support
from engine.contract.resource import Resource, join
from engine.contract.value import Output
from engine.diagnostics.diagnostic import Diagnostic
from engine.render.graph import Graph, GraphView


def child(parent: Resource, name: str, **wish: Any) -> Resource:
    return Resource(
        join(parent.address, name), "Test.Kind/thing", "1", name, f"{parent.id}/{name}", {"properties": wish}
    )


class Bare:
    """A platform with workloads alone."""

    kind = "kubernetes"
    capabilities = dict.fromkeys(FEATURES, Capability(Support.NATIVE))
    runtime_schema: dict[str, Any] = {"type": "object"}
    environment_schema: dict[str, Any] = {"type": "object", "properties": {"namespace": {"type": "string"}}}

    def endpoint(self, workload: Any, port: Port) -> Endpoint:
        return Endpoint(str(workload.resource.name), port.port, port.scheme)

    def workload(self, workload: Any, view: Any) -> Children:
        return Children((child(workload.resource, "pod"),), {})


class Whole(Bare):
    """A platform with every part."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def environment(self, resource: Resource, view: Any) -> Children | Undecided:
        if "undecided" in resource.address:
            return Undecided(frozenset({"app/x"}))
        return Children((child(resource, "network"),), {"network": Output(f"{resource.address}/network", ("id",))})

    def gateway(self, gateway: Gateway, view: Any) -> Children:
        self.seen.append(gateway)
        return Children((child(gateway.resource, "proxy"),), {"url": "http://there"})

    def secret_store(self, store: SecretStore, view: Any) -> Children | Undecided:
        self.seen.append(store)
        return Undecided(frozenset({"app/x"})) if store.resource.name == "late" else Children((), {})

    def volume(self, volume: Volume, view: Any) -> Children:
        return Children((child(volume.resource, "disk"),), {})

    def dapr_component(self, component: Any, view: Any) -> Children:
        return Children((child(component.resource, "component", type=component.type),), {})

    def block_schema(self, type: str) -> dict[str, Any] | None:
        return (
            {"type": "object", "properties": {"class": {}}, "additionalProperties": False}
            if type == "gateways"
            else None
        )


class Platforms:
    kinds = ("kubernetes",)

    def __init__(self, platform: Any) -> None:
        self.found = platform

    def platform(self, kind: str) -> Any:
        return self.found if kind == "kubernetes" else None


@pytest.fixture
def here(world: Any) -> Any:
    world.environment = world.environment.replace(kind="kubernetes", properties={"compute": {"kind": "kubernetes"}})
    return world


def rendered(world: Any, platform: Any, *resources: Any) -> Any:
    graph = Graph(resources, world.environment, "")
    last = graph.declared[-1]
    environment = graph.environment_of(last)
    assert not isinstance(environment, Diagnostic)
    return AppOperator(Platforms(platform)).render(last, GraphView(graph, environment))


def parts(world: Any) -> Iterator[Any]:
    yield world.resource("entry", "gateways", {"application": "shop", "routes": [{"destination": "http://x.example"}]})
    yield world.resource("store", "secretStores", {"application": "shop", "data": {"a": {"value": "b"}}})
    yield world.resource("data", "volumes", {"application": "shop", "kind": "persistent"})
    yield world.resource(
        "state", "Applications.Dapr/stateStores", {"resourceProvisioning": "manual", "type": "t", "version": "v"}
    )


def test_a_platform_without_a_part_says_so_with_an_alternative(here):
    labels = ["a gateway", "a secret store", "a volume", "a Dapr building block"]
    for part, label in zip(parts(here), labels, strict=True):
        (problem,) = rendered(here, Bare(), part).diagnostics
        assert problem.code == "ULN318" and problem.help
        assert problem.message == f"'{part.name}': {label} is not supported on compute kind 'kubernetes'"


def test_what_the_table_says_comes_first_and_once(here):
    no = Capability(Support.UNSUPPORTED, "there is no way in", "Publish a port.")

    class Told(Bare):
        capabilities = {**Bare.capabilities, "gateways": no}

    (problem,) = rendered(here, Told(), next(parts(here))).diagnostics
    assert problem.message == "'entry': a gateway is not supported on compute kind 'kubernetes': there is no way in"
    assert problem.help == "Publish a port."


def test_each_part_is_handed_to_the_platform(here):
    entry, store, data, state = (rendered(here, Whole(), p) for p in parts(here))
    assert (entry.outputs, [r.name for r in entry.resources]) == ({"url": "http://there"}, ["proxy"])
    assert store.outputs == {"listSecrets()": {"type": "generic", "data": {"a": {"encoding": "raw", "value": "b"}}}}
    assert [r.name for r in data.resources] == ["disk"]
    assert (state.outputs, state.resources[0].properties["properties"]) == ({"componentName": "state"}, {"type": "t"})


def test_a_port_has_a_url_on_every_platform(here):
    """That of the inside, which is no public endpoint, where the platform says of none that people reach it."""

    class Published(Bare):
        def workload(self, workload: Any, view: Any) -> Children:
            return Children((), {"endpoints": {"http": "http://127.0.0.1:80"}})

    ports = {"http": {"containerPort": 8080, "port": 80}, "dns": {"containerPort": 53, "protocol": "UDP"}}
    web = here.resource("web", "containers", {"application": "shop", "container": {"image": "x:1", "ports": ports}})
    inside = {"endpoints": {"http": "http://web:80", "dns": "udp://web:53"}, "internal": True}
    assert rendered(here, Bare(), web).outputs == inside
    assert rendered(here, Published(), web).outputs == {"endpoints": {"http": "http://127.0.0.1:80"}}
    none = here.resource("job", "containers", {"application": "shop", "container": {"image": "x:1"}})
    assert rendered(here, Bare(), none).outputs == {}


def test_a_platform_may_wait(here):
    late = here.resource("late", "secretStores", {"application": "shop", "data": {"a": {"value": "b"}}})
    assert rendered(here, Whole(), late) == Undecided(frozenset({"app/x"}))


def test_what_an_environment_needs_for_itself_is_made_with_it(here):
    properties = {"compute": {"kind": "kubernetes", "namespace": "n"}}
    made = rendered(here, Whole(), here.resource("prod", "environments", properties))
    assert [r.name for r in made.resources] == ["network"] and made.outputs["network"].address == "app/prod/network"
    assert rendered(here, Bare(), here.resource("prod", "environments", properties)) == Keep()
    assert isinstance(rendered(here, Whole(), here.resource("undecided", "environments", properties)), Undecided)
    wrong = here.resource("prod", "environments", {"compute": {"kind": "kubernetes", "namespace": 1}})
    made = rendered(here, Whole(), wrong)
    assert not made.resources and made.diagnostics[0].code == "BCP036"
    simulated = here.resource("prod", "environments", {**properties, "simulated": True})
    assert rendered(here, Whole(), simulated) == Keep()


def test_a_block_of_a_gateway_is_held_to_what_the_platform_says(here):
    def gateway(**block: Any) -> Any:
        route = {"destination": "http://x.example"}
        blocks = {"kubernetes": block, "docker": {}}
        return here.resource("entry", "gateways", {"application": "shop", "routes": [route], "runtimes": blocks})

    whole = Whole()
    (ignored,) = rendered(here, whole, gateway(**{"class": "x"})).diagnostics
    assert ignored.code == "ULN315" and whole.seen[0].runtime == {"class": "x"}
    assert [d.code for d in rendered(here, Whole(), gateway(clas="x")).diagnostics] == ["BCP089", "ULN315"]
    volume = here.resource(
        "v", "volumes", {"application": "shop", "kind": "persistent", "runtimes": {"kubernetes": {"any": 1}}}
    )
    assert not rendered(here, Whole(), volume).diagnostics


def test_nothing_is_made_in_a_simulated_environment_or_outside_of_any(here):
    here.environment = here.environment.replace(properties={"simulated": True})
    for part in parts(here):
        made = rendered(here, Whole(), part)
        assert not made.resources and [d.code for d in made.diagnostics] == ["ULN319"]
    here.environment = None
    for part in parts(here):
        assert [d.code for d in rendered(here, Whole(), part).diagnostics] == ["ULN311"]
    cache = here.resource(
        "cache", "Applications.Datastores/redisCaches", {"resourceProvisioning": "manual", "host": "h", "port": 6379}
    )
    assert rendered(here, Whole(), cache).outputs["secrets"]["url"] == "redis://h:6379/0?"


def test_a_container_that_somebody_else_makes_stays(here):
    assert rendered(here, Whole(), here.container(resourceProvisioning="manual")) == Keep()
