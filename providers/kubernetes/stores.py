"""Secret stores, volumes and Dapr's building blocks to their objects. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.app import DaprComponent, SecretKey, SecretStore, Volume
from engine.contract.operator import Children, View
from engine.contract.resource import Resource
from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place
from providers.kubernetes.kinds import native_id
from providers.kubernetes.places import Maker, compute_of, homeless, namespace_for, secret_of

_TYPES: Mapping[str, str] = {"certificate": "kubernetes.io/tls", "basicAuthentication": "kubernetes.io/basic-auth"}


def secret_store(store: SecretStore, view: View) -> Children:
    """A Secret; nothing for one that is there already, whose keys are then looked for."""
    resource = store.resource
    if (lost := homeless(resource, store.application, view)) is not None:
        return Children((), {}, (lost,))
    namespace = namespace_for(resource, store.application, view)
    maker = Maker(resource, store.application, namespace, {}, {})
    if store.reference is not None:
        where, _, name = store.reference.rpartition("/")
        if not any(v is not None for v in store.data.values()):
            wanted = _existing(resource, where or namespace, name)
            return Children((wanted,), {"name": name, "namespace": where or namespace})
        maker.namespace = where or namespace
        made = maker.make("core/Secret@v1", _secret(store), name=name)
        return Children((made,), {"name": name, "namespace": maker.namespace})
    made = maker.make("core/Secret@v1", _secret(store))
    return Children((made,), {"name": maker.name, "namespace": namespace})


def _secret(store: SecretStore) -> dict[str, Value]:
    return {"type": _TYPES.get(store.type, "Opaque"), "stringData": dict(store.data)}


def _existing(parent: Resource, namespace: str, name: str) -> Resource:
    """A Secret that is only read: that it is there is checked before anything uses it."""
    body = {"metadata": {"name": name, "namespace": namespace}}
    id = native_id("core/Secret", namespace, name)
    return Resource(f"{parent.address}/Secret", "core/Secret", "v1", name, id, body, existing=True)


def volume(volume: Volume, view: View) -> Children:
    """A claim: the cluster's storage makes the disk."""
    resource = volume.resource
    if (lost := homeless(resource, volume.application, view)) is not None:
        return Children((), {}, (lost,))
    namespace = namespace_for(resource, volume.application, view)
    maker = Maker(resource, volume.application, namespace, {}, {})
    spec: dict[str, Any] = {
        "accessModes": ["ReadWriteMany" if volume.shared else "ReadWriteOnce"],
        "resources": {"requests": {"storage": f"{volume.size}Gi"}},
    }
    if (storage := compute_of(view).get("storageClass")) is not None:
        spec["storageClassName"] = storage
    spec.update(volume.runtime.get("claim") or {})
    claim = maker.make("core/PersistentVolumeClaim@v1", {"spec": spec})
    return Children((claim,), {"claim": maker.name})


def dapr_component(component: DaprComponent, view: View) -> Children:
    """A Component of Dapr; its secrets come from Secrets of the same namespace."""
    resource = component.resource
    if (lost := homeless(resource, component.application, view)) is not None:
        return Children((), {}, (lost,))
    namespace = namespace_for(resource, component.application, view)
    maker = Maker(resource, component.application, namespace, {}, {})
    problems: list[Diagnostic] = []
    metadata: list[dict[str, Value]] = []
    for name, value in component.metadata.items():
        if not isinstance(value, SecretKey):
            metadata.append({"name": name, "value": value})
            continue
        secret, where = secret_of(value.store, view)
        if where not in (None, namespace):
            message = (
                f"The metadata '{name}' of '{resource.name}' comes from a secret in the namespace '{where}', "
                "and a component can only refer to its own"
            )
            help = f"Declare the secret store in the application '{component.application}'."
            at = place(resource.origin, ("metadata", name))
            problems.append(Diagnostic("ULN318", Severity.ERROR, message, at, help=help))
        metadata.append({"name": name, "secretKeyRef": {"name": secret, "key": value.key}})
    body: dict[str, Value] = {"spec": {"type": component.type, "version": component.version, "metadata": metadata}}
    body["auth"] = {"secretStore": component.secret_store or "kubernetes"}
    if problems:
        return Children((), {}, tuple(problems))
    return Children((maker.make("dapr.io/Component@v1alpha1", body, name=component.name.lower()),), {})
