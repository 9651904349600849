"""`Ulna.Kubernetes/clusters`: a look at what a cluster has that decides how gateways are made. Nothing is written.

It reports its `version`, and `gateways`: `{kind, class, controller, service, address}`. `kind` is `gatewayApi`, `ingress` or
`caddy`; `service` the type of a Service that leads in from outside; `address` that of a node.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.difference import compare
from engine.contract.operator import Applied, Bid, Call, Difference, Keep, Observed, Rendering, View
from engine.contract.resource import Resource
from engine.contract.value import Properties, Value
from providers.kubernetes.client import Client
from providers.kubernetes.refusals import Absent, Forbidden

GATEWAYS = "gateway.networking.k8s.io"
_CLOUDS = (
    "aws",
    "azure",
    "gce",
    "digitalocean",
    "linode",
    "openstack",
    "oci",
    "hcloud",
    "scaleway",
    "ibm",
    "vultr",
    "ovh",
)


class ClusterOperator:
    """See the module."""

    name = "kubernetes-clusters"
    effects = True

    def __init__(self, client: Client) -> None:
        self.client = client

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits a look at a cluster."""
        return Bid(100, "a Kubernetes cluster") if resource.type.lower() == "ulna.kubernetes/clusters" else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """It is native as it is."""
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """What the cluster has is not ours to change."""
        return compare(resource, applied, None)

    def outputs(self, resource: Resource) -> Properties:
        """Nothing is known before it was looked at."""
        return {}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """A look, under any token: there is nothing that a token could name."""
        return self.create(resource, token, call)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """A look."""
        version = self.client.call("GET", "/version")
        outputs = {"version": version.get("gitVersion", ""), "gateways": self._gateways()}
        return Observed("cluster", token, resource.properties, outputs)

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """A look."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Nothing was made."""

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """Nothing is sent."""
        return {}

    # ------------------------------------------------------------ looking

    def _gateways(self) -> dict[str, Any]:
        found = self._gateway_class() or self._ingress_class() or {"kind": "caddy"}
        nodes = self._listed("core", "v1", "Node")
        return {**found, "service": self._service(nodes), "address": _address(nodes)}

    def _gateway_class(self) -> dict[str, Any] | None:
        classes = self._listed(GATEWAYS, "v1", "GatewayClass") or self._listed(GATEWAYS, "v1beta1", "GatewayClass")
        accepted = [c for c in classes if _accepted(c)]
        if not accepted:
            return None
        chosen = min(accepted, key=lambda c: str(c["metadata"]["name"]))
        controller = (chosen.get("spec") or {}).get("controllerName")
        return {"kind": "gatewayApi", "class": chosen["metadata"]["name"], "controller": controller}

    def _ingress_class(self) -> dict[str, Any] | None:
        """The default class, else the only one, else the first by name."""
        classes = self._listed("networking.k8s.io", "v1", "IngressClass")
        if not classes:
            return None
        chosen = min(classes, key=lambda c: (not _is_default(c), str(c["metadata"]["name"])))
        controller = (chosen.get("spec") or {}).get("controller")
        return {"kind": "ingress", "class": chosen["metadata"]["name"], "controller": controller}

    def _service(self, nodes: list[Any]) -> str:
        """`LoadBalancer` where the cluster gives such services addresses, as far as one can see."""
        for service in self._listed("core", "v1", "Service"):
            given = ((service.get("status") or {}).get("loadBalancer") or {}).get("ingress")
            if (service.get("spec") or {}).get("type") == "LoadBalancer" and given:
                return "LoadBalancer"
        clouds = (str((n.get("spec") or {}).get("providerID") or "").partition("://")[0] for n in nodes)
        if any(c in _CLOUDS for c in clouds) or self._listed("metallb.io", "v1beta1", "IPAddressPool"):
            return "LoadBalancer"
        return "NodePort"

    def _listed(self, group: str, version: str, kind: str) -> list[Any]:
        """The objects of a kind that the cluster may not have, or not show."""
        try:
            return self.client.list(self.client.kind(group, version, kind))
        except (Absent, Forbidden):
            return []


def _accepted(found: Mapping[str, Any]) -> bool:
    conditions = (found.get("status") or {}).get("conditions") or ()
    return any(c.get("type") == "Accepted" and c.get("status") == "True" for c in conditions)


def _is_default(found: Mapping[str, Any]) -> bool:
    return (found["metadata"].get("annotations") or {}).get("ingressclass.kubernetes.io/is-default-class") == "true"


def _address(nodes: list[Any]) -> str:
    """Where a node is reached, from outside if it says so."""
    found = {a.get("type"): a.get("address") for n in nodes for a in (n.get("status") or {}).get("addresses") or ()}
    return str(found.get("ExternalIP") or found.get("InternalIP") or "")
