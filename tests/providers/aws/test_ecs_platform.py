"""What a container, a gateway, a store, a volume and an environment become on ECS: every object, and what is said of the rest."""

from __future__ import annotations

from typing import Any

import pytest

from engine.app.capability import FEATURES
from engine.contract.app import (
    Autoscale,
    Container,
    Endpoint,
    EphemeralVolume,
    Exec,
    Gateway,
    Grant,
    HttpGet,
    PersistentVolume,
    Port,
    Probe,
    Protocol,
    Registry,
    Resources,
    RestartPolicy,
    Route,
    SecretKey,
    SecretStore,
    TcpConnect,
    Tls,
    Volume,
    Workload,
)
from engine.contract.conformance import TestView
from engine.contract.operator import Children, Environment, Undecided
from engine.contract.platform import Support
from engine.contract.resource import Resource
from engine.contract.value import Output, Secret, Value, encode, leaves
from providers.aws.capabilities import CAPABILITIES
from providers.aws.platform import EcsPlatform
from providers.aws.sizes import Size, fitting

SCOPE = "/planes/aws/aws/accounts/111122223333/regions/eu-central-1"
OUTPUTS = {
    "cluster": "arn:aws:ecs:eu-central-1:111122223333:cluster/prod",
    "vpc": "vpc-1",
    "subnets": ["subnet-a", "subnet-b"],
    "securityGroup": "sg-members",
    "namespace": "prod",
    "namespaceId": "ns-1",
}
PASSWORD = Secret("password", "digest")


def environment(**compute: Value) -> Environment:
    block = {"compute": {"kind": "ecs", **compute}, "providers": {"aws": {"scope": SCOPE}}}
    return Environment("prod", "ecs", "/env/prod", block, OUTPUTS)


def resource(kind: str, name: str, /, **properties: Value) -> Resource:
    address = f"env/{name}" if kind == "environments" else f"app/{name}"
    type = f"Applications.Core/{kind}"
    return Resource(
        address,
        type,
        "2023-10-01-preview",
        name,
        f"/rg/providers/{type}/{name}",
        {"properties": {"application": "/app/shop", **properties}},
    )


WEB = resource(
    "containers", "web", container={"readinessProbe": {"kind": "httpGet", "containerPort": 8080, "path": "/ok"}}
)


def workload(of: Resource = WEB, **changes: Any) -> Workload:
    own = {f: changes.pop(f) for f in Container.__fields__ if f in changes}
    container = Container(**{"name": str(of.name), "image": "shop/web:1", "ports": (Port("http", 8080, 8080),), **own})
    return Workload(of, "shop", container, **changes)


def rendered(of: Workload, *others: Resource, **compute: Value) -> Children:
    made = EcsPlatform().workload(of, TestView(environment(**compute), of.resource, *others))
    assert isinstance(made, Children)
    return made


def shown(made: Children) -> dict[str, Any]:
    """As a snapshot has it: type and properties by address, and what is said."""
    return {
        "resources": {
            r.address: {"type": r.type, "waits": [w.address for w in r.waits], **encode(r.properties["properties"])}
            for r in made.resources
        },
        "outputs": encode(dict(made.outputs)),
        "says": [f"{d.severity.value} {d.code}: {d.message}" for d in made.diagnostics],
        "early": len(made.early),
        "ending": sorted(made.ending),
    }


def said(made: Children) -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in made.diagnostics]


def named(made: Children, end: str) -> dict[str, Any]:
    return dict(next(r for r in made.resources if r.address.endswith(f"/{end}")).properties["properties"])


# ---------------------------------------------------------------- snapshots


def test_an_environment(snapshot: Any) -> None:
    of = resource("environments", "prod", **environment().properties)
    made = EcsPlatform().environment(of, TestView(environment()))
    assert isinstance(made, Children)
    assert shown(made) == snapshot


def test_an_environment_in_a_network_that_is_there(snapshot: Any) -> None:
    block = {"cluster": "big", "launchType": "EC2", "network": {"vpc": "vpc-9", "subnets": ["subnet-1", "subnet-2"]}}
    of = resource("environments", "prod", **environment(**block).properties)
    made = EcsPlatform().environment(of, TestView(environment(**block)))
    assert isinstance(made, Children)
    assert shown(made) == snapshot


def test_a_plain_container(snapshot: Any) -> None:
    assert shown(rendered(workload())) == snapshot


