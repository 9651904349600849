"""What the app model lowers to: platform-neutral, fully resolved in names, nothing of it native.

A `Workload` is one container (or process) with everything it can say; values may be secrets or deferred.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.contract.resource import Resource
from engine.contract.value import Properties, Value
from engine.record import Record


class Protocol(StrEnum):
    """Transport of a port."""

    TCP = "TCP"
    UDP = "UDP"


class RestartPolicy(StrEnum):
    """When a container that ended is started again."""

    ALWAYS = "Always"
    ON_FAILURE = "OnFailure"
    NEVER = "Never"


class Port(Record):
    """A named port: users connect to `port`, the container listens on `container_port`."""

    name: str
    container_port: int
    port: int
    protocol: Protocol = Protocol.TCP
    scheme: str = "http"


class HttpGet(Record):
    """Passes on a status from 200 to 399."""

    container_port: int
    path: str = "/"
    headers: Mapping[str, str] = {}


class TcpConnect(Record):
    """Passes when a connection is accepted."""

    container_port: int


class Exec(Record):
    """Passes when the command exits with 0."""

    command: tuple[str, ...]


class Probe(Record):
    """A check and its rhythm, in seconds."""

    check: HttpGet | TcpConnect | Exec
    initial_delay: float = 0
    period: float = 10
    timeout: float = 5
    failure_threshold: int = 3


class EphemeralVolume(Record):
    """Lives as long as the container; on disk or in memory."""

    name: str
    mount_path: str
    store: str = "disk"


class PersistentVolume(Record):
    """Outlives the container; `source` is a volume resource's id."""

    name: str
    mount_path: str
    source: str
    permission: str = "read"


class Endpoint(Record):
    """Where others reach a port of a workload; `host` and `port` may be deferred values."""

    host: Value
    port: Value
    scheme: str = "http"


class Workload(Record):
    """One `Applications.Core/containers`, lowered.

    `env` has connections merged in, sorted by name; `runtime` is the matching `runtimes.<kind>` block, {} if there is none;
    `labels` and `annotations` come from kubernetesMetadata along environment, application, container.
    """

    resource: Resource
    application: str
    image: Value
    image_pull_policy: str | None = None
    command: tuple[Value, ...] | None = None
    args: tuple[Value, ...] | None = None
    working_dir: Value = None
    env: Properties = {}
    ports: tuple[Port, ...] = ()
    readiness: Probe | None = None
    liveness: Probe | None = None
    volumes: tuple[EphemeralVolume | PersistentVolume, ...] = ()
    restart: RestartPolicy = RestartPolicy.ALWAYS
    replicas: int = 1
    runtime: Properties = {}
    labels: Mapping[str, str] = {}
    annotations: Mapping[str, str] = {}
