"""A workload as the properties of a container group. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping

from engine.contract.app import Container, PersistentVolume, Port, Registry, Workload
from engine.contract.operator import View
from engine.contract.resource import Wait
from engine.contract.value import Leaf, Properties, Secret, Value, compose, has_secret
from engine.contract.variables import resolve
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place as written
from engine.record import Record
from providers.azure.commands import command_of, probe_of
from providers.azure.grants import Acting, acting
from providers.azure.limits import beyond
from providers.azure.naming import Place, label
from providers.azure.sizes import sizes
from providers.azure.stores import reference_of, vault_of
from providers.azure.volumes import Mounts, mounts_of

RESOLVER = "168.63.129.16"
"""Azure's own name server, the same in every network."""


class Group(Record):
    """What a workload is on Azure: `properties` of its group, what stands beside them, and what is made before it."""

    properties: dict[str, Value]
    outer: dict[str, Value]
    acting: Acting
    waits: tuple[Wait, ...]
    problems: tuple[Diagnostic, ...]


def group_of(workload: Workload, view: View, where: Place, *, profiled: bool = False) -> Group:
    """The group of a workload; `profiled`: as the profile of a set, which carries secrets and names no server of names."""
    mounts = mounts_of(workload, view, where)
    problems: list[Diagnostic] = [*mounts.problems]
    references: dict[str, tuple[str, Value]] = {}
    waits: list[Wait] = [*mounts.waits]
    if not profiled:
        waits += _references(workload, view, where, references)
    vault = vault_of(where) if references else ""
    who = acting(workload, where, vault)
    resources, raised, lowered = sizes(workload.container, workload.sidecars)
    asked = [r["requests"] for r in resources]
    problems += beyond(workload, sum(a["cpu"] for a in asked), sum(a["memoryInGB"] for a in asked))
    if raised:
        problems.append(_raised(workload, raised))
    if lowered:
        problems.append(_lowered(workload, lowered))
    builder = _Builder(workload, mounts, {k: name for k, (name, _) in references.items()}, problems)
    properties: dict[str, Value] = {
        "osType": "Linux",
        "sku": "Standard",
        "restartPolicy": str(workload.restart),
        "containers": [
            builder.container(c, r) for c, r in zip((workload.container, *workload.sidecars), resources, strict=True)
        ],
    }
    if workload.init:
        properties["initContainers"] = [builder.helper(c) for c in workload.init]
    if mounts.volumes:
        properties["volumes"] = list(mounts.volumes)
    if registries := _registries(workload):
        properties["imageRegistryCredentials"] = registries
    if ports := _ports(workload):
        properties["ipAddress"] = {"type": "Private", "ports": ports}
    if references:
        properties["secretReferences"] = [
            {"name": name, "identity": who.own, "secretReferenceUri": uri}
            for name, uri in dict(references.values()).items()
        ]
    if log := where.compute.get("logAnalytics"):
        properties["diagnostics"] = {"logAnalytics": dict(log)}
    if not profiled:
        properties["subnetIds"] = [{"id": where.subnet}]
        properties["dnsConfig"] = {
            "nameServers": [RESOLVER],
            "searchDomains": " ".join(_domains(workload, where)),
            "options": "ndots:2",
        }
    outer = {"identity": who.identity} if who.identity is not None else {}
    return Group(properties, outer, who, tuple(dict.fromkeys((*waits, *who.waits))), tuple(problems))


def _domains(workload: Workload, where: Place) -> list[str]:
    """Where short names are looked for: in the application, then in the environment."""
    own = [f"{label(workload.application)}.{where.zone}"] if workload.application else []
    return [*own, where.zone]


def _references(workload: Workload, view: View, where: Place, references: dict[str, tuple[str, Value]]) -> list[Wait]:
    """The keys that are read from a vault, by `store|key`: what each is called in the group, and where it is."""
    waits: list[Wait] = []
    for container in workload.containers:
        for key in container.secrets.values():
            found = reference_of(key, where, view)
            if found is not None:
                name = label(key.store.rpartition("/")[2], key.key)
                references[f"{key.store}|{key.key}"] = (name, found[0])
                waits += found[1]
    return waits


