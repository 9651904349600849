"""Volumes that outlive their containers: a share in a storage account, or one that is there already. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.contract.app import EphemeralVolume, PersistentVolume, Volume, Workload
from engine.contract.operator import Children, View
from engine.contract.resource import Resource, Wait, body, deployment_of, join
from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place as written
from engine.record import Record
from providers.azure.naming import Place, child, digest, label, place

ACCOUNTS = "Microsoft.Storage/storageAccounts"
SHARES = "Microsoft.Storage/storageAccounts/fileServices/shares"
VOLUMES = "applications.core/volumes"
_SHARE = re.compile(r"(/subscriptions/.+/storageAccounts/([^/]+))/fileServices/default/shares/([^/]+)", re.I)


class Mounts(Record):
    """The volumes of a group, what each source or name is called there, and what to wait for."""

    volumes: tuple[dict[str, Value], ...] = ()
    names: Mapping[str, str] = {}
    waits: tuple[Wait, ...] = ()
    problems: tuple[Diagnostic, ...] = ()


def volume_of(volume: Volume, view: View) -> Children:
    """A storage account with one share: locally redundant, and paid for what is in it."""
    where = place(view)
    if where is None:
        return Children((), {})
    if volume.kind != "persistent":
        message = f"The volume '{volume.resource.name}' of kind {volume.kind} is not supported on compute kind 'aci'"
        help = "Read the secrets by variables: a secret store over the vault, with compute.keyVault of the environment."
        return Children((), {}, (Diagnostic("ULN318", Severity.ERROR, message, volume.resource.origin, help=help),))
    account = child(
        volume.resource,
        "account",
        where,
        ACCOUNTS,
        (_account(where, volume.resource),),
        {"minimumTlsVersion": "TLS1_2", "allowBlobPublicAccess": False, "supportsHttpsTrafficOnly": True},
        application=volume.application,
        sku={"name": str(volume.runtime.get("sku") or "Standard_LRS")},
        kind="StorageV2",
    )
    share = child(
        volume.resource,
        "share",
        where,
        SHARES,
        (_account(where, volume.resource), "default", _share(volume.resource)),
        {"shareQuota": max(1, volume.size)},
        located=False,
        waits=(Wait(account.address),),
    )
    return Children((account, share), {"account": str(account.id), "share": _share(volume.resource)})


def _account(where: Place, resource: Resource) -> str:
    """Names of accounts are everybody's: 24 letters and digits at most, unique in the world."""
    whole = f"{where.scope}|{where.name}|{resource.id}".lower()
    return re.sub(r"[^a-z0-9]", "", str(resource.name).lower())[:8] + digest(whole, 14)


def _share(resource: Resource) -> str:
    name = label(str(resource.name))
    return name if len(name) >= 3 else f"{name}-share"


def mounts_of(workload: Workload, view: View, where: Place) -> Mounts:
    """The volumes that the containers of a workload mount."""
    made: dict[str, dict[str, Value]] = {}
    names: dict[str, str] = {}
    waits: list[Wait] = []
    problems: list[Diagnostic] = []
    for container in workload.containers:
        for volume in container.volumes:
            name = label(volume.name)
            match volume:
                case EphemeralVolume(_, _, store):
                    names[volume.name] = name
                    made[name] = {"name": name, "emptyDir": {}}
                    if store == "memory":
                        problems.append(_on_disk(workload, volume.name))
                case PersistentVolume(_, _, source):
                    found = _source(workload, source, view, where)
                    if isinstance(found, Diagnostic):
                        problems.append(found)
                        continue
                    share, waited = found
                    names[source] = name
                    made[name] = {"name": name, "azureFile": share}
                    waits += waited
    return Mounts(tuple(made.values()), names, tuple(dict.fromkeys(waits)), tuple(problems))


def _source(
    workload: Workload, source: str, view: View, where: Place
) -> tuple[dict[str, Value], tuple[Wait, ...]] | Diagnostic:
    """The share behind a source; its key is fetched as the group is made."""
    waits: tuple[Wait, ...] = ()
    target = view.find(source)
    if (match := _SHARE.fullmatch(source)) is not None:
        account, share, id = match[2], match[3], match[1]
        if target is not None and not target.existing:
            waits = (Wait(target.address),)
    elif target is not None and target.type.lower() == VOLUMES and body(target).get("kind") == "persistent":
        account, share = _account(where, target), _share(target)
        id = where.id(ACCOUNTS, account)
        if deployment_of(target.address) == deployment_of(workload.resource.address):
            waits = (Wait(join(target.address, "share")),)
    else:
        what = f"'{source}', which is not declared" if target is None else f"a resource of type '{target.type}'"
        message = f"A volume of '{workload.resource.name}' comes from {what}"
        help = "Use the id of an Applications.Core/volumes of kind persistent, or of a share of a storage account."
        at = written(workload.resource.origin, ("container", "volumes"))
        return Diagnostic("ULN318", Severity.ERROR, message, at, help=help)
    return {"shareName": share, "storageAccountName": account, "storageAccountKey": {"$storageKey": id}}, waits


def _on_disk(workload: Workload, name: str) -> Diagnostic:
    message = (
        f"'{workload.resource.name}': the volume '{name}' in memory is not the same on compute kind 'aci': "
        "it is on disk, and as large as the group's disk allows"
    )
    help = "Write little to it, or choose managedStore: 'disk' to say that it may be on disk."
    at = written(workload.resource.origin, ("container", "volumes", name))
    return Diagnostic("ULN317", Severity.WARNING, message, at, help=help)
