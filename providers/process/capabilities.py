"""What local processes can do of a container."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.platform import Capability, Support

_OTHER = "Use an environment of a kind that runs containers, such as docker or kubernetes."
_NATIVE = Capability(Support.NATIVE)
_EMULATED = Capability(Support.EMULATED)
_IGNORED = Capability(Support.IGNORED)
_KEPT = Capability(Support.EMULATED, "a file below .ulna/ that only its owner can read")

CAPABILITIES: Mapping[str, Capability] = {
    "image": Capability(Support.EMULATED, "runtimes.process says what to run in place of the image"),
    "imagePullPolicy": Capability(Support.IGNORED, "No image is pulled."),
    "imagePullSecret": Capability(Support.IGNORED, "No image is pulled."),
    "command": _NATIVE,
    "args": _NATIVE,
    "workingDir": Capability(
        Support.IGNORED, "It is a folder of the image; runtimes.process.workingDirectory is the one on this machine."
    ),
    "env": _NATIVE,
    "env.secretRef": Capability(
        Support.EMULATED, "the value is given to the process at its start, and kept nowhere else"
    ),
    "ports": _NATIVE,
    "ports.udp": _NATIVE,
    "readinessProbe.httpGet": _NATIVE,
    "readinessProbe.tcp": _NATIVE,
    "readinessProbe.exec": _NATIVE,
    "livenessProbe.httpGet": _NATIVE,
    "livenessProbe.tcp": _NATIVE,
    "livenessProbe.exec": _NATIVE,
    "resources.requests": Capability(Support.IGNORED, "Nothing is set aside: processes share the machine."),
    "resources.limits": Capability(
        Support.DEGRADED,
        "no limit is set: the process may use all of the machine",
        f"Start it with a limit in runtimes.process.command, such as 'systemd-run --user --scope -p MemoryMax=256M'. {_OTHER}",
    ),
    "initContainers": Capability(
        Support.EMULATED, "processes that run to their end, one after the other, before it starts"
    ),
    "sidecars": Capability(Support.EMULATED, "processes beside it; all of them share the network of this machine"),
    "volumes.ephemeral": Capability(
        Support.DEGRADED,
        "nothing is mounted: it is a folder of this machine, in memory or not, whose path is in the variable VOLUME_NAME",
        "Let the program take its folder from that variable: $(VOLUME_NAME) in args stands for it.",
    ),
    "volumes.persistent": Capability(
        Support.DEGRADED,
        "nothing is mounted: it is a folder of this machine, which it may write to, whose path is in the variable VOLUME_NAME",
        "Let the program take its folder from that variable: $(VOLUME_NAME) in args stands for it.",
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
    "autoScaling": Capability(
        Support.UNSUPPORTED,
        "nobody measures what processes use",
        "Use the extension manualScaling, or an environment of kind kubernetes.",
    ),
    "daprSidecar": Capability(
        Support.UNSUPPORTED, "no Dapr sidecar is started", f"Run 'dapr run' in runtimes.process.command. {_OTHER}"
    ),
    "kubernetesMetadata": _IGNORED,
    "gateways": Capability(
        Support.EMULATED, "Caddy as a process, on the loopback addresses; it comes with ulna[gateway]"
    ),
    "gateways.path": _NATIVE,
    "gateways.replacePrefix": _NATIVE,
    "gateways.hostname": Capability(
        Support.NATIVE, "PREFIX.localhost, or another domain by compute.gateway.domain; a full one as it is"
    ),
    "gateways.tls": _NATIVE,
    "gateways.passthrough": Capability(Support.EMULATED, "the url leads to the port of the process itself"),
    "gateways.websockets": _NATIVE,
    "gateways.timeout": Capability(
        Support.EMULATED, "the shorter of both, for the beginning of an answer and for each silence in it"
    ),
    "gateways.internal": Capability(Support.IGNORED, "Every gateway is for this machine alone."),
    "secretStores.generic": _KEPT,
    "secretStores.certificate": _KEPT,
    "secretStores.basicAuthentication": _KEPT,
    "secretStores.azureWorkloadIdentity": _KEPT,
    "secretStores.awsIRSA": _KEPT,
    "secretStores.existing": Capability(
        Support.EMULATED, "the name of a secret store that another deployment has in this environment"
    ),
    "volume.persistent": Capability(
        Support.EMULATED, "a folder of this machine; nothing limits its size, and it goes with the volume"
    ),
    "volume.azure.com.keyvault": Capability(
        Support.UNSUPPORTED,
        "nothing of a vault is mounted into a process",
        "Use a secret store and env.valueFrom, or an environment of kind kubernetes.",
    ),
}
"""By the keys of `engine.app.capability.FEATURES`."""
