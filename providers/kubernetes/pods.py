"""Containers of a workload to a pod. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from engine.contract.app import (
    Container,
    EphemeralVolume,
    Exec,
    HttpGet,
    PersistentVolume,
    Probe,
    Resources,
    SecretKey,
    TcpConnect,
    Workload,
)
from engine.contract.operator import View
from engine.contract.resource import body, short
from engine.contract.value import Deferred, Properties, Secret, Value, leaves
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import Path, place
from providers.kubernetes.places import label, namespace_for, secret_of, slug

CLAIMS = ("core/persistentvolumeclaim", "applications.core/volumes")


class Pods:
    """The pod of one workload, and what it needs beside it: variables for its Secret, and what its digest is made of."""

    def __init__(self, workload: Workload, namespace: str, view: View) -> None:
        self.workload = workload
        self.namespace = namespace
        self.view = view
        self.name = label(str(workload.resource.name))
        self.secrets: dict[str, Value] = {}
        self.hashed: dict[str, Value] = {}
        self.registries: dict[str, Any] = {}
        self.volumes: dict[str, Mapping[str, Any]] = {}
        self.problems: list[Diagnostic] = []

    def spec(self, ends: bool) -> dict[str, Value]:
        """The pod's spec; one that ends may not be kept up by its sidecars, so they start with it and go with it."""
        workload = self.workload
        init = [self._container(c) for c in workload.init]
        main = self._container(workload.container, self.name)
        beside = [self._container(c) for c in workload.sidecars]
        if ends:
            init += [{**c, "restartPolicy": "Always"} for c in beside]
        spec: dict[str, Value] = {
            "serviceAccountName": self.name,
            "enableServiceLinks": False,
            **({"initContainers": init} if init else {}),
            "containers": [main, *([] if ends else beside)],
        }
        if self.volumes:
            spec["volumes"] = list(self.volumes.values())
        if self.registries:
            spec["imagePullSecrets"] = [{"name": f"{self.name}-registry"}]
        return spec

    def registry_text(self) -> Value:
        """The credentials for registries, as `.dockerconfigjson`."""
        return Deferred("string", ({"auths": self.registries},))

    # ------------------------------------------------------------ one container

    def _container(self, container: Container, name: str = "") -> dict[str, Value]:
        own = name or slug(container.name)
        made: dict[str, Value] = {"name": own, "image": container.image}
        if container.image_pull_policy:
            made["imagePullPolicy"] = container.image_pull_policy
        for key, value in (("command", container.command), ("args", container.args)):
            if value is not None:
                made[key] = list(value)
        if container.working_dir is not None:
            made["workingDir"] = container.working_dir
        if env := list(self._env(container, "" if container is self.workload.container else f"{own}.")):
            made["env"] = env
        if container.ports:
            made["ports"] = [{"containerPort": p.container_port, "protocol": str(p.protocol)} for p in container.ports]
        for key, probe in (("readinessProbe", container.readiness), ("livenessProbe", container.liveness)):
            if probe is not None:
                made[key] = _probe(probe, container)
        if mounts := list(self._mounts(container)):
            made["volumeMounts"] = mounts
        if asked := _resources(container.resources):
            made["resources"] = asked
        if container.registry is not None:
            registry = container.registry
            self.registries[registry.server] = {"username": registry.username, "password": registry.password}
        return made

    def _env(self, container: Container, scope: str) -> Iterator[dict[str, Value]]:
        """Variables by name; those that are made of others come last, as only what stands before is put in."""
        names = [*container.env, *container.secrets]
        for name in sorted(names, key=lambda n: ("$(" in str(container.env.get(n, "")), n)):
            key = container.secrets.get(name)
            if key is not None:
                yield {"name": name, "valueFrom": {"secretKeyRef": self._reference(scope + name, key)}}
            elif is_secret(value := container.env[name]):
                yield {"name": name, "valueFrom": {"secretKeyRef": self._kept(scope + name, value)}}
            else:
                yield {"name": name, "value": value}

    def _kept(self, key: str, value: Value) -> dict[str, Value]:
        """A value in the workload's own Secret; one that two containers share is there once."""
        shared = key.rpartition(".")[2]
        if shared != key and shared in self.secrets and self.secrets[shared] == value:
            key = shared
        self.secrets[key] = self.hashed[key] = value
        return {"name": self.name, "key": key}

    def _reference(self, key: str, secret: SecretKey) -> dict[str, Value]:
        """The key of a store where a pod can refer to it: in its own namespace. From another one, the value is copied."""
        name, namespace = secret_of(secret.store, self.view)
        if namespace in (None, self.namespace):
            if secret.value is not None:
                self.hashed[key] = secret.value
            return {"name": name, "key": secret.key}
        if secret.value is None:
            message = (
                f"'{self.workload.resource.name}' takes '{secret.key}' from the secret '{name}' in the namespace '{namespace}', "
                "and a pod can only refer to its own"
            )
            help = f"Put the secret into the namespace '{self.namespace}', or give the store its values."
            self._problem(message, help, ("container", "env", key))
        return self._kept(key, secret.value)

    # ------------------------------------------------------------ volumes

    def _mounts(self, container: Container) -> Iterator[dict[str, Value]]:
        for volume in container.volumes:
            name = slug(volume.name)
            if isinstance(volume, EphemeralVolume):
                source: Mapping[str, Any] = {"emptyDir": {"medium": "Memory"} if volume.store == "memory" else {}}
                mount: dict[str, Value] = {"name": name, "mountPath": volume.mount_path}
            else:
                claim = self._claim(volume)
                source = {"persistentVolumeClaim": {"claimName": claim}}
                reads = volume.permission == "read"
                mount = {"name": name, "mountPath": volume.mount_path, **({"readOnly": True} if reads else {})}
            there = self.volumes.setdefault(name, {"name": name, **source})
            if there != {"name": name, **source}:  # two containers call different volumes the same
                name = mount["name"] = slug(f"{container.name}-{volume.name}")
                self.volumes[name] = {"name": name, **source}
            yield mount

    def _claim(self, volume: PersistentVolume) -> str:
        """The claim that a volume is, by the id of what declares it, or by its own name."""
        if not volume.source.startswith("/"):
            return volume.source
        resource, path = self.workload.resource, ("container", "volumes", volume.name, "source")
        target = self.view.find(volume.source)
        if target is None or target.type.lower() not in CLAIMS:
            what = (
                f"'{volume.source}', which is not declared" if target is None else f"a resource of type '{target.type}'"
            )
            message = f"The volume '{volume.name}' of '{resource.name}' comes from {what}"
            help = "Declare an Applications.Core/volumes of kind 'persistent', or name a PersistentVolumeClaim."
            self._problem(message, help, path)
            return ""
        if target.type.lower() == CLAIMS[0]:
            return str((target.properties.get("metadata") or {}).get("name") or target.name)
        application = body(target).get("application")
        home = namespace_for(target, short(application) if isinstance(application, str) else "", self.view)
        if home != self.namespace:
            message = (
                f"The volume '{volume.name}' of '{resource.name}' is in the namespace '{home}', "
                "and a pod can only mount those of its own"
            )
            self._problem(message, f"Declare it in the application '{self.workload.application}'.", path)
        return label(str(target.name))

    def _problem(self, message: str, help: str, path: Path) -> None:
        where = place(self.workload.resource.origin, path)
        self.problems.append(Diagnostic("ULN318", Severity.ERROR, message, where, help=help))


