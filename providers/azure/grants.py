"""Whom a workload acts as, and what it may: an identity of its own where it needs roles, and an assignment for each. Pure.

The identity is made before the group, and the roles are given before it starts: what reads them at its start finds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.contract.app import Workload
from engine.contract.resource import Resource, Wait, join
from engine.contract.value import Output, Value
from engine.record import Record
from providers.azure.naming import VERSIONS, Place, child, label, number

VAULT_ROLE = "Key Vault Secrets User"
ROLES = "Microsoft.Authorization/roleAssignments"
IDENTITIES = "Microsoft.ManagedIdentity/userAssignedIdentities"
_GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)


class Acting(Record):
    """`identity` is the block of a group, None without one; `own` the id of the identity that is made for it, "" if none is."""

    identity: dict[str, Value] | None = None
    own: str = ""
    resources: tuple[Resource, ...] = ()

    @property
    def waits(self) -> tuple[Wait, ...]:
        """What a group waits for before it starts."""
        return tuple(Wait(r.address) for r in self.resources)


def acting(workload: Workload, place: Place, vault: str = "") -> Acting:
    """The identity of a workload, with the roles it needs; `vault` is one it reads secrets of."""
    wanted = [(g.source, role) for g in workload.grants for role in g.roles]
    if vault:
        wanted.append((vault, VAULT_ROLE))
    given = workload.identity
    managed = list(given.managed) if given is not None else []
    system = given is not None and given.kind in ("systemAssigned", "systemAssignedUserAssigned")
    made: list[Resource] = []
    own = ""
    if wanted:
        names = (label(place.name, workload.application, str(workload.resource.name)),)
        identity = child(
            workload.resource, "identity", place, IDENTITIES, names, None, application=workload.application
        )
        own = str(identity.id)
        made = [identity, *_assignments(workload, place, identity, wanted)]
        managed.append(own)
    if not managed and not system:
        return Acting()
    kinds = [k for k, there in (("SystemAssigned", system), ("UserAssigned", managed)) if there]
    block: dict[str, Value] = {"type": ", ".join(kinds)}
    if managed:
        block["userAssignedIdentities"] = {id: {} for id in managed}
    return Acting(block, own, tuple(made))


def _assignments(
    workload: Workload, place: Place, identity: Resource, wanted: list[tuple[str, str]]
) -> Iterator[Resource]:
    """One for each role on each thing, under a name that is always the same."""
    for scope, role in dict.fromkeys(wanted):
        name = number(str(identity.id), scope, role)
        properties = {
            "roleDefinitionId": _role(place, scope, role),
            "principalId": Output(identity.address, ("properties", "principalId")),
            "principalType": "ServicePrincipal",
            "description": f"Ulna: {workload.resource.name} in {place.name}",
        }
        address = join(workload.resource.address, f"role-{name[:8]}")
        yield Resource(
            address, ROLES, VERSIONS[ROLES], name, f"{scope}/providers/{ROLES}/{name}", {"properties": properties}
        )


def _role(place: Place, scope: str, role: str) -> Value:
    """A role by its id or GUID; a name is looked up when the assignment is made."""
    if role.startswith("/"):
        return role
    if _GUID.fullmatch(role):
        return f"/subscriptions/{place.subscription}/providers/Microsoft.Authorization/roleDefinitions/{role}"
    return {"$role": {"scope": scope, "name": role}}
