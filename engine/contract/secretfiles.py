"""Secret stores for kinds that have none of their own: files that only their owner can read, in the folder of a provider.

The operator keeps a store; whoever starts something with a secret in it opens the value with `opened`: this run knows it
where the store is deployed in it, and the file has it ever after. What another deployment in the environment keeps is there
by its name too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.app import SecretKey, SecretStore
from engine.contract.difference import compare
from engine.contract.errors import OperatorError, Terminal, Transient
from engine.contract.operator import Applied, Bid, Call, Difference, Keep, Observed, Rendering, View
from engine.contract.private import make
from engine.contract.resource import Resource, body, short
from engine.contract.value import Properties, Secret, Value


def written(store: SecretStore) -> dict[str, Value]:
    """A store as the properties of its resource: `refers` is the name of one that is there already, `keys` what it must hold."""
    wish: dict[str, Value] = {"store": store.resource.id, "kind": store.type}
    known = {key: value for key, value in store.data.items() if value is not None}
    if store.reference is not None and not known:
        return {**wish, "refers": store.reference, "keys": sorted(store.data)}
    return {**wish, **({"name": store.reference} if store.reference is not None else {}), "data": known}


def reference(key: SecretKey) -> dict[str, Value]:
    """One key of a store as the properties of a resource that uses it."""
    wish: dict[str, Value] = {"store": key.store, "key": key.key}
    return wish if key.value is None else {**wish, "value": key.value}


class SecretFiles:
    """The stores in one folder, each in a file named for a digest of its id."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def opened(self, wish: Mapping[str, Any], call: Call) -> str:
        """The value that a `reference` stands for; raises `Terminal` where neither this run nor a file knows it."""
        value = wish.get("value")
        if value is not None and not isinstance(value, Secret):
            return _text(value)
        if isinstance(value, Secret):
            try:
                return _text(call.reveal(value))
            except (OperatorError, KeyError):
                if self.find(str(wish["store"])) is None:
                    raise
        store, key = str(wish["store"]), str(wish["key"])
        return self.value(store, key)

    def known(self, references: Mapping[str, Mapping[str, Any]], call: Call) -> dict[str, str | None]:
        """The values that references by name stand for; None for those that nobody knows any more."""
        found: dict[str, str | None] = dict.fromkeys(references)
        for name, reference in references.items():
            with suppress(OperatorError):
                found[name] = self.opened(reference, call)
        return found

    def value(self, store: str, key: str) -> str:
        """The value of a key in a store, by the id or the name of the store."""
        name = short(store) if "/" in store else store
        found = self.find(store)
        if found is None:
            help = "Deploy the secret store to this environment first."
            raise Terminal(f"there is no secret store '{name}' in this environment", help)
        if key not in found["data"]:
            have = ", ".join(f"'{k}'" for k in sorted(found["data"])) or "none"
            raise Terminal(f"the secret store '{name}' has no key '{key}'", f"It has: {have}.")
        return str(found["data"][key])

    def find(self, store: str, hops: int = 4) -> dict[str, Any] | None:
        """A store by its id or its name; one that refers to another is that one."""
        wanted = store.lower()
        by_id = wanted.startswith("/")
        for found in self._all():
            if wanted == str(found["id"] if by_id else found["name"]).lower():
                if (refers := found.get("refers")) is None:
                    return found
                return self.find(refers, hops - 1) if hops else None
        return None

    def under(self, token: str) -> dict[str, Any] | None:
        """The store that was made under a token."""
        return next((f for f in self._all() if f["token"] == token), None)

    def write(self, token: str, wish: Mapping[str, Any], data: Mapping[str, str]) -> None:
        """Keep a store; what was kept under its id is replaced in one step."""
        id = str(wish["store"])
        # what only refers has no name, so that it is never taken for what it refers to
        name = "" if wish.get("refers") else str(wish.get("name") or short(id))
        content = {"id": id, "name": name, "token": token, "refers": wish.get("refers"), "data": dict(data)}
        file = self._file(id)
        draft = file.with_name(f"{file.name}.{os.getpid()}")
        try:
            make(self.folder)
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
                json.dump(content, out)
            draft.replace(file)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            reason = f"'{self.folder}' cannot be written: {error.strerror}"
            raise Terminal(reason, "Free space, or let Ulna write to its state folder.") from error

    def remove(self, token: str) -> None:
        """Forget what was made under a token; no error if there is none."""
        found = self.under(token)
        if found is None:
            return
        try:
            self._file(found["id"]).unlink(missing_ok=True)
        except OSError as error:
            raise Transient(f"'{self._file(found['id'])}' cannot be removed: {error.strerror}") from error
        with suppress(OSError):
            self.folder.rmdir()

    def _file(self, id: str) -> Path:
        from hashlib import blake2b

        return self.folder / f"{blake2b(id.lower().encode(), digest_size=16).hexdigest()}.json"

    def _all(self) -> Iterator[dict[str, Any]]:
        try:
            files = sorted(self.folder.glob("*.json"))
        except OSError:
            return
        for file in files:
            with suppress(OSError, ValueError):
                found = json.loads(file.read_bytes())
                if isinstance(found, dict) and {"id", "name", "token", "data"} <= found.keys():
                    yield found


class SecretFileOperator:
    """Owns the stores in a folder; a kind gives it its name and its type, in lower case."""

    effects = True

    def __init__(self, name: str, type: str, folder: Path) -> None:
        self.name = name
        self.type = type
        self.files = SecretFiles(folder)

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits its type."""
        return Bid(100, "secrets in files of their own") if resource.type.lower() == self.type else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """A store is native as it is."""
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Values change in place; a store of another id is another store."""
        return compare(resource, applied, observed, forces=("properties.store",))

    def outputs(self, resource: Resource) -> Properties:
        """It reports nothing: whoever needs a value refers to it."""
        return {}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """The file under the token, and which keys are in it."""
        found = self.files.under(token)
        if found is None:
            return None
        wish = body(resource)
        live: dict[str, Value] = {"store": found["id"]}
        if wish.get("refers"):
            live["refers"] = found.get("refers")
        else:  # values cannot be compared; a key that somebody took away shows
            live["data"] = {k: v if k in found["data"] else None for k, v in (wish.get("data") or {}).items()}
        return Observed(found["id"], token, {"properties": live})

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Write the file; again under the same token is the same file."""
        wish = body(resource)
        if wish.get("refers"):
            for key in wish.get("keys") or ():
                self.files.value(str(wish["refers"]), key)
        data = {
            key: _text(call.reveal(value) if isinstance(value, Secret) else value)
            for key, value in (wish.get("data") or {}).items()
        }
        self.files.write(token, wish, data)
        found = self.observe(resource, token, call)
        if found is None:
            raise Transient("what was written cannot be read")
        return found

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Write it anew."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Remove the file."""
        self.files.remove(token)

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """What is kept, secrets as references."""
        return {"kind": "secrets", "name": resource.name, **body(resource)}


def _text(value: Value) -> str:
    return value if isinstance(value, str) else json.dumps(value)
