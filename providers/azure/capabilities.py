"""What Azure Container Instances can do of what an application asks for."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.platform import Capability, Support

_NATIVE = Capability(Support.NATIVE)
_VAULT = "a secure value of the groups that use it; a secret of the Key Vault that compute.keyVault names"
_SOCKET = Capability(
    Support.EMULATED, "a command in the container looks for the listening socket; the image needs sh, cat and grep"
)

CAPABILITIES: Mapping[str, Capability] = {
    "image": _NATIVE,
    "imagePullPolicy": Capability(
        Support.EMULATED,
        "Azure pulls whenever it starts a group: Always; IfNotPresent is said to be so, Never is an error",
    ),
    "imagePullSecret": Capability(Support.NATIVE, "imageRegistryCredentials"),
    "command": _NATIVE,
    "args": Capability(
        Support.EMULATED, "put after command, since Azure knows one command line only; without command it is an error"
    ),
    "workingDir": Capability(
        Support.EMULATED, "sh changes to it and runs the command, which has to be given; the image needs sh"
    ),
    "env": Capability(Support.NATIVE, "secrets are secure values, all else plain ones"),
    "env.secretRef": Capability(Support.NATIVE, _VAULT),
    "ports": Capability(
        Support.NATIVE, "in the network of the environment; others use the port that the container listens on"
    ),
    "ports.udp": _NATIVE,
    "readinessProbe.httpGet": _NATIVE,
    "readinessProbe.tcp": _SOCKET,
    "readinessProbe.exec": _NATIVE,
    "livenessProbe.httpGet": _NATIVE,
    "livenessProbe.tcp": _SOCKET,
    "livenessProbe.exec": _NATIVE,
    "resources.requests": Capability(Support.NATIVE, "1 CPU and 1 GB a group at least; memory in tenths of a GB"),
    "resources.limits": Capability(
        Support.NATIVE, "as far as the requests of the whole group go; above that is a warning"
    ),
    "initContainers": Capability(Support.NATIVE, "without ports, probes and a size of their own"),
    "sidecars": Capability(Support.NATIVE, "more containers of the group"),
    "volumes.ephemeral": Capability(Support.NATIVE, "an emptyDir, on disk; 'memory' is a warning"),
    "volumes.persistent": Capability(Support.NATIVE, "a share of Azure Files"),
    "restartPolicy": Capability(Support.NATIVE, "of the whole group; several replicas are always started again"),
    "connections": Capability(Support.NATIVE, "names in a private DNS zone: web.shop.dev.internal"),
    "connections.iam": Capability(Support.NATIVE, "an identity of the container, and role assignments"),
    "identity": Capability(Support.NATIVE, "of the system or of users; azure.com.workload uses those of users"),
    "manualScaling": Capability(
        Support.NATIVE, "a set of groups (nGroups) behind an internal load balancer; in it only full names are found"
    ),
    "manualScaling.udp": _NATIVE,
    "autoScaling": Capability(
        Support.DEGRADED,
        "minReplicas groups run, and never more: Azure scales no container groups by load",
        "Use manualScaling with the number you need, or an environment of kind kubernetes.",
    ),
    "daprSidecar": Capability(
        Support.UNSUPPORTED,
        "Azure Container Instances runs no Dapr",
        "Add daprio/daprd as a sidecar of the container with its component files in a volume, or use an environment of kind kubernetes.",
    ),
    "kubernetesMetadata": Capability(
        Support.EMULATED, "labels and annotations become tags of the group, a slash in their names a dot"
    ),
    "gateways": Capability(Support.NATIVE, "an Application Gateway with a public address"),
    "gateways.path": Capability(Support.NATIVE, "a path map; what no route is for is answered with 502"),
    "gateways.replacePrefix": Capability(Support.NATIVE, "a rewrite rule"),
    "gateways.hostname": Capability(
        Support.NATIVE, "prefix becomes the label of the public address; a full name needs a record of its owner's"
    ),
    "gateways.tls": Capability(Support.NATIVE, "the certificate is sent as PKCS #12; http is redirected to https"),
    "gateways.passthrough": Capability(Support.NATIVE, "the gateway's TCP proxy, on port 443"),
    "gateways.websockets": Capability(Support.NATIVE, "always on"),
    "gateways.timeout": Capability(Support.NATIVE, "backendRequest if it is given, else request; in whole seconds"),
    "gateways.internal": Capability(
        Support.EMULATED, "listens inside only; Azure demands a public address all the same, on which nothing listens"
    ),
    "secretStores.generic": Capability(Support.NATIVE, _VAULT),
    "secretStores.certificate": Capability(Support.NATIVE, _VAULT),
    "secretStores.basicAuthentication": Capability(Support.NATIVE, _VAULT),
    "secretStores.azureWorkloadIdentity": Capability(Support.NATIVE, _VAULT),
    "secretStores.awsIRSA": Capability(Support.NATIVE, _VAULT),
    "secretStores.existing": Capability(
        Support.NATIVE, "secrets NAME-KEY of the vault that compute.keyVault names; an error without one"
    ),
    "volume.persistent": Capability(
        Support.NATIVE,
        "a share of Azure Files in a storage account of its own, locally redundant; any container may write",
    ),
    "volume.azure.com.keyvault": Capability(
        Support.UNSUPPORTED,
        "secrets are not mounted as files",
        "Read them by variables: a secret store over the vault, with compute.keyVault of the environment.",
    ),
}
"""By the keys of `engine.app.capability.FEATURES`."""
