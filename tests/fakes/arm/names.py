"""A resolver for one network: A records of private DNS zones, over UDP."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable

A = 1


class Resolver:
    """Answers on port 53 of an address with what `find` gives: addresses, or None for a name that is not there."""

    def __init__(self, address: str, find: Callable[[str], list[str] | None]) -> None:
        self.find = find
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, 53))
        self.address = address
        self._closing = False
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                asked, client = self.socket.recvfrom(1500)
            except OSError:
                return
            if self._closing:
                return
            with contextlib.suppress(OSError, IndexError, struct.error):
                self.socket.sendto(self._answer(asked), client)

    def _answer(self, asked: bytes) -> bytes:
        labels, at = [], 12
        while asked[at]:
            labels.append(asked[at + 1 : at + 1 + asked[at]].decode().lower())
            at += 1 + asked[at]
        question = asked[12 : at + 5]
        (kind,) = struct.unpack("!H", asked[at + 1 : at + 3])
        found = self.find(".".join(labels))
        addresses = (found or []) if kind == A else []
        flags = 0x8580 if found is not None else 0x8583  # NXDOMAIN
        head = asked[:2] + struct.pack("!HHHHH", flags, 1, len(addresses), 0, 0)
        records = b"".join(
            b"\xc0\x0c" + struct.pack("!HHIH", A, 1, 1, 4) + socket.inet_aton(address) for address in addresses
        )
        return head + question + records

    def close(self) -> None:
        """Stop answering."""
        self._closing = True
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as waker:
            waker.sendto(b"", (self.address, 53))
        self._thread.join(2)
        self.socket.close()
