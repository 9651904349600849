"""`Ulna.Process/folders`: a folder of this machine for the files of processes; what is in it goes with its resource."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from engine.contract.difference import compare
from engine.contract.errors import Terminal, Transient
from engine.contract.operator import Applied, Bid, Call, Difference, Keep, Observed, Rendering, View
from engine.contract.private import make
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Unknown, Value
from providers.process.shelf import name_of


class FolderOperator:
    """See the module. A folder is named for the token it was made under, so it is made once."""

    name = "folders"
    effects = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits folders."""
        return Bid(100, "a folder of this machine") if resource.type.lower() == "ulna.process/folders" else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """A folder is native as it is."""
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """There is nothing about it to change."""
        return compare(resource, applied, None)

    def outputs(self, resource: Resource) -> Properties:
        """The path is known once it is made."""
        return {"path": Unknown("known once the folder is made")}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """The folder under the token."""
        path = self._path(token)
        return Observed(str(path), token, resource.properties, {"path": str(path)}) if path.is_dir() else None

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Make it; what is in it stays."""
        path = self._path(token)
        try:
            make(path)
        except OSError as error:
            reason = f"'{path}' cannot be made: {error.strerror}"
            raise Terminal(reason, "Free space, or let Ulna write to its state folder.") from error
        return Observed(str(path), token, resource.properties, {"path": str(path)})

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Nothing of it can be changed."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Remove it with all that is in it; links are not followed."""
        from shutil import rmtree

        path = self._path(token)
        try:
            rmtree(path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise Transient(f"'{path}' cannot be removed: {error.strerror}") from error

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """What is asked for."""
        return {"kind": "folder", "name": resource.name, **body(resource)}

    def _path(self, token: str) -> Path:
        return self.folder / name_of(token)
