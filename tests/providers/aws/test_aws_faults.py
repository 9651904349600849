"""Everything that can go wrong on the way to AWS: before the emulator stands a proxy that fails on demand."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.contract.conformance import TestCall, TestView
from engine.contract.errors import OperatorError, Terminal, Transient, Unreachable
from engine.contract.operator import Applied, Health, Same, Update
from engine.contract.resource import Resource
from providers.aws.client import Client
from providers.aws.native import NativeOperator
from providers.aws.refusals import Busy
from providers.aws.target import Target, target_of

sys.path.insert(0, str(Path(__file__).parents[2] / "fakes"))
from aws_proxy import Proxy

pytestmark = pytest.mark.e2e
PYTHON = "localhost/python:3"


@pytest.fixture(scope="module")
def door(emulator: str) -> Iterator[Proxy]:
    made = Proxy(emulator)
    yield made
    made.close()


@pytest.fixture
def proxy(door: Proxy, keys: None) -> Iterator[Proxy]:
    """The one of the module, open and without a past."""
    door.calls.clear()
    yield door
    door.down = False
    door.faults.clear()


@pytest.fixture
def far(lab: Any, proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The lab, behind the proxy; it is cleared up without."""
    near = os.environ["AWS_ENDPOINT_URL"]
    monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.address)
    yield lab
    monkeypatch.setenv("AWS_ENDPOINT_URL", near)


@pytest.fixture
def role(make: Any) -> Resource:
    trust = {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Principal": {"Service": "ecs-tasks.amazonaws.com"}, "Action": "sts:AssumeRole"}
        ],
    }
    found: Resource = make("AWS.IAM/Role", "role", AssumeRolePolicyDocument=trust)
    return found


def failing(far: Any, resource: Resource) -> OperatorError:
    with pytest.raises(OperatorError) as caught:
        far.create(resource)
    return caught.value


def test_nobody_there_at_the_start(far: Any, proxy: Proxy, role: Resource) -> None:
    proxy.down = True
    error = failing(far, role)
    assert isinstance(error, Unreachable) and "cannot be reached" in error.reason and "AWS_ENDPOINT_URL" in error.help


def test_gone_in_between_is_tried_again(far: Any, proxy: Proxy, role: Resource) -> None:
    operator = far.again()
    operator.client.ready()
    proxy.down = True
    with pytest.raises(Transient, match="cannot be reached") as caught:
        operator.create(role, "env/role#1", far.call)
    assert not isinstance(caught.value, Unreachable)
    proxy.down = False
    far.create(role)


CREATES = [
    ("AWS.IAM/Role", "CreateRole"),
    ("AWS.EC2/VPC", "CreateVpc"),
    ("AWS.Logs/LogGroup", "CreateLogGroup"),
    ("AWS.SecretsManager/Secret", "CreateSecret"),
    ("AWS.EFS/FileSystem", "POST /2015-02-01/file-systems"),
    ("AWS.ECS/Cluster", "CreateCluster"),
    ("AWS.ECS/TaskDefinition", "RegisterTaskDefinition"),
]


@pytest.mark.parametrize(("type", "operation"), CREATES)
def test_an_answer_that_was_lost_makes_no_second_one(
    far: Any, proxy: Proxy, make: Any, role: Resource, type: str, operation: str
) -> None:
    """The request arrived, the connection broke, Ulna was killed: another one finds what was made."""
    container = {"Name": "main", "Image": PYTHON}
    wishes: dict[str, dict[str, Any]] = {
        "AWS.IAM/Role": dict(role.properties["properties"]),
        "AWS.EC2/VPC": {"CidrBlock": "10.60.0.0/16"},
        "AWS.SecretsManager/Secret": {"SecretString": {"a": "b"}},
        "AWS.ECS/TaskDefinition": {
            "ContainerDefinitions": [container],
            "Cpu": "256",
            "Memory": "512",
            "NetworkMode": "awsvpc",
        },
    }
    wish = make(type, "lost", **wishes.get(type, {}))
    far.again().client.make_home()
    proxy.fail(operation, lost=True)
    with pytest.raises(Transient):
        far.create(wish)
    seen = far.look(wish)
    made = far.create(wish)
    assert seen is not None and made.id == seen.id
    assert proxy.calls.count(operation) == 1


@pytest.mark.parametrize("status", [400, 429])
def test_throttling_says_when(far: Any, proxy: Proxy, role: Resource, status: int) -> None:
    proxy.fail("CreateRole", status=status, code="Throttling", message="Rate exceeded", after=7)
    error = failing(far, role)
    assert isinstance(error, Transient) and error.after == 7 and "Rate exceeded" in error.reason
    assert far.create(role).id


