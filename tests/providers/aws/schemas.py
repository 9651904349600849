"""The JSON schemas of the kind `ecs`: of its blocks in the words of ECS's own API, made from the SDK's model of it.

`python tests/providers/aws/schemas.py` writes them; a test holds what is written against what would be.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[3] / "schemas" / "runtimes"
_OURS = {
    "taskDefinition": ("RegisterTaskDefinition", ("family", "tags", "containerDefinitions")),
    "service": ("CreateService", ("cluster", "serviceName", "taskDefinition", "clientToken", "tags", "role")),
}
"""Operations, and what in them is Ulna's to say."""


def runtime_schema() -> dict[str, Any]:
    """`runtimes.ecs`."""
    from botocore.session import Session

    model = Session().get_service_model("ecs")
    parts: dict[str, Any] = {}
    for name, (operation, without) in _OURS.items():
        shape = model.operation_model(operation).input_shape
        assert shape is not None
        members = {k: _of(v) for k, v in shape.members.items() if k not in without}
        parts[name] = _object(members, f"What ECS calls {operation}, merged last.")
    members = {k: _of(v) for k, v in model.shape_for("ContainerDefinition").members.items() if k != "name"}
    parts["containerDefinition"] = _object(members, "The definition of the container itself, merged last.")
    parts["loadBalancer"] = {
        "type": "object",
        "description": "Of a gateway: properties of AWS.ElasticLoadBalancingV2/LoadBalancer, merged last.",
        "properties": {
            "Subnets": {"type": "array"},
            "SecurityGroups": {"type": "array"},
            "IpAddressType": {"type": "string"},
            "LoadBalancerAttributes": {"type": "array", "items": {"type": "object"}},
        },
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "runtimes/ecs",
        "title": "runtimes.ecs",
        "description": "Parts of a task definition and a service in the words of ECS's API, merged last: null removes.",
        "x-ulna-addition": True,
        **_object(parts, ""),
    }


def _object(members: dict[str, Any], description: str) -> dict[str, Any]:
    found = {"type": "object", "properties": members, "additionalProperties": False}
    return {**found, "description": description} if description else found


def _of(shape: Any) -> dict[str, Any]:
    """A shape of the SDK as a schema: what anybody can misspell, and not what only the service can judge."""
    match shape.type_name:
        case "structure":
            return {
                "type": ["object", "null"],
                **{k: v for k, v in _object({k: _of(v) for k, v in shape.members.items()}, "").items() if k != "type"},
            }
        case "list":
            return {"type": ["array", "null"], "items": _of(shape.member)}
        case "map":
            return {"type": ["object", "null"], "additionalProperties": _of(shape.value)}
        case "boolean":
            return {"type": ["boolean", "null"]}
        case "integer" | "long":
            return {"type": ["integer", "null"]}
        case "double" | "float":
            return {"type": ["number", "null"]}
        case _:
            return {"enum": [*shape.enum, None]} if getattr(shape, "enum", None) else {"type": ["string", "null"]}


def compute_schema() -> dict[str, Any]:
    """The `compute` block."""
    text = {"type": "string", "pattern": ".", "x-ulna-addition": True}
    identity = json.loads(
        (FOLDER.parent / "types" / "applications.core.environments@2023-10-01-preview.json").read_text()
    )
    identity = identity["properties"]["properties"]["properties"]["compute"]["properties"]["identity"]
    own = {
        "kind": {"const": "ecs"},
        "namespace": {
            "type": "string",
            "description": "The private DNS zone in which containers are NAME.NAMESPACE; the environment's name by default.",
            "pattern": "^[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$",
        },
        "resourceId": {"type": "string", "description": "Accepted and not used."},
        "identity": {**identity, "description": "Accepted and not used: each container acts as a task role of its own."},
        "cluster": {**text, "description": "A cluster that is there already, by name or ARN; the environment makes one by default."},
        "launchType": {
            "enum": ["FARGATE", "EC2"],
            "description": "Who runs the tasks: AWS's machines (the default), or those of the cluster that 'cluster' names.",
            "x-ulna-addition": True,
        },
        "network": {
            "type": "object",
            "description": "A network that is there already; the environment makes one by default, with public subnets and no NAT gateway.",
            "properties": {
                "vpc": {"type": "string", "description": "The id of the VPC."},
                "subnets": {
                    "type": "array",
                    "description": "Ids of subnets; load balancers need two zones.",
                    "items": {"type": "string"},
                    "minItems": 1,
                },
                "securityGroups": {
                    "type": "array",
                    "description": "Ids of further security groups for all tasks.",
                    "items": {"type": "string"},
                },
                "assignPublicIp": {
                    "type": "boolean",
                    "description": "Whether tasks have public addresses: needed in public subnets, to pull images.",
                },
            },
            "required": ["vpc", "subnets"],
            "additionalProperties": False,
            "x-ulna-addition": True,
        },
        "cidr": {
            "type": "string",
            "description": "The range of the network that the environment makes, a /16; 10.42.0.0/16 by default.",
            "pattern": "^\\d{1,3}\\.\\d{1,3}\\.0\\.0/16$",
            "x-ulna-addition": True,
        },
        "domain": {**text, "description": "The domain that completes the prefix of a gateway's hostname."},
        "containerInsights": {
            "type": "boolean",
            "description": "Whether the cluster measures its containers, which costs; false by default.",
            "x-ulna-addition": True,
        },
        "logRetentionDays": {
            "enum": [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653],
            "description": "Days for which logs are kept; 14 by default.",
            "x-ulna-addition": True,
        },
        "deadlineSeconds": {
            "type": "integer",
            "description": "Seconds that a rollout may take; 900 by default.",
            "minimum": 30,
            "x-ulna-addition": True,
        },
        "profile": {**text, "description": "A profile of the AWS configuration; what AWS's own tools take by default."},
        "role": {**text, "description": "The ARN of a role to take on for everything."},
    }  # fmt: skip
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "runtimes/ecs.compute",
        "title": "compute of kind ecs",
        "type": "object",
        "description": "Services and tasks of Amazon ECS.",
        "properties": own,
        "required": ["kind"],
        "additionalProperties": False,
    }


def texts() -> dict[str, str]:
    """The files, by name."""
    made = {"ecs.json": runtime_schema(), "ecs.compute.json": compute_schema()}
    return {name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in made.items()}


if __name__ == "__main__":
    for file, text in texts().items():
        (FOLDER / file).write_text(text)
