"""What the app model becomes on a cluster: every object as a snapshot, checked against Kubernetes' newest schema."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from engine.app.capability import FEATURES
from engine.app.environment import id_of
from engine.contract.discover import Listing, Providers
from engine.contract.operator import Environment
from engine.contract.platform import Support
from engine.contract.resource import Condition, Resource, Wait
from engine.contract.value import Output, Secret, decode, encode
from engine.diagnostics.diagnostic import Diagnostic, Label
from engine.diagnostics.source import Source, Span
from engine.expand.desired import Desired
from engine.render.native import Native
from engine.render.registry import add_app
from engine.render.render import render
from providers.kubernetes.platform import KubernetesPlatform

KUBERNETES = Listing("kubernetes", "providers.kubernetes:provider", ("Ulna.Kubernetes/*", "*/*"), ("kubernetes",))
SOURCE = Source("shop/app.bicep", "")
CADDY = {"kind": "caddy", "service": "NodePort", "address": "10.0.0.9"}
PASSWORD = Secret("password", "d1")


def core(kind: str, symbol: str, name: str = "", /, **properties: Any) -> Resource:
    full = kind if "/" in kind else f"Applications.Core/{kind}"
    body = {"properties": decode(properties)}
    origin = Label(SOURCE, Span(0, 0))
    id = id_of(full, name or symbol)
    return Resource(f"shop/{symbol}", full, "2023-10-01-preview", name or symbol, id, body, (), origin=origin)


def rendered(
    folder: Path, *resources: Resource, outputs: dict[str, Any] | None = None, extensions: Any = (), **compute: Any
) -> tuple[Native, tuple[Diagnostic, ...], Providers]:
    properties = {"compute": {"kind": "kubernetes", "namespace": "prod", **compute}}
    id = id_of("Applications.Core/environments", "prod")
    environment = Environment("prod", "kubernetes", id, properties, outputs or {"gateways": CADDY})
    registry = Providers(folder, environment, lambda: ((KUBERNETES,), ()))
    add_app(registry)
    application = core("applications", "shop", environment=environment.id, extensions=list(extensions))
    graph, problems = render(Desired((application, *resources)), registry, environment, "/home/me")
    return graph, problems, registry


SHOP = id_of("Applications.Core/applications", "shop")


def container(symbol: str = "web", *, block: dict[str, Any] | None = None, **properties: Any) -> Resource:
    return core("containers", symbol, application=SHOP, container={"image": "x:1", **(block or {})}, **properties)


def says(folder: Path, *resources: Resource, **more: Any) -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in rendered(folder, *resources, **more)[1]]


def objects(folder: Path, *resources: Resource, **more: Any) -> dict[str, Any]:
    """By address, the objects as they would be applied; each is what Kubernetes' schema allows."""
    graph, problems, registry = rendered(folder, *resources, **more)
    assert not [p for p in problems if p.severity == "error"], problems
    made: dict[str, Any] = {}
    for part in graph.resources:
        if part.owner is not None:
            operator = registry.operator(graph.nominations[part.address].operator or "", part)
            assert operator is not None
            made[part.address.removeprefix("shop/")] = encode(dict(operator.native(part)))  # type: ignore[attr-defined]
    for address, each in made.items():
        check(address, each)
    return made


def check(address: str, each: dict[str, Any]) -> None:
    validate = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    if "." in each["apiVersion"].partition("/")[0] and not each["apiVersion"].startswith(("networking.k8s", "rbac")):
        return  # of a custom resource
    plain = copy.deepcopy(each)
    if plain["kind"] == "Secret":
        plain["stringData"] = {k: "x" for k in plain.get("stringData", {})}
    validate.validate(plain, validate.latest_version(), strict=True)


