"""`Ulna.Process/balancers`: one port in front of several replicas; the proxy is a supervised process like any other."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.contract.difference import compare
from engine.contract.operator import Applied, Call, Difference, Observed, Replace
from engine.contract.resource import Resource, body
from engine.contract.value import Value, encode
from providers.process.processes import ProcessOperator, look, supervised
from providers.process.shelf import Shelf

_ROOT = str(Path(__file__).parent.parent.parent)
_PROGRAM = f"import sys; sys.path.append({_ROOT!r}); from providers.process.balancer import main; main()"
TARGETS = "targets.json"


class BalancerOperator(ProcessOperator):
    """See the module. Other targets are taken over in place: open connections live on."""

    name = "balancers"
    type = "ulna.process/balancers"

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Another port replaces it; other targets do not."""
        if observed is not None and not supervised(observed):
            return Replace((), "its supervisor is gone")
        return compare(resource, applied, None, forces=("properties.ports", "properties.listens"))

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Give the running proxy its new targets."""
        shelf = self.client.shelf(token)
        if shelf.supervisor() is not None:
            self.prepare(resource, shelf, call)
            shelf.write("wish.json", {"token": token, "wish": encode(resource.properties)})
            if (found := look(shelf, token)) is not None:
                return found
        return self.create(resource, token, call)

    def prepare(self, resource: Resource, shelf: Shelf, call: Call) -> None:
        """Write the targets where the proxy reads them."""
        shelf.make()
        shelf.write(TARGETS, list(body(resource)["targets"]))

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """What it stands in front of."""
        return {"kind": "balancer", "name": resource.name, **body(resource)}

    def spec(self, resource: Resource, shelf: Shelf, properties: Mapping[str, Any]) -> dict[str, Any]:
        """The proxy as a process."""
        port = properties["listens"]
        command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(port), shelf.file(TARGETS)]
        made = {"command": command, "workingDirectory": "/", "listens": port, "gracePeriodSeconds": 1}
        return super().spec(resource, shelf, made)
