"""What each part of an application becomes: by snapshots, each held against Azure's own files."""

from __future__ import annotations

from typing import Any

import pytest

from engine.contract.app import (
    Autoscale,
    Container,
    EphemeralVolume,
    Exec,
    Grant,
    HttpGet,
    Identity,
    PersistentVolume,
    Port,
    Probe,
    Registry,
    Resources,
    RestartPolicy,
    SecretKey,
    TcpConnect,
    Tls,
)
from engine.contract.conformance import TestView
from engine.contract.operator import Children, Undecided
from engine.contract.resource import join
from engine.contract.value import Output, Secret, compose
from providers.azure.naming import label, number
from tests.fakes.arm.openapi import FILES
from tests.providers.azure import rendering as r
from tests.providers.azure.rendering import (
    PASSWORD,
    PLATFORM,
    SCOPE,
    VAULT,
    environment,
    faults,
    gateway,
    plain,
    route,
    said,
    store,
    view,
    volume,
    workload,
)

pytestmark = pytest.mark.skipif(not FILES.is_dir(), reason="shared/data/azure-openapi is not there")
BLOBS = f"{SCOPE}/providers/Microsoft.Storage/storageAccounts/blobs"
SHARE = f"{BLOBS}/fileServices/default/shares/photos"
STORE = r.resource("secretStores", "secrets", data={"password": {"value": PASSWORD}})
DATA = r.resource("volumes", "data", kind="persistent")


def made(children: Children | Undecided, *, clean: bool = True) -> Children:
    assert isinstance(children, Children)
    assert not faults(children)
    if clean:
        assert not said(children)
    return children


FULL = workload(
    command=("python3", "-m", "$(MODULE)"),
    args=("--port", "8080"),
    working_dir="/srv",
    env={"MODULE": "web", "URL": compose("http://{0}", Output("app/x", ("host",))), "COUNT": 3, "LINK": PASSWORD},
    secrets={"PASSWORD": SecretKey(STORE.id, "password", PASSWORD)},
    ports=(Port("http", 8080, 8080), r.udp("stats", 8125)),
    readiness=Probe(HttpGet(8080, "/ready", {"X-Probe": "1"}), 1.5, 3, 2, 4),
    liveness=Probe(TcpConnect(8080)),
    volumes=(EphemeralVolume("scratch", "/tmp/x"), PersistentVolume("data", "/data", DATA.id, "write")),
    resources=Resources(0.5, 256, 1.0, 1024),
    registry=Registry("registry.example", "me", PASSWORD, STORE.id),
    init=(Container("migrate", "web:1", command=("sh", "-c", "true"), env={"A": "b"}),),
    sidecars=(
        Container(
            "proxy",
            "proxy:1",
            readiness=Probe(Exec(("true",))),
            ports=(Port("admin", 9901, 9901),),
            volumes=(PersistentVolume("photos", "/photos", SHARE),),
        ),
    ),
    labels={"team": "a", "app.kubernetes.io/name": "web"},
    annotations={"note": "x"},
)


def test_a_container_with_everything(snapshot):
    children = made(PLATFORM.workload(FULL, view(STORE, DATA)), clean=False)
    assert (
        said(children)
        == [
            "info ULN319: 'web' asks for less than the least that Azure gives a container group, and gets 1 CPU and 1 GB"
        ]
        or said(children) == []
    )
    assert plain(children) == snapshot


def test_several_replicas_are_a_set_behind_a_balancer(snapshot):
    several = FULL.replace(replicas=3, container=FULL.container.replace(resources=Resources()))
    assert plain(made(PLATFORM.workload(several, view(STORE, DATA)))) == snapshot


def test_the_smallest_container(snapshot):
    assert plain(made(PLATFORM.workload(workload(ports=()), view()))) == snapshot


def test_the_block_is_merged_last(snapshot):
    block = {
        "sku": "Confidential",
        "priority": "Spot",
        "zones": ["1"],
        "dnsConfig": None,
        "containers": [
            {"name": "web", "properties": {"resources": {"requests": {"gpu": {"count": 1, "sku": "V100"}}}}},
            {"name": "extra", "properties": {"image": "x:1", "resources": {"requests": {"cpu": 1, "memoryInGB": 1}}}},
        ],
        "tags": {"cost": "42"},
    }
    assert plain(made(PLATFORM.workload(workload(runtime=block), view()))) == snapshot


