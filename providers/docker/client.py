"""All calls of the Docker SDK: what exists is found by labels, what fails is mapped in `refusals.py`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.errors import Terminal, Transient, Unreachable
from engine.contract.home import Home
from providers.docker.adopted import ADDRESS, ENVIRONMENT, HOME, TOKEN, Adopted
from providers.docker.refusals import Absent, NameTaken, speaking
from providers.docker.target import Target, connect

EVENTS = ("start", "die", "oom", "pause", "unpause", "destroy", "health_status", "update")
SPELL = 5.0
"""Seconds that one question for events lasts."""

Seen = Mapping[str, Any]
"""What the engine says of a thing."""


class Client:
    """The engine of one environment. Several states may use one engine: each marks its things with an identity of its own."""

    def __init__(self, folder: Path, target: Target) -> None:
        self.folder = folder
        self.target = target
        self._lock = threading.Lock()
        self._api: Any = None
        self._home = Home(folder)
        self.adopted = Adopted(folder, self)
        self._told = 0.0

    @property
    def api(self) -> Any:
        """The SDK's client, connected when it is first needed.

        An engine that never answered may not be there at all; one that did will be back.
        """
        with self._lock:
            if self._api is None:
                try:
                    with speaking(self.target):
                        self._api = connect(self.target)
                except Transient as error:
                    raise Unreachable(error.reason, error.help) from error
            return self._api

    def close(self) -> None:
        """Give up the connection; the next call makes a new one."""
        with self._lock:
            if self._api is not None:
                self._api.close()
            self._api = None

    # ------------------------------------------------------------ identity

    @property
    def home(self) -> str:
        """The identity, made when something is first created; "" before."""
        return self._home.id

    def make_home(self) -> str:
        """The identity, made if there is none yet; the engine is reached first, so that there is one only where something can be."""
        if not self._home.id:
            self.api  # noqa: B018
        return self._home.make()

    def name(self, name: str) -> str:
        """A name on the engine: `=name` is one that was there before us, any other is ours and made unique."""
        return name[1:] if name.startswith("=") else f"{name}.{self.make_home()}"

    def native(self, kind: str, name: str) -> str:
        """The same of a network or a volume, which may be one that was taken over."""
        return ("" if name.startswith("=") else self.adopted.native(kind, name)) or self.name(name)

    def labels(self, token: str) -> dict[str, str]:
        """What marks a thing as ours."""
        return {
            ENVIRONMENT: self.target.environment,
            ADDRESS: token.rpartition("#")[0],
            HOME: self.make_home(),
            TOKEN: token,
        }

    def ours(self, labels: Mapping[str, str] | None, token: str) -> bool:
        """Whether these labels are those of a token of this state."""
        return bool(labels) and labels.get(TOKEN) == token and labels.get(HOME) == self.home  # type: ignore[union-attr]

    def _filters(self, token: str) -> dict[str, list[str]]:
        return {"label": [f"{HOME}={self.home}", f"{TOKEN}={token}"]}

    # ------------------------------------------------------------ containers

    def container(self, token: str) -> Seen | None:
        """The container under a token."""
        if not self.home:
            return None
        with speaking(self.target):
            for found in self.api.containers(all=True, filters=self._filters(token)):
                with suppress(Absent):
                    return self.inspect(found["Id"])
        with suppress(Absent):
            return self.inspect(taken) if (taken := self.adopted.id(token)) else None
        return None

    def inspect(self, name: str) -> Seen:
        """A container by its id or name; raises `Absent`."""
        with speaking(self.target):
            seen: Seen = self.api.inspect_container(name)
            return seen

    def create_container(self, name: str, token: str, config: Mapping[str, Any]) -> Seen:
        """Create one; the one that the same token created already is taken."""
        body = {**config, "Labels": {**(config.get("Labels") or {}), **self.labels(token)}}
        try:
            with speaking(self.target):
                made: str = self.api.create_container_from_config(body, name)["Id"]
        except NameTaken as taken:
            seen = self.inspect(name)
            labels = seen["Config"].get("Labels") or {}
            if self.ours(labels, token):
                return seen
            whose = f" of '{labels[ADDRESS]}'" if labels.get(ADDRESS) else ""
            help = f"Remove it: docker rm -f {name}."
            raise Terminal(f"the name '{name}' is taken by another container{whose}", help) from taken
        return self.inspect(made)

    def start(self, id: str) -> None:
        """Start a container; no error if it runs."""
        with speaking(self.target):
            self.api.start(id)

    def unpause(self, id: str) -> None:
        """Let a paused container go on."""
        with speaking(self.target):
            self.api.unpause(id)

    def update(self, id: str, settings: Mapping[str, Any]) -> None:
        """Change what can be changed of a container that runs."""
        with speaking(self.target):
            self.api.update_container(id, **settings)

    def rename(self, id: str, name: str) -> None:
        """Give a container another name."""
        with speaking(self.target):
            self.api.rename(id, name)

    def remove(self, id: str, grace: float | None = None) -> None:
        """Stop a container and remove it with its anonymous volumes; no error if it is gone. Without grace it is killed."""
        with suppress(Absent), speaking(self.target):
            if grace is not None:
                self.api.stop(id, timeout=int(grace))
            self.api.remove_container(id, v=True, force=True)

    def run(self, id: str, command: list[str], seconds: float) -> int | None:
        """The exit code of a command in a running container; None if it takes longer. 127 if there is no such command."""
        import time

        try:
            with speaking(self.target):
                made = self.api.exec_create(id, command, stdout=False, stderr=False)["Id"]
                self.api.exec_start(made, detach=True)
                deadline, pause = time.monotonic() + seconds, 0.02
                while (seen := self.api.exec_inspect(made))["Running"] or seen["ExitCode"] is None:
                    if time.monotonic() > deadline:
                        return None
                    time.sleep(pause)
                    pause = min(pause * 1.5, 0.2)
                return int(seen["ExitCode"])
        except Terminal as error:
            return 127 if "cannot be run" in error.reason else None

    def ask(self, id: str, command: list[str]) -> tuple[int, str]:
        """The exit code of a short command in a running container, and what it said; 127 if there is no such command."""
        try:
            with speaking(self.target):
                made = self.api.exec_create(id, command)["Id"]
                said = self.api.exec_start(made).decode(errors="replace")
                return int(self.api.exec_inspect(made)["ExitCode"] or 0), said
        except Terminal as error:
            if isinstance(error, Absent):
                raise
            return 127, error.reason

    def copy(self, id: str, archive: bytes) -> None:
        """Unpack a tar archive in the root folder of a container, running or not."""
        with speaking(self.target):
            self.api.put_archive(id, "/", archive)

    def restart(self, id: str, grace: float) -> None:
        """End a container, and start it again."""
        with speaking(self.target):
            self.api.restart(id, timeout=int(grace))

    def logs(self, id: str, follow: bool = False, tail: int | str = "all", since: float = 0.0) -> Iterator[bytes]:
        """What a container wrote, in pieces; `since` is in Unix seconds."""
        with speaking(self.target):
            pieces = self.api.logs(id, stream=True, follow=follow, tail=tail, since=since or None)
            try:
                yield from pieces
            finally:
                if (close := getattr(pieces, "close", None)) is not None:
                    close()

    def changed(self) -> Iterator[str]:
        """The tokens of containers as they change, for a few seconds; the next call goes on where this one ended."""
        import time

        if not self.home:  # nothing is ours yet
            time.sleep(1)
            return
        began = self._told or time.time()
        until = max(time.time(), began) + SPELL
        filters = {"type": ["container"], "label": [f"{HOME}={self.home}"], "event": list(EVENTS)}
        with speaking(self.target):
            for event in self.api.events(since=f"{began:.6f}", until=f"{until:.6f}", filters=filters, decode=True):
                token = event["Actor"]["Attributes"].get(TOKEN)
                if token:
                    yield token
        self._told = until

    # ------------------------------------------------------------ images

    def has_image(self, image: str) -> bool:
        """Whether the engine has an image."""
        try:
            self.image(image)
        except Absent:
            return False
        return True

    def image(self, image: str) -> Seen:
        """An image by its id or name; raises `Absent`."""
        with speaking(self.target):
            seen: Seen = self.api.inspect_image(image)
            return seen

    def pull(self, image: str, stopping: Callable[[], bool], login: Mapping[str, str] | None = None) -> None:
        """Pull an image; credentials are the given ones, else those that `docker login` keeps."""
        from docker.utils import parse_repository_tag

        from providers.docker.refusals import refused

        repository, tag = parse_repository_tag(image)
        with speaking(self.target):
            for line in self.api.pull(repository, tag=tag or "latest", stream=True, decode=True, auth_config=login):
                if "error" in line:
                    raise refused(500, line["error"])
                if stopping():
                    raise Transient("it was being pulled when Ulna was asked to stop")

    # ------------------------------------------------------------ networks and volumes

    def network(self, token: str) -> Seen | None:
        """The network under a token."""
        if not self.home:
            return None
        with speaking(self.target):
            for found in self.api.networks(filters=self._filters(token)):
                with suppress(Absent):
                    return self.network_by_name(found["Id"])
        with suppress(Absent):
            return self.network_by_name(taken) if (taken := self.adopted.id(token)) else None
        return None

    def network_by_name(self, name: str) -> Seen:
        """A network by its id or name; raises `Absent`."""
        try:
            with speaking(self.target):
                seen: Seen = self.api.inspect_network(name)
                return seen
        except Transient as error:
            if not error.reason.endswith("not found"):
                raise
            raise Absent(error.reason) from error  # to whoever starts a container, it is only not there yet

    def create_network(self, name: str, token: str, driver: str, labels: Mapping[str, str]) -> Seen:
        """Create one; the one that the same token created already is taken."""
        try:
            with speaking(self.target):
                self.api.create_network(
                    name, driver=driver, labels={**labels, **self.labels(token)}, check_duplicate=True
                )
        except NameTaken as taken:
            if not self.ours(self.network_by_name(name).get("Labels"), token):
                raise Terminal(
                    f"there is a network '{name}' already", f"Remove it: docker network rm {name}."
                ) from taken
        return self.network_by_name(name)

    def attach(self, network: str, container: str, aliases: list[str]) -> None:
        """Connect a container to a network; no error if it is connected."""
        with speaking(self.target):
            try:
                self.api.connect_container_to_network(container, network, aliases=aliases)
            except Exception as error:
                if "already exists in network" not in str(error):
                    raise

    def detach(self, network: str, container: str) -> None:
        """Take a container out of a network."""
        with speaking(self.target):
            self.api.disconnect_container_from_network(container, network, force=True)

    def remove_network(self, id: str) -> None:
        """Remove a network; no error if it is gone."""
        with suppress(Absent), speaking(self.target):
            self.api.remove_network(id)

    def volume(self, name: str) -> Seen | None:
        """A volume by its name."""
        try:
            with speaking(self.target):
                seen: Seen = self.api.inspect_volume(name)
                return seen
        except Absent:
            return None

    def create_volume(self, name: str, token: str, settings: Mapping[str, Any]) -> Seen:
        """Create one; the engine gives back what is there under the name."""
        labels = {**(settings.get("labels") or {}), **self.labels(token)}
        with speaking(self.target):
            made: Seen = self.api.create_volume(name, settings.get("driver"), settings.get("options"), labels)
        if not self.ours(made.get("Labels"), token):
            raise Terminal(
                f"there is a volume '{name}' already", f"Remove it, if nobody needs it: docker volume rm {name}."
            )
        return made

    def mark(self, name: str, labels: Mapping[str, str]) -> Mapping[str, str]:
        """The labels of an empty volume of this name, which is made with these if there is none."""
        with speaking(self.target):
            return self.api.create_volume(name, labels=dict(labels)).get("Labels") or {}

    def remove_volume(self, name: str) -> None:
        """Remove a volume; no error if it is gone."""
        with suppress(Absent), speaking(self.target):
            self.api.remove_volume(name)
