"""What local processes can do of a container."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.platform import Capability, Support

_OTHER = "Use an environment of a kind that runs containers, such as docker or kubernetes."
_NATIVE = Capability(Support.NATIVE)
_EMULATED = Capability(Support.EMULATED)
_IGNORED = Capability(Support.IGNORED)

CAPABILITIES: Mapping[str, Capability] = {
    "image": Capability(Support.EMULATED, "runtimes.process says what to run in place of the image"),
    "imagePullPolicy": Capability(Support.IGNORED, "No image is pulled."),
    "command": _NATIVE,
    "args": _NATIVE,
    "workingDir": Capability(
        Support.IGNORED, "It is a folder of the image; runtimes.process.workingDirectory is the one on this machine."
    ),
    "env": _NATIVE,
    "ports": _NATIVE,
    "ports.udp": _NATIVE,
    "readinessProbe.httpGet": _NATIVE,
    "readinessProbe.tcp": _NATIVE,
    "readinessProbe.exec": _NATIVE,
    "livenessProbe.httpGet": _NATIVE,
    "livenessProbe.tcp": _NATIVE,
    "livenessProbe.exec": _NATIVE,
    "volumes.ephemeral": Capability(
        Support.DEGRADED,
        "the process sees the files of this machine, and nothing is mounted",
        "Name a folder of this machine in runtimes.process.env.",
    ),
    "volumes.persistent": Capability(
        Support.UNSUPPORTED,
        "a process sees the files of this machine, and volumes cannot be mounted into it",
        f"Name a folder of this machine in runtimes.process.env. {_OTHER}",
    ),
    "restartPolicy": _NATIVE,
    "connections": _NATIVE,
    "connections.iam": Capability(
        Support.DEGRADED,
        "no role is assigned; the process acts as whoever deployed it",
        "Log in with the cloud's own tool.",
    ),
    "identity": Capability(Support.IGNORED, "The process acts as whoever deployed it."),
    "manualScaling": Capability(Support.EMULATED, "a small proxy shares connections among the replicas"),
    "manualScaling.udp": Capability(
        Support.UNSUPPORTED, "the proxy in front of the replicas is for TCP", f"Use one replica. {_OTHER}"
    ),
    "daprSidecar": Capability(
        Support.UNSUPPORTED, "no Dapr sidecar is started", f"Run 'dapr run' in runtimes.process.command. {_OTHER}"
    ),
    "kubernetesMetadata": _IGNORED,
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
