"""What ECS can do of the app model."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.platform import Capability, Support

_NATIVE = Capability(Support.NATIVE)
_READY = Capability(
    Support.EMULATED,
    "a health check that ECS runs in the container, and of the target group behind a gateway; a task that is not ready for good "
    "is replaced. The image needs sh, and curl, wget or python3",
)
_LIVE = Capability(
    Support.EMULATED,
    "a health check that ECS runs in the container; the task is replaced. The image needs sh, and curl, wget or python3",
)
_SECRET = Capability(Support.NATIVE, "a secret of Secrets Manager, one JSON key for each key")

CAPABILITIES: Mapping[str, Capability] = {
    "image": _NATIVE,
    "imagePullPolicy": Capability(Support.IGNORED, "Fargate pulls the image for every task."),
    "imagePullSecret": Capability(Support.NATIVE, "repositoryCredentials, from Secrets Manager"),
    "command": Capability(Support.NATIVE, "entryPoint"),
    "args": Capability(Support.NATIVE, "command"),
    "workingDir": _NATIVE,
    "env": Capability(Support.NATIVE, "secret values by reference, in a secret of the container's own"),
    "env.secretRef": Capability(Support.NATIVE, "by reference: ECS reads Secrets Manager when a task starts"),
    "ports": Capability(Support.NATIVE, "reached inside the environment by NAME.NAMESPACE; outside through a gateway"),
    "ports.udp": _NATIVE,
    "readinessProbe.httpGet": _READY,
    "readinessProbe.tcp": _READY,
    "readinessProbe.exec": Capability(Support.NATIVE, "a task that is not ready for good is replaced"),
    "livenessProbe.httpGet": _LIVE,
    "livenessProbe.tcp": _LIVE,
    "livenessProbe.exec": Capability(Support.NATIVE, "the task is replaced"),
    "resources.requests": Capability(Support.NATIVE, "the next size that Fargate has"),
    "resources.limits": Capability(Support.NATIVE, "memory of each container; CPU of the task as a whole"),
    "initContainers": Capability(
        Support.NATIVE, "containers that are not essential, each after the success of the one before"
    ),
    "sidecars": Capability(Support.NATIVE, "essential containers of the same task, on its network"),
    "volumes.ephemeral": Capability(
        Support.NATIVE, "a bind mount of the task; memory is a tmpfs on EC2, and disk on Fargate with a warning"
    ),
    "volumes.persistent": Capability(Support.NATIVE, "EFS, encrypted on the way"),
    "restartPolicy": Capability(
        Support.EMULATED,
        "Always is a service; Never and OnFailure are tasks that are run once, OnFailure with ECS's own restart policy",
    ),
    "connections": _NATIVE,
    "connections.iam": Capability(
        Support.NATIVE, "of kind aws: the roles are policies of the task role; of kind azure: an error"
    ),
    "identity": Capability(Support.IGNORED, "Each container acts as a task role of its own."),
    "manualScaling": Capability(Support.NATIVE, "desiredCount"),
    "manualScaling.udp": Capability(Support.NATIVE, "all tasks answer to the name, by DNS"),
    "autoScaling": Capability(Support.NATIVE, "Application Auto Scaling, target tracking"),
    "daprSidecar": Capability(
        Support.UNSUPPORTED,
        "no Dapr sidecar is started",
        "Declare a sidecar with the image daprio/daprd, or use an environment of kind kubernetes.",
    ),
    "kubernetesMetadata": Capability(Support.EMULATED, "labels and annotations become Docker labels of the container"),
    "gateways": Capability(Support.NATIVE, "an application load balancer"),
    "gateways.path": Capability(Support.NATIVE, "listener rules, the longest path first"),
    "gateways.replacePrefix": Capability(Support.NATIVE, "a url-rewrite transform of the rule"),
    "gateways.hostname": Capability(
        Support.NATIVE, "a condition of the rules; the DNS record, to the address in the gateway's outputs, is yours"
    ),
    "gateways.tls": Capability(Support.NATIVE, "the certificate is imported to ACM; port 80 redirects to 443"),
    "gateways.passthrough": Capability(Support.NATIVE, "a network load balancer instead"),
    "gateways.websockets": Capability(Support.NATIVE, "always on"),
    "gateways.timeout": Capability(
        Support.DEGRADED,
        "a load balancer has one idle timeout for all routes: the longest of theirs",
        "Give all routes the same timeout.",
    ),
    "gateways.internal": Capability(Support.NATIVE, "an internal load balancer"),
    "secretStores.generic": _SECRET,
    "secretStores.certificate": Capability(Support.NATIVE, "a secret of Secrets Manager; gateways import it to ACM"),
    "secretStores.basicAuthentication": _SECRET,
    "secretStores.azureWorkloadIdentity": Capability(Support.NATIVE, "kept as any other; ECS makes nothing of it"),
    "secretStores.awsIRSA": Capability(Support.NATIVE, "kept as any other; task roles need none"),
    "secretStores.existing": Capability(
        Support.NATIVE, "by its ARN, or its name in the environment's account and region"
    ),
    "volume.persistent": Capability(Support.NATIVE, "an EFS file system; it grows by itself, so the size is not used"),
    "volume.azure.com.keyvault": Capability(
        Support.UNSUPPORTED,
        "a Key Vault cannot be mounted",
        "Read secrets as variables: env: { NAME: { valueFrom: … } }.",
    ),
}
