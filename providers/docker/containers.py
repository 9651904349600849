"""`Ulna.Docker/containers`: one container of an engine.

An engine can change limits, the restart policy and the name of a container, start it and attach it again; anything else replaces
it: the old one goes first, as both want the same name and port.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from engine.contract.blotting import blotted
from engine.contract.difference import Path, differing, dotted, drifted
from engine.contract.errors import Terminal
from engine.contract.operator import (
    Applied,
    Bid,
    Call,
    Difference,
    Execution,
    Keep,
    Observed,
    Rendering,
    Replace,
    Same,
    Update,
    View,
)
from engine.contract.resource import Resource, body
from engine.contract.secretfiles import SecretFiles
from engine.contract.value import Properties, Secret, Unknown, Value, revealed
from providers.docker import shape
from providers.docker.client import Client, Seen
from providers.docker.executing import execute
from providers.docker.health import Doctor
from providers.docker.healthcheck import healthcheck
from providers.docker.images import provide
from providers.docker.publishing import Publishing
from providers.docker.reading import lines
from providers.docker.refusals import Absent, PortTaken

TYPE = "ulna.docker/containers"
BESIDE: Path = ("properties", "beside")
GRACE = 10
TRIES = 60
"""So many ports are tried before none is free."""


class ContainerOperator:
    """See the module."""

    name = "docker"
    source = "docker"
    effects = True
    session = True
    type = TYPE

    def __init__(self, client: Client, secrets: SecretFiles | None = None) -> None:
        self.client = client
        self.secrets = secrets or SecretFiles(client.folder / "secrets")
        self.publishing = Publishing(client.folder)
        self.doctor = Doctor(client)

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits containers."""
        return Bid(100, "a container of a Docker engine") if resource.type.lower() == self.type else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """A container is native as it is; what a cloud's operator hands over is emulated by one."""
        if resource.type.lower() == self.type:
            return Keep()
        from engine.contract.emulator import emulate
        from providers.docker.platform import DockerPlatform

        return emulate(resource, view, DockerPlatform())

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """What the engine can change is changed; the rest replaces it."""
        if applied is None:
            return Update()
        changed = list(differing(applied.properties, resource.properties))
        forced = sorted(dotted(p) for p in changed if not self.updatable(p, resource.properties))
        if forced:
            return Replace(tuple(forced), "an engine cannot change this of a container")
        drift = set(drifted(resource.properties, observed.properties)) if observed is not None else set()
        if BESIDE in drift:
            return Replace((dotted(BESIDE),), "the container that it runs beside is another one")
        paths = {*changed, *drift}
        return Update(tuple(sorted(map(dotted, paths)))) if paths else Same()

    def updatable(self, path: Path, properties: Properties) -> bool:
        """Whether an engine can make this change in place: it can set a limit, and cannot take one away."""
        match path:
            case ("properties", "name" | "pull" | "state" | "registry", *_):
                return True
            case ("properties", "options", "HostConfig", name, *_) if name in shape.UPDATABLE:
                wanted = properties["properties"]["options"]["HostConfig"]
                return wanted.get(name) is not None
            case _:
                return False

    def outputs(self, resource: Resource) -> Properties:
        """The ports are known once it runs."""
        wish = body(resource)
        listens = wish.get("listens") or {}
        if wish.get("publish"):
            return {"ports": {name: Unknown("known once the port is published") for name in listens}}
        return {}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """The container under the token; one that exists already is found by its name."""
        if resource.existing:
            try:
                return self._seen(resource, self.client.inspect(str(resource.name)), token)
            except Absent:
                return None
        found = self.client.container(token)
        return None if found is None else self._seen(resource, found, token)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Create and start it; what is there under the token is only started."""
        wish = body(resource)
        found = self.client.container(token)
        if found is None:
            self._provide(wish, call)
            found = self._launch(wish, token, call)
        elif found["State"]["Status"] == "created":
            found = self._begin(wish, token, found, call)
        return self._seen(resource, found, token)

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Change limits and restart policy, attach it to its network, let it run."""
        found = self.client.container(token)
        if found is None:
            return self.create(resource, token, call)
        wish = body(resource)
        host = wish["options"].get("HostConfig") or {}
        live = found["HostConfig"]
        settings = {shape.UPDATABLE[k]: v for k, v in host.items() if k in shape.UPDATABLE and _differs(v, live.get(k))}
        if settings:
            self.client.update(found["Id"], _swapping(settings, live))
        if (name := self.client.name(wish["name"])) != str(found["Name"]).lstrip("/"):
            self.client.rename(found["Id"], name)
        self._attach(wish, found, wary=found["State"]["Status"] != "running")
        match found["State"]["Status"]:
            case "paused":
                self.client.unpause(found["Id"])
            case "exited" | "dead" | "created" if not shape.ended(found, wish):
                self.client.start(found["Id"])
            case "running" if self._beside(wish, found) == shape.STALE:
                self.client.restart(found["Id"], _grace(found))
            case _:
                pass
        return self._seen(resource, self.client.inspect(found["Id"]), token)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Stop and remove it, with its anonymous volumes."""
        found = self.client.container(token)
        if found is not None:
            self.client.remove(found["Id"], _grace(found))
        self.client.adopted.drop(token)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Take over a container by its name or id: it is noted in the state's folder, and nothing of it is changed."""
        from providers.docker.adopting import adopt

        wish = body(resource)
        found, live = adopt(self.client, self.secrets, wish, id, token, call)
        if "publish" in live:
            self.publishing.keep(token, shape.published(found, wish), wish.get("listens") or {})
        return self._seen(resource, found, token).replace(properties={"properties": live})

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """Let go of it: it stays, and runs on."""
        if (found := self.client.container(token)) is not None:
            self.client.adopted.release(token, "container", found["Id"], found["Config"].get("Labels"))

    def logs(self, resource: Resource, token: str, follow: bool) -> Iterator[str]:
        """What it wrote on both outputs."""
        return self.logs_since(resource, token, follow, 0.0)

    def logs_since(self, resource: Resource, token: str, follow: bool, since: float) -> Iterator[str]:
        """The same, from a moment on."""
        found = self.client.container(token)
        if found is None:
            return
        secrets = shape.secrets_of(found)
        try:
            for line in lines(self.client, found["Id"], follow, since):
                yield blotted(line, secrets)
        except Absent:
            return  # it was removed while it was followed

    def execute(self, resource: Resource, token: str, command: tuple[str, ...], timeout: float) -> Execution:
        """Run a program in it, as `docker exec` does."""
        found = self.client.container(token)
        if found is None or found["State"]["Status"] != "running":
            raise Terminal("the container does not run", "Start it first.")
        ended = execute(self.client, found["Id"], command, timeout)
        return ended.replace(output=blotted(ended.output, shape.secrets_of(found)))

    def watch(self, wake: Callable[[str], None], stopping: Callable[[], bool]) -> None:
        """The engine tells when a container ends, is healthy or not, is paused or removed."""
        while not stopping():
            for token in self.client.changed():
                wake(token)

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """The body of `POST /containers/create`, as far as it is known before the engine is asked."""
        wish = body(resource)
        options = _checked(wish)
        if isinstance(env := options.get("Env"), Mapping):
            options["Env"] = [f"{k}={v}" if isinstance(v, str) else {k: v} for k, v in env.items()]
        host = options.get("HostConfig") or {}
        if mounts := host.get("Mounts"):
            bare = [{**m, "Source": m["Source"].removeprefix("=")} if m.get("Source") else m for m in mounts]
            options["HostConfig"] = host = {**host, "Mounts": bare}
        if publish := wish.get("publish"):
            bindings = {k: [{"HostIp": "127.0.0.1", "HostPort": str(p)}] for k, p in publish.items()}
            options["HostConfig"] = {**host, "PortBindings": {**bindings, **(host.get("PortBindings") or {})}}
        if wish.get("network"):
            endpoint = {"Aliases": list(wish.get("aliases") or ())}
            others = {name: {"Aliases": list(wish.get("aliases") or ())} for name in wish.get("joins") or ()}
            options["NetworkingConfig"] = {"EndpointsConfig": {wish["network"].removeprefix("="): endpoint, **others}}
        return {"kind": "container", "name": wish["name"], **options}

    # ------------------------------------------------------------ launching

    def _launch(self, wish: Properties, token: str, call: Call) -> Seen:
        """Create and start it, with the next port wherever one is in use."""
        ports = self.publishing.first(token, wish.get("publish") or {})
        name = self.client.name(wish["name"])
        for _ in range(TRIES):
            found = self.client.create_container(name, token, self._config(wish, ports, call))
            try:
                return self._begin(wish, token, found, call)
            except PortTaken as taken:
                self.client.remove(found["Id"])
                if not self.publishing.next(ports, wish.get("publish") or {}, taken.port):
                    raise
        raise Terminal("no port of the engine's machine is free", "Stop containers that are not needed.")

    def _begin(self, wish: Properties, token: str, found: Seen, call: Call) -> Seen:
        """Start what was created; what cannot be started is removed."""
        try:
            self._attach(wish, found)
            self.equip(wish, found, call)
            self.client.start(found["Id"])
        except PortTaken:
            raise
        except Terminal:
            self.client.remove(found["Id"])
            raise
        seen = self.client.inspect(found["Id"])
        self.publishing.keep(token, shape.published(seen, wish), wish.get("listens") or {})
        return seen

    def make_ready(self, resource: Resource, call: Call) -> None:
        """Fetch its image while the old one still runs."""
        self._provide(body(resource), call)

    def equip(self, wish: Properties, found: Seen, call: Call) -> None:
        """Whatever must be in it before it starts."""

    def _provide(self, wish: Properties, call: Call) -> None:
        """Let the engine have its image."""
        registry = wish.get("registry")
        login = None
        if registry:
            opened = {k: call.reveal(v) if isinstance(v, Secret) else v for k, v in registry.items()}
            login = {"username": shape.text(opened["username"]), "password": shape.text(opened["password"])}
        policy = wish.get("pull") or "IfNotPresent"
        provide(self.client, str(wish["options"]["Image"]), policy, call.stopping, login)

    def _attach(self, wish: Properties, found: Seen, wary: bool = False) -> None:
        """Connect it to the networks that it is not in; `wary`: one of the same name may have taken a network's place."""
        attached = (found.get("NetworkSettings") or {}).get("Networks") or {}
        wanted = [wish["network"]] if wish.get("network") else []
        for name in (*wanted, *(wish.get("joins") or ())):
            native = self.client.native("network", name)
            if native in attached and wary and attached[native]["NetworkID"]:
                if self.client.network_by_name(native)["Id"] == attached[native]["NetworkID"]:
                    continue
                self.client.detach(native, found["Id"])
            elif native in attached:
                continue
            self.client.attach(native, found["Id"], list(wish.get("aliases") or ()))

    def _config(self, wish: Properties, ports: Mapping[str, int], call: Call) -> dict[str, Any]:
        """The create options with secrets opened, names made the engine's, and ports chosen."""
        options = _checked(wish)
        environment = options.get("Env") or {}
        if names := shape.secret_names(environment):
            options["Labels"] = {**(options.get("Labels") or {}), shape.SECRETS: ",".join(names)}
        kept = wish.get("secrets") or {}
        if kept:
            known = (options.get("Labels") or {}).get(shape.SECRETS)
            both = ",".join(sorted({*kept, *filter(None, (known or "").split(","))}))
            options["Labels"] = {**(options.get("Labels") or {}), shape.SECRETS: both}
        opened: dict[str, Any] = revealed(options, call.reveal)
        config = dict(opened)
        variables = {**(opened.get("Env") or {}), **{n: self.secrets.opened(w, call) for n, w in kept.items()}}
        config["Env"] = [f"{k}={shape.text(v)}" for k, v in variables.items()]
        host = dict(opened.get("HostConfig") or {})
        bindings = {key: [{"HostIp": "127.0.0.1", "HostPort": str(port)}] for key, port in ports.items()}
        if wish.get("beside"):
            main = self.client.inspect(self.client.name(wish["beside"]))
            return {**config, "HostConfig": self._joined(host, main)}
        host["PortBindings"] = {**bindings, **(host.get("PortBindings") or {})}
        exposed: dict[str, Any] = {key: {} for key in host["PortBindings"]}  # an engine publishes only what is exposed
        config["ExposedPorts"] = {**exposed, **(config.get("ExposedPorts") or {})}
        host["Mounts"] = [self._mount(m) for m in host.get("Mounts") or ()]
        if wish.get("network"):
            native = self.client.native("network", wish["network"])
            host["NetworkMode"] = native
            endpoint = {"Aliases": list(wish.get("aliases") or ())}
            config["NetworkingConfig"] = {"EndpointsConfig": {native: endpoint}}
        return {**config, "HostConfig": host}

    def _joined(self, host: dict[str, Any], main: Seen) -> dict[str, Any]:
        """What concerns the engine's machine for one that is on the network of another container."""
        mounts = [self._mount(m) for m in host.get("Mounts") or ()]
        return {**host, "Mounts": mounts, "NetworkMode": f"container:{main['Id']}"}

    def _beside(self, wish: Properties, found: Seen) -> str:
        """How one is joined to the container that it runs beside; "" where it runs beside none."""
        if not wish.get("beside"):
            return ""
        try:
            main = self.client.inspect(self.client.name(wish["beside"]))
        except Absent:
            return shape.GONE
        return shape.joined(found, main)

    def _mount(self, mount: Mapping[str, Any]) -> Mapping[str, Any]:
        """A mount with the volume's name on the engine."""
        if mount.get("Type") != "volume" or not mount.get("Source"):
            return mount
        return {**mount, "Source": self.client.native("volume", mount["Source"])}

    # ------------------------------------------------------------ looking

    def _seen(self, resource: Resource, found: Seen, token: str) -> Observed:
        wish = body(resource)
        if resource.existing:
            wish = {"options": {}, **wish}
        names = {n: self.client.native("network", n) for n in (wish.get("network"),) if isinstance(n, str)}
        verdict = self.doctor.look(found, wish, datetime.now(UTC))
        outputs: dict[str, Any] = {"ports": ports} if (ports := shape.published(found, wish)) else {}
        return Observed(
            found["Id"],
            token,
            {"properties": shape.live(found, wish, names, self._beside(wish, found))},
            outputs,
            verdict.health,
            verdict.exit_code,
            verdict.message,
            verdict.look_again,
        )


def _checked(wish: Properties) -> dict[str, Value]:
    """The create options with the probes as a health check, unless the options have more to say about that."""
    options = dict(wish["options"])
    check = {**(healthcheck(wish) or {}), **(options.get("Healthcheck") or {})}
    return {**options, "Healthcheck": check} if check else options


def _grace(found: Seen) -> float:
    """Seconds between SIGTERM and SIGKILL."""
    grace = found["Config"].get("StopTimeout")
    return GRACE if grace is None else float(grace)


def _swapping(settings: dict[str, Any], live: Mapping[str, Any]) -> dict[str, Any]:
    """Memory may not be more than memory and swap together: where the engine chose that, it is chosen anew, and twice as much."""
    memory, both = settings.get("mem_limit"), live.get("MemorySwap") or 0
    if memory and "memswap_limit" not in settings and both > 0:
        return {**settings, "memswap_limit": 2 * int(memory)}
    return settings


def _differs(wanted: Value, live: Value) -> bool:
    return any(True for _ in drifted(wanted, live))
