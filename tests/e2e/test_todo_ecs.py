"""The sample `todo` on ECS: an emulator whose tasks are real containers, and whose load balancer forwards to them.

The emulator has no DNS for Cloud Map, mounts no EFS and takes no entry points: `tests/fakes/aws_proxy.py` makes up for that.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest

from tests.fakes.aws_proxy import Names, Proxy
from tests.looking import nothing_new

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
TOOLS = ROOT.parent / "shared" / "tools"
ULNA = Path(sys.executable).parent / "ulna"
SECRET = "planted-0817-secret"
IMAGES = ("-p", "python=localhost/python:3", "-p", "redis=localhost/redis:7")


class Todo:
    """A folder with the sample and a state of its own, and one environment of kind ecs on the emulator."""

    def __init__(self, folder: Path, environment: dict[str, str], proxy: Proxy) -> None:
        self.folder, self.proxy = folder, proxy
        self.raw = environment["AWS_ENDPOINT_URL"]
        self.clients: dict[str, Any] = {}
        self.lock = threading.Lock()
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ULNA_", "AWS_"))}
        self.environment = {**kept, **environment, "AWS_ENDPOINT_URL": proxy.address, "NO_COLOR": "1"}
        shutil.copytree(ROOT / "samples" / "todo", folder / "todo")

    def run(self, *arguments: str, ok: tuple[int, ...] = (0,)) -> str:
        run = subprocess.run(
            [ULNA, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            env=self.environment,
        )
        assert run.returncode in ok, run.stdout + run.stderr
        return run.stdout + run.stderr

    def deploy(self, *more: str) -> str:
        """Deploy, and give the address under which the emulator serves the load balancer."""
        given = ("-p", f"password={SECRET}", *IMAGES, *more)
        told = self.run("deploy", "todo/app.bicep", "-e", "ecs", *given, "--format", "json")
        lines = [line for line in told.splitlines() if line.startswith("{")]
        host = urlsplit(json.loads(lines[-1])["outputs"]["url"]).hostname
        (balancer,) = [b for b in self.sdk("elbv2").describe_load_balancers()["LoadBalancers"] if b["DNSName"] == host]
        return f"{self.raw}/_alb/{balancer['LoadBalancerName']}"

    def sdk(self, service: str) -> Any:
        """The SDK's own client of a service, one for all tests and threads."""
        import boto3

        keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
        with self.lock:
            if service not in self.clients:
                made = boto3.client(service, region_name="us-east-1", endpoint_url=self.raw, **keys)
                self.clients[service] = made
            return self.clients[service]

    def close(self) -> None:
        for client in self.clients.values():
            client.close()

    def ours(self) -> list[str]:
        """Everything that the emulator lists under the name of the environment."""
        iam, ecs = self.sdk("iam"), self.sdk("ecs")
        found = [r["Arn"] for r in iam.list_roles()["Roles"] if r["RoleName"].startswith("ecs-")]
        found += [c for c in ecs.list_clusters()["clusterArns"] if "/ecs-" in c]
        found += [d for d in ecs.list_task_definitions()["taskDefinitionArns"] if "/ecs-" in d]
        found += [n["Arn"] for n in self.sdk("servicediscovery").list_namespaces()["Namespaces"] if n["Name"] == "todo"]
        for noun, key in (
            ("vpcs", "Vpcs"),
            ("subnets", "Subnets"),
            ("security_groups", "SecurityGroups"),
            ("route_tables", "RouteTables"),
            ("internet_gateways", "InternetGateways"),
        ):
            filters = [{"Name": "tag:ulna.environment", "Values": ["ecs"]}]
            found += [str(thing) for thing in getattr(self.sdk("ec2"), f"describe_{noun}")(Filters=filters)[key]]
        for service, call, key in (
            ("elbv2", "describe_load_balancers", "LoadBalancers"),
            ("elbv2", "describe_target_groups", "TargetGroups"),
            ("secretsmanager", "list_secrets", "SecretList"),
            ("efs", "describe_file_systems", "FileSystems"),
            ("efs", "describe_access_points", "AccessPoints"),
            ("logs", "describe_log_groups", "logGroups"),
            ("servicediscovery", "list_services", "Services"),
        ):
            things = getattr(self.sdk(service), call)()[key]
            found += [
                str(t)
                for t in things
                if '"ecs-' in json.dumps(t, default=str) or "/ulna/ecs-" in str(t) or "'ecs'" in str(t)
            ]
        return found

    def tasks(self) -> list[str]:
        import docker

        engine = docker.APIClient(base_url=self.environment["DOCKER_HOST"])
        labels = {"label": "com.amazonaws.ecs.task-definition-family"}
        found = engine.containers(filters=labels)
        engine.close()
        return [c["Id"] for c in found if c["Labels"]["com.amazonaws.ecs.task-definition-family"].startswith("ecs-")]

    def settles(self, count: int, patience: float = 180) -> None:
        """Wait until there are so many tasks, and no more that are on their way out."""
        deadline = time.monotonic() + patience
        while len(found := self.tasks()) != count:
            assert time.monotonic() < deadline, found
            time.sleep(0.3)


