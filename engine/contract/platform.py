"""A compute kind: what it can do, what its blocks may hold, and how it renders what the app model lowers to."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from engine.contract.app import DaprComponent, Endpoint, Gateway, Port, SecretStore, Volume, Workload
from engine.contract.operator import Children, Undecided, View
from engine.contract.resource import Resource
from engine.record import Record


class Support(StrEnum):
    """How a platform honours a property; `IGNORED` is for what has no meaning there by design."""

    NATIVE = "native"
    EMULATED = "emulated"
    IGNORED = "ignored"
    DEGRADED = "degraded"
    UNSUPPORTED = "unsupported"


class Capability(Record):
    """One cell of the table; `effect` says what degraded means, `alternative` what to do instead of unsupported."""

    support: Support
    effect: str = ""
    alternative: str = ""


class Platform(Protocol):
    """A compute kind, pure. `capabilities` maps a feature of `engine.app.capability.FEATURES` to its support."""

    kind: str
    capabilities: Mapping[str, Capability]

    @property
    def runtime_schema(self) -> Mapping[str, Any]:
        """The JSON schema of `runtimes.<kind>`."""

    @property
    def environment_schema(self) -> Mapping[str, Any]:
        """The JSON schema of an environment's `compute` block."""

    def endpoint(self, workload: Workload, port: Port) -> Endpoint:
        """Where other workloads reach this port."""

    def workload(self, workload: Workload, view: View) -> Children | Undecided:
        """The native resources of a workload; a property it cannot honour is a diagnostic, never dropped."""


@runtime_checkable
class Grounding(Protocol):
    """A platform on which an environment itself needs something: a network, a cluster.

    It is made, changed and removed with the environment; its outputs are `view.environment.outputs` for all that goes there.
    """

    def environment(self, resource: Resource, view: View) -> Children | Undecided:
        """The native resources of an environment."""


@runtime_checkable
class Grouping(Protocol):
    """A platform on which an application itself needs something that its containers share: a network, a namespace."""

    def application(self, resource: Resource, view: View) -> Children:
        """The native resources of an application."""


@runtime_checkable
class Gateways(Protocol):
    """A platform with gateways."""

    def gateway(self, gateway: Gateway, view: View) -> Children | Undecided:
        """The native resources of a gateway; its outputs have `url`, a full one."""


@runtime_checkable
class SecretStores(Protocol):
    """A platform that keeps secrets."""

    def secret_store(self, store: SecretStore, view: View) -> Children | Undecided:
        """The native resources of a secret store."""


@runtime_checkable
class Volumes(Protocol):
    """A platform with volumes that outlive their containers."""

    def volume(self, volume: Volume, view: View) -> Children | Undecided:
        """The native resources of a volume."""


@runtime_checkable
class Naming(Protocol):
    """A platform on which names hang on the environment, on its DNS zone say: it is asked this in place of `endpoint`."""

    def endpoint_in(self, workload: Workload, port: Port, view: View) -> Endpoint:
        """Where other workloads of the view's environment reach this port."""


def endpoint_of(platform: Platform, workload: Workload, port: Port, view: View) -> Endpoint:
    """Where other workloads reach a port, in the environment of a view."""
    if isinstance(platform, Naming):
        return platform.endpoint_in(workload, port, view)
    return platform.endpoint(workload, port)


@runtime_checkable
class DaprComponents(Protocol):
    """A platform on which Dapr runs."""

    def dapr_component(self, component: DaprComponent, view: View) -> Children | Undecided:
        """The native resources of a Dapr building block."""


@runtime_checkable
class Blocks(Protocol):
    """A platform that says what `runtimes.<kind>` of a gateway or volume may hold."""

    def block_schema(self, type: str) -> Mapping[str, Any] | None:
        """The JSON schema of the block in a resource of a type (`gateways`, `volumes`); None where there is none."""


def shipped_schema(name: str) -> Mapping[str, Any]:
    """A schema of a compute kind that ships with Ulna, by its file in `schemas/runtimes`."""
    import json
    from pathlib import Path

    import schemas

    read: Mapping[str, Any] = json.loads((Path(schemas.__file__).parent / "runtimes" / name).read_bytes())
    return read


class Shipped:
    """What a platform inherits whose schemas ship with Ulna: `KIND.json` of its runtimes block, `KIND.compute.json` of the other."""

    kind: str

    @cached_property
    def runtime_schema(self) -> Mapping[str, Any]:
        """What `runtimes.KIND` of a container may hold."""
        return shipped_schema(f"{self.kind}.json")

    @cached_property
    def environment_schema(self) -> Mapping[str, Any]:
        """What the `compute` block of an environment may hold."""
        return shipped_schema(f"{self.kind}.compute.json")
