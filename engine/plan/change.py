"""What a plan says of one resource, and of one of its properties: the words are those of Azure's what-if."""

from __future__ import annotations

from enum import StrEnum

from engine.contract.operator import Order
from engine.contract.value import Properties, Value
from engine.record import Record


class Action(StrEnum):
    """What will happen to a resource.

    `DEPLOY` is for one that is there and may change or not: that hangs on values known after deploy.
    `DETACH` leaves it alive and forgets it. `UNSUPPORTED` has no operator.
    """

    CREATE = "Create"
    DELETE = "Delete"
    DETACH = "Detach"
    REPLACE = "Replace"
    MODIFY = "Modify"
    DEPLOY = "Deploy"
    NO_CHANGE = "NoChange"
    IGNORE = "Ignore"
    UNSUPPORTED = "Unsupported"

    @property
    def acts(self) -> bool:
        """Whether applying it does something, or may."""
        return self not in (Action.NO_CHANGE, Action.IGNORE, Action.UNSUPPORTED)


class PropertyKind(StrEnum):
    """How a property differs; `ARRAY` holds the items that do, `NO_EFFECT` is given but ignored by the operator."""

    CREATE = "Create"
    DELETE = "Delete"
    MODIFY = "Modify"
    ARRAY = "Array"
    NO_EFFECT = "NoEffect"


class PropertyChange(Record):
    """One difference. `path` leads from the resource to the property, or from a list to an item of it.

    Deleted items are numbered as they were, all others as they will be. `forces` says that this replaces the resource.
    """

    path: tuple[str | int, ...]
    kind: PropertyKind
    before: Value = None
    after: Value = None
    children: tuple[PropertyChange, ...] = ()
    forces: bool = False


class Change(Record):
    """What will happen to one resource, and why.

    `before` is what was last applied, corrected by what is live; `after` what is wanted, with `Unknown` for what only the
    deployment finds out. `forced_by` are the properties that force a replacement, `order` is its order.
    `follows` are the addresses of changing resources whose outputs it reads. `owner` is the resource it is a part of.
    """

    address: str
    id: str
    type: str
    api_version: str
    name: str
    action: Action
    reason: str = ""
    operator: str | None = None
    owner: str | None = None
    before: Properties | None = None
    after: Properties | None = None
    delta: tuple[PropertyChange, ...] = ()
    forced_by: tuple[str, ...] = ()
    order: Order | None = None
    follows: tuple[str, ...] = ()


class Undecided(Record):
    """A part of the template whose existence or number is decided during the deployment.

    `unit` is the word for it (loop, condition, module, resource), `needs` the addresses whose outputs decide.
    `present` are the addresses of what belongs to it now and may stay, change or go.
    """

    address: str
    unit: str
    needs: tuple[str, ...]
    present: tuple[str, ...] = ()
