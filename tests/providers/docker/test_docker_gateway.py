"""Gateways and helpers on a real engine: who answers, what a change drops, and how they end."""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from engine.contract.errors import Terminal, Transient
from engine.contract.operator import Applied, Health, Replace, Update
from engine.contract.resource import Resource
from engine.contract.value import Secret
from providers.docker import shape

pytestmark = pytest.mark.e2e
GATE = "app/gate/proxy#1"
NETWORK = "app/shop/network#1"


def network(name: str = "shop") -> Resource:
    wish = {"name": f"test-{name}", "driver": "bridge"}
    return Resource(f"app/{name}/network", "Ulna.Docker/networks", "v", "network", f"/n/{name}", {"properties": wish})


def get(port: int, path: str = "/", host: str = "localhost", secure: bool = False) -> tuple[int, str]:
    connection: http.client.HTTPConnection
    if secure:
        context = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=20, context=context)
    else:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path, headers={"Host": host})
        answer = connection.getresponse()
        return answer.status, answer.read().decode().strip()
    finally:
        connection.close()


def until(holds: Callable[[], bool], patience: float = 120) -> None:
    """Wait for it to hold; who is not there yet may be in a moment."""
    deadline = time.monotonic() + patience
    while True:
        with suppress(OSError, http.client.HTTPException):
            if holds():
                return
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.fixture
def backends(lab, make) -> Iterator[Callable[[int], None]]:
    """Containers that say their names, all of them called `web`."""
    lab.networks.create(network(), NETWORK, lab.call)
    words = ("sh", "-c", "hostname > /index.html; httpd -f -p 8000 -h /")

    def scale(wanted: int) -> None:
        for n in range(4):
            resource = make(*words, name=f"test-web-{n}", network="test-shop", aliases=["web"])
            if n < wanted:
                lab.containers.create(resource, f"app/web/web-{n}#1", lab.call)
            else:
                lab.containers.delete(resource, f"app/web/web-{n}#1", lab.call)

    yield scale
    scale(0)
    lab.gateways.delete(lab.gateway(), GATE, lab.call)
    lab.networks.delete(network(), NETWORK, lab.call)


ROUTES: tuple[dict[str, Any], ...] = ({"path": "/site", "name": "web", "port": 8000, "replacePrefix": "/"},)


def test_all_replicas_answer_in_turn_also_those_that_come_later(lab, backends):
    backends(1)
    seen = lab.gateways.create(lab.gateway(*ROUTES, network="test-shop"), GATE, lab.call)
    port = seen.outputs["ports"]["http"]
    assert seen.health is Health.READY
    first = get(port, "/site")
    assert first[0] == 200, first
    assert get(port, "/other") == (404, "no route of this gateway leads there")
    backends(3)
    deadline, names = time.monotonic() + 120, {first[1]}
    while len(names) < 3:
        assert time.monotonic() < deadline, names
        names.add(get(port, "/site")[1])
    backends(1)
    until(lambda: {get(port, "/site") for _ in range(8)} == {first})  # a name is asked for again each second


def test_a_change_of_routes_is_an_update_that_keeps_container_and_port(lab, backends):
    backends(1)
    before = lab.gateway(*ROUTES, network="test-shop")
    made = lab.gateways.create(before, GATE, lab.call)
    after = lab.gateway({"path": "/", "name": "web", "port": 8000}, network="test-shop", hostname="shop.example")
    difference = lab.gateways.diff(after, Applied(before.properties), made)
    assert isinstance(difference, Update)
    updated = lab.gateways.update(after, GATE, made, lab.call)
    assert (updated.id, updated.outputs) == (made.id, made.outputs)
    port = updated.outputs["ports"]["http"]
    assert get(port, "/", "shop.example")[0] == 200 and get(port, "/")[0] == 404
    lab.client.api.restart(made.id, timeout=1)
    until(lambda: get(port, "/", "shop.example")[0] == 200)  # what was copied into it outlives a restart


def test_it_leaves_a_network_that_no_route_leads_to_any_more(lab, backends):
    lab.networks.create(network("bank"), "app/bank/network#1", lab.call)
    both = lab.gateway(*ROUTES, network="test-shop", joins=["test-bank"])
    made = lab.gateways.create(both, GATE, lab.call)
    attached = lab.client.inspect(made.id)["NetworkSettings"]["Networks"]
    assert set(attached) == {lab.client.name("test-shop"), lab.client.name("test-bank")}
    lab.gateways.update(lab.gateway(*ROUTES, network="test-shop"), GATE, made, lab.call)
    assert set(lab.client.inspect(made.id)["NetworkSettings"]["Networks"]) == {lab.client.name("test-shop")}
    lab.networks.delete(network("bank"), "app/bank/network#1", lab.call)


def test_tls_ends_in_it_and_the_key_is_nowhere_to_be_seen(lab, backends, certificate):
    backends(1)
    pem, key = (file.read_text() for file in certificate("shop.example"))
    lab.call.secrets |= {"pem": pem, "key": key}
    store = {"certificate": "pem", "key": "key"}
    tls = {k: {"store": "/tls", "key": k, "value": Secret(v, "digest")} for k, v in store.items()}
    more = {"listens": {"https": "443/tcp"}, "publish": {"443/tcp": 28843}}
    resource = lab.gateway(*ROUTES, network="test-shop", tls={**tls, "minimumVersion": "1.3"}, **more)
    made = lab.gateways.create(resource, GATE, lab.call)
    assert get(made.outputs["ports"]["https"], "/site", secure=True)[0] == 200
    inspected = json.dumps(lab.client.inspect(made.id))
    assert "PRIVATE KEY" not in inspected and "PRIVATE KEY" not in repr(made)
    assert not [f for f in lab.folder.rglob("*") if f.is_file() and "PRIVATE KEY" in f.read_text(errors="replace")]