FULL: dict[str, Any] = {
    "command": ["serve"],
    "args": ["--port", "8080"],
    "workingDir": "/srv",
    "imagePullPolicy": "Always",
    "env": {
        "B": {"value": "$(A)/b"},
        "A": {"value": "a"},
        "PASSWORD": {"value": {"$secret": ["password", "d1"]}},
        "KEY": {
            "valueFrom": {"secretRef": {"source": id_of("Applications.Core/secretStores", "keys"), "key": "token"}}
        },
        "THEIRS": {"valueFrom": {"secretRef": {"source": "native", "key": "k"}}},
    },
    "ports": {
        "http": {"containerPort": 8080, "port": 80},
        "dns": {"containerPort": 53, "protocol": "UDP"},
    },
    "readinessProbe": {
        "kind": "httpGet",
        "containerPort": 8080,
        "path": "/ok",
        "headers": {"X": "y"},
        "periodSeconds": 2,
    },
    "livenessProbe": {"kind": "exec", "command": "cat /tmp/ok", "initialDelaySeconds": 3},
    "volumes": {
        "scratch": {"kind": "ephemeral", "managedStore": "memory", "mountPath": "/scratch"},
        "data": {"kind": "persistent", "source": id_of("Applications.Core/volumes", "data"), "mountPath": "/data"},
    },
    "resources": {"requests": {"cpu": "0.25", "memoryInMib": 64}, "limits": {"cpu": "1", "memoryInMib": 128}},
    "initContainers": {"setup": {"image": "i:1", "command": ["setup"]}},
    "sidecars": {"log_shipper": {"image": "s:1", "env": {"PASSWORD": {"value": {"$secret": ["password", "d1"]}}}}},
}
KEYS = core("secretStores", "keys", application=SHOP, type="generic", data={"token": {"value": Secret("token", "d2")}})
DATA = core("volumes", "data", application=SHOP, kind="persistent", sizeInGib=2)


def test_everything_a_container_can_say(tmp_path, snapshot):
    extensions = [
        {"kind": "manualScaling", "replicas": 0},
        {"kind": "daprSidecar", "appId": "web", "appPort": 8080, "config": "c", "protocol": "grpc"},
        {"kind": "kubernetesMetadata", "labels": {"team": "a", "radapp.io/x": "dropped"}, "annotations": {"note": "n"}},
    ]
    assert objects(tmp_path, KEYS, DATA, container(block=FULL, extensions=extensions), storageClass="fast") == snapshot


def test_what_ends_is_a_job(tmp_path, snapshot):
    assert objects(tmp_path, container("load", restartPolicy="Never")) == snapshot
    again = objects(
        tmp_path, container("load", restartPolicy="OnFailure", extensions=[{"kind": "manualScaling", "replicas": 2}])
    )
    spec = again["load/Job"]["spec"]
    assert (spec["completions"], spec["template"]["spec"]["restartPolicy"], "backoffLimit" in spec) == (
        2,
        "OnFailure",
        False,
    )
    graph, problems, _ = rendered(tmp_path, container("load", restartPolicy="Never"))
    parent = next(r for r in graph.resources if r.address == "shop/load")
    assert Wait("shop/load/Job", Condition.STARTED) in parent.waits and not problems


def test_automatic_scaling_leaves_replicas_alone(tmp_path, snapshot):
    scaling = [{"kind": "autoScaling", "minReplicas": 2, "maxReplicas": 5, "cpu": 70}]
    made = objects(tmp_path, container(extensions=scaling))
    assert "replicas" not in made["web/Deployment"]["spec"]
    assert made["web/HorizontalPodAutoscaler"] == snapshot


def test_a_private_registry_and_an_identity(tmp_path, snapshot):
    data = {"username": {"value": "me"}, "password": {"value": PASSWORD}}
    login = core("secretStores", "login", application=SHOP, type="basicAuthentication", data=data)
    identity = {"kind": "azure.com.workload", "managedIdentity": ["11111111-2222-3333-4444-555555555555"]}
    block = {"image": "ghcr.io/me/web:1", "imagePullSecret": login.id}
    made = objects(tmp_path, login, container(block=block), identity=identity)
    chosen = {k: made[k] for k in ("login/Secret", "web/registry", "web/ServiceAccount")}
    assert chosen == snapshot
    template = made["web/Deployment"]["spec"]["template"]
    assert template["spec"]["imagePullSecrets"] == [{"name": "web-registry"}]
    assert template["metadata"]["labels"]["azure.workload.identity/use"] == "true"


