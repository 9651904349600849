"""What somebody ran by hand, in the words of the resource that takes it over: where both are alike it says what is wished. Pure.

What an image or the engine chose is not said, nor what an engine cannot tell: how an image is pulled, which name a port has.
Values of variables that the file does not declare may be secrets, and are blotted out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.contract.blotting import BLOTTED
from engine.contract.difference import drifted
from engine.contract.value import Properties, Value, has_secret, is_known
from engine.record import Record
from providers.docker.adopted import alike
from providers.docker.healthcheck import healthcheck
from providers.docker.shape import state, text

ASIDE = ("pull", "registry", "listens", "for", "tls", "routes", "hostname")
"""Nothing of a container: they say how it is made, or how its parts are called."""
RUN = ("Entrypoint", "Cmd")
CONFIG = (*RUN, "User", "WorkingDir", "StopSignal", "StopTimeout", "Tty", "OpenStdin", "Domainname")
"""What of a container is its image's, unless somebody said otherwise."""
HOST = (
    "AutoRemove", "Privileged", "ReadonlyRootfs", "CapAdd", "CapDrop", "Dns", "DnsOptions", "DnsSearch", "ExtraHosts",
    "Links", "VolumesFrom", "GroupAdd", "Devices", "DeviceRequests", "Sysctls", "Ulimits", "Init", "Memory",
    "MemoryReservation", "CpuQuota", "CpuShares", "NanoCpus", "CpusetCpus", "PidsLimit", "BlkioWeight", "PidMode",
    "UTSMode", "UsernsMode", "SecurityOpt", "Tmpfs", "ShmSize",
)  # fmt: skip
"""What people say of the engine's machine; where they do not, it is nothing, or `USUAL`."""
USUAL: Mapping[str, Value] = {"ShmSize": 64 << 20}

Seen = Mapping[str, Any]


class Words(Record):
    """What only the engine and the state know: native names and ids of what a wish names, values with their secrets
    filled in, and the values of variables that come from secret stores."""

    container: Callable[[str], str]
    main: Callable[[str], str]
    network: Callable[[str], str]
    volume: Callable[[str], str]
    opened: Callable[[Value], Value]
    kept: Mapping[str, str | None]


def taken(wish: Properties, found: Seen, image: Seen, same: bool, words: Words) -> dict[str, Any]:
    """The properties of a container that was there, for the resource with this wish.

    `image` is what the engine says of its image, `same` whether the wished one is the same.
    """
    live: dict[str, Any] = {k: wish[k] for k in ASIDE if k in wish}
    name = str(found["Name"]).lstrip("/")
    live["name"] = wish["name"] if name == words.container(wish["name"]) else f"={name}"
    env = dict(_pair(entry) for entry in found["Config"].get("Env") or ())
    for part in ("secrets", "readiness", "liveness", "publish", "beside"):
        if part in wish and _has(part, wish, found, env, words):
            live[part] = wish[part]
    live |= _networks(wish, found, words)
    live["state"] = state(found, wish)
    live["options"] = _options(wish, found, image, same, env, words)
    return live


def _has(part: str, wish: Properties, found: Seen, env: Mapping[str, str], words: Words) -> bool:
    """Whether a part of the wish is so already."""
    match part:
        case "secrets":
            return all(env.get(name, "") == words.kept[name] for name in wish["secrets"])
        case "publish":
            bound = found["HostConfig"].get("PortBindings") or {}
            return all(_loopback(bound.get(key)) for key in wish["publish"])
        case "beside":
            return bool(found["HostConfig"].get("NetworkMode") == f"container:{words.main(wish['beside'])}")
        case _:
            wanted, there = healthcheck(wish) or {}, found["Config"].get("Healthcheck") or {"Test": None}
            return not any(True for _ in drifted(wanted, there))


def _networks(wish: Properties, found: Seen, words: Words) -> dict[str, Any]:
    """The networks that it is in, of those that it is to be in, and what it is called there."""
    attached = (found.get("NetworkSettings") or {}).get("Networks") or {}
    live: dict[str, Any] = {}
    if isinstance(network := wish.get("network"), str):
        there = attached.get(words.network(network))
        live["network"] = network if there is not None else ""
        called = (there or {}).get("Aliases") or ()
        wanted = wish.get("aliases") or []
        live["aliases"] = wanted if set(wanted) <= set(called) else [a for a in called if not found["Id"].startswith(a)]
    if joins := wish.get("joins"):
        live["joins"] = [n for n in joins if words.network(n) in attached]
    return live


def _options(
    wish: Properties, found: Seen, image: Seen, same: bool, env: Mapping[str, str], words: Words
) -> dict[str, Any]:
    options, config = wish["options"], found["Config"]
    chosen = image.get("Config") or {}
    live: dict[str, Any] = {"Image": options["Image"] if same else config["Image"]}
    alike_run = _run(options, opened=words.opened) == _run(config)
    for key in CONFIG:
        if alike_run and key in RUN:
            live |= {key: options[key]} if key in options else {}
        elif key in options:
            live[key] = _either(options[key], config.get(key), words)
        elif (said := config.get(key)) and said != chosen.get(key):
            live[key] = said
    variables = dict(_variables(wish, env, chosen, words))
    if variables or "Env" in options:
        live["Env"] = variables
    for key in ("Labels", "ExposedPorts"):
        if (wanted := options.get(key)) is not None:
            live[key] = alike(wanted, config.get(key) or {})
    for key in options.keys() - live.keys() - {"HostConfig", "Env"}:
        if (said := config.get(key)) is not None:
            live[key] = _either(options[key], said, words)
    live["HostConfig"] = _host(wish, found, chosen, words)
    return live