def is_secret(value: Value) -> bool:
    """Whether a value is, or may turn out to be, one that nobody may see."""
    return any(
        isinstance(leaf, Secret) or (isinstance(leaf, Deferred) and leaf.function == "[secret]")
        for leaf in leaves(value)
    )


def _probe(probe: Probe, container: Container) -> dict[str, Value]:
    match probe.check:
        case HttpGet(port, path, headers):
            check: dict[str, Value] = {"path": path, "port": port}
            if headers:
                check["httpHeaders"] = [{"name": k, "value": v} for k, v in headers.items()]
            if any(p.container_port == port and p.scheme == "https" for p in container.ports):
                check["scheme"] = "HTTPS"
            made: dict[str, Value] = {"httpGet": check}
        case TcpConnect(port):
            made = {"tcpSocket": {"port": port}}
        case Exec(command):
            made = {"exec": {"command": list(command)}}
    return {
        **made,
        "initialDelaySeconds": ceil(probe.initial_delay),
        "periodSeconds": max(1, ceil(probe.period)),
        "timeoutSeconds": max(1, ceil(probe.timeout)),
        "failureThreshold": probe.failure_threshold,
    }


def _resources(asked: Resources) -> dict[str, Value]:
    sides = {"requests": (asked.cpu, asked.memory), "limits": (asked.cpu_limit, asked.memory_limit)}
    made: dict[str, Value] = {}
    for side, (cpu, memory) in sides.items():
        entry = {**({"cpu": cores(cpu)} if cpu is not None else {}), **({"memory": f"{memory}Mi"} if memory else {})}
        if entry:
            made[side] = entry
    return made


def cores(cpu: float) -> str:
    """Cores as the cluster writes them: `1`, `500m`."""
    milli = round(cpu * 1000)
    return str(milli // 1000) if milli % 1000 == 0 else f"{milli}m"


def hashed(values: Properties) -> Properties:
    """What a pod's digest is made of, in order."""
    return dict(sorted(values.items()))
