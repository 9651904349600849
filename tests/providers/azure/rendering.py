"""Workloads, gateways and their like as the app model lowers them, and what of a rendering Azure's files do not allow."""

from __future__ import annotations

from typing import Any

from engine.contract.app import Container, Endpoint, Gateway, Port, Protocol, Route, SecretStore, Volume, Workload
from engine.contract.conformance import TestView
from engine.contract.operator import Children, Environment
from engine.contract.resource import Resource
from engine.contract.value import Secret, Value, rewrite
from providers.azure.late import is_late
from providers.azure.platform import AciPlatform
from tests.fakes.arm import openapi
from tests.fakes.arm.filling import type_of
from tests.fakes.arm.unpublished import unpublished_faults

SCOPE = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/shop"
VNET = f"{SCOPE}/providers/Microsoft.Network/virtualNetworks/dev-network"
VAULT = f"{SCOPE}/providers/Microsoft.KeyVault/vaults/kv"
PLATFORM = AciPlatform()
PASSWORD = Secret("password", "digest")


def environment(outputs: bool = True, **compute: Any) -> Environment:
    made = {
        "location": "westeurope",
        "subnet": f"{VNET}/subnets/groups",
        "gatewaySubnet": f"{VNET}/subnets/gateways",
        "balancerSubnet": f"{VNET}/subnets/balancers",
    }
    properties = {"compute": {"kind": "aci", **compute}, "providers": {"azure": {"scope": SCOPE}}}
    return Environment("dev", "aci", "/e/dev", properties, made if outputs else {})


def view(*resources: Resource, **compute: Any) -> TestView:
    return TestView(environment(**compute), *resources)


def resource(type: str, name: str, **properties: Any) -> Resource:
    kind = f"Applications.Core/{type}"
    id = f"/planes/radius/local/resourceGroups/default/providers/{kind}/{name}"
    return Resource(f"app/{name}", kind, "2023-10-01-preview", name, id, {"properties": properties})


def workload(name: str = "web", **more: Any) -> Workload:
    """A container `name` of the image web:1 that listens on 8080, with fields of the workload or of its container."""
    fields = {k: more.pop(k) for k in list(more) if k in Workload.__annotations__}
    base: dict[str, Any] = {"image": "web:1", "ports": (Port("http", 8080, 8080),)}
    return Workload(resource("containers", name), "shop", Container(name, **{**base, **more}), **fields)


def udp(name: str, number: int) -> Port:
    return Port(name, number, number, Protocol.UDP)


def route(path: str, name: str = "web", port: int = 8080, **more: Any) -> Route:
    target = workload(name, ports=(Port("http", port, port),))
    at = PLATFORM.endpoint_in(target, target.ports[0], view())
    return Route(path, at, target, target.ports[0], **more)


def outside(path: str, host: str, port: int, scheme: str = "https") -> Route:
    return Route(path, Endpoint(host, port, scheme))


def gateway(*routes: Route, **more: Any) -> Gateway:
    return Gateway(resource("gateways", "public"), "shop", routes, **more)


def store(**data: Value) -> SecretStore:
    return SecretStore(resource("secretStores", "secrets"), "shop", "generic", data)


def volume(**more: Any) -> Volume:
    made = resource("volumes", "data", kind=more.get("kind", "persistent"))
    return Volume(made, "shop", **{"kind": "persistent", **more})


def plain(children: Children) -> dict[str, Any]:
    """A rendering as data: what a snapshot shows."""
    from engine.contract.value import encode

    shown: dict[str, Any] = {}
    for made in children.resources:
        waits = [w.address for w in made.waits]
        shown[made.address] = {"type": f"{made.type}@{made.api_version}", "id": made.id, **encode(made.properties)}
        if waits:
            shown[made.address]["(waits)"] = waits
        if made.existing:
            shown[made.address]["(existing)"] = True
    return {**shown, "(outputs)": encode(children.outputs), "(ending)": sorted(children.ending)}


def faults(children: Children) -> list[str]:
    """What of the bodies Azure's files do not know."""
    found: list[str] = []
    for made in children.resources:
        if made.existing:
            continue
        body = rewrite(_sent(made.properties), lambda _: "text")
        operation, versions = openapi.find("PUT", str(made.id), made.api_version)
        if operation is None:
            assert not versions, f"{made.id}: {versions}"
            found += [f"{made.address}: {f}" for f in unpublished_faults("PUT", type_of(str(made.id)), body)]
        else:
            found += [f"{made.address}: {f}" for f in operation.faults({"api-version": made.api_version}, body)]
    return [f for f in found if '"text" is no integer' not in f]


def _sent(value: Any) -> Any:
    if is_late(value):
        return "late"
    if isinstance(value, dict):
        return {k: _sent(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_sent(v) for v in value]
    return value


def said(children: Children) -> list[str]:
    return [f"{d.severity} {d.code}: {d.message}" for d in children.diagnostics]