def _run(options: Properties, opened: Callable[[Value], Value] = lambda value: value) -> list[Value]:
    """What is run: the words of both lists, however they are shared among them."""
    return [word for key in RUN for word in opened(options.get(key)) or ()]


def _variables(wish: Properties, env: Mapping[str, str], chosen: Seen, words: Words) -> Iterator[tuple[str, Value]]:
    """Its variables, but for those of its image and of secret stores."""
    wanted, kept = wish["options"].get("Env") or {}, wish.get("secrets") or {}
    of_image = dict(_pair(entry) for entry in chosen.get("Env") or ())
    for name, value in env.items():
        if name in wanted:
            hidden = has_secret(wanted[name])
            yield name, wanted[name] if _is(words.opened(wanted[name]), value) else BLOTTED if hidden else value
        elif name not in kept and of_image.get(name) != value:
            yield name, BLOTTED


def _host(wish: Properties, found: Seen, chosen: Seen, words: Words) -> dict[str, Any]:
    wanted, host = wish["options"].get("HostConfig") or {}, found["HostConfig"]
    live: dict[str, Any] = {}
    for key, value in wanted.items():
        if key not in ("Mounts", "PortBindings", "RestartPolicy") and host.get(key) is not None:
            live[key] = _either(value, host[key], words)
    for key in HOST:
        if key not in wanted and (said := host.get(key)) and said != USUAL.get(key):
            live[key] = said
    policy = {k: v for k, v in (host.get("RestartPolicy") or {}).items() if v} or {"Name": "no"}
    if "RestartPolicy" in wanted or policy["Name"] != "no":
        live["RestartPolicy"] = _either(wanted.get("RestartPolicy"), policy, words)
    mode = str(host.get("NetworkMode") or "")
    if "NetworkMode" not in wanted and (
        mode in ("host", "none") or (mode.startswith("container:") and "beside" not in wish)
    ):
        live["NetworkMode"] = mode
    mounts = list(_mounts(wanted, found, chosen, words))
    if mounts or "Mounts" in wanted:
        live["Mounts"] = mounts
    given, publish = wanted.get("PortBindings") or {}, wish.get("publish") or {}
    bound = {k: v for k, v in (host.get("PortBindings") or {}).items() if k not in publish or not _loopback(v)}
    bound = {k: _either(given[k], v, words) if k in given else v for k, v in bound.items()}
    if bound or "PortBindings" in wanted:
        live["PortBindings"] = bound
    return live


def _mounts(wanted: Properties, found: Seen, chosen: Seen, words: Words) -> Iterator[Value]:
    """What is mounted in it, in the order of the wish; a folder that the image declares is no mount of anybody's."""
    by_target = {str(m["Destination"]): m for m in found.get("Mounts") or ()}
    for target in found["HostConfig"].get("Tmpfs") or {}:
        by_target.setdefault(target, {"Type": "tmpfs", "Destination": target, "RW": True})
    for bind in wanted.get("Binds") or ():
        by_target.pop(str(bind).split(":")[1] if ":" in str(bind) else "", None)
    for mount in wanted.get("Mounts") or ():
        there = by_target.pop(str(mount.get("Target")), None)
        if there is not None:
            yield mount if _same_mount(mount, there, words) else _mount(there)
    for target, there in by_target.items():
        if not (_anonymous(there) and target in (chosen.get("Volumes") or {})):
            yield _mount(there)


def _same_mount(wanted: Properties, there: Seen, words: Words) -> bool:
    if wanted.get("Type") != there.get("Type") or bool(wanted.get("ReadOnly")) == bool(there.get("RW", True)):
        return False
    source = wanted.get("Source")
    if wanted.get("Type") == "volume":
        return words.volume(source) == there.get("Name") if source else _anonymous(there)
    return not source or source == there.get("Source")


def _mount(there: Seen) -> dict[str, Any]:
    """A mount in the words of the create options; `=name` is a volume that is none of ours."""
    mount: dict[str, Any] = {"Type": there["Type"], "Target": there["Destination"]}
    if there["Type"] == "volume" and not _anonymous(there):
        mount["Source"] = f"={there['Name']}"
    elif there["Type"] == "bind":
        mount["Source"] = there["Source"]
    return mount if there.get("RW", True) else {**mount, "ReadOnly": True}


def _anonymous(there: Seen) -> bool:
    return re.fullmatch(r"[0-9a-f]{64}", str(there.get("Name") or "")) is not None


def _either(wanted: Value, live: Value, words: Words) -> Value:
    """What is wished where it is so, else what is there; a text with a secret in it is never shown."""
    if is_known(wanted) and not any(True for _ in drifted(words.opened(wanted), live)):
        return wanted
    return BLOTTED if has_secret(wanted) else live


def _is(wanted: Value, value: str) -> bool:
    """Whether a variable is as wished; what is not known yet is not."""
    return is_known(wanted) and text(wanted) == value


def _loopback(bindings: Any) -> bool:
    """Whether a port is published on the loopback address, and nowhere else."""
    return bool(bindings) and all(b.get("HostIp") in ("127.0.0.1", "localhost", "::1") for b in bindings)


def _pair(entry: str) -> tuple[str, str]:
    name, _, value = entry.partition("=")
    return name, value
