"""Requests of a container that exceed its limits."""

from __future__ import annotations

from collections.abc import Iterator

from engine.app.wellformed import placed
from engine.contract.app import Workload
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place


def excessive(workload: Workload) -> Iterator[Diagnostic]:
    """What each container asks for must be within what it may use at most; it stands at the request."""
    for path, container in placed(workload):
        amounts = container.resources
        for key, asked, most in (
            ("cpu", amounts.cpu, amounts.cpu_limit),
            ("memoryInMib", amounts.memory, amounts.memory_limit),
        ):
            if asked is None or most is None or asked <= most:
                continue
            message = f"requests.{key} of '{container.name}' is {_amount(asked)}, more than limits.{key}, which is {_amount(most)}"
            where = place(workload.resource.origin, (*path, "resources", "requests", key))
            help = f"Ask for less, or raise limits.{key}: a container gets no more than its limits."
            yield Diagnostic("ULN328", Severity.ERROR, message, where, help=help)


def _amount(number: float) -> str:
    """Without `.0`."""
    return str(int(number)) if number == int(number) else str(number)
