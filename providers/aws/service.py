"""A workload as a service, or as tasks that are meant to end. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from engine.contract.app import RestartPolicy, Workload
from engine.contract.operator import View
from engine.contract.resource import Resource, Wait, join
from engine.contract.value import Output, Properties, Value, compose
from providers.aws.block import merged, part
from providers.aws.definition import volumes_of
from providers.aws.gateway import targets_of
from providers.aws.site import Place, child
from providers.aws.storage import doors
from providers.aws.words import raised


def network_of(workload: Workload, view: View) -> dict[str, Value]:
    """Where its tasks are: in the environment's subnets, with its own security group and the environment's."""
    place = Place.of(view)
    groups = [
        Output(join(workload.resource.address, "access"), ("properties", "GroupId")),
        place.output("securityGroup"),
    ]
    groups += list(place.network.get("securityGroups") or ())
    wish: dict[str, Value] = {"subnets": place.subnets, "securityGroups": groups}
    if place.fargate:
        wish["assignPublicIp"] = "ENABLED" if place.public else "DISABLED"
    return {"awsvpcConfiguration": wish}


def _common(workload: Workload, view: View) -> dict[str, Value]:
    place = Place.of(view)
    return {
        "cluster": place.output("cluster"),
        "taskDefinition": Output(join(workload.resource.address, "definition"), ("properties", "TaskDefinitionArn")),
        "launchType": "FARGATE" if place.fargate else "EC2",
        "networkConfiguration": network_of(workload, view),
    }


def service_of(workload: Workload, view: View) -> Resource:
    """The service, with its name in the environment and the target groups of gateways."""
    place = Place.of(view)
    targets, waits = targets_of(workload, view)
    body: dict[str, Value] = {
        **_common(workload, view),
        "deploymentConfiguration": {
            "maximumPercent": 200,
            "minimumHealthyPercent": 100,
            "deploymentCircuitBreaker": {"enable": True, "rollback": False},
        },
        "loadBalancers": targets,
        "serviceRegistries": [],
    }
    if workload.autoscale is None:
        body["desiredCount"] = workload.replicas
    if workload.ports:
        arn = Output(join(workload.resource.address, "discovery"), ("properties", "Arn"))
        body["serviceRegistries"] = [{"registryArn": arn}]
    if targets and workload.container.readiness is not None:
        probe = workload.container.readiness
        body["healthCheckGracePeriodSeconds"] = round(probe.initial_delay + probe.period * probe.failure_threshold)
    wish = _chosen(merged(body, part(workload.runtime, "service")))
    native = dict(raised(wish))
    if isinstance(seconds := place.compute.get("deadlineSeconds"), int):
        native["DeadlineSeconds"] = seconds
    for volume in volumes_of(workload, view):
        waits += doors(volume, place)
    return child(workload.resource, "AWS.ECS/Service", "service", native, waits=tuple(dict.fromkeys(waits)))


def _chosen(body: Properties) -> Properties:
    """A strategy of capacity providers takes the place of the launch type: ECS takes one of them."""
    if body.get("capacityProviderStrategy"):
        return {k: v for k, v in body.items() if k != "launchType"}
    return body


def tasks_of(workload: Workload, view: View) -> Iterator[Resource]:
    """One task for each replica."""
    waits: list[Wait] = []
    for volume in volumes_of(workload, view):
        waits += doors(volume, Place.of(view))
    for number in range(workload.replicas):
        block = {
            k: v
            for k, v in part(workload.runtime, "service").items()
            if k
            in (
                "capacityProviderStrategy",
                "platformVersion",
                "enableExecuteCommand",
                "networkConfiguration",
                "launchType",
            )
        }
        native = dict(raised(_chosen(merged(_common(workload, view), block))))
        native["ContainerName"] = workload.container.name
        yield child(workload.resource, "Ulna.Ecs/tasks", f"task-{number}", native, waits=tuple(waits))


def ends(workload: Workload) -> bool:
    """Whether it is meant to end."""
    return workload.restart is not RestartPolicy.ALWAYS


def scaling_of(workload: Workload, view: View) -> Iterator[Resource]:
    """The range of its tasks, and a policy for each measure."""
    scale = workload.autoscale
    if scale is None:
        return
    resource, place = workload.resource, Place.of(view)
    service = Output(join(resource.address, "service"), ("properties", "Name"))
    cluster = place.output("cluster")
    whose: dict[str, Value] = {
        "ServiceNamespace": "ecs",
        "ResourceId": compose("service/{0}/{1}", _cluster_name(cluster), service),
        "ScalableDimension": "ecs:service:DesiredCount",
    }
    target = child(
        resource, "AWS.ApplicationAutoScaling/ScalableTarget", "scale",
        {**whose, "MinCapacity": scale.minimum, "MaxCapacity": scale.maximum},
    )  # fmt: skip
    yield target
    measures = (
        ("cpu", scale.cpu, "ECSServiceAverageCPUUtilization"),
        ("memory", scale.memory, "ECSServiceAverageMemoryUtilization"),
    )
    for name, percent, metric in measures:
        if percent is not None:
            about = {"TargetValue": float(percent), "PredefinedMetricSpecification": {"PredefinedMetricType": metric}}
            wish = {**whose, "PolicyType": "TargetTrackingScaling", "TargetTrackingScalingPolicyConfiguration": about}
            kind = "AWS.ApplicationAutoScaling/ScalingPolicy"
            yield child(resource, kind, f"scale-{name}", wish, waits=(Wait(target.address),))


def _cluster_name(cluster: Value) -> Value:
    """The name of a cluster by its ARN or name."""
    if isinstance(cluster, Output):
        return cluster.replace(path=("properties", "ClusterName"))
    return cluster.rpartition("/")[2] if isinstance(cluster, str) else cluster
