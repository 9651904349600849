"""What Fargate runs: only certain pairs of CPU and memory, so what is asked for is the next one up. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from engine.contract.app import Container
from engine.record import Record

UNITS = 1024
"""CPU units in a core."""
DEFAULT = (256, 512)
"""The smallest size: a quarter of a core and 512 MiB."""


class Size(Record):
    """CPU in units of 1/1024 of a core, memory in MiB."""

    cpu: int
    memory: int

    @property
    def words(self) -> str:
        """How people call it."""
        return f"{self.cpu / UNITS:g} CPU and {self.memory} MiB"


_STEPS: tuple[tuple[int, int, int, int], ...] = (
    (256, 512, 1024, 512),
    (256, 2048, 2048, 1),
    (512, 1024, 4096, 1024),
    (1024, 2048, 8192, 1024),
    (2048, 4096, 16384, 1024),
    (4096, 8192, 30720, 1024),
    (8192, 16384, 61440, 4096),
    (16384, 32768, 122880, 8192),
)
"""CPU, the least memory, the most, and the step between."""


def sizes() -> Iterator[Size]:
    """All there are, the smallest first."""
    for cpu, least, most, step in _STEPS:
        yield from (Size(cpu, memory) for memory in range(least, most + 1, step))


def fitting(wanted: Size) -> Size | None:
    """The smallest that has so much of both; None where Fargate has none."""
    return next((s for s in sizes() if s.cpu >= wanted.cpu and s.memory >= wanted.memory), None)


def asked(containers: tuple[Container, ...], beside: tuple[Container, ...] = ()) -> Size | None:
    """What containers that run together ask for, each its limit or else its request; None where none of them says anything.

    Those in `beside` run before them, one at a time, and need no more than the task has then.
    """
    together = [_wish(c) for c in containers]
    alone = [_wish(c) for c in beside]
    if not any(cpu or memory for cpu, memory in (*together, *alone)):
        return None
    cpu = max([sum(c for c, _ in together), *(c for c, _ in alone)])
    memory = max([sum(m for _, m in together), *(m for _, m in alone)])
    return Size(cpu, memory)


def _wish(container: Container) -> tuple[int, int]:
    resources = container.resources
    cpu = max(resources.cpu or 0, resources.cpu_limit or 0)
    return round(cpu * UNITS), max(resources.memory or 0, resources.memory_limit or 0)
