"""A workload as a task definition, in the words of ECS's API. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.app import Container, EphemeralVolume, PersistentVolume, RestartPolicy, SecretKey, Workload
from engine.contract.operator import View
from engine.contract.resource import Resource, body, join
from engine.contract.value import Output, Value, compose, has_secret
from engine.contract.variables import expand, resolve
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place
from providers.aws.block import merged, part
from providers.aws.checks import health_check
from providers.aws.site import Place
from providers.aws.sizes import DEFAULT, Size, asked, fitting
from providers.aws.storage import mounted, readable, store_arn, value_from

SEALED = "sealed"
"""The child that holds the secret values among a workload's own variables."""


def sealed(workload: Workload) -> dict[str, Value]:
    """Those values, by container and variable."""
    found: dict[str, Value] = {}
    for container in workload.containers:
        for name, value in resolved(container).items():
            if name not in container.secrets and has_secret(value):
                found[_sealed_key(container, name)] = value
    return found


def resolved(container: Container) -> dict[str, Value]:
    """Its variables, with references to each other replaced."""
    known = {name: key.value for name, key in container.secrets.items() if key.value is not None}
    return resolve({**container.env, **known})


def _sealed_key(container: Container, name: str) -> str:
    return f"{container.name}.{name}"


def size_of(workload: Workload) -> tuple[Size | None, Size | None]:
    """What it asks for, and the size that Fargate has for it; the second is None where it has none."""
    wanted = asked((workload.container, *workload.sidecars), workload.init)
    return wanted, Size(*DEFAULT) if wanted is None else fitting(wanted)


def definition_of(workload: Workload, view: View) -> dict[str, Value]:
    """The body of RegisterTaskDefinition, without its family, with the block merged in."""
    place, address = Place.of(view), workload.resource.address
    wanted, size = size_of(workload)
    containers = list(_containers(workload, view))
    body: dict[str, Value] = {
        "networkMode": "awsvpc",
        "requiresCompatibilities": ["FARGATE" if place.fargate else "EC2"],
        "executionRoleArn": Output(join(address, "execution-role"), ("properties", "Arn")),
        "taskRoleArn": Output(join(address, "task-role"), ("properties", "Arn")),
        "containerDefinitions": containers,
    }
    if place.fargate and size is not None:
        body |= {"cpu": str(size.cpu), "memory": str(size.memory)}
    elif wanted is not None:
        body |= {k: str(v) for k, v in (("cpu", wanted.cpu), ("memory", wanted.memory)) if v}
    if volumes := list(_volumes(workload, view)):
        body["volumes"] = volumes
    return merged(body, part(workload.runtime, "taskDefinition"))


def _containers(workload: Workload, view: View) -> Iterator[dict[str, Value]]:
    """Those before it, one after the other; then the container itself and those beside it."""
    before: str | None = None
    for container in workload.init:
        native = _container(workload, container, view, essential=False)
        if before is not None:
            native["dependsOn"] = [{"containerName": before, "condition": "SUCCESS"}]
        before = container.name
        yield native
    for container in (workload.container, *workload.sidecars):
        native = _container(workload, container, view, essential=True)
        if before is not None:
            native["dependsOn"] = [{"containerName": before, "condition": "SUCCESS"}]
        if container is workload.container:
            native = merged(native, part(workload.runtime, "containerDefinition"))
        yield native


def _container(workload: Workload, container: Container, view: View, essential: bool) -> dict[str, Value]:
    env = resolved(container)
    native: dict[str, Value] = {"name": container.name, "image": container.image, "essential": essential}
    if container.command is not None:
        native["entryPoint"] = [expand(word, env) for word in container.command]
    if container.args is not None:
        native["command"] = [expand(word, env) for word in container.args]
    if container.working_dir is not None:
        native["workingDirectory"] = container.working_dir
    plain = [{"name": n, "value": v} for n, v in env.items() if n not in container.secrets and not has_secret(v)]
    if plain:
        native["environment"] = plain
    if secrets := list(_secrets(workload, container, env, view)):
        native["secrets"] = secrets
    if container.ports:
        native["portMappings"] = [
            {"containerPort": p.container_port, "protocol": str(p.protocol).lower()} for p in container.ports
        ]
    if (check := health_check(container)) is not None:
        native["healthCheck"] = check
    if container.registry is not None:
        native["repositoryCredentials"] = {"credentialsParameter": store_arn(container.registry.store, view)[0]}
    native |= _limits(container)
    native |= _mounts(container, Place.of(view))
    if container is workload.container:
        if workload.restart is RestartPolicy.ON_FAILURE:
            native["restartPolicy"] = {"enabled": True, "ignoredExitCodes": [0]}
        if labels := {**workload.annotations, **workload.labels}:
            native["dockerLabels"] = labels
    native["logConfiguration"] = {
        "logDriver": "awslogs",
        "options": {
            "awslogs-group": Output(join(workload.resource.address, "logs"), ("properties", "LogGroupName")),
            "awslogs-region": Place.of(view).region,
            "awslogs-stream-prefix": str(workload.resource.name),
        },
    }
    return native