@pytest.mark.parametrize(
    ("code", "status", "kind", "word"),
    [
        ("ExpiredToken", 403, Terminal, "aws sso login"),
        ("UnrecognizedClientException", 400, Terminal, "aws sts get-caller-identity"),
        ("InvalidClientTokenId", 403, Terminal, "are not accepted"),
        ("AccessDenied", 403, Terminal, "the message names the action"),
        ("LimitExceeded", 409, Terminal, "quota"),
        ("ConcurrentModification", 409, Busy, ""),
        ("DeleteConflict", 409, Busy, ""),
        ("ServiceFailure", 500, Transient, ""),
        ("ValidationError", 400, Terminal, "because"),
    ],
)
def test_each_refusal_has_its_kind(
    far: Any, proxy: Proxy, role: Resource, code: str, status: int, kind: type, word: str
) -> None:
    proxy.fail("CreateRole", status=status, code=code)
    error = failing(far, role)
    assert type(error) is kind and word in f"{error.reason} {error.help}"


def test_the_wrong_account_is_refused_before_anything_is_made(far: Any, proxy: Proxy, role: Resource) -> None:
    far.account = "999900001111"
    error = failing(far, role)
    assert isinstance(error, Terminal) and "and the credentials are for 000000000000" in error.reason
    assert not far.again().client.home and "CreateRole" not in proxy.calls
    far.account = ""


