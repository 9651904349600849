"""All types by name; case does not count."""

from __future__ import annotations

from functools import cache

from providers.aws.kinds.thing import Thing


@cache
def things() -> dict[str, Thing]:
    """Each type once."""
    from providers.aws.kinds.balancing import Listener, ListenerRule, LoadBalancer, TargetGroup
    from providers.aws.kinds.certificates import Certificate
    from providers.aws.kinds.cluster import Cluster
    from providers.aws.kinds.definition import TaskDefinition
    from providers.aws.kinds.discovery import Name, Namespace
    from providers.aws.kinds.identity import Role
    from providers.aws.kinds.logs import LogGroup
    from providers.aws.kinds.network import NETWORK
    from providers.aws.kinds.parts import GatewayAttachment, MountTarget, Route, RouteTableAssociation
    from providers.aws.kinds.scaling import ScalableTarget, ScalingPolicy
    from providers.aws.kinds.secrets import Secret
    from providers.aws.kinds.security import SecurityGroup
    from providers.aws.kinds.service import Service
    from providers.aws.kinds.storage import AccessPoint, FileSystem
    from providers.aws.kinds.task import Task

    made: tuple[Thing, ...] = (
        *NETWORK, SecurityGroup(), GatewayAttachment(), Route(), RouteTableAssociation(), Cluster(), TaskDefinition(), Service(),
        Task(), Role(), LogGroup(), Namespace(), Name(), LoadBalancer(), TargetGroup(), Listener(), ListenerRule(), Certificate(),
        Secret(), FileSystem(), MountTarget(), AccessPoint(), ScalableTarget(), ScalingPolicy(),
    )  # fmt: skip
    return {thing.type.lower(): thing for thing in made}


def thing_of(type: str) -> Thing | None:
    """The one of a type."""
    return things().get(type.lower())
