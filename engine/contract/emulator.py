"""A service of a cloud that runs here instead, where the tag `ulna.emulator: 'true'` of its resource says so.

The cloud's operator hands such a resource to the operator of the environment's compute kind; that runs a container or a
process, and reports what the cloud would, so that whoever uses the resource needs no change. Pure.

| type | what runs | outputs |
|---|---|---|
| Microsoft.Cache/redis | redis-server | hostName, port, sslPort, listKeys() |
| Microsoft.DBforPostgreSQL/flexibleServers | postgres | fullyQualifiedDomainName, port |

None of them speaks TLS: `sslPort` is the same as `port`. `ulna.emulator.image` names another image.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.app import Container, Port, Probe, TcpConnect, Workload
from engine.contract.operator import Children, Undecided, View
from engine.contract.platform import Platform, endpoint_of
from engine.contract.resource import Resource, body, short
from engine.contract.value import Properties, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity

ANNOTATION = "ulna.emulator"
IMAGE = "ulna.emulator.image"
REDIS = "Microsoft.Cache/redis"
POSTGRES = "Microsoft.DBforPostgreSQL/flexibleServers"
APPLICATION = "applications.core/applications"
IMAGES = {REDIS.lower(): "docker.io/library/redis:7-alpine", POSTGRES.lower(): "docker.io/library/postgres:16-alpine"}
PORTS = {REDIS.lower(): ("redis", 6379), POSTGRES.lower(): ("postgresql", 5432)}


def runner(kind: str) -> str:
    """The operator that runs containers on a compute kind, and so emulates."""
    return {"aci": "azure", "ecs": "aws"}.get(kind, kind)


def is_wanted(resource: Resource) -> bool:
    """Whether a resource asks for an emulator."""
    return str(_tags(resource).get(ANNOTATION)).lower() == "true"


def emulate(resource: Resource, view: View, platform: Platform) -> Children | Undecided:
    """What runs in place of a resource on a compute kind, with the outputs that the cloud would report."""
    problem = _problem(resource, platform)
    if problem is not None:
        return Children((), {}, (problem,))
    workload = _workload(resource, view, platform.kind)
    made = platform.workload(workload, view)
    if isinstance(made, Undecided):
        return made
    end = endpoint_of(platform, workload, workload.ports[0], view)
    report = _redis_outputs if _is_redis(resource) else _postgres_outputs
    return made.replace(outputs=report(resource, end.host, end.port))


def key_of(resource: Resource, which: str = "primary") -> str:
    """An access key of an emulator: the same each time, and no secret, as it opens nothing but what runs here."""
    from base64 import b64encode
    from hashlib import sha256

    return b64encode(sha256(f"{which} of the emulator {resource.address}".encode()).digest()).decode()


def _tags(resource: Resource) -> Mapping[str, Value]:
    tags = resource.properties.get("tags")
    return tags if isinstance(tags, Mapping) else {}


def _is_redis(resource: Resource) -> bool:
    return resource.type.lower() == REDIS.lower()


def _problem(resource: Resource, platform: Platform) -> Diagnostic | None:
    """Why it cannot be emulated on this compute kind."""
    if resource.type.lower() in IMAGES:
        return None
    message = f"There is no emulator of '{resource.type}' for '{resource.name}' on compute kind '{platform.kind}'"
    help = f"Remove the tag {ANNOTATION}: it then goes to the cloud."
    return Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help)


def _workload(resource: Resource, view: View, kind: str) -> Workload:
    """It as a container, in the application of the same deployment."""
    lower = resource.type.lower()
    scheme, number = PORTS[lower]
    application = next((r for r in view.resources() if r.type.lower() == APPLICATION), None)
    belongs = {"properties": {"application": application.id}} if application is not None else {}
    port = Port(scheme, number, number, scheme=scheme)
    container = Container(
        str(resource.name),
        str(_tags(resource).get(IMAGE) or IMAGES[lower]),
        ports=(port,),
        readiness=Probe(TcpConnect(number), period=1),
    )
    runtime: Properties = {}
    if not _is_redis(resource):
        wish = body(resource)
        env = {
            "POSTGRES_USER": wish.get("administratorLogin") or "postgres",
            "POSTGRES_PASSWORD": wish.get("administratorLoginPassword") or key_of(resource),
        }
        container = container.replace(env=env)
        if kind == "process":
            from engine.contract.postgres import PROGRAM

            runtime = {"command": "python3", "args": ["-I", "-c", PROGRAM]}
    else:
        options = ("--requirepass", key_of(resource), "--save", "", "--appendonly", "no")
        container = container.replace(command=("redis-server",), args=options)
        if kind == "process":
            runtime = {"command": "redis-server", "args": ["--port", "$(PORT)", "--bind", "127.0.0.1", *options]}
    owner = short(str(application.id)) if application is not None else ""
    return Workload(resource.replace(properties=belongs), owner, container, runtime=runtime)


def _redis_outputs(resource: Resource, host: Value, port: Value) -> Properties:
    keys = {"primaryKey": key_of(resource), "secondaryKey": key_of(resource)}
    return {
        "provisioningState": "Succeeded",
        "hostName": host,
        "port": port,
        "sslPort": port,
        "enableNonSslPort": True,
        "listKeys()": keys,
    }


def _postgres_outputs(resource: Resource, host: Value, port: Value) -> Properties:
    return {"state": "Ready", "fullyQualifiedDomainName": host, "port": port}
