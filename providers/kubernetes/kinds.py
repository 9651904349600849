"""What is true of kinds: ids, what cannot be changed, which lists are merged by which key. Pure.

A resource's type is `GROUP/Kind` with the API version, as Bicep's extension has it: `apps/Deployment@v1`, `core/ConfigMap@v1`.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value

PLANE = "/planes/kubernetes/"

OTHER_VERSIONS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("autoscaling", "v2"): ("v2beta2",),
    ("batch", "v1"): ("v1beta1",),
    ("policy", "v1"): ("v1beta1",),
    ("gateway.networking.k8s.io", "v1"): ("v1beta1",),
    ("discovery.k8s.io", "v1"): ("v1beta1",),
}
"""Versions of the same shape that an older cluster may have in place of one."""

_TEMPLATED = ("spec.selector",)
_CLAIM = ("accessModes", "dataSource", "dataSourceRef", "selector", "storageClassName", "volumeMode", "volumeName")

FORCES: Mapping[str, tuple[str, ...]] = {
    "apps/Deployment": _TEMPLATED,
    "apps/ReplicaSet": _TEMPLATED,
    "apps/DaemonSet": _TEMPLATED,
    "apps/StatefulSet": (*_TEMPLATED, "spec.serviceName", "spec.volumeClaimTemplates", "spec.podManagementPolicy"),
    "batch/Job": ("spec.selector", "spec.template", "spec.completions", "spec.completionMode", "secretHash"),
    "core/PersistentVolumeClaim": tuple(f"spec.{k}" for k in _CLAIM),
    "core/PersistentVolume": tuple(
        f"spec.{k}" for k in ("hostPath", "nfs", "csi", "local", "iscsi", "volumeMode", "nodeAffinity")
    ),
    "core/Service": ("spec.clusterIP", "spec.clusterIPs"),
    "core/Secret": ("type", "immutable"),
    "core/ConfigMap": ("immutable",),
    "core/Pod": tuple(
        f"spec.{k}"
        for k in "initContainers volumes nodeName restartPolicy serviceAccountName hostNetwork securityContext".split()  # noqa: SIM905
    ),
    "rbac.authorization.k8s.io/RoleBinding": ("roleRef",),
    "rbac.authorization.k8s.io/ClusterRoleBinding": ("roleRef",),
    "storage.k8s.io/StorageClass": ("provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"),
    "scheduling.k8s.io/PriorityClass": ("value", "preemptionPolicy"),
    "networking.k8s.io/IngressClass": ("spec.controller",),
}
"""By type, the properties of which a change needs a new object; its name and namespace do for every kind."""

FOREGROUND = frozenset(
    ["apps/Deployment", "apps/ReplicaSet", "apps/StatefulSet", "apps/DaemonSet", "batch/Job", "batch/CronJob"]
)
"""Kinds whose parts go before them."""

ONCE = frozenset(["batch/Job", "core/Pod"])
"""Kinds that run once: what failed is made anew. Of others, a failed rollout goes on with the next change, and what runs stays."""

MERGE_KEYS: Mapping[str, tuple[str, ...]] = {
    "containers": ("name",),
    "initContainers": ("name",),
    "ephemeralContainers": ("name",),
    "volumes": ("name",),
    "imagePullSecrets": ("name",),
    "env": ("name",),
    "hostAliases": ("ip",),
    "volumeMounts": ("mountPath",),
    "volumeDevices": ("devicePath",),
    "topologySpreadConstraints": ("topologyKey", "whenUnsatisfiable"),
    "conditions": ("type",),
    "secrets": ("name",),
    "resourceClaims": ("name",),
    "schedulingGates": ("name",),
    "evictionResponders": ("name",),
    "ownerReferences": ("uid",),
    "listeners": ("name",),
}
"""Lists that are merged item by item, by the name of their field, and the fields that tell their items apart."""


def merge_key(field: str, item: Value) -> tuple[str, ...]:
    """The fields that tell the items of a list apart; () where it is one value as a whole."""
    if field == "ports" and isinstance(item, Mapping):  # of a container, or of a service
        return ("containerPort", "protocol") if "containerPort" in item else ("port", "protocol")
    return MERGE_KEYS.get(field, ())


def group_and_kind(type: str) -> tuple[str, str]:
    """Both parts of a type."""
    group, _, kind = type.rpartition("/")
    return group, kind


def native_id(type: str, namespace: Value, name: str) -> str:
    """`/planes/kubernetes/local/namespaces/NS/providers/GROUP/Kind/NAME`."""
    return f"{PLANE}local/namespaces/{namespace}/providers/{type}/{name}"


def metadata_of(resource: Resource) -> Properties:
    """The metadata of an object as it is declared."""
    found = resource.properties.get("metadata")
    return found if isinstance(found, Mapping) else {}


def is_served(resource: Resource) -> bool:
    """Whether it is an object of a cluster: its id says so."""
    id = str(resource.id).lower()
    return id.startswith(PLANE) and f"/providers/{resource.type}/".lower() in id


def block(resource: Resource) -> Properties:
    """The properties of one of our own types."""
    return body(resource)
