"""`Ulna.Process/ports`: a free port of this machine, the same for as long as the resource lives.

A reservation is a file named for the port, with the token inside; it is made in one step, so a port is given out once.
A claim, in the user's cache folder, points to the reservation: another project leaves the port alone even while nothing
listens on it, after the machine was started anew, say.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

from engine.contract.cache import cache_folder
from engine.contract.difference import compare
from engine.contract.errors import Terminal, Transient
from engine.contract.operator import Applied, Bid, Call, Difference, Keep, Observed, Rendering, View
from engine.contract.private import make
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Unknown
from providers.process.port import candidates, is_free
from providers.process.shelf import name_of


class PortOperator:
    """See the module."""

    name = "ports"
    effects = True

    def __init__(self, folder: Path, claims: Path | None = None) -> None:
        self.folder = folder.absolute()
        self.claims = cache_folder() / "ports" if claims is None else claims

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits ports."""
        return Bid(100, "a local port") if resource.type.lower() == "ulna.process/ports" else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """A port is native as it is."""
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Another preference is another port."""
        return compare(resource, applied, None, forces=("properties",))

    def outputs(self, resource: Resource) -> Properties:
        """The number is known once it is reserved."""
        return {"port": Unknown("known once a port is reserved")}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """The reservation under this token."""
        port = self._reserved(token)
        return None if port is None else self._observed(resource, token, port)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Reserve one; what is already reserved under the token stays."""
        try:
            make(self.folder)
            port = self._reserved(token)
            return self._observed(resource, token, self._reserve(resource, token) if port is None else port)
        except OSError as error:
            raise self._unwritable(error) from error

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Nothing of it can be changed in place."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Give it back."""
        port = self._reserved(token)
        if port is not None:
            file = self.folder / str(port)
            file.unlink(missing_ok=True)
            with suppress(OSError):
                if _text(self.claims / str(port)) == str(file):
                    (self.claims / str(port)).unlink()

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """The same as to give it back: nothing else is there."""
        self.delete(resource, token, call)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Reserve this very port, though somebody listens on it: the process that is to be taken over, most likely."""
        port = int(id) if id.isascii() and id.isdigit() else 0
        if not 0 < port < 65536:
            raise Terminal(f"'{id}' is no port", "Give its number, such as 8080.")
        if self._reserved(token) not in (None, port):
            raise Terminal(f"port {self._reserved(token)} is reserved for it already", "Deploy, or destroy it first.")
        try:
            make(self.folder)
            if self._reserved(token) is None and not self._take(port, token):
                owner = _text(self.folder / id) or _text(self.claims / id)
                raise Terminal(
                    f"port {port} is reserved for '{owner.rpartition('#')[0] or owner}'", "Destroy that one first."
                )
        except OSError as error:
            raise self._unwritable(error) from error
        return self._observed(resource, token, port)

    def native(self, resource: Resource) -> Properties:
        """What is asked for."""
        return {"kind": "port", "name": resource.name, **body(resource)}

    def _files(self, token: str) -> list[Path]:
        """The reservations under a token."""
        try:
            files = list(self.folder.iterdir())
        except FileNotFoundError:
            return []
        return [f for f in files if f.name.isdigit() and _text(f) == token]

    def _reserved(self, token: str) -> int | None:
        """The port under a token; what came here as part of a copied project reserves nothing."""
        return next((int(f.name) for f in self._files(token) if not self._is_claimed(f)), None)

    def _is_claimed(self, file: Path) -> bool:
        """Whether a port is that of another reservation, which is still there."""
        owner = _text(self.claims / file.name)
        return bool(owner) and Path(owner).exists() and not file.samefile(owner)

    def _reserve(self, resource: Resource, token: str) -> int:
        """Take the first candidate that is free and that nobody has reserved."""
        properties = body(resource)
        protocol = properties.get("protocol") or "TCP"
        for port in candidates(properties.get("prefer"), protocol):
            if is_free(port, protocol) and self._take(port, token):
                return port
        raise Transient("no port of this machine is free")

    def _take(self, port: int, token: str) -> bool:
        """Reserve a port, if nobody has."""
        file = self.folder / str(port)
        if file.exists():
            if not self._is_claimed(file):
                return False
            file.unlink(missing_ok=True)  # a copy, see `_reserved`
        draft = self.folder / f"{name_of(token)}.new"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.write(token)
        try:
            try:
                file.hardlink_to(draft)
            except FileExistsError:
                return False
            if self._claim(port, file):
                return True
            file.unlink()
            return False
        finally:
            draft.unlink(missing_ok=True)

    def _unwritable(self, error: OSError) -> Terminal:
        reason = f"'{self.folder}' cannot be written: {error.strerror}"
        return Terminal(reason, "Free space, or let Ulna write to its state folder.")

    def _claim(self, port: int, reservation: Path) -> bool:
        """Let other projects know; False where one of them was first. Without a cache folder there is nobody to tell."""
        claim = self.claims / str(port)
        draft = self.claims / f"{port}.{os.getpid()}.{threading.get_ident()}"
        try:
            make(self.claims)
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
                out.write(str(reservation))
            try:
                claim.hardlink_to(draft)
            except FileExistsError:
                owner = _text(claim)
                if owner not in ("", str(reservation)) and Path(owner).exists():
                    return False
                draft.replace(claim)  # whoever had it is gone
        except OSError:
            return True
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        return True

    def _observed(self, resource: Resource, token: str, port: int) -> Observed:
        return Observed(str(port), token, resource.properties, {"port": port})


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):  # not there, or not ours
        return ""