@pytest.fixture(scope="module")
def todo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Todo]:
    boto3 = pytest.importorskip("boto3", reason="boto3 is not installed (ulna[aws])")
    if not (TOOLS / "ministack-up").exists():
        pytest.skip("shared/tools is not there")
    environment: dict[str, str] = {}
    for command in ([TOOLS / "docker-up", "--images"], [TOOLS / "ministack-up"]):
        run = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
        if run.returncode == 69:
            pytest.skip(run.stderr.splitlines()[-1])
        assert run.returncode == 0, run.stderr
        environment |= dict(shlex.split(line)[1].split("=", 1) for line in run.stdout.splitlines())
    import docker

    proxy = Proxy(environment["AWS_ENDPOINT_URL"], str(tmp_path_factory.mktemp("files")))
    made = Todo(tmp_path_factory.mktemp("todo"), environment, proxy)
    engine = docker.APIClient(base_url=environment["DOCKER_HOST"])
    names = Names(made.sdk, engine)
    assert boto3
    try:
        made.run("deploy", "todo/ecs.bicep", "-p", "account=000000000000")
        yield made
        made.run("destroy", "app", "-e", "ecs", "--yes", ok=(0, 1, 2))
        made.run("destroy", "ecs", "--yes", ok=(0, 1, 2))
    finally:
        names.close()
        engine.close()
        made.close()
        proxy.close()


def fetch(url: str, wanted: str = "", patience: float = 180) -> str:
    """The answer, once it holds a text: names reach the containers a moment after they run."""
    deadline = time.monotonic() + patience
    while True:
        try:
            with urlopen(url, timeout=20) as answer:
                text: str = answer.read().decode()
            if wanted in text:
                return text
        except OSError as error:
            text = str(error)
        assert time.monotonic() < deadline, text
        time.sleep(0.5)


