"""`Ulna.Docker/gateways`: Caddy in a container. Other routes are taken over in place, and requests under way are finished.

Its configuration, and a certificate and its key where TLS ends there, are copied into the container: they are in no image, no
variable and no argument. Orders are taken inside the container only.
"""

from __future__ import annotations

import io
import json
import tarfile
import time
from collections.abc import Mapping
from pathlib import Path as FilePath

from engine.contract.caddy import complaint, configuration
from engine.contract.difference import Path
from engine.contract.errors import Terminal, Transient
from engine.contract.operator import Call, Observed
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value
from providers.docker.client import Seen
from providers.docker.containers import ContainerOperator
from providers.docker.gateway import CONFIG

FOLDER = FilePath(CONFIG).parent
CERTIFICATE, KEY = str(FOLDER / "tls.crt"), str(FOLDER / "tls.key")
RELOAD = ["caddy", "reload", "--force", "--config", CONFIG]
START = 10.0
"""For so many seconds it may take no orders after its start."""


class GatewayOperator(ContainerOperator):
    """See the module."""

    name = "docker-gateways"
    type = "ulna.docker/gateways"

    def updatable(self, path: Path, properties: Properties) -> bool:
        """Routes, names, certificates and networks change in place, as what can be changed of any container."""
        return path[:2] in _IN_PLACE or super().updatable(path, properties)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Create and start it; it is there once it takes orders."""
        super().create(resource, token, call)
        return self._ordered(resource, token, call)

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Give it its new configuration, and let it take that over."""
        found = self.client.container(token)
        if found is not None:
            self.equip(body(resource), found, call)
        super().update(resource, token, observed, call)
        return self._ordered(resource, token, call)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Where a proxy sends what stands in files that only Ulna writes."""
        help = "Deploy the gateway, and remove the container: it takes a port of its own while both are there."
        raise Terminal(
            "a gateway is never taken over: nobody else's proxy reads its routes where Ulna writes them", help
        )

    def equip(self, wish: Properties, found: Seen, call: Call) -> None:
        """Copy its files into it, running or not."""
        inside = next(iter(wish["listens"].values())).partition("/")[0]
        tls = wish.get("tls")
        config = configuration(
            wish["routes"],
            [f":{inside}"],
            wish.get("hostname"),
            (CERTIFICATE, KEY) if tls else None,
            (tls or {}).get("minimumVersion") or "1.2",
        )
        files = {CONFIG: json.dumps(config)}
        if tls:
            files |= {
                CERTIFICATE: self.secrets.opened(tls["certificate"], call),
                KEY: self.secrets.opened(tls["key"], call),
            }
        self.client.copy(found["Id"], archive(files))

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """The body of `POST /containers/create`, and what it sends where."""
        wish = body(resource)
        more = {k: wish[k] for k in ("routes", "hostname", "tls") if k in wish}
        return {**super().native(resource), "kind": "gateway", **more}

    def _ordered(self, resource: Resource, token: str, call: Call) -> Observed:
        """Let it read its files; while it is being started it takes no orders yet."""
        deadline = time.monotonic() + START
        while True:
            found = self.client.container(token)
            if found is None:
                raise Transient("it is gone as soon as it was started")
            seen = self._seen(resource, found, token)
            if found["State"]["Status"] != "running":
                return seen  # it says itself why
            code, said = self.client.ask(found["Id"], RELOAD)
            if code == 0:
                self._leave(body(resource), found)
                return self._seen(resource, self.client.inspect(found["Id"]), token)
            words = complaint(said)
            if "connect" not in words and "is not running" not in words:
                raise Terminal(
                    f"the proxy refuses its routes: {words}", "Is its image one of Caddy?" if code == 127 else ""
                )
            if time.monotonic() > deadline or call.stopping():
                raise Transient(f"the proxy takes no orders: {words}", after=1)
            time.sleep(0.1)

    def _leave(self, wish: Properties, found: Seen) -> None:
        """Take it out of networks that no route of it leads to any more."""
        if not wish.get("network"):
            return
        wanted = {self.client.native("network", n) for n in (wish.get("network"), *(wish.get("joins") or ())) if n}
        for name in (found.get("NetworkSettings") or {}).get("Networks") or {}:
            if name not in wanted:
                self.client.detach(name, found["Id"])


_IN_PLACE = {("properties", name) for name in ("routes", "hostname", "tls", "joins")}


def archive(files: Mapping[str, str]) -> bytes:
    """A tar archive of files by their paths, for the root folder; readable by their owner alone."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        folder = tarfile.TarInfo(str(FOLDER).lstrip("/"))
        folder.type, folder.mode = tarfile.DIRTYPE, 0o700
        tar.addfile(folder)
        for path, text in files.items():
            data = text.encode()
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.size, entry.mode = len(data), 0o600
            tar.addfile(entry, io.BytesIO(data))
    return packed.getvalue()
