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
    # not yet
    **dict.fromkeys(
        [
            "imagePullSecret",
            "env.secretRef",
            "resources.requests",
            "resources.limits",
            "initContainers",
            "sidecars",
            "autoScaling",
            "gateways",
            "gateways.path",
            "gateways.replacePrefix",
            "gateways.hostname",
            "gateways.tls",
            "gateways.passthrough",
            "gateways.websockets",
            "gateways.timeout",
            "gateways.internal",
            "secretStores.generic",
            "secretStores.certificate",
            "secretStores.basicAuthentication",
            "secretStores.azureWorkloadIdentity",
            "secretStores.awsIRSA",
            "secretStores.existing",
            "volume.persistent",
            "volume.azure.com.keyvault",
        ],
        Capability(Support.UNSUPPORTED, "it is not part of this kind yet", "Use an environment of another kind."),
    ),
}
"""By the keys of `engine.app.capability.FEATURES`."""