def test_the_block_can_ask_for_a_set(snapshot):
    block = {"nGroup": {"placementProfile": {"faultDomainCount": 2}}, "sku": "Standard"}
    assert plain(made(PLATFORM.workload(workload(runtime=block), view()))) == snapshot


def test_roles_on_what_it_is_connected_to(snapshot):
    grants = (
        Grant(BLOBS, "azure", ("Storage Blob Data Reader", "ba92f5b4-2d11-453d-a403-e96b0029c9fe")),
        Grant(VAULT, "azure", ("/providers/Microsoft.Authorization/roleDefinitions/x",)),
    )
    who = Identity(
        "systemAssignedUserAssigned", (f"{SCOPE}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/me",)
    )
    assert plain(made(PLATFORM.workload(workload(grants=grants, identity=who), view()))) == snapshot


def test_secrets_of_a_vault_are_referred_to(snapshot):
    seen = view(STORE, keyVault=VAULT)
    assert plain(made(PLATFORM.secret_store(store(password=PASSWORD), seen))) == snapshot(name="store")
    keys = {"PASSWORD": SecretKey(STORE.id, "password", PASSWORD), "OTHER": SecretKey("shared", "token")}
    children = made(PLATFORM.workload(workload(secrets=keys), seen))
    assert plain(children) == snapshot(name="container")
    assert PASSWORD not in list(_leaves(children)), "the value is in the vault only"


def _leaves(children: Children) -> Any:
    from engine.contract.value import leaves

    for child in children.resources:
        yield from leaves(dict(child.properties))


def test_without_a_vault_a_store_is_nothing_of_its_own():
    assert made(PLATFORM.secret_store(store(password=PASSWORD), view())) == Children((), {})


def test_a_volume(snapshot):
    assert plain(made(PLATFORM.volume(volume(size=5, runtime={"sku": "Standard_ZRS"}), view()))) == snapshot


def test_the_environment(snapshot):
    dev = r.resource("environments", "dev")
    children = made(PLATFORM.environment(dev, TestView(environment(outputs=False))))
    assert plain(children) == snapshot(name="own network")
    given = {"subnet": f"{r.VNET}/subnets/a", "gatewaySubnet": f"{r.VNET}/subnets/b", "dnsZone": "corp.internal"}
    children = made(PLATFORM.environment(dev, view(network=given, location="westeurope")))
    assert plain(children) == snapshot(name="given network")
    children = made(PLATFORM.environment(dev, view(network={"egress": "none", "addressPrefix": "10.9.0.0/22"})))
    assert plain(children) == snapshot(name="no way out")


# ---------------------------------------------------------------- gateways

CRT, KEY = SecretKey("/s", "tls.crt", Secret("crt", "d1")), SecretKey("/s", "tls.key", Secret("key", "d2"))
GATEWAYS = {
    "one route": gateway(route("/")),
    "many routes": gateway(
        route("/api/v2", "api", 8000, replace_prefix="/v2", timeout=90, backend_timeout=30.2),
        route("/api", "api", 8000, replace_prefix="/"),
        r.outside("/docs", "docs.example.com", 443),
        r.outside("/old", "10.1.2.3", 8080, "http"),
        route("/", websockets=True, timeout=5),
    ),
    "no route for the rest": gateway(route("/a"), route("/b", "api", 8000), prefix="shop"),
    "certificate": gateway(route("/"), tls=Tls(False, "1.2", CRT, KEY), hostname="shop.example.com"),
    "only 1.3": gateway(route("/"), tls=Tls(False, "1.3", CRT, KEY)),
    "passed through": gateway(route("/", port=8443, timeout=7), tls=Tls(True)),
    "inside": gateway(route("/"), internal=True),
    "block": gateway(
        route("/"), runtime={"applicationGateway": {"sku": {"name": "WAF_v2", "tier": "WAF_v2"}, "zones": None}}
    ),
}


@pytest.mark.parametrize("name", GATEWAYS)
def test_a_gateway(name, snapshot):
    children = made(PLATFORM.gateway(GATEWAYS[name], view()), clean=name != "certificate")
    assert plain(children) == snapshot
    assert "://" in repr(children.outputs["url"])


