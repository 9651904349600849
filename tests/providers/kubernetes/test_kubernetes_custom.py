"""Kinds that a cluster learns: Gateway API's, by definitions as open as can be, and what is made of them once they are there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.contract.operator import Health
from engine.contract.resource import Resource
from providers.kubernetes.clusters import ClusterOperator
from providers.kubernetes.kinds import native_id

pytestmark = pytest.mark.e2e
GROUP = "gateway.networking.k8s.io"
KINDS = {
    "GatewayClass": ("gatewayclasses", "Cluster"),
    "Gateway": ("gateways", "Namespaced"),
    "HTTPRoute": ("httproutes", "Namespaced"),
}


def definition(kind: str) -> Resource:
    plural, scope = KINDS[kind]
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
    }
    names = {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"}
    approved = {"api-approved.kubernetes.io": "https://github.com/kubernetes-sigs/gateway-api"}
    type, name = "apiextensions.k8s.io/CustomResourceDefinition", f"{plural}.{GROUP}"
    body = {
        "metadata": {"name": name, "annotations": approved},
        "spec": {"group": GROUP, "scope": scope, "names": names, "versions": [version]},
    }
    return Resource(f"app/{plural}", type, "v1", name, native_id(type, "", name), body)


@pytest.fixture
def gateway_api(lab) -> Iterator[None]:
    """The kinds, established, and a class that a controller has accepted."""
    operator = lab.objects
    made = [definition(k) for k in KINDS]
    for resource in made:
        operator.create(resource, f"{resource.address}#1", lab.call)
    for resource in made:
        lab.until(resource, lambda s: s.health is Health.READY, f"{resource.address}#1")
    root = f"/apis/{GROUP}/v1/gatewayclasses"
    body = {
        "apiVersion": f"{GROUP}/v1",
        "kind": "GatewayClass",
        "metadata": {"name": "envoy"},
        "spec": {"controllerName": "x/y"},
    }
    lab.client.call("POST", root, (), body)
    accept(lab, f"{root}/envoy", [{"type": "Accepted", "status": "True"}])
    yield
    lab.client.call("DELETE", f"{root}/envoy")
    for resource in made:
        operator.delete(resource, f"{resource.address}#1", lab.call)


def accept(lab, path: str, conditions: list[Any], **status: Any) -> None:
    change = {"status": {"conditions": conditions, **status}}
    lab.client.call("PATCH", f"{path}/status", (), change, "application/merge-patch+json")


def test_gateway_api_is_found_and_its_objects_are_followed(lab, gateway_api):
    look = Resource(
        "env/kube/cluster", "Ulna.Kubernetes/clusters", "2026-12-01", "cluster", "/c", {"properties": {"look": 1}}
    )
    found = ClusterOperator(lab.again()).create(look, "env/kube/cluster#1", lab.call).outputs["gateways"]
    assert {"kind": "gatewayApi", "class": "envoy", "controller": "x/y"}.items() <= found.items()
    listener = {"name": "http", "port": 80, "protocol": "HTTP"}
    gateway = lab.make(f"{GROUP}/Gateway@v1", "door", spec={"gatewayClassName": "envoy", "listeners": [listener]})
    operator = lab.objects
    seen = operator.create(gateway, "app/door#1", lab.call)
    assert (seen.health, seen.message) == (Health.NOT_READY, "no controller of gateways has taken it up yet")
    path = f"/apis/{GROUP}/v1/namespaces/{lab.namespace}/gateways/door"
    accept(lab, path, [{"type": "Accepted", "status": "False", "message": "no such class"}])
    seen = operator.observe(gateway, "app/door#1", lab.call)
    assert seen is not None and seen.message == "no such class"
    given = [{"type": "IPAddress", "value": "192.0.2.1"}]
    accept(
        lab, path, [{"type": "Accepted", "status": "True"}, {"type": "Programmed", "status": "True"}], addresses=given
    )
    seen = operator.observe(gateway, "app/door#1", lab.call)
    assert seen is not None and seen.health is Health.READY and seen.properties["address"] == "192.0.2.1"
    route = lab.make(f"{GROUP}/HTTPRoute@v1", "door", "app/route", spec={"parentRefs": [{"name": "door"}], "rules": []})
    assert operator.create(route, "app/route#1", lab.call).health is Health.READY
    for each, token in ((route, "app/route#1"), (gateway, "app/door#1")):
        operator.delete(each, token, lab.call)


def test_an_ingress_without_a_host_waits_for_its_address(lab):
    backend = {"service": {"name": "web", "port": {"number": 80}}}
    rule: dict[str, Any] = {"http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": backend}]}}
    ingress = lab.make("networking.k8s.io/Ingress@v1", "door", spec={"rules": [rule]})
    operator = lab.objects
    seen = operator.create(ingress, "app/door#1", lab.call)
    assert seen.health is Health.NOT_READY and "no Ingress controller" in seen.message
    path = f"/apis/networking.k8s.io/v1/namespaces/{lab.namespace}/ingresses/door"
    change = {"status": {"loadBalancer": {"ingress": [{"hostname": "lb.example.com"}]}}}
    lab.client.call("PATCH", f"{path}/status", (), change, "application/merge-patch+json")
    seen = lab.until(ingress, lambda s: s.health is Health.READY, "app/door#1")
    assert seen.properties["address"] == "lb.example.com"
    operator.delete(ingress, "app/door#1", lab.call)