class _Builder:
    """Makes the containers of one group."""

    def __init__(
        self, workload: Workload, mounts: Mounts, references: Mapping[str, str], problems: list[Diagnostic]
    ) -> None:
        self.workload = workload
        self.mounts = mounts
        self.references = references
        self.problems = problems

    def container(self, container: Container, resources: Properties) -> dict[str, Value]:
        """A container that runs."""
        properties = self._common(container)
        properties["resources"] = resources
        if container.ports:
            properties["ports"] = [_port(p) for p in container.ports]
        for key, probe in (("readinessProbe", container.readiness), ("livenessProbe", container.liveness)):
            if probe is not None:
                properties[key] = probe_of(probe)
        return {"name": label(container.name), "properties": properties}

    def helper(self, container: Container) -> dict[str, Value]:
        """One that runs to its end before: it has neither ports nor probes nor a size of its own."""
        asked = container.resources
        if any(v is not None for v in (asked.cpu, asked.memory, asked.cpu_limit, asked.memory_limit)):
            what = f"the size of the init container '{container.name}' is not the same on compute kind 'aci': it has all that its group has"
            self._warn(what, "Remove its resources.")
        return {"name": label(container.name), "properties": self._common(container)}

    def _common(self, container: Container) -> dict[str, Value]:
        known = {n: k.value for n, k in container.secrets.items() if k.value is not None}
        env = resolve({**container.env, **known})
        properties: dict[str, Value] = {"image": container.image}
        command = command_of(container, env, self.workload.resource)
        if isinstance(command, Diagnostic):
            self.problems.append(command)
        elif command is not None:
            properties["command"] = command
            if has_secret(command):
                self._in_sight()
        self._pull_policy(container)
        names = sorted({*env, *container.secrets})
        if names:
            properties["environmentVariables"] = [self._variable(container, n, env.get(n)) for n in names]
        if container.volumes:
            properties["volumeMounts"] = [self._mount(v) for v in container.volumes if self._mount_name(v)]
        return properties

    def _variable(self, container: Container, name: str, value: Value) -> dict[str, Value]:
        key = container.secrets.get(name)
        if key is not None and (reference := self.references.get(f"{key.store}|{key.key}")) is not None:
            return {"name": name, "secureValueReference": reference}
        if key is not None and key.value is None:
            message = f"The variable '{name}' of '{self.workload.resource.name}' comes from '{key.store}', which is in no vault"
            help = "Name the vault: compute: { keyVault: id } of the environment; a set of replicas needs the value itself."
            self.problems.append(
                Diagnostic("ULN314", Severity.ERROR, message, self.workload.resource.origin, help=help)
            )
        secret = has_secret(value)
        return {"name": name, "secureValue" if secret or key is not None else "value": text_of(value)}

    def _mount_name(self, volume: Value) -> str | None:
        return self.mounts.names.get(volume.source if isinstance(volume, PersistentVolume) else volume.name)

    def _mount(self, volume: Value) -> dict[str, Value]:
        mount: dict[str, Value] = {"name": self._mount_name(volume), "mountPath": volume.mount_path}
        if isinstance(volume, PersistentVolume) and volume.permission != "write":
            mount["readOnly"] = True
        return mount

    def _pull_policy(self, container: Container) -> None:
        match container.image_pull_policy:
            case "Never":
                message = (
                    f"'{self.workload.resource.name}': imagePullPolicy Never is not supported on compute kind 'aci'"
                )
                help = "Remove it: nobody can put an image where Azure runs containers but by a registry."
                at = written(self.workload.resource.origin, ("container", "imagePullPolicy"))
                self.problems.append(Diagnostic("ULN318", Severity.ERROR, message, at, help=help))
            case "IfNotPresent":
                message = (
                    f"'{self.workload.resource.name}': imagePullPolicy IfNotPresent is as Always on compute kind 'aci'"
                )
                self.problems.append(Diagnostic("ULN319", Severity.INFO, message, self.workload.resource.origin))
            case _:
                pass

    def _in_sight(self) -> None:
        message = f"A secret stands in the command line of '{self.workload.resource.name}', where all who may read the group see it"
        help = "Let the program read it from an environment variable."
        self.problems.append(Diagnostic("ULN324", Severity.WARNING, message, self.workload.resource.origin, help=help))

    def _warn(self, what: str, help: str) -> None:
        message = f"'{self.workload.resource.name}': {what}"
        self.problems.append(Diagnostic("ULN317", Severity.WARNING, message, self.workload.resource.origin, help=help))


def text_of(value: Value) -> Value:
    """A value as a variable: a text, now or when it is known."""
    if isinstance(value, Secret | str):
        return value
    if isinstance(value, Leaf):
        return compose("{0}", value)
    return "" if value is None else json.dumps(value)


def _port(port: Port) -> dict[str, Value]:
    return {"port": port.container_port, "protocol": str(port.protocol)}


def _ports(workload: Workload) -> list[dict[str, Value]]:
    """The ports that others connect to, each once; those of sidecars are for the group alone."""
    return list({(p.container_port, str(p.protocol)): _port(p) for p in workload.ports}.values())


def _registries(workload: Workload) -> list[dict[str, Value]]:
    found: dict[str, Registry] = {c.registry.server: c.registry for c in workload.containers if c.registry is not None}
    return [{"server": r.server, "username": r.username, "password": r.password} for r in found.values()]


RESOURCES = ("container", "resources")


def _raised(workload: Workload, raised: tuple[str, ...]) -> Diagnostic:
    message = f"'{workload.resource.name}' asks for less than the least that Azure gives a container group, and gets {' and '.join(raised)}"
    return Diagnostic("ULN319", Severity.INFO, message, written(workload.resource.origin, RESOURCES))


def _lowered(workload: Workload, most: str) -> Diagnostic:
    message = (
        f"'{workload.resource.name}': a limit above what its group asks for is not the same on compute kind 'aci': "
        f"it has {most}, and no more"
    )
    help = "Raise resources.requests: what a group asks for is what it may use, and what is paid for."
    return Diagnostic("ULN317", Severity.WARNING, message, written(workload.resource.origin, RESOURCES), help=help)
