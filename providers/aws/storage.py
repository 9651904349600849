"""Secret stores and volumes, and how a container refers to them. Pure.

store                Applications.Core/secretStores
└── secret           AWS.SecretsManager/Secret       one JSON object, a key for each key of the store
data                 Applications.Core/volumes
├── files            AWS.EFS/FileSystem
├── access           AWS.EC2/SecurityGroup           NFS, from the environment's tasks
├── door-0, door-1   AWS.EFS/MountTarget             one in each subnet
└── folder           AWS.EFS/AccessPoint
"""

from __future__ import annotations

import re

from engine.contract.app import PersistentVolume, SecretKey, SecretStore, Volume
from engine.contract.operator import Children, View
from engine.contract.resource import Resource, Wait, body, join
from engine.contract.value import Output, Properties, Value, compose
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.aws.site import Place, child

SECRET = "secret"
NFS = 2049


def secret_store(store: SecretStore, view: View) -> Children:
    """A secret with the store's keys; one that exists already is only named."""
    if store.reference is not None:
        return Children((), {"arn": secret_arn(store.reference, Place.of(view))})
    wish = {"Description": f"{store.resource.name} ({store.type})", "SecretString": dict(store.data)}
    made = child(store.resource, "AWS.SecretsManager/Secret", SECRET, wish)
    return Children((made,), {"arn": Output(made.address, ("properties", "Arn"))})


def secret_arn(reference: str, place: Place) -> str:
    """The ARN of a secret by its ARN or its name."""
    if reference.startswith("arn:"):
        return reference
    return f"arn:{place.partition}:secretsmanager:{place.region}:{place.account}:secret:{reference}"


def readable(arn: Value) -> Value:
    """An ARN as a policy needs it: where it is made of a name, the six characters are open that Secrets Manager adds to it."""
    if not isinstance(arn, str) or re.search(r"-[A-Za-z0-9]{6}$", arn):
        return arn
    return f"{arn}-??????"


def store_arn(store: str, view: View) -> tuple[Value, Value]:
    """The ARN of the secret behind a store, and its version where it is ours: with it, a new value is a new task definition."""
    if not store.startswith("/"):
        return secret_arn(store, Place.of(view)), ""
    found = view.find(store)
    if found is None:
        return secret_arn(store.rpartition("/")[2], Place.of(view)), ""
    reference = body(found).get("resource")
    if isinstance(reference, str) and reference:
        return secret_arn(reference, Place.of(view)), ""
    address = join(found.address, SECRET)
    return Output(address, ("properties", "Arn")), Output(address, ("properties", "VersionId"))


def value_from(key: SecretKey, view: View) -> Value:
    """What ECS calls `valueFrom`: ARN:key::version."""
    arn, version = store_arn(key.store, view)
    return compose("{0}:{1}::{2}", arn, key.key, version)


def volume(volume: Volume, view: View) -> Children:
    """A file system with a door in each subnet of the environment."""
    resource, place = volume.resource, Place.of(view)
    if volume.kind != "persistent":
        message = f"The volume '{resource.name}' is of kind '{volume.kind}', which compute kind 'ecs' cannot mount"
        help = "Use kind: 'persistent', or read secrets as variables."
        return Children((), {}, (Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help),))
    system = Output(join(resource.address, "files"), ("properties", "FileSystemId"))
    group = Output(join(resource.address, "access"), ("properties", "GroupId"))
    rule = {"IpProtocol": "tcp", "FromPort": NFS, "ToPort": NFS, "SourceSecurityGroupId": place.output("securityGroup")}
    access = {
        "GroupDescription": f"Files of the volume {resource.name}",
        "VpcId": place.output("vpc"),
        "SecurityGroupIngress": [rule],
    }
    settings = {"Encrypted": True, "PerformanceMode": "generalPurpose", "ThroughputMode": "elastic"}
    made = [
        child(resource, "AWS.EFS/FileSystem", "files", {**settings, **volume.runtime}),
        child(resource, "AWS.EC2/SecurityGroup", "access", access),
    ]
    for number, subnet in enumerate(place.subnets):
        wish: Properties = {"FileSystemId": system, "SubnetId": subnet, "SecurityGroups": [group]}
        made.append(child(resource, "AWS.EFS/MountTarget", f"door-{number}", wish))
    root = {"Path": "/data", "CreationInfo": {"OwnerUid": 0, "OwnerGid": 0, "Permissions": "0777"}}
    folder = {"FileSystemId": system, "PosixUser": {"Uid": 0, "Gid": 0}, "RootDirectory": root}
    made.append(child(resource, "AWS.EFS/AccessPoint", "folder", folder))
    return Children(tuple(made), {"fileSystem": system})


def mounted(volume: PersistentVolume, found: Resource) -> dict[str, Value]:
    """The `volumes` entry of a task definition for a persistent volume."""
    system = Output(join(found.address, "files"), ("properties", "FileSystemId"))
    point = Output(join(found.address, "folder"), ("properties", "AccessPointId"))
    files = {"fileSystemId": system, "transitEncryption": "ENABLED", "authorizationConfig": {"accessPointId": point}}
    return {"name": volume.name, "efsVolumeConfiguration": files}


def doors(found: Resource, place: Place) -> list[Wait]:
    """What a task that mounts a volume waits for."""
    return [Wait(join(found.address, f"door-{n}")) for n in range(len(place.subnets))]
