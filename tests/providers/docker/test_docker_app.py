"""What the docker platform makes of gateways, helpers, secret stores and volumes, from records of the contract."""

from __future__ import annotations

from typing import Any

import pytest

from engine.contract.app import (
    Container,
    Endpoint,
    EphemeralVolume,
    Gateway,
    PersistentVolume,
    Port,
    Registry,
    Resources,
    RestartPolicy,
    Route,
    SecretKey,
    SecretStore,
    Tls,
    Volume,
    Workload,
)
from engine.contract.conformance import TestView
from engine.contract.operator import Children, Environment
from engine.contract.resource import Condition, Resource
from engine.contract.value import Secret, encode
from providers.docker.platform import DockerPlatform

PLATFORM = DockerPlatform()


def core(type: str, name: str, application: str = "shop", **properties: Any) -> Resource:
    id = f"/planes/radius/local/{type}/{name}"
    body = {"application": f"/planes/radius/local/applications/{application}", **properties}
    return Resource(f"shop/{name}", f"Applications.Core/{type}", "2023-10-01-preview", name, id, {"properties": body})


DATA = core("volumes", "data")
SHOP, BANK = core("applications", "shop"), core("applications", "bank")


def view(*resources: Resource, **compute: Any) -> TestView:
    environment = Environment("local", "docker", "", {"compute": {"kind": "docker", **compute}})
    return TestView(environment, SHOP, BANK, DATA, *resources, folder="/home/me/shop")


def web(replicas: int = 1, name: str = "web", application: str = "shop", **more: Any) -> Workload:
    resource = core("containers", name, application)
    fields = {k: more.pop(k) for k in ("env", "secrets", "volumes", "resources", "registry") if k in more}
    container = Container(name, "x", ports=(Port("http", 3000, 3000),), **fields)
    return Workload(resource, application, container, replicas=replicas, **more)


def made(children: Any) -> dict[str, Any]:
    assert isinstance(children, Children), children
    assert not children.diagnostics, children.diagnostics
    return {r.address: encode(r.properties["properties"]) for r in children.resources}


def wish(workload: Workload) -> Any:
    return made(PLATFORM.workload(workload, view()))["shop/web/web-0"]


def said(children: Any) -> list[tuple[str, str]]:
    assert isinstance(children, Children)
    return [(d.code, d.message) for d in children.diagnostics]


def gate(*routes: Route, name: str = "gate", **more: Any) -> Gateway:
    return Gateway(core("gateways", name), "shop", routes, **more)


def to(path: str = "/", workload: Workload | None = None, **more: Any) -> Route:
    workload = workload or web()
    return Route(path, PLATFORM.endpoint(workload, workload.ports[0]), workload, workload.ports[0], **more)


# ---------------------------------------------------------------- gateways


def test_a_gateway_is_a_proxy_in_the_network_of_its_application(snapshot):
    machine = Route("/docs", Endpoint("host.docker.internal", 8000))
    block = {"HostConfig": {"PortBindings": {"80/tcp": [{"HostIp": "0.0.0.0", "HostPort": "80"}]}}}
    children = PLATFORM.gateway(gate(to("/api", replace_prefix="/", timeout=15), machine, to(), runtime=block), view())
    assert isinstance(children, Children)
    assert {"parts": made(children), "outputs": encode(children.outputs)} == snapshot


def test_an_internal_gateway_is_found_by_its_name_and_published_nowhere():
    children = PLATFORM.gateway(gate(to(), internal=True), view())
    proxy = made(children)["shop/gate/proxy"]
    assert proxy["aliases"] == ["gate"] and "publish" not in proxy
    assert encode(children.outputs) == {"url": "http://gate:80"}  # type: ignore[union-attr]
    ((code, message),) = said(PLATFORM.gateway(gate(to(), internal=True), view(core("containers", "gate"))))
    assert code == "ULN318" and "gate" in message


@pytest.mark.parametrize(
    ("asked", "compute", "hostname"),
    [
        ({"prefix": "shop"}, {}, "shop.localhost"),
        ({"prefix": "shop"}, {"gateway": {"domain": "127.0.0.1.nip.io"}}, "shop.127.0.0.1.nip.io"),
        ({"hostname": "shop.example"}, {}, "shop.example"),
    ],
)
def test_a_hostname_is_full_in_the_url_and_in_what_is_listened_for(asked, compute, hostname):
    children = PLATFORM.gateway(gate(to(), **asked), view(**compute))
    assert made(children)["shop/gate/proxy"]["hostname"] == hostname
    assert hostname in str(encode(children.outputs))  # type: ignore[union-attr]