def test_no_credentials(far: Any, role: Resource, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    error = failing(far, role)
    assert isinstance(error, Terminal) and "no credentials" in error.reason and "aws configure" in error.help
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")


def test_a_profile_that_is_not_there(tmp_path: Path, keys: None) -> None:
    operator = NativeOperator(Client(tmp_path / "aws", Target("prod", "1", "us-east-1", profile="nobody")))
    with pytest.raises(Terminal, match="nobody"):
        operator.client.ready()


def test_what_somebody_changed_is_drift(far: Any, role: Resource, make: Any) -> None:
    group = make("AWS.Logs/LogGroup", "logs", RetentionInDays=7)
    made = far.create(group)
    assert far.again().diff(group, Applied(group.properties), made) == Same()
    far.raw("logs").put_retention_policy(logGroupName=made.outputs["LogGroupName"], retentionInDays=30)
    seen = far.look(group)
    assert far.again().diff(group, Applied(group.properties), seen) == Update(("properties.RetentionInDays",))
    mended = far.create(group)
    assert far.again().diff(group, Applied(group.properties), mended) == Same()


def test_what_somebody_deleted_is_gone(far: Any, role: Resource) -> None:
    made = far.create(role)
    far.raw("iam").delete_role(RoleName=made.outputs["RoleName"])
    assert far.look(role) is None


# ---------------------------------------------------------------- rollouts


class Ground:
    """A cluster, a network and a way to roll out."""

    def __init__(self, far: Any, make: Any) -> None:
        self.far, self.make = far, make
        self.cluster = far.create(make("AWS.ECS/Cluster", "cluster")).outputs["Arn"]
        vpc = far.create(make("AWS.EC2/VPC", "vpc", CidrBlock="10.61.0.0/16")).outputs["VpcId"]
        self.subnet = far.create(make("AWS.EC2/Subnet", "subnet", VpcId=vpc, CidrBlock="10.61.1.0/24")).outputs[
            "SubnetId"
        ]
        self.group = far.create(make("AWS.Logs/LogGroup", "logs")).outputs["LogGroupName"]

    def definition(self, *command: str, image: str = PYTHON, symbol: str = "definition", **more: Any) -> str:
        logs = {"awslogs-group": self.group, "awslogs-region": "us-east-1", "awslogs-stream-prefix": "web"}
        container = {"Name": "web", "Image": image, "Command": list(command), "Essential": True, **more}
        container["LogConfiguration"] = {"LogDriver": "awslogs", "Options": logs}
        wish = {
            "ContainerDefinitions": [container],
            "Cpu": "256",
            "Memory": "512",
            "NetworkMode": "awsvpc",
            "RequiresCompatibilities": ["FARGATE"],
        }
        made = self.far.create(self.make("AWS.ECS/TaskDefinition", symbol, **wish))
        return str(made.outputs["TaskDefinitionArn"])

    def wish(self, definition: str, **more: Any) -> dict[str, Any]:
        network = {"AwsvpcConfiguration": {"Subnets": [self.subnet], "AssignPublicIp": "ENABLED"}}
        return {
            "Cluster": self.cluster,
            "TaskDefinition": definition,
            "LaunchType": "FARGATE",
            "NetworkConfiguration": network,
            **more,
        }

    def service(self, definition: str, **more: Any) -> Resource:
        breaker = {"DeploymentCircuitBreaker": {"Enable": True, "Rollback": False}}
        found: Resource = self.make(
            "AWS.ECS/Service",
            "service",
            **self.wish(definition, DesiredCount=1, DeploymentConfiguration=breaker, **more),
        )
        return found


@pytest.fixture
def ground(far: Any, make: Any) -> Ground:
    return Ground(far, make)


def test_an_image_that_cannot_be_pulled_is_named(ground: Ground) -> None:
    service = ground.service(ground.definition("true", image="127.0.0.1:1/none:1"))
    ground.far.create(service)
    seen = ground.far.until(service, lambda s: s is not None and "CannotPull" in s.message)
    assert seen.health in (Health.STARTING, Health.FAILED)


def test_a_container_that_ends_is_given_up_by_the_circuit_breaker(ground: Ground) -> None:
    """The emulator's watches over changes only."""
    good = ground.service(ground.definition("sleep", "600"))
    ground.far.create(good)
    made = ground.far.until(good, lambda s: s is not None and s.health is Health.READY)
    bad = ground.service(ground.definition("sh", "-c", "exit 3", symbol="bad"))
    ground.far.again().update(bad, "env/service#1", made, ground.far.call)
    seen = ground.far.until(bad, lambda s: s is not None and s.health is Health.FAILED, 240)
    assert "circuit breaker" in seen.message and "'web' ended with exit code 3" in seen.message
    ground.far.again().update(good, "env/service#1", seen, ground.far.call)
    assert ground.far.until(good, lambda s: s.health is Health.READY)


def test_a_task_that_ends_has_an_exit_code_which_is_kept(ground: Ground) -> None:
    task = ground.make(
        "Ulna.Ecs/tasks", "task", **ground.wish(ground.definition("sh", "-c", "echo done; exit 4")), ContainerName="web"
    )
    ground.far.create(task)
    seen = ground.far.until(task, lambda s: s is not None and s.exit_code is not None)
    assert seen.exit_code == 4
    lines: list[str] = []
    for _ in range(40):
        lines = list(ground.far.again().logs(task, "env/task#1", False))
        if lines:
            break
        time.sleep(0.3)
    assert lines == ["done"]
    assert list(ground.far.again().logs_since(task, "env/task#1", False, 1.0)) == ["done"]
    assert list(ground.far.again().logs_since(task, "env/task#1", False, time.time() + 3600)) == []


def test_logs_are_followed_until_the_service_is_gone(ground: Ground) -> None:
    service = ground.service(
        ground.definition("python3", "-u", "-c", "import time\nfor n in range(300): print(n); time.sleep(.2)")
    )
    ground.far.create(service)
    follow = ground.far.again().logs(service, "env/service#1", True)
    assert [next(follow) for _ in range(3)] == ["0", "1", "2"]
    ground.far.again().delete(service, "env/service#1", TestCall())
    assert all(line.isdigit() for line in follow)


def test_a_service_of_an_environment_that_another_state_made_is_found(far: Any, ground: Ground, tmp_path: Path) -> None:
    """An environment is in one partition and what goes to it in another: each has an identity of its own."""
    service = ground.service(ground.definition("sleep", "600"))
    other = NativeOperator(Client(tmp_path / "other", Target("test", "", "us-east-1")))
    made = other.create(service, "app/service#1", far.call)
    again = NativeOperator(Client(tmp_path / "other", Target("test", "", "us-east-1")))
    seen = again.observe(service.replace(properties={"properties": {}}), "app/service#1", far.call)
    assert seen is not None and seen.id == made.id
    again.delete(service, "app/service#1", far.call)
    assert again.observe(service, "app/service#1", far.call) is None


def test_what_a_template_declares_goes_through_cloud_control() -> None:
    from providers.aws.cloudcontrol import CloudControlOperator

    client = Client(Path("/nowhere"), target_of(None))
    native, control, view = NativeOperator(client), CloudControlOperator(client), TestView()
    declared = Resource("app/logs", "AWS.Logs/LogGroup", "", "logs", "/x", {"properties": {}})
    for resource, winner in ((declared, control), (declared.replace(owner="app/web"), native)):
        bids = {o.name: o.bid(resource, view).score for o in (native, control)}  # type: ignore[union-attr]
        assert max(bids, key=lambda n: bids[n]) == winner.name
