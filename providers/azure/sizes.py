"""CPU and memory of the containers of a group: a group is paid for what it asks for, and has one core and one GB at least. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.contract.app import Container, Resources
from engine.contract.value import Value

CPU, MEMORY = 1.0, 1024
"""What a container gets that asks for nothing: the least that a group may have, about 40 USD a month in most regions."""
SIDE_CPU, SIDE_MEMORY = 0.25, 256
"""What a sidecar gets that asks for nothing."""


def sizes(main: Container, sidecars: Sequence[Container]) -> tuple[list[dict[str, Value]], tuple[str, ...], str]:
    """`resources` of the container and its sidecars, what was raised to the least there is, and what no limit can be above."""
    asked = [_asked(main.resources, CPU, MEMORY), *(_asked(s.resources, SIDE_CPU, SIDE_MEMORY) for s in sidecars)]
    raised: list[str] = []
    for index, (least, what) in enumerate(((CPU, "1 CPU"), (MEMORY / 1024, "1 GB"))):
        lack = least - sum(a[index] for a in asked)
        if lack > 1e-9:
            asked[0][index] = round(asked[0][index] + lack, 2)
            raised.append(what)
    containers = [main, *sidecars]
    most = (round(sum(a[0] for a in asked), 2), round(sum(a[1] for a in asked), 1))
    written = [_written(c.resources, a, most) for c, a in zip(containers, asked, strict=True)]
    lowered = any(_exceeds(c.resources, most) for c in containers)
    return written, tuple(raised), f"{most[0]:g} CPU and {most[1]:g} GB" if lowered else ""


def _asked(resources: Resources, cpu: float, memory: int) -> list[float]:
    cpu = resources.cpu if resources.cpu is not None else min(cpu, resources.cpu_limit or cpu)
    memory = resources.memory if resources.memory is not None else min(memory, resources.memory_limit or memory)
    return [cpu, gigabytes(memory)]


def _exceeds(resources: Resources, most: tuple[float, float]) -> bool:
    """Whether a limit is above what the whole group asks for, which is all that it has."""
    return (resources.cpu_limit or 0) > most[0] or gigabytes(resources.memory_limit or 0) > most[1]


def _written(resources: Resources, asked: list[float], most: tuple[float, float]) -> dict[str, Value]:
    written: dict[str, Value] = {"requests": {"cpu": asked[0], "memoryInGB": asked[1]}}
    limits: dict[str, Value] = {}
    if resources.cpu_limit is not None:
        limits["cpu"] = min(max(resources.cpu_limit, asked[0]), most[0])
    if resources.memory_limit is not None:
        limits["memoryInGB"] = min(max(gigabytes(resources.memory_limit), asked[1]), most[1])
    return {**written, "limits": limits} if limits else written


def gigabytes(mebibytes: int) -> float:
    """Azure counts memory in tenths of a GB."""
    return math.ceil(mebibytes / 1024 * 10) / 10
