"""Takes over a container that somebody ran by hand: it is noted as ours, and told in the words of its resource."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from engine.contract.errors import Terminal
from engine.contract.operator import Call
from engine.contract.secretfiles import SecretFiles
from engine.contract.value import Properties, revealed
from providers.docker.client import Client, Seen
from providers.docker.likeness import Words, taken
from providers.docker.refusals import Absent


def adopt(
    client: Client, secrets: SecretFiles, wish: Properties, id: str, token: str, call: Call
) -> tuple[Seen, dict[str, Any]]:
    """The container with this name or id, and its properties for the resource with this wish; raises `Terminal`."""
    try:
        found = client.inspect(id)
    except Absent:
        raise Terminal(f"there is no container '{id}'", "'docker ps --all' shows what there is.") from None
    client.adopted.take(token, "container", found["Id"], found["Config"].get("Labels"))
    image, wanted = client.image(found["Image"]), str(wish["options"]["Image"])
    same = client.has_image(wanted) and client.image(wanted)["Id"] == found["Image"]
    return found, taken(wish, found, image, same, _words(client, secrets, wish, call))


def _words(client: Client, secrets: SecretFiles, wish: Properties, call: Call) -> Words:
    def main(name: str) -> str:
        with suppress(Absent):
            return str(client.inspect(client.name(name))["Id"])
        return ""

    return Words(
        client.name,
        main,
        lambda name: client.native("network", name),
        lambda name: client.native("volume", name),
        lambda value: revealed(value, call.reveal),
        secrets.known(wish.get("secrets") or {}, call),
    )
