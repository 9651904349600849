"""A proxy for one TCP port of this machine: each connection goes to the next of several ports, round and round.

The targets stand in a file and are read again when it changes; one that refuses is passed over.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

CHUNK = 1 << 16


class Balancer:
    """The targets and whose turn it is."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.read_at = 0
        self.targets: list[int] = []
        self.turn = 0

    def order(self) -> list[int]:
        """All targets, starting with the one whose turn it is."""
        changed = os.stat(self.file).st_mtime_ns  # noqa: PTH116
        if changed != self.read_at:
            with open(self.file, encoding="utf-8") as text:  # noqa: PTH123
                self.targets = json.load(text)
            self.read_at = changed
        self.turn += 1
        at = self.turn % len(self.targets) if self.targets else 0
        return self.targets[at:] + self.targets[:at]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from its start to its end on both sides."""
        for port in self.order():
            try:
                there, back = await asyncio.open_connection("localhost", port)
            except OSError:
                continue
            try:
                await asyncio.gather(_pump(reader, back), _pump(there, writer))
            finally:
                back.close()
            return


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Carry bytes one way until there are no more; then say so to the other side."""
    try:
        while data := await source.read(CHUNK):
            sink.write(data)
            await sink.drain()
        if sink.can_write_eof():
            sink.write_eof()
    except OSError:
        sink.close()
        return


async def _run(port: int, file: str) -> None:
    balancer = Balancer(file)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await balancer.serve(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(serve, ["127.0.0.1", "::1"] if _has_ipv6() else ["127.0.0.1"], port)
    async with server:
        await server.serve_forever()


def _has_ipv6() -> bool:
    import socket

    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def main() -> None:
    """`balancer PORT TARGETS.json`."""
    asyncio.run(_run(int(sys.argv[1]), sys.argv[2]))
