"""One container of a workload, the main one or a helper, from its block in the template."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.app.amounts import resources_of
from engine.app.imagesource import server_of
from engine.app.stores import Keys, type_of
from engine.contract.app import (
    Container,
    EphemeralVolume,
    Exec,
    HttpGet,
    PersistentVolume,
    Port,
    Probe,
    Registry,
    SecretKey,
    TcpConnect,
)
from engine.contract.resource import body
from engine.contract.value import Leaf, Properties, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import Path, place

OPEN = ("image", "command", "args", "workingDir", "env")
"""What of a container may stay open until run time: it is passed on, and nothing hangs on it."""


def structure_of(block: Value) -> Value:
    """The part that decides what is made: everything but the values that are passed on as they are."""
    if not isinstance(block, Mapping):
        return block
    env = block.get("env")
    names = {k: _reference(v) for k, v in env.items()} if isinstance(env, Mapping) else env
    rest = {k: v for k, v in block.items() if k not in (*OPEN, *HELPERS)}
    helpers = [
        [structure_of(each) for each in block[k].values()] if isinstance(block.get(k), Mapping) else block.get(k)
        for k in HELPERS
    ]
    image = block.get("image") if block.get("imagePullSecret") is not None else None
    return [rest, names, image, helpers]


HELPERS = ("initContainers", "sidecars")
_PULL = ("container", "imagePullSecret")


def _reference(entry: Value) -> Value:
    """The part of a variable that says where it comes from."""
    return entry.get("valueFrom") if isinstance(entry, Mapping) else None


def container_of(
    path: Path,
    name: str,
    block: Mapping[str, Any],
    env: Properties,
    secrets: Mapping[str, SecretKey],
    keys: Keys,
    ports: tuple[Port, ...] = (),
    registry: Registry | None = None,
) -> Container:
    """The container; `env` and `secrets` are what connections give, its own variables win over them."""
    own, own_secrets = variables_of(path, block, keys)
    plain = {k: v for k, v in env.items() if k not in own_secrets} | own
    referred = {k: v for k, v in secrets.items() if k not in own} | own_secrets
    return Container(
        name,
        block.get("image"),
        block.get("imagePullPolicy"),
        _tuple(block.get("command")),
        _tuple(block.get("args")),
        block.get("workingDir"),
        dict(sorted(plain.items())),
        dict(sorted(referred.items())),
        ports,
        _probe(block.get("readinessProbe")),
        _probe(block.get("livenessProbe")),
        tuple(_volumes(block.get("volumes"), keys)),
        resources_of(block.get("resources")),
        registry,
    )


def variables_of(path: Path, block: Mapping[str, Any], keys: Keys) -> tuple[dict[str, Value], dict[str, SecretKey]]:
    """The variables that a container itself names: those with values, and those from secret stores."""
    env: dict[str, Value] = {}
    secrets: dict[str, SecretKey] = {}
    for name, entry in (block.get("env") or {}).items():
        if isinstance(entry, Leaf):
            env[name] = entry
        elif entry.get("valueFrom") is not None:
            reference = entry["valueFrom"]["secretRef"]
            found = keys.key(f"The variable '{name}'", reference["source"], reference["key"], (*path, "env", name))
            if found is not None:
                secrets[name] = found
        elif entry.get("value") is not None:
            env[name] = entry["value"]
    return env, secrets


def registry_of(block: Mapping[str, Any], keys: Keys) -> Registry | None:
    """The credentials for the registry of the container's image."""
    source = block.get("imagePullSecret")
    if not source:
        return None
    store = keys.store("The imagePullSecret", source, _PULL)
    if store is None:
        return None
    if type_of(body(store)) != "basicAuthentication":
        type = type_of(body(store))
        message = (
            f"The imagePullSecret of '{keys.resource.name}' is the secret store '{store.name}', which is of type {type}"
        )
        help = "Use a secret store of type basicAuthentication, with the keys username and password."
        where = place(keys.resource.origin, _PULL)
        keys.problems.append(Diagnostic("ULN314", Severity.ERROR, message, where, help=help))
        return None
    user, password = (keys.key("The imagePullSecret", source, k, _PULL) for k in ("username", "password"))
    if user is None or password is None:
        return None
    return Registry(server_of(str(block.get("image"))), user.value, password.value, source)


def _tuple(value: Value) -> tuple[Value, ...] | None:
    if isinstance(value, list | tuple):
        return tuple(value)
    return None if value is None else (value,)


def _probe(probe: Mapping[str, Any] | None) -> Probe | None:
    if not probe:
        return None
    check: HttpGet | TcpConnect | Exec
    match probe["kind"]:
        case "httpGet":
            check = HttpGet(probe["containerPort"], probe.get("path") or "/", probe.get("headers") or {})
        case "tcp":
            check = TcpConnect(probe["containerPort"])
        case _:
            check = Exec(tuple(probe["command"].split()))
    return Probe(
        check,
        _number(probe, "initialDelaySeconds", 0),
        _number(probe, "periodSeconds", 10),
        _number(probe, "timeoutSeconds", 5),
        int(_number(probe, "failureThreshold", 3)),
    )


def _number(probe: Mapping[str, Any], key: str, default: float) -> float:
    value = probe.get(key)
    return default if value is None else value


def _volumes(volumes: Mapping[str, Any] | None, keys: Keys) -> Iterator[EphemeralVolume | PersistentVolume]:
    """Its volumes; it waits for those that outlive it."""
    for name, volume in (volumes or {}).items():
        path = volume.get("mountPath") or ""
        if volume["kind"] == "ephemeral":
            yield EphemeralVolume(name, path, volume.get("managedStore") or "disk")
        else:
            source = keys.view.find(volume["source"])
            if source is not None:
                keys.gates.add(source)
            yield PersistentVolume(name, path, volume["source"], volume.get("permission") or "read")
