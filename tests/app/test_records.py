"""What gateways, stores, volumes, helpers and building blocks come to before any platform has seen them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.app.amounts import cores, seconds
from engine.app.capability import FEATURES, check
from engine.app.dapr import lower_dapr
from engine.app.gateways import lower_gateway
from engine.app.imagesource import server_of
from engine.app.lower import lower
from engine.app.sealing import sealed
from engine.app.stores import listed, lower_store
from engine.app.volumes import lower_volume
from engine.contract.app import (
    Autoscale,
    Dapr,
    Endpoint,
    Gateway,
    Grant,
    Identity,
    PersistentVolume,
    Port,
    Registry,
    Resources,
    SecretKey,
    Tls,
    Volume,
)
from engine.contract.platform import Capability, Support
from engine.contract.resource import Wait, body
from engine.contract.value import Deferred, Secret
from engine.expand.resolve import resolve
from engine.expand.vault import MemoryVault
from engine.render.graph import Graph, GraphView

PW = Secret("pw", "d1")


class Services:
    """A platform where services have names, and that can do everything."""

    kind = "kubernetes"
    capabilities = dict.fromkeys(FEATURES, Capability(Support.NATIVE))

    def endpoint(self, workload: Any, port: Port) -> Endpoint:
        return Endpoint(str(workload.resource.name), port.port, port.scheme)


def lowered(world: Any, lowering: Any, *resources: Any, sound: bool = True) -> Any:
    """The record of the last resource, and the whole of what lowering it came to."""
    graph = Graph(resources, world.environment, "")
    view = GraphView(graph, world.environment)
    last = graph.declared[-1]
    by_platform = lowering in (lower, lower_gateway, lower_volume)
    made = lowering(last, view, Services()) if by_platform else lowering(last, view)
    assert not sound or not made.problems, [p.message for p in made.problems]
    return made.record, made


def store(world: Any, symbol: str = "store", type: str = "generic", **data: Any) -> Any:
    values = {k: v if isinstance(v, dict) else {"value": v} for k, v in data.items()}
    return world.resource(symbol, "secretStores", {"application": "shop", "type": type, "data": values})


def test_a_gateway_has_its_longest_paths_first_and_waits_for_its_containers(world):
    web = world.container("web", {"ports": {"http": {"containerPort": 8080}}})
    api = world.container("api", {"ports": {"http": {"containerPort": 3000, "port": 80, "scheme": "https"}}})
    entry = world.resource(
        "entry",
        "gateways",
        {
            "application": "shop",
            "internal": True,
            "hostname": {"prefix": "shop"},
            "runtimes": {"kubernetes": {"class": "x"}},
            "routes": [
                {"destination": "http://web:8080"},
                {
                    "path": "/api",
                    "destination": "http://API",
                    "replacePrefix": "/",
                    "enableWebsockets": True,
                    "timeoutPolicy": {"request": "1m30s", "backendRequest": "500ms"},
                },
                {"path": "/docs", "destination": "https://docs.example"},
                {"path": "/by-id", "destination": str(web.id)},
            ],
        },
    )
    gateway, made = lowered(world, lower_gateway, web, api, entry)
    assert isinstance(gateway, Gateway)
    assert [r.path for r in gateway.routes] == ["/by-id", "/docs", "/api", "/"]
    by_id, docs, api_route, root = gateway.routes
    assert (api_route.endpoint, api_route.replace_prefix) == (Endpoint("api", 80, "http"), "/")
    assert (api_route.workload.resource.name, api_route.port.container_port) == ("api", 3000)
    assert (api_route.websockets, api_route.timeout, api_route.backend_timeout) == (True, 90, 0.5)
    assert (docs.endpoint, docs.workload, docs.port) == (Endpoint("docs.example", 443, "https"), None, None)
    assert root.endpoint == by_id.endpoint == Endpoint("web", 8080, "http")
    assert (gateway.prefix, gateway.hostname, gateway.internal, gateway.tls) == ("shop", None, True, None)
    assert gateway.runtime == {"class": "x"}
    assert made.waits == (Wait("app/web"), Wait("app/api"))


def test_the_certificate_of_a_gateway_is_a_reference(world):
    certificate = store(world, "cert", "certificate", **{"tls.crt": "C", "tls.key": PW})
    web = world.container("web", {"ports": {"http": {"containerPort": 80}}})
    entry = world.resource(
        "entry",
        "gateways",
        {
            "application": "shop",
            "tls": {"certificateFrom": str(certificate.id), "minimumProtocolVersion": "1.3"},
            "routes": [{"destination": "http://web"}],
        },
    )
    gateway, made = lowered(world, lower_gateway, certificate, web, entry)
    id = str(certificate.id)
    assert gateway.tls == Tls(False, "1.3", SecretKey(id, "tls.crt", "C"), SecretKey(id, "tls.key", PW))
    assert Wait("app/cert") in made.waits
    native = entry.replace(
        properties={"properties": {**body(entry), "tls": {"certificateFrom": "mine"}}},
    )
    gateway, _ = lowered(world, lower_gateway, web, native)
    assert gateway.tls.certificate == SecretKey("mine", "tls.crt")


def test_a_certificate_of_the_platforms_own_needs_a_platform_that_keeps_some(world, monkeypatch):
    monkeypatch.setattr(Services, "capabilities", {"secretStores.existing": Capability(Support.UNSUPPORTED)})
    web = world.container("web", {"ports": {"http": {"containerPort": 80}}})
    properties = {"application": "shop", "tls": {"certificateFrom": "mine"}, "routes": [{"destination": "http://web"}]}
    entry = world.resource("entry", "gateways", properties)
    gateway, made = lowered(world, lower_gateway, web, entry, sound=False)
    assert gateway.tls is None
    assert [(p.code, "keeps none" in p.message) for p in made.problems] == [("ULN329", True)]


def test_tls_that_is_passed_through_goes_to_the_port_for_it(world):
    web = world.container("web", {"ports": {"https": {"containerPort": 8443, "port": 443}}})
    properties = {"application": "shop", "tls": {"sslPassthrough": True}, "routes": [{"destination": "tcp://web"}]}
    gateway, _ = lowered(world, lower_gateway, web, world.resource("entry", "gateways", properties))
    assert gateway.tls == Tls(True) and gateway.routes[0].port.container_port == 8443


def test_a_store_is_decoded_and_lists_its_secrets(world):
    made, _ = lowered(world, lower_store, store(world, a=PW, b={"value": PW, "encoding": "base64"}))
    assert made.data == {"a": PW, "b": Deferred("base64ToString", (PW,))}
    assert (made.type, made.reference, made.application) == ("generic", None, "shop")
    assert listed(body(store(world, a=PW))) == {"type": "generic", "data": {"a": {"encoding": "raw", "value": PW}}}
    there = world.resource("s", "secretStores", {"resource": "ns/name", "data": {"k": {}}})
    made, _ = lowered(world, lower_store, there)
    assert (made.reference, made.data) == ("ns/name", {"k": None})


def test_variables_from_stores_are_references_and_the_users_win(world):
    keys = store(world, key=PW)
    db = store(world, "db", host="h")
    ref = {"valueFrom": {"secretRef": {"source": str(keys.id), "key": "key"}}}
    web = world.container(
        container={
            "env": {
                "A": ref,
                "CONNECTION_URL_HOST": ref,
                "CONNECTION_DB_HOST": {"value": "mine"},
                "NATIVE": {"valueFrom": {"secretRef": {"source": "native", "key": "k"}}},
            }
        },
        connections={"url": {"source": "http://x:1"}, "db": {"source": str(db.id)}, "k": {"source": str(keys.id)}},
    )
    workload, made = lowered(world, lower, keys, db, web)
    key = SecretKey(str(keys.id), "key", PW)
    assert workload.container.secrets == {
        "A": key,
        "CONNECTION_K_KEY": key,
        "CONNECTION_URL_HOST": key,
        "NATIVE": SecretKey("native", "k"),
    }
    assert workload.container.env["CONNECTION_DB_HOST"] == "mine"
    assert "CONNECTION_URL_HOST" not in workload.container.env
    assert made.waits == (Wait("app/db"), Wait("app/store"))


def test_helpers_have_the_connections_and_their_own_settings(world):
    amount = {"requests": {"cpu": "500m", "memoryInMib": 64}, "limits": {"cpu": 2}}
    web = world.container(
        container={
            "resources": {"requests": {"cpu": "0.25"}},
            "initContainers": {"migrate": {"image": "m", "args": ["up"], "env": {"X": {"value": "1"}}}},
            "sidecars": {"proxy": {"image": "p", "resources": amount}, "logs": {"image": "l"}},
        },
        connections={"db": {"source": "tcp://db:5432"}},
    )
    workload, _ = lowered(world, lower, web)
    assert [c.name for c in workload.containers] == ["migrate", "web", "proxy", "logs"]
    (init,) = workload.init
    assert init.args == ("up",) and init.env["X"] == "1" and init.env["CONNECTION_DB_PORT"] == "5432"
    assert "X" not in workload.container.env
    assert workload.container.resources == Resources(0.25)
    assert workload.sidecars[0].resources == Resources(0.5, 64, 2.0, None)


def test_the_pull_secret_is_for_the_registry_of_the_image(world):
    login = store(world, "login", "basicAuthentication", username="me", password=PW)
    web = world.container(container={"image": "ghcr.io/acme/web:1", "imagePullSecret": str(login.id)})
    workload, made = lowered(world, lower, login, web)
    assert workload.container.registry == Registry("ghcr.io", "me", PW, str(login.id))
    assert made.waits == (Wait("app/login"),)


@pytest.mark.parametrize(
    ("image", "server"),
    [
        ("redis", "docker.io"),
        ("acme/web:1", "docker.io"),
        ("ghcr.io/acme/web", "ghcr.io"),
        ("localhost/redis:7", "localhost"),
        ("registry:5000/a", "registry:5000"),
    ],
)
def test_the_registry_of_an_image(image, server):
    assert server_of(image) == server


def test_identity_grants_dapr_and_scale(world):
    world.environment = world.environment.replace(
        properties={
            "compute": {"kind": "kubernetes", "identity": {"kind": "azure.com.workload", "oidcIssuer": "https://o"}}
        }
    )
    storage = "/subscriptions/1/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/s"
    web = world.container(
        connections={"s": {"source": storage, "iam": {"kind": "azure", "roles": ["Reader"]}}},
        extensions=[
            {"kind": "daprSidecar", "appId": "web", "appPort": 80},
            {"kind": "autoScaling", "minReplicas": 2, "maxReplicas": 5, "cpu": 70},
        ],
    )
    workload, _ = lowered(world, lower, web)
    assert workload.identity == Identity("azure.com.workload", (), "https://o")
    assert workload.grants == (Grant(storage, "azure", ("Reader",)),)
    assert workload.dapr == Dapr("web", 80)
    assert (workload.autoscale, workload.replicas) == (Autoscale(2, 5, 70), 2)
    own = world.container(identity={"kind": "userAssigned", "managedIdentity": ["/i"]})
    assert lowered(world, lower, own)[0].identity == Identity("userAssigned", ("/i",))


def test_a_volume_and_who_mounts_it(world):
    data = world.resource(
        "data", "volumes", {"application": "shop", "kind": "persistent", "sizeInGib": 5, "shared": True}
    )
    volume, _ = lowered(world, lower_volume, data)
    assert (volume.kind, volume.size, volume.shared) == ("persistent", 5, True)
    vault = {"application": "shop", "kind": "azure.com.keyvault", "resource": "/kv", "secrets": {"a": {"name": "b"}}}
    volume, _ = lowered(world, lower_volume, world.resource("kv", "volumes", vault))
    assert volume.properties == {"resource": "/kv", "secrets": {"a": {"name": "b"}}} and volume.size == 1
    mount = {"kind": "persistent", "source": str(data.id), "mountPath": "/d"}
    workload, made = lowered(world, lower, data, world.container(container={"volumes": {"d": mount}}))
    assert workload.container.volumes == (PersistentVolume("d", "/d", str(data.id)),)
    assert made.waits == (Wait("app/data"),)


def test_a_dapr_building_block(world):
    keys = store(world, password=PW)
    state = world.resource(
        "state",
        "Applications.Dapr/stateStores",
        {
            "application": "shop",
            "resourceProvisioning": "manual",
            "type": "state.redis",
            "version": "v1",
            "auth": {"secretStore": "vault"},
            "metadata": {
                "host": {"value": "redis:6379"},
                "password": {"secretKeyRef": {"name": str(keys.id), "key": "password"}},
                "other": {"secretKeyRef": {"name": "native", "key": "k"}},
            },
        },
    )
    component, made = lowered(world, lower_dapr, keys, state)
    assert (component.name, component.type, component.version, component.secret_store) == (
        "state",
        "state.redis",
        "v1",
        "vault",
    )
    assert component.metadata == {
        "host": "redis:6379",
        "password": SecretKey(str(keys.id), "password", PW),
        "other": SecretKey("native", "k"),
    }
    assert made.waits == (Wait("app/store"),)


def test_two_building_blocks_of_one_name_are_refused(world):
    manual = {"application": "shop", "resourceProvisioning": "manual", "type": "t", "version": "v1", "metadata": {}}
    one = world.resource("a", "Applications.Dapr/stateStores", manual, name="state")
    two = world.resource("b", "Applications.Dapr/pubSubBrokers", manual, name="state")
    view = GraphView(graph := Graph((one, two), world.environment, ""), world.environment)
    assert [p.code for r in graph.declared for p in lower_dapr(r, view).problems] == ["ULN328", "ULN328"]


def test_amounts():
    assert [seconds(d) for d in ("1h", "1m30s", "1.5s", "100us", "5ns")] == [3600, 90, 1.5, 0.0001, 5e-9]
    assert [cores(c) for c in ("250m", "1.5", 2, None)] == [0.25, 1.5, 2.0, None]


# ---------------------------------------------------------------- features and sealing


@pytest.mark.parametrize("support", [Support.NATIVE, Support.DEGRADED, Support.UNSUPPORTED, Support.IGNORED])
def test_every_kind_of_record_is_checked_against_the_table(world, support):
    records: list[tuple[Any, set[str]]] = [
        (lowered(world, lower, world.container())[0], {"container.image"}),
        (lowered(world, lower_store, store(world, a="b"))[0], {"a secret store of type generic"}),
        (Volume(store(world), "shop", "persistent"), {"a volume of kind persistent"}),
        (
            Gateway(store(world), "shop", (), prefix="x", internal=True),
            {"a gateway", "hostname of a gateway", "an internal gateway"},
        ),
    ]

    class Table:
        kind = "test"
        capabilities = dict.fromkeys(FEATURES, Capability(support, "effect", "alternative"))

    for record, labels in records:
        found = list(check(record, Table()))  # type: ignore[arg-type]
        assert len(found) == (0 if support is Support.NATIVE else len(labels))
        assert all(any(label in f.message for label in labels) for f in found)


def test_what_the_table_does_not_have_is_unsupported(world):
    class Nothing:
        kind = "test"
        capabilities: dict[str, Capability] = {}

    record = lowered(world, lower_store, store(world, a="b"))[0]
    (problem,) = check(record, Nothing())  # type: ignore[arg-type]
    assert problem.code == "ULN318" and problem.help


def test_values_are_sealed_whether_or_not_they_are_secure(world):
    vault = MemoryVault(b"k")
    plain = store(world, a="hidden", b={"value": "aGk=", "encoding": "base64"}, c={"encoding": "raw"})
    late = store(world, "late", a=Deferred("concat", ("x", PW)))
    db = world.resource("db", "extenders", {"host": "h", "secrets": {"pw": "hidden"}})
    web = world.container()
    (one, two, three, four), problems = sealed((plain, late, db, web), vault)
    assert not problems and four is web
    assert "hidden" not in repr((one, three))
    data = body(one)["data"]
    assert vault.open(data["a"]["value"]) == "hidden" and data["c"] == {"encoding": "raw"}
    assert body(two)["data"]["a"]["value"] == Deferred("[secret]", (Deferred("concat", ("x", PW)), "late.a"))
    decoded = resolve(
        lower_store(one, GraphView(Graph((one,), world.environment, ""), world.environment)).record.data["b"],
        lambda a: None,
        vault,
    )
    assert vault.open(decoded) == "hi"


@pytest.mark.parametrize("value", ["no base64!", "/w==", 5])
def test_a_value_that_is_not_what_its_encoding_says_is_told_and_not_repeated(world, value):
    _, (problem,) = sealed((store(world, a={"value": value, "encoding": "base64"}),), MemoryVault(b"k"))
    assert problem.code == "ULN327" and "'a'" in problem.message and str(value) not in problem.message + problem.help
    whole = world.resource("s", "secretStores", {"data": PW})
    assert sealed((whole,), MemoryVault(b"k")) == ((whole,), ())