def test_a_probe_asks_what_the_readiness_probe_does():
    at = route("/")
    assert at.workload is not None
    body = {"container": {"readinessProbe": {"kind": "httpGet", "containerPort": 8080, "path": "/up"}}}
    asked = at.replace(
        workload=at.workload.replace(resource=at.workload.resource.replace(properties={"properties": body}))
    )
    children = made(PLATFORM.gateway(gateway(asked), view()))
    (probe,) = children.resources[1].properties["properties"]["probes"]
    assert (probe["properties"]["path"], probe["properties"]["match"]) == ("/up", {"statusCodes": ["200-399"]})


def test_two_gateways_share_a_subnet_and_nothing_else():
    first = made(PLATFORM.gateway(gateway(route("/")), view()))
    other = gateway(route("/")).replace(resource=r.resource("gateways", "admin"))
    second = made(PLATFORM.gateway(other, view()))
    assert not {x.id for x in first.resources} & {x.id for x in second.resources}


# ---------------------------------------------------------------- what is different, and what cannot be

WRONG = {
    "args alone": (workload(args=("x",)), "args without command is not supported"),
    "folder alone": (workload(working_dir="/x"), "workingDir without command is not supported"),
    "never pulled": (workload(image_pull_policy="Never"), "imagePullPolicy Never is not supported"),
    "volume from nowhere": (
        workload(volumes=(PersistentVolume("d", "/d", "/nowhere"),)),
        "'/nowhere', which is not declared",
    ),
    "a secret of no vault": (workload(secrets={"A": SecretKey("shared", "token")}), "which is in no vault"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_an_error_with_an_alternative(name):
    wish, words = WRONG[name]
    children = PLATFORM.workload(wish, view())
    assert isinstance(children, Children) and not children.resources
    (problem,) = [d for d in children.diagnostics if d.severity == "error"]
    assert words in problem.message and problem.help


DIFFERENT = {
    "port": (workload(ports=(Port("http", 8080, 80),)), "others reach a single group on 8080"),
    "memory": (workload(volumes=(EphemeralVolume("x", "/x", "memory"),)), "the volume 'x' in memory is not the same"),
    "init size": (
        workload(init=(Container("i", "i:1", resources=Resources(cpu=1)),)),
        "the size of the init container 'i' is not the same",
    ),
    "a limit": (workload(resources=Resources(cpu_limit=4, memory_limit=8192)), "it has 1 CPU and 1 GB, and no more"),
    "several that end": (workload(replicas=2, restart=RestartPolicy.NEVER), "restartPolicy Never is not the same"),
    "secret in sight": (workload(command=("x", PASSWORD)), "A secret stands in the command line"),
    "pull policy": (workload(image_pull_policy="IfNotPresent"), "is as Always"),
    "gateway": (workload(runtime={"gatewayID": "x"}), "gatewayID has no meaning here"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_is_different_is_said(name):
    wish, words = DIFFERENT[name]
    children = made(PLATFORM.workload(wish, view()), clean=False)
    assert any(words in s for s in said(children)), said(children)


def test_several_replicas_have_both_ports():
    children = made(PLATFORM.workload(workload(replicas=2, ports=(Port("http", 8080, 80),)), view()))
    rules = children.resources[0].properties["properties"]["loadBalancingRules"]
    pairs = {(x["properties"]["frontendPort"], x["properties"]["backendPort"]) for x in rules}
    assert pairs == {(80, 8080), (8080, 8080)}


def test_names_that_are_too_short_or_begin_with_a_digit():
    short = volume().replace(resource=r.resource("volumes", "d", kind="persistent"))
    assert made(PLATFORM.volume(short, view())).outputs["share"] == "d-share"
    children = made(PLATFORM.gateway(gateway(route("/"), prefix="1st"), view()))
    assert children.resources[0].properties["properties"]["dnsSettings"]["domainNameLabel"] == "g-1st"


def test_an_empty_block_asks_for_a_set_as_well():
    children = made(PLATFORM.workload(workload(runtime={"nGroup": {}}), view()))
    assert [x.type.rpartition("/")[2] for x in children.resources] == [
        "loadBalancers",
        "containerGroupProfiles",
        "nGroups",
        "A",
    ]
    children = made(PLATFORM.workload(workload(runtime={"nGroup": None}), view()))
    assert [x.type.rpartition("/")[2] for x in children.resources] == ["containerGroups", "A"]


def test_no_replica_is_nothing_that_costs():
    assert made(PLATFORM.workload(workload(replicas=0), view())).resources == ()


def test_autoscaling_runs_the_least():
    children = made(PLATFORM.workload(workload(autoscale=Autoscale(2, 5, 70)), view()))
    (set_,) = [x for x in children.resources if x.type.endswith("nGroups")]
    assert set_.properties["properties"]["elasticProfile"]["desiredCount"] == 2


def test_what_is_meant_to_end_is_waited_for_to_begin():
    children = made(PLATFORM.workload(workload(ports=(), restart=RestartPolicy.NEVER), view()))
    assert children.ending == {"app/web/web"}


def test_places_that_are_missing_are_said():
    nowhere = TestView(environment().replace(properties={"compute": {"kind": "aci"}}))
    early = TestView(environment(outputs=False))
    for seen in (nowhere, early):
        for children in (PLATFORM.workload(workload(), seen), PLATFORM.gateway(gateway(route("/")), seen)):
            assert isinstance(children, Children)
            (problem,) = children.diagnostics
            assert problem.severity == "error" and problem.help
    (problem,) = PLATFORM.environment(r.resource("environments", "dev"), nowhere).diagnostics  # type: ignore[union-attr]
    assert "does not say where" in problem.message


@pytest.mark.parametrize("prefix", ["10.0.0.0/24", "fd00::/48", "10.0.0.1/8", "house"])
def test_a_range_that_is_none_is_said(prefix):
    children = PLATFORM.environment(r.resource("environments", "dev"), view(network={"addressPrefix": prefix}))
    assert isinstance(children, Children) and "address range" in children.diagnostics[0].message


def test_a_block_that_is_not_known_yet_is_waited_for():
    block = {"sku": Output("app/x", ("sku",))}
    assert PLATFORM.workload(workload(runtime=block), view()) == Undecided(frozenset({"app/x"}))
    children = PLATFORM.workload(workload(runtime={"sku": PASSWORD}), view())
    assert isinstance(children, Children) and children.diagnostics[0].code == "ULN321"


def test_kinds_of_volumes_that_cannot_be():
    children = PLATFORM.volume(volume(kind="azure.com.keyvault"), view())
    assert isinstance(children, Children) and "is not supported" in children.diagnostics[0].message
    existing = store(password=None).replace(reference="shared")
    children = PLATFORM.secret_store(existing, view())
    assert isinstance(children, Children) and "in no vault" in children.diagnostics[0].message
    assert made(PLATFORM.secret_store(existing, view(keyVault=VAULT))) == Children((), {})


def test_an_internal_gateway_in_a_given_subnet_needs_its_address():
    given = {"subnet": f"{r.VNET}/subnets/a", "gatewaySubnet": f"{r.VNET}/subnets/b"}
    inside = gateway(route("/"), internal=True)
    children = PLATFORM.gateway(inside, view(network=given))
    assert isinstance(children, Children) and "privateIPAddress" in children.diagnostics[0].help
    fixed = inside.replace(runtime={"privateIPAddress": "10.1.0.9"})
    assert made(PLATFORM.gateway(fixed, view(network=given))).outputs["url"] == "http://10.1.0.9"


def test_addresses_of_ports():
    port = workload().ports[0]
    assert PLATFORM.endpoint_in(workload(), port, view()).host == "web.shop.dev.internal"
    assert (
        PLATFORM.endpoint_in(workload(), port, view(network={"dnsZone": "corp.example"})).host
        == "web.shop.corp.example"
    )
    assert PLATFORM.endpoint(workload(), port).host == "web"


def test_names_are_labels_and_stay_apart():
    assert label("Dev", "My_App", "web") == label("Dev", "My_App", "web")
    assert label("a", "b-c") == "a-b-c"
    long = {label("x" * 80), label("x" * 81)}
    assert len(long) == 2 and all(len(n) <= 63 for n in long)
    assert number("A", "b") == number("a", "B") != number("a", "c")


def test_children_stay_below_their_parents():
    for children in (PLATFORM.workload(FULL, view(STORE, DATA)), PLATFORM.gateway(gateway(route("/")), view())):
        assert isinstance(children, Children)
        assert all(x.address.startswith(join("app", "")) for x in children.resources)