def test_the_environment_says_which_image_and_port():
    children = PLATFORM.gateway(gate(to()), view(gateway={"image": "registry/caddy:9", "port": 80}, network="traefik"))
    proxy = made(children)["shop/gate/proxy"]
    assert proxy["options"]["Image"] == "registry/caddy:9" and proxy["publish"] == {"80/tcp": 80}
    assert proxy["network"] == "=traefik"


def test_tls_ends_with_a_secret_that_stays_a_reference():
    pair = [SecretKey("/stores/tls", key, Secret(key, "digest")) for key in ("tls.crt", "tls.key")]
    proxy = made(PLATFORM.gateway(gate(to(), tls=Tls(False, "1.3", *pair)), view()))["shop/gate/proxy"]
    assert proxy["listens"] == {"https": "443/tcp"} and proxy["publish"] == {"443/tcp": 8443}
    assert proxy["tls"]["minimumVersion"] == "1.3"
    assert proxy["tls"]["key"] == {
        "store": "/stores/tls",
        "key": "tls.key",
        "value": {"$secret": ["tls.key", "digest"]},
    }


def test_what_is_passed_through_is_reached_at_the_container_itself():
    children = PLATFORM.gateway(gate(to(), tls=Tls(passthrough=True)), view())
    assert made(children) == {}
    port = {"$output": ["shop/web/web-0", "properties", "ports", "http"]}
    assert encode(children.outputs) == {"url": {"$call": ["format", "https://{0}:{1}", "127.0.0.1", port]}}  # type: ignore[union-attr]
    for route in (Route("/", Endpoint("example.org", 443, "https")), to("/", web(replicas=0))):
        ((code, _),) = said(PLATFORM.gateway(gate(route, tls=Tls(passthrough=True)), view()))
        assert code == "ULN318"


def test_a_route_to_another_application_joins_its_network_unless_names_meet():
    other = web(name="till", application="bank")
    proxy = made(PLATFORM.gateway(gate(to("/", other)), view(other.resource)))["shop/gate/proxy"]
    assert proxy["joins"] == ["local-bank"]
    ((code, message),) = said(PLATFORM.gateway(gate(to("/", other)), view(core("containers", "till"))))
    assert code == "ULN318" and "The route '/' of 'gate'" in message


def test_a_gateway_of_an_application_that_nobody_declared_is_refused():
    gateway = Gateway(core("gateways", "gate", "nowhere"), "nowhere", (to(),))
    ((code, _),) = said(PLATFORM.gateway(gateway, view()))
    assert code == "ULN326"


def test_a_gateways_block_is_that_of_a_container_and_a_volumes_its_driver():
    assert PLATFORM.block_schema("gateways") == PLATFORM.runtime_schema
    assert set(PLATFORM.block_schema("volumes")["properties"]) == {"driver", "options", "labels"}  # type: ignore[index]
    assert PLATFORM.block_schema("secretStores") is None


# ---------------------------------------------------------------- helpers


def test_helpers_run_before_and_beside_it(snapshot):
    tmp = EphemeralVolume("tmp", "/tmp", "memory")
    workload = web(
        replicas=1,
        init=(Container("migrate", "y", command=("migrate", "$(DB)"), env={"DB": "x"}, volumes=(tmp,)),),
        sidecars=(Container("agent", "z", ports=(Port("metrics", 9000, 9000),), resources=Resources(memory_limit=64)),),
        volumes=(tmp, EphemeralVolume("own", "/own"), PersistentVolume("data", "/data", str(DATA.id), "write")),
    )
    children = PLATFORM.workload(workload, view())
    assert made(children) == snapshot
    assert isinstance(children, Children)
    waits = {r.address: [(w.address, w.condition) for w in r.waits] for r in children.resources}
    volume = ("shop/web/volume-tmp-0", Condition.READY)  # an engine makes one that is not there, which is nobody's
    first = ("shop/web/web-0-migrate", Condition.COMPLETED)
    assert waits["shop/web/web-0-migrate"] == [volume] and waits["shop/web/web-0"] == [volume, first]
    assert waits["shop/web/web-0-agent"] == [volume, first, ("shop/web/web-0", Condition.STARTED)]
    assert children.ending == {"shop/web/web-0-migrate"}


