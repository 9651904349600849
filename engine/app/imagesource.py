"""Where the image of a container comes from, and the credentials for it."""

from __future__ import annotations

HUB = "docker.io"


def server_of(image: str) -> str:
    """The host, with its port, of the registry that an image comes from."""
    first, slash, _ = image.partition("/")
    return first if slash and (first == "localhost" or "." in first or ":" in first) else HUB