def add(url: str, item: str) -> None:
    """As the form of the page does; it answers with where to look then, which leads past the path of the emulator."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=30)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", place.path, urlencode({"add": item}), headers)
    assert connection.getresponse().status in (200, 302, 303)
    connection.close()


def test_the_tasks_answer_through_the_load_balancer(todo: Todo) -> None:
    url = todo.deploy()
    assert "<h1>To do</h1>" in fetch(f"{url}/", wanted="<h1>To do</h1>")
    fetch(f"{url}/api/", wanted="[")
    add(f"{url}/", "milk & honey")
    assert "milk &amp; honey" in fetch(f"{url}/", "milk &amp; honey")
    assert json.loads(fetch(f"{url}/api/", wanted="honey")) == ["milk & honey"]
    with nothing_new(todo.folder):
        assert "no changes" in todo.run("deploy", "todo/app.bicep", "-e", "ecs", "-p", f"password={SECRET}", *IMAGES)


def test_one_property_is_changed_and_three_tasks_answer_and_one_again(todo: Todo) -> None:
    url = todo.deploy("-p", "replicas=3", "-p", "title=Ours")
    seen: set[str] = set()
    deadline = time.monotonic() + 120
    while len(seen) < 3 and time.monotonic() < deadline:
        seen |= set(re.findall(r"<small>(.*?)</small>", fetch(f"{url}/", wanted="<h1>Ours</h1>")))
    assert len(seen) == 3
    todo.settles(5)
    todo.deploy("-p", "title=Ours")
    todo.settles(3)


def test_a_new_password_is_a_new_version_and_new_tasks(todo: Todo) -> None:
    told = todo.run(
        "plan", "todo/app.bicep", "-e", "ecs", "-p", "password=another-one", "-p", "title=Ours", *IMAGES, ok=(0, 2)
    )
    assert "AWS.SecretsManager/Secret" in told and "AWS.ECS/TaskDefinition" in told and "another-one" not in told


def test_what_somebody_changed_is_shown_and_mended(todo: Todo) -> None:
    ecs = todo.sdk("ecs")
    (cluster,) = [c for c in ecs.list_clusters()["clusterArns"] if "/ecs-" in c]
    (web,) = [s for s in ecs.list_services(cluster=cluster)["serviceArns"] if "-web-" in s]
    ecs.update_service(cluster=cluster, service=web, desiredCount=2)
    given = ("todo/app.bicep", "-e", "ecs", "-p", f"password={SECRET}", "-p", "title=Ours", *IMAGES)
    assert re.search(r"DesiredCount:\s+2 => 1", todo.run("plan", *given, ok=(0, 2)))
    todo.run("deploy", *given)
    assert "no changes" in todo.run("deploy", *given)


def test_one_container_is_deleted(todo: Todo) -> None:
    """And replaced: under another name it is another one."""
    text = (todo.folder / "todo" / "app.bicep").read_text()
    assert text.count("name: 'web'") == 1
    (todo.folder / "todo" / "app.bicep").write_text(text.replace("name: 'web'", "name: 'front'"))
    url = todo.deploy("-p", "title=Ours")
    assert "<h1>Ours</h1>" in fetch(f"{url}/", wanted="<h1>Ours</h1>")
    names = [s["Name"] for s in todo.sdk("servicediscovery").list_services()["Services"]]
    assert "front" in names and "web" not in names


def test_the_secret_is_in_no_log_plan_state_or_task_definition(todo: Todo) -> None:
    told = todo.run("plan", "todo/app.bicep", "-e", "ecs", "-p", f"password={SECRET}", *IMAGES, ok=(0, 2))
    told += todo.run("status", "-e", "ecs") + todo.run("state", "show", "app/store/definition", "-e", "ecs")
    ecs = todo.sdk("ecs")
    for arn in ecs.list_task_definitions()["taskDefinitionArns"]:
        told += json.dumps(ecs.describe_task_definition(taskDefinition=arn), default=str)
    assert SECRET not in told
    assert not [f for f in (todo.folder / ".ulna").rglob("*") if f.is_file() and SECRET.encode() in f.read_bytes()]


def test_the_volume_is_in_the_task_definition(todo: Todo) -> None:
    ecs = todo.sdk("ecs")
    (arn,) = [d for d in ecs.list_task_definitions()["taskDefinitionArns"] if "-store-definition-" in d]
    body = ecs.describe_task_definition(taskDefinition=arn)["taskDefinition"]
    system = {f["FileSystemId"] for f in todo.sdk("efs").describe_file_systems()["FileSystems"]}
    assert body["volumes"][0]["efsVolumeConfiguration"]["fileSystemId"] in system
    assert body["containerDefinitions"][0]["mountPoints"][0] == {
        "sourceVolume": "data",
        "containerPath": "/data",
        "readOnly": False,
    }


def test_nothing_is_left(todo: Todo) -> None:
    assert todo.ours() and todo.tasks()
    todo.run("destroy", "app", "-e", "ecs", "--yes")
    todo.run("destroy", "ecs", "--yes")
    assert not todo.ours()
    todo.settles(0)