def test_a_container_with_everything(snapshot: Any) -> None:
    store = resource("secretStores", "store", data={"token": {}})
    login = resource("secretStores", "login", resource="registry-login")
    data = resource("volumes", "data", kind="persistent")
    of = workload(
        command=("serve", "$(NAME)"),
        args=("--port", "8080"),
        working_dir="/srv",
        env={"NAME": "web", "PASSWORD": PASSWORD},
        secrets={"TOKEN": SecretKey(str(store.id), "token", Secret("token", "d")), "OLD": SecretKey("old-secret", "key")},
        ports=(Port("http", 8080, 8080), Port("dns", 53, 53, Protocol.UDP)),
        readiness=Probe(HttpGet(8080, "/ok", {"X-A": "b c"}), period=5),
        liveness=Probe(Exec(("test", "-f", "/ok")), 10, 20, 3, 2),
        volumes=(
            EphemeralVolume("cache", "/cache"),
            EphemeralVolume("scratch", "/scratch", "memory"),
            PersistentVolume("data", "/data", str(data.id), "write"),
        ),
        resources=Resources(0.75, 900, 1, 1500),
        registry=Registry("registry.example", "u", PASSWORD, str(login.id)),
        init=(Container("first", "shop/init:1"), Container("second", "shop/init:2")),
        sidecars=(Container("proxy", "shop/proxy:1", env={"KEY": PASSWORD}),),
        replicas=3,
        autoscale=Autoscale(2, 6, cpu=70, memory=80),
        labels={"team": "shop"},
        grants=(Grant("/aws/queue", "aws", ("AmazonSQSFullAccess", "arn:aws:iam::1:policy/own")),),
        runtime={
            "taskDefinition": {"runtimePlatform": {"cpuArchitecture": "ARM64"}},
            "containerDefinition": {"stopTimeout": 5, "environment": [{"name": "MORE", "value": "1"}], "healthCheck": {"retries": 9}},
            "service": {"capacityProviderStrategy": [{"capacityProvider": "FARGATE_SPOT", "weight": 1}]},
        },
    )  # fmt: skip
    made = rendered(of, store, login, data)
    assert shown(made) == snapshot
    roles = named(made, "execution-role")["Policies"][0]["PolicyDocument"]["Statement"][0]["Resource"]
    assert len(roles) == 4, "the store, the old secret, the login, and its own"


def test_a_container_that_ends(snapshot: Any) -> None:
    assert shown(rendered(workload(restart=RestartPolicy.ON_FAILURE, ports=(), replicas=2))) == snapshot


def route(path: str, of: Workload, **more: Any) -> Route:
    return Route(path, Endpoint("web.prod", 8080), of, of.ports[0], **more)


def test_a_gateway(snapshot: Any) -> None:
    api = workload(resource("containers", "api", container={}), ports=(Port("http", 8000, 8000),))
    routes = (route("/api", api, replace_prefix="/v1", timeout=90.0), route("/", workload()))
    gateway = Gateway(resource("gateways", "gw"), "shop", routes, hostname="shop.example")
    assert shown(EcsPlatform().gateway(gateway, TestView(environment()))) == snapshot  # type: ignore[arg-type]


def test_a_gateway_with_tls(snapshot: Any) -> None:
    tls = Tls(False, "1.3", SecretKey("/s", "tls.crt", "PEM"), SecretKey("/s", "tls.key", Secret("key", "d")))
    gateway = Gateway(
        resource("gateways", "gw"), "shop", (route("/", workload()),), prefix="shop", tls=tls, internal=True
    )
    made = EcsPlatform().gateway(gateway, TestView(environment(domain="example.com")))
    assert shown(made) == snapshot  # type: ignore[arg-type]
    assert made.outputs["url"] == "https://shop.example.com"  # type: ignore[union-attr]


def test_a_gateway_that_passes_tls_through(snapshot: Any) -> None:
    gateway = Gateway(resource("gateways", "gw"), "shop", (route("/", workload()),), tls=Tls(True))
    assert shown(EcsPlatform().gateway(gateway, TestView(environment()))) == snapshot  # type: ignore[arg-type]


def test_a_secret_store_and_a_volume(snapshot: Any) -> None:
    store = SecretStore(resource("secretStores", "store"), "shop", "generic", {"token": PASSWORD})
    volume = Volume(resource("volumes", "data"), "shop", "persistent", 5)
    view = TestView(environment())
    assert [shown(EcsPlatform().secret_store(store, view)), shown(EcsPlatform().volume(volume, view))] == snapshot  # type: ignore[arg-type]


# ---------------------------------------------------------------- rules


def test_a_service_fills_the_target_groups_of_gateways_in_view() -> None:
    routes = [{"path": "/shop", "destination": "http://web:8080"}, {"destination": "http://other:8080"}]
    gateway = resource("gateways", "gw", routes=routes)
    foreign = resource("gateways", "other", routes=routes)
    foreign = foreign.replace(
        properties={"properties": {**foreign.properties["properties"], "application": "/app/other"}}
    )
    made = rendered(workload(), gateway, foreign)
    (balancer,) = named(made, "service")["LoadBalancers"]
    assert balancer["TargetGroupArn"] == Output("app/gw/target-web-http", ("properties", "TargetGroupArn"))
    service = next(r for r in made.resources if r.type == "AWS.ECS/Service")
    assert [w.address for w in service.waits] == ["app/gw/rule-shop"]
    rule = EcsPlatform().gateway(Gateway(gateway, "shop", (route("/shop", workload()),)), TestView(environment()))
    assert {"app/gw/rule-shop", "app/gw/target-web-http"} <= {r.address for r in rule.resources} == rule.early  # type: ignore[union-attr]