def _secrets(
    workload: Workload, container: Container, env: Mapping[str, Value], view: View
) -> Iterator[dict[str, Value]]:
    """Variables by reference: to secret stores, and to the secret of the workload's own."""
    own = join(workload.resource.address, SEALED)
    arn, version = Output(own, ("properties", "Arn")), Output(own, ("properties", "VersionId"))
    for name, value in env.items():
        if name not in container.secrets and has_secret(value):
            key = _sealed_key(container, name)
            yield {"name": name, "valueFrom": compose("{0}:{1}::{2}", arn, key, version)}
    for name, key_of in container.secrets.items():
        yield {"name": name, "valueFrom": value_from(key_of, view)}


def referred(workload: Workload) -> list[SecretKey]:
    """The keys of secret stores that it refers to, one for each store."""
    keys = [key for container in workload.containers for key in container.secrets.values()]
    keys += [
        SecretKey(c.registry.store, "password")
        for c in workload.containers
        if c.registry is not None and c.registry.store
    ]
    return list({key.store: key for key in keys}.values())


def _limits(container: Container) -> dict[str, Value]:
    """CPU in units, memory in MiB: `memory` is where it is ended, `memoryReservation` what is kept for it."""
    found: dict[str, Value] = {}
    resources = container.resources
    if resources.cpu is not None:
        found["cpu"] = round(resources.cpu * 1024)
    if resources.memory is not None:
        found["memoryReservation"] = resources.memory
    if resources.memory_limit is not None:
        found["memory"] = resources.memory_limit
    return found


def _mounts(container: Container, place: Place) -> dict[str, Value]:
    points: list[Value] = []
    memory: list[Value] = []
    for volume in container.volumes:
        match volume:
            case EphemeralVolume(_, path, "memory") if not place.fargate:
                memory.append({"containerPath": path, "size": 64})
            case EphemeralVolume(name, path):
                points.append({"sourceVolume": name, "containerPath": path, "readOnly": False})
            case PersistentVolume(name, path, _, permission):
                points.append({"sourceVolume": name, "containerPath": path, "readOnly": permission != "write"})
    found: dict[str, Value] = {"mountPoints": points} if points else {}
    return {**found, "linuxParameters": {"tmpfs": memory}} if memory else found


def _volumes(workload: Workload, view: View) -> Iterator[dict[str, Value]]:
    """Each volume once, though several containers mount it."""
    place, seen = Place.of(view), set[str]()
    for container in workload.containers:
        for volume in container.volumes:
            if volume.name in seen:
                continue
            seen.add(volume.name)
            match volume:
                case EphemeralVolume(_, _, "memory") if not place.fargate:
                    continue
                case EphemeralVolume(name):
                    yield {"name": name, "host": {}}
                case PersistentVolume(_, _, source):
                    found = view.find(source)
                    if found is not None:
                        yield mounted(volume, found)


def unmounted(workload: Workload, view: View) -> Iterator[Diagnostic]:
    """Volumes that come from what is no volume here."""
    for volume in (v for c in workload.containers for v in c.volumes if isinstance(v, PersistentVolume)):
        found = view.find(volume.source)
        if found is None or body(found).get("kind") != "persistent":
            what = (
                f"'{volume.source}', which is not declared"
                if found is None
                else f"'{found.name}', which is none of kind persistent"
            )
            message = f"The volume '{volume.name}' of '{workload.resource.name}' comes from {what}"
            help = "Declare an Applications.Core/volumes of kind 'persistent', and use its id."
            where = place(workload.resource.origin, ("container", "volumes", volume.name, "source"))
            yield Diagnostic("ULN318", Severity.ERROR, message, where, help=help)


def volumes_of(workload: Workload, view: View) -> list[Resource]:
    """The volumes that it mounts."""
    sources = {v.source for c in workload.containers for v in c.volumes if isinstance(v, PersistentVolume)}
    return [found for source in sorted(sources) if (found := view.find(source)) is not None]


def role_documents(workload: Workload, view: View) -> tuple[dict[str, Any], dict[str, Any]]:
    """The execution role, with which ECS starts the task, and the task role, as which its programs act."""
    place = Place.of(view)
    trust = {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Principal": {"Service": "ecs-tasks.amazonaws.com"}, "Action": "sts:AssumeRole"}
        ],
    }
    arns = [readable(store_arn(key.store, view)[0]) for key in referred(workload)]
    if sealed(workload):
        arns.append(Output(join(workload.resource.address, SEALED), ("properties", "Arn")))
    execution: dict[str, Any] = {
        "AssumeRolePolicyDocument": trust,
        "ManagedPolicyArns": [policy_arn("service-role/AmazonECSTaskExecutionRolePolicy", place)],
        "Policies": [],
    }
    if arns:
        statement = {"Effect": "Allow", "Action": "secretsmanager:GetSecretValue", "Resource": arns}
        document = {"Version": "2012-10-17", "Statement": [statement]}
        execution["Policies"] = [{"PolicyName": "secrets", "PolicyDocument": document}]
    granted = [policy_arn(role, place) for grant in workload.grants if grant.kind != "azure" for role in grant.roles]
    return execution, {"AssumeRolePolicyDocument": trust, "ManagedPolicyArns": granted}


def policy_arn(role: str, place: Place) -> str:
    """A policy by its ARN, or one of AWS's own by its name."""
    return role if role.startswith("arn:") else f"arn:{place.partition}:iam::aws:policy/{role}"
