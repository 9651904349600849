"""What an environment of kind `ecs` says of itself, and what it reports of what it made. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Environment, View
from engine.contract.resource import Resource, join
from engine.contract.value import Properties, Value
from providers.aws.target import scope_of

VERSION = "default"
RETENTION = 14
"""Days for which logs are kept where nothing else is said."""


def child(parent: Resource, type: str, name: str, wish: Properties, **more: Any) -> Resource:
    """A native resource below another."""
    return Resource(
        join(parent.address, name), type, VERSION, name, f"{parent.id}/{type}/{name}", {"properties": wish}, **more
    )


class Place:
    """The environment of a view."""

    def __init__(self, environment: Environment | None) -> None:
        self.environment = environment
        properties = environment.properties if environment is not None else {}
        compute = properties.get("compute")
        self.compute: Mapping[str, Any] = compute if isinstance(compute, Mapping) else {}
        self.account, self.region = scope_of(properties) or ("", "")
        self.outputs: Properties = environment.outputs if environment is not None else {}

    @classmethod
    def of(cls, view: View) -> Place:
        """The place that a view is of."""
        return cls(view.environment)

    @property
    def partition(self) -> str:
        """The part of AWS that the region is in, as ARNs begin."""
        return (
            "aws-cn" if self.region.startswith("cn-") else "aws-us-gov" if self.region.startswith("us-gov-") else "aws"
        )

    @property
    def namespace(self) -> str:
        """The private DNS zone: the environment's namespace, else its name."""
        own = self.environment.name if self.environment is not None else "default"
        given = self.compute.get("namespace")
        return (given if isinstance(given, str) and given else own).lower()

    @property
    def fargate(self) -> bool:
        """Whether AWS's own machines run the tasks, which is the default."""
        return bool(self.compute.get("launchType", "FARGATE") == "FARGATE")

    @property
    def network(self) -> Mapping[str, Any]:
        """The network that is given; {} where the environment makes one."""
        given = self.compute.get("network")
        return given if isinstance(given, Mapping) else {}

    @property
    def public(self) -> bool:
        """Whether tasks have public addresses: in a network of our own they do, as there is no NAT gateway."""
        if not self.fargate:
            return False
        return bool(self.network.get("assignPublicIp", not self.network))

    @property
    def retention(self) -> Value:
        """Days for which logs are kept."""
        return self.compute.get("logRetentionDays", RETENTION)

    def output(self, name: str) -> Value:
        """What the environment reports, "" where it does not."""
        return self.outputs.get(name, "")

    @property
    def subnets(self) -> list[Value]:
        """Where tasks are."""
        return list(self.outputs.get("subnets") or ())
