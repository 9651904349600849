"""What a cluster can do of the app model."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.platform import Capability, Support

_NATIVE = Capability(Support.NATIVE)
_BY_CLUSTER = "by Gateway API or an Ingress controller where the cluster has one, else by a Caddy of the gateway's own"

CAPABILITIES: Mapping[str, Capability] = {
    "image": _NATIVE,
    "imagePullPolicy": _NATIVE,
    "imagePullSecret": Capability(Support.NATIVE, "a Secret of type kubernetes.io/dockerconfigjson"),
    "command": _NATIVE,
    "args": _NATIVE,
    "workingDir": _NATIVE,
    "env": _NATIVE,
    "env.secretRef": Capability(
        Support.NATIVE, "secretKeyRef; the value is copied where the store is in another namespace"
    ),
    "ports": Capability(Support.NATIVE, "a Service"),
    "ports.udp": _NATIVE,
    "readinessProbe.httpGet": _NATIVE,
    "readinessProbe.tcp": _NATIVE,
    "readinessProbe.exec": _NATIVE,
    "livenessProbe.httpGet": _NATIVE,
    "livenessProbe.tcp": _NATIVE,
    "livenessProbe.exec": _NATIVE,
    "resources.requests": _NATIVE,
    "resources.limits": _NATIVE,
    "initContainers": _NATIVE,
    "sidecars": Capability(Support.NATIVE, "containers of the same pod; beside a Job they need Kubernetes 1.29"),
    "volumes.ephemeral": Capability(Support.NATIVE, "an emptyDir, on disk or in memory"),
    "volumes.persistent": Capability(Support.NATIVE, "a PersistentVolumeClaim"),
    "restartPolicy": Capability(Support.NATIVE, "OnFailure and Never make it a Job"),
    "connections": _NATIVE,
    "connections.iam": Capability(
        Support.DEGRADED,
        "no role is assigned; the container has the rights that its identity has already",
        "Declare the role assignment beside it, or let an administrator make it.",
    ),
    "identity": Capability(
        Support.NATIVE, "azure.com.workload: the labels and annotations that Azure workload identity reads"
    ),
    "manualScaling": _NATIVE,
    "manualScaling.udp": _NATIVE,
    "autoScaling": Capability(Support.NATIVE, "a HorizontalPodAutoscaler; the cluster needs a metrics server"),
    "daprSidecar": Capability(Support.NATIVE, "the annotations that Dapr's injector reads; the cluster needs Dapr"),
    "kubernetesMetadata": _NATIVE,
    "kubernetesNamespace": _NATIVE,
    "gateways": Capability(Support.NATIVE, _BY_CLUSTER),
    "gateways.path": _NATIVE,
    "gateways.replacePrefix": Capability(Support.NATIVE, "by an Ingress controller only if it is ingress-nginx"),
    "gateways.hostname": Capability(Support.NATIVE, "a prefix is completed by compute.gateway.domain, else by nip.io"),
    "gateways.tls": Capability(Support.NATIVE, "the lowest version of TLS is the controller's own, except with Caddy"),
    "gateways.passthrough": Capability(Support.EMULATED, "a Service that leads to the pods themselves"),
    "gateways.websockets": _NATIVE,
    "gateways.timeout": Capability(Support.NATIVE, "by an Ingress controller only if it is ingress-nginx"),
    "gateways.internal": Capability(Support.NATIVE, "a Service of type ClusterIP, by Caddy"),
    "secretStores.generic": Capability(Support.NATIVE, "a Secret"),
    "secretStores.certificate": Capability(Support.NATIVE, "a Secret of type kubernetes.io/tls"),
    "secretStores.basicAuthentication": Capability(Support.NATIVE, "a Secret of type kubernetes.io/basic-auth"),
    "secretStores.azureWorkloadIdentity": Capability(Support.NATIVE, "a Secret"),
    "secretStores.awsIRSA": Capability(Support.NATIVE, "a Secret"),
    "secretStores.existing": Capability(Support.NATIVE, "NAME or NAMESPACE/NAME of a Secret"),
    "volume.persistent": Capability(
        Support.NATIVE, "a PersistentVolumeClaim of compute.storageClass, or the cluster's default"
    ),
    "volume.azure.com.keyvault": Capability(
        Support.UNSUPPORTED,
        "Ulna does not make a SecretProviderClass",
        "Declare one with 'extension kubernetes', and mount it with runtimes.kubernetes.pod.volumes.",
    ),
}
"""By the keys of `engine.app.capability.FEATURES`, and the extensions that are this kind's own."""