BASE = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {a: b, app.kubernetes.io/name: lost}}
spec:
  strategy: {type: Recreate}
  template:
    metadata: {annotations: {x: "1"}}
    spec:
      nodeSelector: {disk: ssd}
      containers:
      - name: Web
        image: lost
        env: [{name: FROM_BASE, value: "1"}, {name: A, value: lost}]
        lifecycle: {preStop: {exec: {command: [sleep, "1"]}}}
      - {name: helper, image: h}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: NodePort, ports: [{name: http, port: 1, targetPort: 8080}, {name: metrics, port: 9}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {k: v}
"""


def test_base_manifests_then_the_pod_patch(tmp_path, snapshot):
    patch = {
        "enableServiceLinks": True,
        "containers": [
            {"name": "web", "env": [{"name": "A", "$patch": "delete"}], "securityContext": {"runAsUser": 1}}
        ],
        "tolerations": [{"key": "k", "operator": "Exists"}],
        "nodeSelector": None,
    }
    block = {"env": {"A": {"value": "a"}}, "ports": {"http": {"containerPort": 8080, "port": 80}}}
    made = objects(tmp_path, container(block=block, runtimes={"kubernetes": {"base": BASE, "pod": patch}}))
    assert {k: v for k, v in made.items() if k.startswith("web/") and "Role" not in k} == snapshot


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ("a: [", "is no YAML in line"),
        ("kind: Pod\nmetadata: {name: web}", "has a Pod"),
        ("apiVersion: v1\nkind: Service\nmetadata: {name: other}", "has a Service named 'other'"),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: x}", "has a ConfigMap with a namespace"),
        ("apiVersion: v1\nkind: Deployment\nmetadata: {name: web}", "has a Deployment of apiVersion 'v1'"),
        ("data: {}", "has no kind or no metadata.name in manifest 1"),
        ("\n---\n".join(["apiVersion: v1\nkind: Service\nmetadata: {name: web}"] * 2), "has more than one Service"),
    ],
)
def test_a_base_that_cannot_be_used_says_why(base, words, tmp_path):
    ((code, message),) = says(tmp_path, container(runtimes={"kubernetes": {"base": base}}))
    assert code == "ULN335" and message.startswith(f"runtimes.kubernetes.base of 'web' {words}")


def test_a_misspelt_field_of_the_pod_is_an_error(tmp_path):
    ((code, message),) = says(tmp_path, container(runtimes={"kubernetes": {"pod": {"nodeSelektor": {}}}}))
    assert (code, message) == (
        "BCP089",
        "The property 'nodeSelektor' is not allowed in 'runtimes.kubernetes.pod' of 'web'",
    )


@pytest.mark.parametrize(
    ("properties", "code", "words"),
    [
        ({"restartPolicy": "Never", "runtimes": {"kubernetes": {"base": BASE}}}, "ULN335", "which makes it a Job"),
        ({"identity": {"kind": "systemAssigned"}}, "ULN318", "an identity of kind 'systemAssigned' is not supported"),
        ({"identity": {"kind": "azure.com.workload"}}, "ULN317", "nothing says which"),
        (
            {"restartPolicy": "Never", "extensions": [{"kind": "autoScaling", "maxReplicas": 2, "cpu": 50}]},
            "ULN328",
            "cannot be scaled automatically",
        ),
    ],
)
def test_what_does_not_go_together(properties, code, words, tmp_path):
    found = says(tmp_path, container(**properties))
    assert any(c == code and words in m for c, m in found), found


def test_an_application_that_nobody_declares_has_no_namespace(tmp_path):
    lost = core(
        "containers", "web", application=id_of("Applications.Core/applications", "nobody"), container={"image": "x"}
    )
    assert says(tmp_path, lost)[0][0] == "ULN326"


def test_the_namespace_of_an_application_may_be_named(tmp_path):
    extensions = [{"kind": "kubernetesNamespace", "namespace": "mine"}]
    made = objects(tmp_path, container(), extensions=extensions)
    assert made["shop/namespace"]["metadata"]["name"] == made["web/Deployment"]["metadata"]["namespace"] == "mine"
    long = [{"kind": "kubernetesNamespace", "namespace": "n" * 64}]
    assert says(tmp_path, extensions=long)[0][0] == "ULN318"


def test_a_connection_leads_to_the_service_by_its_namespace(tmp_path):
    api = container("api", block={"ports": {"http": {"containerPort": 9, "port": 80}}})
    made = objects(tmp_path, api, container(connections={"api": {"source": api.id}}))
    env = {
        e["name"]: e.get("value") for e in made["web/Deployment"]["spec"]["template"]["spec"]["containers"][0]["env"]
    }
    assert (env["CONNECTION_API_HOST"], env["CONNECTION_API_PORT"]) == ("api.prod-shop", "80")


def test_a_store_of_the_environment_is_copied(tmp_path):
    store = core(
        "secretStores",
        "keys",
        environment=id_of("Applications.Core/environments", "prod"),
        type="generic",
        data={"token": {"value": Secret("token", "d2")}},
    )
    env = {"KEY": {"valueFrom": {"secretRef": {"source": store.id, "key": "token"}}}}
    made = objects(tmp_path, store, container(block={"env": env}))
    assert made["keys/Secret"]["metadata"]["namespace"] == "prod"
    assert made["web/Secret"]["stringData"] == {"KEY": {"$secret": ["token", "d2"]}}


def test_a_store_of_what_exists_is_read(tmp_path):
    store = core("secretStores", "keys", application=SHOP, type="generic", resource="vault/real", data={"token": {}})
    graph, problems, _ = rendered(tmp_path, store)
    (read,) = [r for r in graph.resources if r.owner == "shop/keys"]
    assert read.existing and read.properties["metadata"] == {"name": "real", "namespace": "vault"} and not problems


# ---------------------------------------------------------------- gateways


ROUTES = [
    {"path": "/", "destination": "http://web:80", "enableWebsockets": True},
    {
        "path": "/api",
        "destination": "http://api:81",
        "replacePrefix": "/",
        "timeoutPolicy": {"request": "15s", "backendRequest": "5s"},
    },
    {"path": "/away", "destination": "https://example.com"},
]
CERT = core(
    "secretStores",
    "cert",
    application=SHOP,
    type="certificate",
    data={"tls.crt": {"value": Secret("crt", "d3")}, "tls.key": {"value": Secret("key", "d4")}},
)
BACKENDS = (
    container("web", block={"ports": {"http": {"containerPort": 8080, "port": 80}}}),
    container("api", block={"ports": {"http": {"containerPort": 81}}}),
)


def gateway(**properties: Any) -> Resource:
    return core("gateways", "door", application=SHOP, **{"routes": ROUTES, **properties})


def door(folder: Path, resource: Resource, gateways: dict[str, Any], *more: Resource, **compute: Any) -> dict[str, Any]:
    """The gateway's objects, and its outputs."""
    resources = (*BACKENDS, *more, resource)
    made = objects(folder, *resources, outputs={"gateways": gateways}, **compute)
    graph, problems, _ = rendered(folder, *resources, outputs={"gateways": gateways}, **compute)
    outputs = next(r for r in graph.resources if r.address == "shop/door").properties["$outputs"]
    told = [f"{p.code} {p.message}" for p in problems]
    return {"outputs": encode(outputs), "told": told} | {k: v for k, v in made.items() if k.startswith("door/")}


NGINX = {"kind": "ingress", "class": "nginx", "controller": "k8s.io/ingress-nginx"}
ENVOY = {"kind": "gatewayApi", "class": "envoy", "controller": "gateway.envoyproxy.io/gatewayclass-controller"}


@pytest.mark.parametrize("way", [CADDY, NGINX, ENVOY], ids=lambda w: w["kind"])
def test_a_gateway(way, tmp_path, snapshot):
    assert door(tmp_path, gateway(), way) == snapshot


@pytest.mark.parametrize("way", [CADDY, NGINX, ENVOY], ids=lambda w: w["kind"])
def test_a_gateway_with_a_host_and_a_certificate(way, tmp_path, snapshot):
    tls = {"certificateFrom": CERT.id, "minimumProtocolVersion": "1.3"}
    host = {"fullyQualifiedHostname": "shop.example.com"}
    made = door(tmp_path, gateway(routes=ROUTES[:1], tls=tls, hostname=host), way, CERT)
    assert made == snapshot


@pytest.mark.parametrize("way", [CADDY, NGINX, ENVOY], ids=lambda w: w["kind"])
def test_tls_is_passed_through_by_a_service(way, tmp_path):
    routes = [{"destination": "tls://web:80"}]
    made = door(tmp_path, gateway(routes=routes, tls={"sslPassthrough": True}), {**way, "service": "LoadBalancer"})
    assert set(made) == {"outputs", "told", "door/Service"}
    spec = made["door/Service"]["spec"]
    assert spec["selector"] == {"radapp.io/application": "shop", "radapp.io/resource": "web"}
    assert spec["ports"][0]["targetPort"] == 8080
    assert made["outputs"]["url"] == {
        "$call": ["format", "{0}://{1}", "https", {"$output": ["shop/door/Service", "address"]}]
    }


def test_a_prefix_is_completed_by_the_domain_or_by_nip_io(tmp_path):
    prefix = gateway(routes=ROUTES[:1], hostname={"prefix": "buy"})
    by_domain = door(tmp_path, prefix, CADDY, gateway={"domain": "example.org", "service": "LoadBalancer"})
    assert by_domain["outputs"]["url"] == "http://buy.example.org"
    by_nip = door(tmp_path, prefix, CADDY)
    assert by_nip["outputs"]["url"]["$call"][1:4] == ["{0}://{1}:{2}", "http", "buy.shop.10.0.0.9.nip.io"]


def test_an_internal_gateway_is_for_the_cluster_alone(tmp_path):
    made = door(tmp_path, gateway(routes=ROUTES[:1], internal=True), ENVOY)
    assert made["door/Service"]["spec"]["type"] == "ClusterIP"
    assert made["outputs"]["url"] == "http://door.prod-shop"


def test_a_shared_gateway_needs_a_host(tmp_path):
    shared = {"gateway": {"kind": "gatewayApi", "name": "infra/main"}}
    found = says(tmp_path, *BACKENDS, gateway(routes=ROUTES[:1]), **shared)
    assert found[0][0] == "ULN318" and "nothing tells its requests apart" in found[0][1]
    made = door(tmp_path, gateway(routes=ROUTES[:1], hostname={"fullyQualifiedHostname": "a.b.c"}), ENVOY, **shared)
    assert made["door/HTTPRoute"]["spec"]["parentRefs"] == [{"name": "main", "namespace": "infra"}]
    assert made["outputs"]["url"] == "http://a.b.c" and "door/Gateway" not in made


def test_what_another_ingress_controller_cannot_do_is_said(tmp_path):
    traefik = {"kind": "ingress", "class": "traefik", "controller": "traefik.io/ingress-controller"}
    found = says(tmp_path, *BACKENDS, gateway(routes=ROUTES[:2]), outputs={"gateways": traefik})
    assert [c for c, _ in found] == ["ULN318", "ULN317"] and "no common way for replacePrefix" in found[0][1]


def test_what_the_cluster_has_is_waited_for(tmp_path):
    unknown = Output("env/prod/cluster", ("properties", "gateways"))
    graph, _, _ = rendered(tmp_path, *BACKENDS, gateway(), outputs={"gateways": unknown})
    assert [(p.address, p.needs) for p in graph.pending] == [("shop/door", frozenset(["env/prod/cluster"]))]


# ---------------------------------------------------------------- the table, and Dapr


def test_a_dapr_component(tmp_path, snapshot):
    metadata = {"redisHost": {"value": "r:1"}, "redisPassword": {"secretKeyRef": {"name": KEYS.id, "key": "token"}}}
    store = core(
        "Applications.Dapr/stateStores",
        "state",
        application=SHOP,
        environment=id_of("Applications.Core/environments", "prod"),
        resourceProvisioning="manual",
        type="state.redis",
        version="v1",
        metadata=metadata,
    )
    assert objects(tmp_path, KEYS, store)["state/Component"] == snapshot


def test_the_table_has_every_feature_and_says_what_is_different():
    table = KubernetesPlatform().capabilities
    assert set(FEATURES) <= set(table)
    for key, cell in table.items():
        if cell.support in (Support.DEGRADED, Support.UNSUPPORTED):
            assert cell.effect and cell.alternative, key
