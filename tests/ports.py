"""Ports for servers of tests that must be told where to listen."""

import random
import socket


def free() -> int:
    """A port on which nobody listens, from a range out of which the system gives nobody one: it is free a moment later, too."""
    while True:
        number = random.SystemRandom().randrange(20000, 30000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", number))
            except OSError:
                continue
            return number