def test_an_image_that_is_no_proxy_says_so(lab, backends):
    resource = lab.gateway(*ROUTES, network="test-shop", image="localhost/busybox:1")
    with pytest.raises(Terminal, match="cannot be run"):
        lab.gateways.create(resource, GATE, lab.call)
    assert not lab.client.container(GATE)


# ---------------------------------------------------------------- helpers


def test_a_sidecar_shares_the_network_and_follows_the_main_container(lab, make):
    main = make("httpd", "-f", "-p", "8000")
    beside = make(
        "sh",
        "-c",
        "while ! wget -qO- 127.0.0.1:8000/etc/hostname; do sleep 0.2; done; sleep 60",
        name="test-web-0-agent",
        beside="test-web-0",
    )
    token = "app/web/web-0-agent#1"
    first = lab.containers.create(main, "app/web/web-0#1", lab.call)
    made = lab.containers.create(beside, token, lab.call)
    assert lab.client.inspect(made.id)["HostConfig"]["NetworkMode"] == f"container:{first.id}"
    applied = Applied(beside.properties)
    seen = lab.until(beside, lambda s: s.health is Health.READY, token)
    assert lab.containers.diff(beside, applied, seen).__class__.__name__ == "Same"

    lab.client.api.restart(first.id, timeout=1)
    stale = lab.containers.observe(beside, token, lab.call)
    assert lab.containers.diff(beside, applied, stale) == Update(("properties.state",))
    again = lab.containers.update(beside, token, stale, lab.call)
    assert lab.containers.diff(beside, applied, again).__class__.__name__ == "Same"

    lab.containers.delete(main, "app/web/web-0#1", lab.call)
    lab.containers.create(main, "app/web/web-0#2", lab.call)
    lost = lab.containers.observe(beside, token, lab.call)
    difference = lab.containers.diff(beside, applied, lost)
    assert isinstance(difference, Replace) and difference.paths == ("properties.beside",)
    lab.containers.delete(beside, token, lab.call)
    lab.containers.delete(main, "app/web/web-0#2", lab.call)
    assert not lab.all()


def test_a_secret_from_a_store_reaches_the_container_and_no_log(lab, make):
    secrets = {"PASSWORD": {"store": "/stores/db", "key": "p", "value": Secret("password", "digest")}}
    resource = make("sh", "-c", "echo it is $PASSWORD; sleep 60", secrets=secrets)
    made = lab.containers.create(resource, "app/web/web-0#1", lab.call)
    password = lab.call.secrets["password"]
    inspected = lab.client.inspect(made.id)
    assert f"PASSWORD={password}" in inspected["Config"]["Env"]
    assert shape.secrets_of(inspected) == [password]
    lab.until(resource, lambda _: list(lab.containers.logs(resource, "app/web/web-0#1", False)) == ["it is ***"])
    unknown = make("true", name="test-web-1", secrets={"X": {"store": "nobody", "key": "x"}})
    with pytest.raises(Terminal, match="no secret store 'nobody'"):
        lab.containers.create(unknown, "app/web/web-1#1", lab.call)


def test_more_memory_is_an_update_whatever_the_engine_made_of_swap(lab, make):
    small = make("sleep", "60", options={"HostConfig": {"Memory": 64 << 20}})
    made = lab.containers.create(small, "app/web/web-0#1", lab.call)
    large = make("sleep", "60", options={"HostConfig": {"Memory": 256 << 20, "CpuPeriod": 100000, "CpuQuota": 50000}})
    assert isinstance(lab.containers.diff(large, Applied(small.properties), made), Update)
    updated = lab.containers.update(large, "app/web/web-0#1", made, lab.call)
    assert updated.id == made.id
    host = lab.client.inspect(made.id)["HostConfig"]
    assert (host["Memory"], host["CpuQuota"]) == (256 << 20, 50000)


def test_a_login_is_given_to_the_engine(lab, make, monkeypatch):
    client = lab.again()
    given: list[Any] = []
    monkeypatch.setattr(client.api, "pull", lambda *names, **more: given.append((names, more["auth_config"])) or [])
    from providers.docker.containers import ContainerOperator

    registry = {"server": "registry.example", "username": "me", "password": Secret("password", "digest")}
    resource = make("true", options={"Image": "registry.example/x:1"}, pull="Always", registry=registry)
    with pytest.raises(Terminal):
        ContainerOperator(client).create(resource, "app/web/web-0#1", lab.call)
    assert given == [(("registry.example/x",), {"username": "me", "password": lab.call.secrets["password"]})]


def test_a_network_that_the_engine_does_not_let_go_says_what_may_be_the_matter(lab, monkeypatch):
    lab.networks.create(network(), NETWORK, lab.call)
    operator = lab.networks

    def refuse(id: str) -> None:
        raise Transient(f"network {id} has active endpoints")

    monkeypatch.setattr(operator.client, "remove_network", refuse)
    with pytest.raises(Transient, match="has active endpoints") as caught:
        operator.delete(network(), NETWORK, lab.call)
    assert "restarted" in caught.value.help
    lab.networks.delete(network(), NETWORK, lab.call)


def test_an_image_that_is_nowhere_is_told_before_the_old_container_goes(lab, make):
    resource = make("true", options={"Image": "127.0.0.1:9/no/such:1"}, pull="IfNotPresent")
    with pytest.raises(Terminal, match="cannot be pulled"):
        lab.containers.make_ready(resource, lab.call)
    lab.containers.make_ready(make("true"), lab.call)
    assert not lab.all()
