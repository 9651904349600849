"""The page about the kind: its table is what the platform says, and its examples are what the schemas allow. ULNA_ACCEPT=1 writes it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from engine.app.capability import FEATURES
from engine.app.schema import check
from providers.aws import platform
from tests.providers.aws.schemas import FOLDER, texts

PAGE = Path(platform.__file__).parent / "README.md"
TABLE = re.compile(r"(?<=<!-- table -->\n).*?(?=<!-- end -->)", re.S)


def table() -> str:
    rows = ["| feature | support | what that means |", "|---|---|---|"]
    for key, feature in FEATURES.items():
        cell = platform.CAPABILITIES[key]
        words = ". ".join(s.rstrip(".") for s in (cell.effect, cell.alternative) if s)
        rows.append(f"| {feature.label} | {cell.support} | {words} |")
    return "\n".join(rows) + "\n"


def test_the_table_is_what_the_platform_says() -> None:
    text = PAGE.read_text()
    if os.environ.get("ULNA_ACCEPT"):
        text = TABLE.sub(lambda _: table(), text)
        PAGE.write_text(text)
    (shown,) = TABLE.findall(text)
    assert shown == table()


def test_the_schemas_are_what_the_sdk_says() -> None:
    """A newer SDK knows more: then `python tests/providers/aws/schemas.py` writes them anew."""
    pytest.importorskip("botocore", reason="boto3 is not installed (ulna[aws])")
    for name, text in texts().items():
        assert (FOLDER / name).read_text() == text, name


def test_the_block_in_the_example_is_allowed() -> None:
    schema = platform.EcsPlatform().runtime_schema
    block = {
        "taskDefinition": {"runtimePlatform": {"cpuArchitecture": "ARM64"}, "ephemeralStorage": {"sizeInGiB": 40}},
        "containerDefinition": {"stopTimeout": 30, "healthCheck": None},
        "service": {"capacityProviderStrategy": [{"capacityProvider": "FARGATE_SPOT", "weight": 1}]},
    }
    assert not check(block, schema, "'web'", None)
    for wrong in (
        {"taskDefinitions": {}},
        {"containerDefinition": {"stopTimout": 30}},
        {"service": {"desiredCounts": 1}},
        {"taskDefinition": {"family": "mine"}},
    ):
        assert check(wrong, schema, "'web'", None), wrong


def test_what_an_environment_may_say() -> None:
    schema = platform.EcsPlatform().environment_schema
    whole = {
        "kind": "ecs", "namespace": "shop", "cluster": "big", "launchType": "EC2", "cidr": "10.42.0.0/16", "domain": "shop.example",
        "network": {"vpc": "vpc-1", "subnets": ["subnet-1", "subnet-2"], "assignPublicIp": False}, "logRetentionDays": 14,
        "deadlineSeconds": 900, "containerInsights": True, "profile": "shop", "role": "arn:aws:iam::1:role/x",
    }  # fmt: skip
    assert not check(whole, schema, "'prod'", None, ("compute",))
    for wrong in (
        {"lauchType": "EC2"},
        {"logRetentionDays": 15},
        {"network": {"vpc": "vpc-1"}},
        {"cidr": "10.42.0.0/24"},
    ):
        assert check({"kind": "ecs", **wrong}, schema, "'prod'", None, ("compute",)), wrong
