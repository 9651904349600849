"""What no platform would take of a container: names of images that are none, a port or a path used twice, probes that ask nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.contract.app import Container, Exec, Workload
from engine.contract.platform import Platform, Support
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import Path, place

_WORD = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOST = rf"(?:{_WORD}(?:\.{_WORD})*|\[[0-9a-fA-F:]+\])(?::\d+)?"
_PART = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_DIGEST = r"[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}"
_IMAGE = rf"(?:{_HOST}/)?{_PART}(?:/{_PART})*(?::\w[\w.-]{{0,127}})?(?:@{_DIGEST})?"
"""A reference as registries have it: HOST:PORT/NAME/NAME:TAG@DIGEST."""
LONGEST = 512
"""Characters of a reference; registries take 255 of the name alone."""


def malformed(workload: Workload, platform: Platform) -> Iterator[Diagnostic]:
    """What is wrong with the containers of a workload, at the property that says it."""
    image = platform.capabilities.get("image")
    for path, container in placed(workload):
        if image is not None and image.support is Support.NATIVE:
            yield from _image(workload, path, container)
    yield from _ports(workload)
    yield from _probes(workload)


def placed(workload: Workload) -> Iterator[tuple[Path, Container]]:
    """Each container with where its block is written."""
    for each in workload.init:
        yield ("container", "initContainers", each.name), each
    yield ("container",), workload.container
    for each in workload.sidecars:
        yield ("container", "sidecars", each.name), each


def _image(workload: Workload, path: Path, container: Container) -> Iterator[Diagnostic]:
    image = container.image
    if not isinstance(image, str) or _is_image(image):
        return
    name = image.partition("@")[0].rpartition(":")[0] or image
    help = "Write it as REGISTRY/NAME:TAG, such as ghcr.io/shop/api:1.4."
    if "://" in image:
        help = f"Leave out '{image.partition('://')[0]}://'."
    elif _is_image(lower := image.replace(name, name.lower(), 1)):
        help = f"Write it in lower case: {lower}"
    message = f"'{image}' is no name of an image" if image else "The name of an image is empty"
    where = place(workload.resource.origin, (*path, "image"))
    yield Diagnostic("ULN340", Severity.ERROR, f"{message} ('{container.name}')", where, help=help)


def _is_image(text: str) -> bool:
    return len(text) <= LONGEST and re.fullmatch(_IMAGE, text, re.A) is not None


def _ports(workload: Workload) -> Iterator[Diagnostic]:
    """Each port once: inside, and for others."""
    inside: dict[tuple[int, str], str] = {}
    outside: dict[tuple[int, str], str] = {}
    for port in workload.ports:
        for key, number, seen in (("containerPort", port.container_port, inside), ("port", port.port, outside)):
            first = seen.setdefault((number, str(port.protocol)), port.name)
            if first == port.name:
                continue
            message = (
                f"The ports '{first}' and '{port.name}' of '{workload.resource.name}' are both {number}/{port.protocol}"
            )
            help = f"Remove one of them, or give it another {key}."
            where = place(workload.resource.origin, ("container", "ports", port.name))
            yield Diagnostic("ULN328", Severity.ERROR, message, where, help=help)
            break


def _probes(workload: Workload) -> Iterator[Diagnostic]:
    """A probe asks a port on which the container says that it listens."""
    container = workload.container
    declared = {p.container_port for p in workload.ports}
    for name, probe in (("readinessProbe", container.readiness), ("livenessProbe", container.liveness)):
        port = None if probe is None or isinstance(probe.check, Exec) else probe.check.container_port
        if not isinstance(port, int) or port in declared:  # nobody is asked, or who is known later
            continue
        message = f"The {name} of '{workload.resource.name}' asks port {port}, which the container does not declare"
        ports = ", ".join(map(str, sorted(declared)))
        help = f"It has: {ports}. Correct the number, or add the port." if ports else "Add it to 'ports'."
        where = place(workload.resource.origin, ("container", name, "containerPort"))
        yield Diagnostic("ULN341", Severity.WARNING, message, where, help=help)
