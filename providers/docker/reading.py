"""The lines of a container's log, and those that an engine forgets to send when a container ends while it is followed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from providers.docker.client import Client

LAST = 50
"""So many lines are looked at again at the end."""


def lines(client: Client, id: str, follow: bool, since: float = 0.0) -> Iterator[str]:
    """Lines, oldest first, without their ends; `follow` waits for more until the container ends."""
    seen: deque[str] = deque(maxlen=LAST)
    for line in split(client.logs(id, follow, since=since)):
        seen.append(line)
        yield line
    if follow:
        yield from missing(list(seen), list(split(client.logs(id, tail=LAST, since=since))))


def split(pieces: Iterable[bytes]) -> Iterator[str]:
    """Lines from pieces of them."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.decode(errors="replace").removesuffix("\r")
    if rest:
        yield rest.decode(errors="replace")


def missing(seen: list[str], last: list[str]) -> list[str]:
    """What of the last lines comes after those that were seen: they overlap, as far as they can."""
    for length in range(min(len(seen), len(last)), 0, -1):
        if seen[-length:] == last[:length]:
            return last[length:]
    return last
