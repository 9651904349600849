"""Images: what a pull policy comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.contract.errors import Terminal, Transient
from providers.docker.client import Client


def provide(
    client: Client, image: str, policy: str, stopping: Callable[[], bool], login: Mapping[str, str] | None = None
) -> None:
    """Let the engine have an image: `Always` asks the registry each time, `Never` does not; `login` is for the registry."""
    try:
        if policy != "Always" and client.has_image(image):
            return
    except Terminal as error:
        raise Terminal(f"'{image}' is no name of an image: {error.reason}", error.help) from error
    if policy == "Never":
        help = "Build or pull it, or set imagePullPolicy: 'IfNotPresent'."
        raise Terminal(f"the image '{image}' is not on the engine, and its imagePullPolicy is 'Never'", help)
    try:
        client.pull(image, stopping, login)
    except Transient as error:
        raise Transient(f"the image '{image}' cannot be pulled: {error.reason}", error.help, error.after) from error
    except Terminal as error:
        help = error.help or "Correct its name, or build it on the engine."
        raise Terminal(f"the image '{image}' cannot be pulled: {error.reason}", help) from error
