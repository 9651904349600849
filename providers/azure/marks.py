"""Whose a resource is: tags, and a note in the state's folder for the types that cannot have any."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.errors import Terminal
from engine.contract.home import Home
from engine.contract.notes import Notes
from engine.contract.resource import Resource

HOME = "ulna.home"
TOKEN = "ulna.token"
ADDRESS = "ulna.address"
ENVIRONMENT = "ulna.environment"
MARKS = frozenset({HOME, TOKEN, ADDRESS, ENVIRONMENT})
"""The tags by which Ulna knows what it made."""
LONGEST = 256
"""Characters in the value of a tag."""
UNTAGGED = ("microsoft.authorization/", "microsoft.management/")
TAGGED = ("microsoft.resources/resourcegroups",)


class Marks:
    """The marks of one state in one environment: its identity is made when something is first created."""

    def __init__(self, folder: Path, environment: str) -> None:
        self.folder = folder
        self.environment = environment
        self._home = Home(folder)

    @property
    def home(self) -> str:
        """The identity; "" before anything was created."""
        return self._home.id

    def make_home(self) -> str:
        """The identity, made if there is none yet."""
        return self._home.make()

    def tags(self, resource: Resource, token: str) -> dict[str, str]:
        """What is put on a resource; {} where its type has no tags."""
        if not has_tags(resource):
            return {}
        marks = {
            ENVIRONMENT: self.environment,
            ADDRESS: fit(token.rpartition("#")[0]),
            HOME: self.make_home(),
            TOKEN: fit(token),
        }
        return {k: v for k, v in marks.items() if v}

    def announce(self, resource: Resource, id: str, token: str) -> None:
        """Note that a resource without tags is about to be ours."""
        if not has_tags(resource):
            self._note(id).write({"id": id, "token": token})

    def remember(self, id: str, token: str) -> None:
        """Note the id of what is made under a token: a resource that is renamed is still found under the old one."""
        self._id_note(token).write({"id": id, "token": token})

    def id_of(self, resource: Resource, token: str) -> str:
        """The id of what was made under a token; that of the resource where nothing was."""
        return str(self._id_note(token).read().get("id") or resource.id)

    def forget(self, resource: Resource, token: str) -> None:
        """It is gone."""
        id = self.id_of(resource, token)
        with suppress(Terminal):  # an old note of what is gone harms nobody
            self._id_note(token).write({})
            if not has_tags(resource):
                self._note(id).write({})

    def ours(self, resource: Resource, seen: Mapping[str, Any], token: str) -> bool:
        """Whether what is there was made under a token of this state."""
        if not has_tags(resource):
            return self._noted(self.id_of(resource, token)) == token
        tags = seen.get("tags") or {}
        return bool(self.home) and tags.get(HOME) == self.home and tags.get(TOKEN) == fit(token)

    def claim(self, resource: Resource, seen: Mapping[str, Any], id: str, token: str) -> None:
        """Raise `Terminal` where what is there has another owner."""
        tags, address = seen.get("tags") or {}, token.rpartition("#")[0]
        owner, whose = tags.get(HOME), tags.get(ADDRESS) or "something"
        if owner and owner != self.home:
            where = f"as '{whose}' of the environment '{tags.get(ENVIRONMENT, '')}'"
            help = (
                "Let go of it there: destroy with '--on-unmanage detach'. If that state is gone: "
                f"az tag update --resource-id {id} --operation delete --tags {HOME}={owner}."
            )
            raise Terminal(f"another state owns it, {where} ({HOME}: {owner})", help)
        noted = self._noted(id) if not has_tags(resource) else None
        if (owner and whose != fit(address)) or (noted and noted.rpartition("#")[0] != address):
            whose = noted.rpartition("#")[0] if noted else whose
            raise Terminal(f"it belongs to '{whose}' already", "Destroy that one first.")

    def of_this_state(self, resource: Resource, seen: Mapping[str, Any]) -> bool:
        """Whether this state made it, under whatever token."""
        if not has_tags(resource):
            return self._noted(str(resource.id)) is not None
        return bool(self.home) and (seen.get("tags") or {}).get(HOME) == self.home

    def _noted(self, id: str) -> str | None:
        token = self._note(id).read().get("token")
        return None if token is None else str(token)

    def _note(self, id: str) -> Notes:
        return Notes(self.folder / "untagged" / f"{_number(id.lower())}.json")

    def _id_note(self, token: str) -> Notes:
        return Notes(self.folder / "ids" / f"{_number(token)}.json")


def _number(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def has_tags(resource: Resource) -> bool:
    """Whether its type can have tags: those that have a location can, but for assignments of policies and their like."""
    if resource.type.lower().startswith(UNTAGGED):
        return False
    return "location" in resource.properties or "tags" in resource.properties or resource.type.lower() in TAGGED


def fit(text: str) -> str:
    """A text as the value of a tag."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:120]}~{hashlib.sha256(text.encode()).hexdigest()[:16]}~{text[-100:]}"
