"""A gateway by a Caddy of its own: its configuration, a Deployment that serves it, and a Service that leads in. Pure.

The configuration is part of the pod's digest, so that a change of it rolls out as any other change does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from engine.contract.app import Route
from engine.contract.caddy import configuration, routes
from engine.contract.operator import Children
from engine.contract.resource import Wait
from engine.contract.value import Deferred, Value, is_known
from providers.kubernetes.gateways import Way, outside
from providers.kubernetes.places import label

IMAGE = "docker.io/library/caddy:2-alpine"
PLAIN, SECURE, ADMIN = 8080, 8443, 2019
CERTIFICATES = "/ulna/certificates"


def by_caddy(way: Way) -> Children:
    """The objects, and the URL."""
    secret = way.certificate()
    pair = (f"{CERTIFICATES}/tls.crt", f"{CERTIFICATES}/tls.key") if secret else None
    port = SECURE if secret else PLAIN
    minimum = way.gateway.tls.minimum_version if way.gateway.tls is not None else "1.2"
    hostname = way.host()
    written = routes(way.gateway, lambda r: _where(way, r))
    config = configuration(written, [f":{port}"], hostname, pair, minimum, f"localhost:{ADMIN}", "/tmp/caddy")
    text: Value = json.dumps(config, indent=1) if is_known(config) else Deferred("string", (config,))
    settings = way.maker.make("core/ConfigMap@v1", {"data": {"caddy.json": text}}, "ConfigMap")
    waits = (Wait(settings.address),)
    deployment = way.maker.make("apps/Deployment@v1", _deployment(way, secret, port, text), "Deployment", waits=waits)
    ports: list[dict[str, Value]] = [
        {"name": way.scheme, "port": 443 if secret else 80, "protocol": "TCP", "targetPort": port}
    ]
    service, address, number = outside(way, ports, way.maker.selector(way.gateway.application))
    return way.made([settings, deployment, service], way.url(address, number))


def _where(way: Way, route: Route) -> Mapping[str, Value]:
    if route.workload is None:
        return {"to": [_address(route.endpoint.host, route.endpoint.port)]}
    name = f"{label(str(route.workload.resource.name))}.{way.namespace}"
    assert route.port is not None
    return {"to": [f"{name}:{route.port.port}"]}


def _address(host: Value, port: Value) -> Value:
    return (
        f"{host}:{port}"
        if isinstance(host, str) and isinstance(port, int)
        else Deferred("format", ("{0}:{1}", host, port))
    )


def _deployment(way: Way, secret: str | None, port: int, text: Value) -> dict[str, Value]:
    labels = dict(way.maker.labels)
    volumes: list[dict[str, Value]] = [
        {"name": "settings", "configMap": {"name": way.name}},
        {"name": "scratch", "emptyDir": {}},
    ]
    mounts: list[dict[str, Value]] = [
        {"name": "settings", "mountPath": "/ulna/settings", "readOnly": True},
        {"name": "scratch", "mountPath": "/tmp"},
    ]
    if secret:
        volumes.append({"name": "certificates", "secret": {"secretName": secret}})
        mounts.append({"name": "certificates", "mountPath": CERTIFICATES, "readOnly": True})
    container: dict[str, Value] = {
        "name": "caddy",
        "image": way.found.get("image") or IMAGE,
        "command": ["caddy", "run", "--config", "/ulna/settings/caddy.json"],
        "env": [{"name": "XDG_DATA_HOME", "value": "/tmp"}, {"name": "XDG_CONFIG_HOME", "value": "/tmp"}],
        "ports": [{"containerPort": port, "protocol": "TCP"}],
        "readinessProbe": {"tcpSocket": {"port": port}, "periodSeconds": 2},
        "resources": {"requests": {"cpu": "10m", "memory": "32Mi"}},
        "securityContext": {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True},
        "volumeMounts": mounts,
    }
    pod = {
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": 10,
        "securityContext": {"runAsNonRoot": True, "runAsUser": 1000, "runAsGroup": 1000, "fsGroup": 1000},
        "containers": [container],
        "volumes": volumes,
    }
    hashed: dict[str, Value] = {"caddy.json": text}
    tls = way.gateway.tls
    if tls is not None and tls.certificate is not None and tls.key is not None:
        for key in (tls.certificate, tls.key):
            if key.value is not None:
                hashed[key.key] = key.value
    return {
        "spec": {
            "replicas": int(way.found.get("replicas") or 1),
            "selector": {"matchLabels": way.maker.selector(way.gateway.application)},
            "template": {"metadata": {"labels": labels, **_notes(way)}, "spec": pod},
        },
        "secretHash": hashed,
    }


def _notes(way: Way) -> dict[str, Value]:
    return {"annotations": dict(way.maker.annotations)} if way.maker.annotations else {}