def test_helpers_are_made_anew_when_the_main_container_changes():
    def helpers(**more: Any) -> Any:
        parts = made(
            PLATFORM.workload(web(init=(Container("a", "x"),), sidecars=(Container("b", "x"),), **more), view())
        )
        return parts["shop/web/web-0-a"], parts["shop/web/web-0-b"]

    assert helpers() == helpers()
    assert all(a != b for a, b in zip(helpers(), helpers(env={"LEVEL": "debug"}), strict=True))


def test_sidecars_say_what_they_cannot():
    sidecars = (Container("agent", "x"),)
    children = PLATFORM.workload(web(sidecars=sidecars, restart=RestartPolicy.ON_FAILURE), view())
    assert [c for c, _ in said(children)] == ["ULN317"]
    block = {"HostConfig": {"NetworkMode": "host"}}
    children = PLATFORM.workload(web(sidecars=sidecars, runtime=block), view())
    assert "ULN318" in [c for c, _ in said(children)]


def test_a_container_that_is_renamed_is_the_same_one():
    renamed = web().replace(resource=web().resource.replace(name="site"))
    assert set(made(PLATFORM.workload(renamed, view()))) == {"shop/web/web-0"}


# ---------------------------------------------------------------- limits, logins, secrets, volumes


def test_limits_are_those_that_an_engine_can_change():
    host = wish(web(resources=Resources(0.5, 256, 1, 512)))["options"]["HostConfig"]
    assert {k: host[k] for k in host if k != "RestartPolicy"} == {
        "CpuShares": 512,
        "CpuPeriod": 100_000,
        "CpuQuota": 100_000,
        "MemoryReservation": 256 << 20,
        "Memory": 512 << 20,
    }
    block = {"HostConfig": {"NanoCpus": 1}}
    assert "CpuQuota" not in wish(web(resources=Resources(cpu_limit=1), runtime=block))["options"]["HostConfig"]


def test_a_login_is_a_secret_and_no_reason_to_replace():
    from providers.docker import provider
    from providers.docker.platform import part

    registry = Registry("registry.example", "me", Secret("password", "digest"), "/stores/login")
    written = wish(web(registry=registry))
    assert written["registry"]["password"] == {"$secret": ["password", "digest"]}
    from pathlib import Path

    from engine.contract.operator import Applied, Site, Update

    (operator, *_) = provider.operators(Site(Path("/nowhere"), None))
    resource = part(SHOP, "containers", "web-0", written)
    before = Applied({"properties": {**written, "registry": {**written["registry"], "username": "you"}}})
    assert operator.diff(resource, before, None) == Update(("properties.registry.username",))


def test_a_variable_from_a_store_is_a_reference_and_can_stand_in_others():
    secrets = {"PASSWORD": SecretKey("/stores/db", "password", Secret("p", "digest")), "TOKEN": SecretKey("x", "t")}
    written = wish(web(env={"URL": "redis://:$(PASSWORD)@db"}, secrets=secrets))
    assert written["secrets"]["TOKEN"] == {"store": "x", "key": "t"}
    assert written["options"]["Env"] == {"URL": {"$call": ["format", "redis://:{0}@db", {"$secret": ["p", "digest"]}]}}
    own = wish(web(secrets=secrets, runtime={"Env": {"TOKEN": "mine"}}))
    assert own["options"]["Env"] == {"TOKEN": "mine"} and set(own["secrets"]) == {"PASSWORD"}


def test_a_volume_is_one_of_the_engine_and_a_store_a_file():
    volume = Volume(DATA, "shop", "persistent", runtime={"driver": "local", "options": {"type": "nfs"}})
    children = PLATFORM.volume(volume, view())
    assert made(children) == {"shop/data/volume": {"driver": "local", "options": {"type": "nfs"}}}
    assert [r.name for r in children.resources] == ["shop-data"]  # type: ignore[union-attr]
    store = SecretStore(core("secretStores", "keys"), "shop", "generic", {"a": Secret("a", "digest")})
    assert made(PLATFORM.secret_store(store, view()))["shop/keys/secrets"]["kind"] == "generic"