def test_others_reach_it_by_its_name_in_the_zone() -> None:
    endpoint = EcsPlatform().endpoint_in(
        workload(), Port("http", 8080, 80), TestView(environment(namespace="shop.internal"))
    )
    assert (endpoint.host, endpoint.port) == ("web.shop.internal", 8080)


def test_no_secret_is_in_a_task_definition() -> None:
    made = rendered(
        workload(env={"URL": "x", "PASSWORD": PASSWORD}),
    )
    assert not [leaf for leaf in leaves(named(made, "definition")) if isinstance(leaf, Secret)]
    assert named(made, "sealed")["SecretString"] == {"web.PASSWORD": PASSWORD}


@pytest.mark.parametrize(
    ("wanted", "size"),
    [((256, 512), (256, 512)), ((300, 600), (512, 1024)), ((256, 2049), (512, 3072)), ((1500, 100), (2048, 4096)), ((4096, 31000), (8192, 32768))],
)  # fmt: skip
def test_a_size_is_the_next_one_up(wanted: tuple[int, int], size: tuple[int, int]) -> None:
    assert fitting(Size(*wanted)) == Size(*size)


@pytest.mark.parametrize(
    ("change", "code", "word"),
    [
        ({"resources": Resources(0.3, 300)}, "ULN319", "gets the next size that Fargate has: 0.5 CPU and 1024 MiB"),
        ({"resources": Resources(40, 300)}, "ULN318", "the largest that Fargate has"),
        ({"volumes": (EphemeralVolume("m", "/m", "memory"),)}, "ULN317", "is on disk on Fargate"),
        ({"volumes": (PersistentVolume("d", "/d", "/nowhere"),)}, "ULN318", "'/nowhere', which is not declared"),
        ({"ports": (Port("http", 8080, 80),)}, "ULN317", "others reach it on 8080"),
        ({"command": ("serve", PASSWORD)}, "ULN324", "a secret stands in the command line"),
        ({"grants": (Grant("/azure/kv", "azure", ("Reader",)),)}, "ULN318", "are Azure's"),
        ({"registry": Registry("r", "u", "p")}, "ULN318", "no secret store"),
        ({"readiness": Probe(TcpConnect(8080), period=1)}, "ULN319", "periodSeconds 1 becomes 5"),
        ({"runtime": {"service": Secret("s", "d")}}, "ULN321", "hangs on a secret"),
        ({"restart": RestartPolicy.NEVER, "autoscale": Autoscale(1, 2)}, "ULN319", "not used where tasks are meant to end"),
    ],
)  # fmt: skip
def test_what_is_different_is_said(change: dict[str, Any], code: str, word: str) -> None:
    (found,) = said(rendered(workload(**change)))
    assert found[0] == code and word in found[1]


def test_one_name_in_two_applications_is_an_error() -> None:
    other = resource("containers", "WEB").replace(address="other/web")
    (found,) = said(rendered(workload(), other))
    assert found[0] == "ULN318" and "web.prod" in found[1]


def test_a_block_that_is_not_known_yet_is_undecided() -> None:
    of = workload(runtime={"service": Output("app/x", ("a",))})
    assert EcsPlatform().workload(of, TestView(environment())) == Undecided(frozenset({"app/x"}))


@pytest.mark.parametrize(
    ("block", "word"),
    [
        ({"providers": {}}, "in which account and region"),
        ({"compute": {"kind": "ecs", "launchType": "EC2"}}, "no machines"),
    ],
)
def test_an_environment_that_cannot_be(block: dict[str, Any], word: str) -> None:
    properties = {**environment().properties, **block}
    view = TestView(Environment("prod", "ecs", "/env/prod", properties))
    made = EcsPlatform().environment(resource("environments", "prod", **properties), view)
    assert isinstance(made, Children)
    assert word in said(made)[0][1] and not made.resources


def test_a_route_to_elsewhere_is_an_error() -> None:
    gateway = Gateway(resource("gateways", "gw"), "shop", (Route("/", Endpoint("example.com", 80)),))
    made = EcsPlatform().gateway(gateway, TestView(environment()))
    assert isinstance(made, Children) and "leads to containers only" in said(made)[0][1]


def test_every_feature_is_in_the_table() -> None:
    assert CAPABILITIES.keys() == FEATURES.keys()
    for key, capability in CAPABILITIES.items():
        if capability.support is Support.UNSUPPORTED:
            assert capability.alternative, key
        if capability.support is Support.DEGRADED:
            assert capability.effect, key
