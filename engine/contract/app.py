"""What the app model lowers to: platform-neutral, fully resolved in names, nothing of it native.

A `Workload` is a container with its helpers, a `Gateway` a way in, a `SecretStore` named secrets, a `Volume` a disk.
Values may be secrets or deferred wherever the type is `Value`.
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
    """Lives as long as the container; `store` is `disk` or `memory`."""

    name: str
    mount_path: str
    store: str = "disk"


class PersistentVolume(Record):
    """Outlives the container; `source` is a volume resource's id, `permission` is `read` or `write`."""

    name: str
    mount_path: str
    source: str
    permission: str = "read"


class Endpoint(Record):
    """Where others reach a port of a workload; `host` and `port` may be deferred values."""

    host: Value
    port: Value
    scheme: str = "http"


class SecretKey(Record):
    """One key of a secret store: `store` is the id of its resource, or the platform's own name of a secret.

    `value` is what the store holds there, None where only the platform knows it: a platform that can refer, refers.
    """

    store: str
    key: str
    value: Value = None


class Registry(Record):
    """Credentials for the registry an image comes from; `server` is its host, `store` the id of their secret store."""

    server: str
    username: Value
    password: Value
    store: str = ""


class Resources(Record):
    """What a container asks for and may use at most: CPU in cores, memory in MiB; None leaves it to the platform."""

    cpu: float | None = None
    memory: int | None = None
    cpu_limit: float | None = None
    memory_limit: int | None = None


class Container(Record):
    """One container, or process, with everything it can say of itself.

    `env` has connections merged in, sorted by name; `secrets` are the variables that come from secret stores.
    """

    name: str
    image: Value
    image_pull_policy: str | None = None
    command: tuple[Value, ...] | None = None
    args: tuple[Value, ...] | None = None
    working_dir: Value = None
    env: Properties = {}
    secrets: Mapping[str, SecretKey] = {}
    ports: tuple[Port, ...] = ()
    readiness: Probe | None = None
    liveness: Probe | None = None
    volumes: tuple[EphemeralVolume | PersistentVolume, ...] = ()
    resources: Resources = Resources()
    registry: Registry | None = None


class Grant(Record):
    """Roles that a workload needs on another resource, `source` being its id; `kind` says whose roles they are."""

    source: str
    kind: str
    roles: tuple[str, ...] = ()


class Identity(Record):
    """Whom a workload acts as: `kind` and ids as the app model has them, of the environment unless it has its own."""

    kind: str
    managed: tuple[str, ...] = ()
    oidc_issuer: str = ""


class Dapr(Record):
    """A Dapr sidecar; `port` is where the application listens, None where it does not."""

    app_id: str
    port: int | None = None
    config: str | None = None
    protocol: str = "http"


class Autoscale(Record):
    """Between so many replicas, by utilisation in percent of what is asked for."""

    minimum: int
    maximum: int
    cpu: int | None = None
    memory: int | None = None


class Workload(Record):
    """One `Applications.Core/containers`, lowered.

    `container` is the one that the resource is about; those in `init` run one after the other before it, each to its end;
    `sidecars` run beside it, on the same network and with the same life. `runtime` is the matching `runtimes.<kind>`
    block, {} if there is none; `labels` and `annotations` come from kubernetesMetadata along environment, application, container.
    """

    resource: Resource
    application: str
    container: Container
    init: tuple[Container, ...] = ()
    sidecars: tuple[Container, ...] = ()
    restart: RestartPolicy = RestartPolicy.ALWAYS
    replicas: int = 1
    autoscale: Autoscale | None = None
    runtime: Properties = {}
    labels: Mapping[str, str] = {}
    annotations: Mapping[str, str] = {}
    identity: Identity | None = None
    grants: tuple[Grant, ...] = ()
    dapr: Dapr | None = None

    @property
    def ports(self) -> tuple[Port, ...]:
        """The ports that others connect to: those of the container."""
        return self.container.ports

    @property
    def containers(self) -> tuple[Container, ...]:
        """All of them, in the order they start."""
        return (*self.init, self.container, *self.sidecars)


class Route(Record):
    """Requests below `path` go to `port` of `workload` (an outline: ports, scale and names), or to `endpoint` elsewhere.

    `replace_prefix` takes the place of `path` in what is passed on. Times are in seconds; None is the gateway's default.
    """

    path: str
    endpoint: Endpoint
    workload: Workload | None = None
    port: Port | None = None
    replace_prefix: str | None = None
    websockets: bool = False
    timeout: float | None = None
    backend_timeout: float | None = None


class Tls(Record):
    """How a gateway speaks TLS: passed through as it is, or ended with `certificate` and `key` of a secret store."""

    passthrough: bool = False
    minimum_version: str = "1.2"
    certificate: SecretKey | None = None
    key: SecretKey | None = None


class Gateway(Record):
    """One `Applications.Core/gateways`, lowered: the way in from outside; `internal` ones are for the environment alone.

    `hostname` is a full one, `prefix` the first label of one that the platform completes; at most one is given.
    Routes are sorted, the longest path first. `runtime` is the matching `runtimes.<kind>` block.
    """

    resource: Resource
    application: str
    routes: tuple[Route, ...]
    hostname: str | None = None
    prefix: str | None = None
    tls: Tls | None = None
    internal: bool = False
    runtime: Properties = {}
    labels: Mapping[str, str] = {}
    annotations: Mapping[str, str] = {}


class SecretStore(Record):
    """One `Applications.Core/secretStores`, lowered: `data` are its values, decoded, each a secret.

    `reference` is the platform's own name of a secret that is there already; `data` then may be without values.
    """

    resource: Resource
    application: str
    type: str
    data: Mapping[str, Value]
    reference: str | None = None


class Volume(Record):
    """One `Applications.Core/volumes`, lowered: `kind` is `persistent` (an addition), or one that the app model has.

    `size` is in GiB. `properties` are the resource's own, for kinds that hold more.
    """

    resource: Resource
    application: str
    kind: str
    size: int = 1
    shared: bool = False
    properties: Properties = {}
    runtime: Properties = {}


class DaprComponent(Record):
    """One of `Applications.Dapr`, lowered: a building block that applications know by `name`.

    `type` and `version` are Dapr's own; in `metadata` are values and keys of secret stores. `secret_store` is the Dapr
    secret store that its own secrets come from, empty for the platform's.
    """

    resource: Resource
    application: str
    name: str
    type: str
    version: str
    metadata: Mapping[str, Value | SecretKey] = {}
    secret_store: str = ""
