"""What a template asks for, in one place with its arguments: one flat graph of resources."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.contract.resource import Resource
from engine.contract.value import Properties, Value
from engine.diagnostics.diagnostic import Label
from engine.expand.placeholders import Placeholders
from engine.record import Record

Known = Mapping[str, Properties]
"""By address, what `reference(…, 'full')` of a resource is: its body with `id`, `name`, `type`, `apiVersion` and live `properties`."""


class Scope(Record):
    """Where and when a deployment happens: everything that expressions may ask of the outside.

    `now` is an ISO 8601 UTC time for utcNow(); `seed` makes newGuid() repeatable within one run.
    `resource_group` also names the group in ids of app-model types (`/planes/radius/local/resourceGroups/{group}/…`), unless
    `app_group` does in its place: where a container runs is no part of what it is.
    With `placeholders` nothing is there yet: what only a deployment knows stays open, and so does the tenant or location if empty.
    """

    deployment: str
    environment: str = ""
    subscription_id: str = "00000000-0000-0000-0000-000000000000"
    resource_group: str = "default"
    management_group: str = ""
    tenant_id: str = "00000000-0000-0000-0000-000000000000"
    location: str = "local"
    now: str = "1970-01-01T00:00:00Z"
    seed: str = ""
    placeholders: Placeholders | None = None
    app_group: str = ""


class Unit(StrEnum):
    """What could not be expanded yet."""

    LOOP = "loop"
    CONDITION = "condition"
    MODULE = "module"
    RESOURCE = "resource"


class Pending(Record):
    """Something whose very existence or number waits for run time: all addresses equal to `address`, below it, or
    indexed by it (`address[…]`) are undecided until the outputs of `needs` are known. `id` and `api_version` are those of a
    module, as far as they are known.
    """

    address: str
    unit: Unit
    needs: frozenset[str]
    origin: Label | None = None
    id: str = ""
    api_version: str = ""

    def covers(self, address: str) -> bool:
        """Whether an address may still turn out to belong to it."""
        return address.startswith(self.address) and address[len(self.address) : len(self.address) + 1] in ("", "/", "[")


class Desired(Record):
    """The graph: `resources` in an order in which dependencies come first; `outputs` of the root file."""

    resources: tuple[Resource, ...]
    outputs: Mapping[str, Value] = {}
    pending: tuple[Pending, ...] = ()
