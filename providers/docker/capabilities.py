"""What a Docker engine can do of a container."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.platform import Capability, Support

_NATIVE = Capability(Support.NATIVE)
_KEPT = Capability(Support.EMULATED, "a file below .ulna/ that only its owner can read")
_PROBED = Capability(
    Support.EMULATED, "a health check in the container; from where Ulna runs if the image has no tool for it"
)
_LIVENESS = Capability(
    Support.EMULATED,
    "a health check in the container ends the program, and the restart policy starts it again; the image needs sh",
)

CAPABILITIES: Mapping[str, Capability] = {
    "image": _NATIVE,
    "imagePullPolicy": _NATIVE,
    "imagePullSecret": Capability(Support.NATIVE, "given to the engine when it pulls"),
    "command": _NATIVE,
    "args": _NATIVE,
    "workingDir": _NATIVE,
    "env": _NATIVE,
    "env.secretRef": Capability(
        Support.EMULATED, "a variable whose value is given to the engine when the container is made"
    ),
    "ports": Capability(Support.NATIVE, "published on 127.0.0.1 of the engine's machine"),
    "ports.udp": _NATIVE,
    "readinessProbe.httpGet": _PROBED,
    "readinessProbe.tcp": _PROBED,
    "readinessProbe.exec": _NATIVE,
    "livenessProbe.httpGet": _LIVENESS,
    "livenessProbe.tcp": _LIVENESS,
    "livenessProbe.exec": _LIVENESS,
    "resources.requests": Capability(Support.NATIVE, "CpuShares and MemoryReservation"),
    "resources.limits": Capability(Support.NATIVE, "CpuQuota and Memory; changed while it runs"),
    "initContainers": Capability(Support.EMULATED, "containers that run to their end, one after the other, before it"),
    "sidecars": Capability(
        Support.EMULATED, "containers on its network; when it is started again, Ulna joins them to it again"
    ),
    "volumes.ephemeral": Capability(
        Support.NATIVE,
        "an anonymous volume, or a tmpfs; one that several containers mount lives as long as the replica",
    ),
    "volumes.persistent": Capability(Support.NATIVE, "a named volume"),
    "restartPolicy": _NATIVE,
    "connections": _NATIVE,
    "connections.iam": Capability(
        Support.DEGRADED,
        "no role is assigned; the container has the credentials that it is given",
        "Pass credentials in environment variables, or mount them with runtimes.docker.HostConfig.Binds.",
    ),
    "identity": Capability(Support.IGNORED, "An engine has no identities to give."),
    "manualScaling": Capability(
        Support.EMULATED,
        "one name for all replicas (DNS round robin), which gateways take in turn; the published port is that of the first",
    ),
    "manualScaling.udp": Capability(Support.EMULATED, "as with TCP"),
    "autoScaling": Capability(
        Support.UNSUPPORTED,
        "an engine does not scale",
        "Use the extension manualScaling, or an environment of kind kubernetes.",
    ),
    "daprSidecar": Capability(
        Support.UNSUPPORTED,
        "no Dapr sidecar is started",
        "Declare a container with the image daprio/daprd and connect to it, or use an environment of kind kubernetes.",
    ),
    "kubernetesMetadata": Capability(Support.EMULATED, "labels and annotations become labels of the container"),
    "gateways": Capability(Support.EMULATED, "Caddy in a container, published on 127.0.0.1 of the engine's machine"),
    "gateways.path": _NATIVE,
    "gateways.replacePrefix": _NATIVE,
    "gateways.hostname": Capability(
        Support.NATIVE, "PREFIX.localhost, or another domain by compute.gateway.domain; a full one as it is"
    ),
    "gateways.tls": _NATIVE,
    "gateways.passthrough": Capability(
        Support.EMULATED, "the url leads to the published port of the container's first replica"
    ),
    "gateways.websockets": _NATIVE,
    "gateways.timeout": Capability(
        Support.EMULATED, "the shorter of both, for the beginning of an answer and for each silence in it"
    ),
    "gateways.internal": Capability(Support.NATIVE, "not published: found by its name in the application's network"),
    "secretStores.generic": _KEPT,
    "secretStores.certificate": _KEPT,
    "secretStores.basicAuthentication": _KEPT,
    "secretStores.azureWorkloadIdentity": _KEPT,
    "secretStores.awsIRSA": _KEPT,
    "secretStores.existing": Capability(
        Support.EMULATED, "the name of a secret store that another deployment has in this environment"
    ),
    "volume.persistent": Capability(
        Support.NATIVE, "a named volume; nothing limits its size, and it goes with the volume"
    ),
    "volume.azure.com.keyvault": Capability(
        Support.UNSUPPORTED,
        "nothing of a vault is mounted into a container",
        "Use a secret store and env.valueFrom, or an environment of kind kubernetes.",
    ),
}
"""By the keys of `engine.app.capability.FEATURES`."""
