"""What Azure Container Instances take at most in one group, by Microsoft's page of quotas. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from engine.contract.app import Workload
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import Path, place

CPU, GIGABYTES = 31, 240
"""The largest group there is, where the region has so large ones."""
CONTAINERS, PORTS, VOLUMES = 60, 5, 20


def beyond(workload: Workload, cpu: float, gigabytes: float) -> Iterator[Diagnostic]:
    """What a group would have too much of; `cpu` and `gigabytes` are what all its containers ask for."""
    count = len({v.name for c in workload.containers for v in c.volumes})
    found: tuple[tuple[bool, str, str, Path], ...] = (
        (cpu > CPU or gigabytes > GIGABYTES, f"asks for {cpu:g} CPU and {gigabytes:g} GB",
         f"{CPU} CPU and {GIGABYTES} GB", ("container", "resources")),
        (len(workload.ports) > PORTS, f"has {len(workload.ports)} ports", f"{PORTS}", ("container", "ports")),
        (len(workload.containers) > CONTAINERS, f"has {len(workload.containers)} containers", f"{CONTAINERS}",
         ("container", "sidecars")),
        (count > VOLUMES, f"has {count} volumes", f"{VOLUMES}", ("container", "volumes")),
    )  # fmt: skip
    for exceeded, what, most, path in found:
        if exceeded:
            message = f"'{workload.resource.name}' {what}, and a container group of Azure has {most} at most"
            help = "Share it among several containers of the application, or use an environment of kind kubernetes."
            yield Diagnostic("ULN318", Severity.ERROR, message, place(workload.resource.origin, path), help=help)
