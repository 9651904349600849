"""`ulna import` as people use it: what was made by hand is taken over, planned, mended by a deploy, and goes with the deployment."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.e2e
TOOLS = Path(__file__).parents[3] / "shared" / "tools"
ULNA = Path(sys.executable).parent / "ulna"
KINDS = """
extension radius
resource here 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'here'
  properties: { compute: { kind: 'KIND' } }
}
"""
APP = """
extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource data 'Applications.Core/volumes@2023-10-01-preview' = {
  name: 'data'
  properties: { application: app.id, kind: 'persistent' }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: {
      image: 'localhost/busybox:1'
      command: ['httpd', '-f', '-p', '8000', '-h', '/data']
      env: { LEVEL: { value: 'info' } }
      ports: { http: { containerPort: 8000 } }
      volumes: { d: { kind: 'persistent', mountPath: '/data', source: data.id, permission: 'write' } }
    }
    runtimes: {
      process: { command: 'python3', args: ['-m', 'http.server', '-b', '127.0.0.1', '$(PORT)'] }
      docker: { StopTimeout: 1 }
    }
  }
}
"""
WEB = "app/web/web-0"


def started(tool: str, *options: str) -> dict[str, str]:
    """What a tool that starts a real system says of it."""
    if not (TOOLS / tool).exists():
        pytest.skip("shared/tools is not there")
    run = subprocess.run([TOOLS / tool, *options], capture_output=True, text=True, timeout=1800, check=False)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    return dict(shlex.split(line)[1].split("=", 1) for line in run.stdout.splitlines())


class Shell:
    """The installed command in a folder."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ULNA_", "AWS_", "AZURE_"))}
        self.folder = folder
        self.environment = {**kept, "NO_COLOR": "1", **environment}

    def __call__(self, *arguments: str, code: int | None = 0) -> str:
        run = subprocess.run(
            [ULNA, *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        said = run.stdout + run.stderr
        assert code is None or run.returncode == code, f"{arguments}: exit {run.returncode}\n{said}"
        assert "Traceback" not in said and "ULN799" not in said, said
        return said

    def refuses(self, code: str, *arguments: str) -> str:
        """What `import` says where it must not."""
        said = self("import", *arguments, code=2 if code == "ULN530" else 1)
        assert f"error {code}: " in said and "help: " in said, said
        return said

    def killed(self, *arguments: str, once: Callable[[], bool]) -> None:
        """Begin an import, kill it as soon as something is so, and do it again: it may have ended a moment before."""
        run = subprocess.Popen(
            [ULNA, "import", *arguments], cwd=self.folder, env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        while run.poll() is None and not once():
            time.sleep(0.001)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        again = subprocess.run(
            [ULNA, "import", *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True,
            timeout=400, check=False,
        )  # fmt: skip
        assert again.returncode == 0 or "ULN533" in again.stderr, again.stdout + again.stderr


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], None]:
    return lambda name, text: (tmp_path / name).write_text(text) and None


# ---------------------------------------------------------------- docker


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[tuple[Shell, Any]]:
    import docker

    shell = Shell(tmp_path, started("docker-up", "--images"))
    api = docker.DockerClient(base_url=shell.environment["DOCKER_HOST"])
    yield shell, api
    for found in api.containers.list(all=True, filters={"name": "ulna-e2e"}):
        found.remove(force=True, v=True)
    for found in (*api.networks.list(names=["ulna-e2e"]), *api.volumes.list(filters={"name": "ulna-e2e"})):
        found.remove()
    api.close()


def test_containers_networks_and_volumes_of_docker(
    engine: tuple[Shell, Any], write: Callable[[str, str], None]
) -> None:
    ulna, api = engine
    write("env.bicep", KINDS.replace("KIND", "docker"))
    write("app.bicep", APP)
    api.networks.create("ulna-e2e")
    api.volumes.create("ulna-e2e")
    run = api.containers.run(
        "localhost/busybox:1", ["sh", "-c", "echo kept >/data/index.html; exec httpd -f -p 8000 -h /data"],
        name="ulna-e2e", detach=True, network="ulna-e2e", environment={"LEVEL": "debug", "TOKEN": "planted-4711"},
        volumes={"ulna-e2e": {"bind": "/data", "mode": "rw"}}, ports={"8000/tcp": ("127.0.0.1", None)}, stop_signal="KILL",
    )  # fmt: skip
    ulna("deploy", "env.bicep")
    file = ("--file", "app.bicep")
    ulna("import", "app/app/network", "ulna-e2e", *file)
    notes = ulna.folder / ".ulna" / "here" / "docker" / "adopted.json"
    before = notes.read_bytes()
    ulna.killed("app/data/volume", "ulna-e2e", *file, once=lambda: notes.read_bytes() != before)
    assert run.id in ulna("import", WEB, "ulna-e2e", *file)
    assert "now owns" in ulna("import", WEB, run.id, *file), "again gives the same"
    ulna.refuses("ULN533", WEB, "another", *file)
    ulna.refuses("ULN530", "app/nobody", "ulna-e2e", *file)
    said = ulna("plan", "app.bicep")
    assert "1 to replace" in said and '"debug" => "info"' in said and "planted-4711" not in said
    assert "= Ulna.Docker/networks/network" in said and "= Ulna.Docker/volumes/shop-data" in said
    said = ulna("deploy", "app.bicep")
    with urlopen(next(w for w in said.split() if w.startswith("http://")), timeout=30) as answer:
        assert answer.read() == b"kept\n", "the volume is the one that was there"
    assert "no change" in ulna("plan", "app.bicep", "--exit-code")
    (made,) = api.containers.list(all=True, filters={"label": "ulna.application=shop"})
    assert list(made.attrs["NetworkSettings"]["Networks"]) == ["ulna-e2e"]
    ulna("destroy", "app.bicep", "--yes")
    assert not api.containers.list(all=True, filters={"name": "ulna-e2e"})
    assert not api.networks.list(names=["ulna-e2e"]) and not api.volumes.list(filters={"name": "ulna-e2e"})
    kept = b"".join(f.read_bytes() for f in (ulna.folder / ".ulna").rglob("*") if f.is_file())
    assert b"planted-4711" not in kept


# ---------------------------------------------------------------- process


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_and_its_port(tmp_path: Path, write: Callable[[str, str], None]) -> None:
    ulna = Shell(tmp_path, {})
    write("app.bicep", APP.replace("8000", "28344"))
    server = [sys.executable, "-m", "http.server", "-b", "127.0.0.1", "28344"]
    with subprocess.Popen(server, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        try:
            file = ("--file", "app.bicep")
            assert "import ADDRESS NUMBER" in ulna.refuses("ULN532", WEB, str(run.pid), *file)
            ulna("import", "app/web/port-http", "28344", *file)
            ulna.refuses("ULN532", WEB, "4194305", *file)
            ulna("import", WEB, str(run.pid), *file)
            assert "started by hand" in ulna("plan", "app.bicep")
            said = ulna("deploy", "app.bicep")
            assert "http://localhost:28344" in said, "it keeps the port that people know"
            assert run.wait(10) == -signal.SIGTERM
            assert "no change" in ulna("plan", "app.bicep", "--exit-code")
        finally:
            run.kill()
            ulna("destroy", "app.bicep", "--yes")


# ---------------------------------------------------------------- kubernetes

OBJECTS = """
extension radius
extension kubernetes with { kubeConfig: '', namespace: 'ulna-e2e-shop' }
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: { image: 'localhost/busybox:1', command: ['sleep', '600'], env: { LEVEL: { value: 'info' } } }
    extensions: [{ kind: 'manualScaling', replicas: 0 }]
  }
}
resource settings 'core/ConfigMap@v1' = {
  metadata: { name: 'settings', namespace: 'ulna-e2e-shop' }
  data: { level: 'info' }
}
"""
CLUSTER = """
extension radius
resource here 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'here'
  properties: { compute: { kind: 'kubernetes', namespace: 'ulna-e2e' } }
}
"""


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[Shell, Any]]:
    from kubernetes import client, config

    shell = Shell(tmp_path, started("kubernetes/kube-up", "--node", "--image", "busybox"))
    api = config.new_client_from_config(shell.environment["KUBECONFIG"])
    core = client.CoreV1Api(api)
    core.create_namespace({"metadata": {"name": "ulna-e2e-shop"}})
    yield shell, api
    core.delete_namespace("ulna-e2e-shop")
    deadline = time.monotonic() + 120
    while any(n.metadata.name == "ulna-e2e-shop" for n in core.list_namespace().items):
        assert time.monotonic() < deadline
        time.sleep(0.5)


def test_objects_of_kubernetes(cluster: tuple[Shell, Any], write: Callable[[str, str], None]) -> None:
    from kubernetes import client
    from kubernetes.client.exceptions import ApiException

    ulna, api = cluster
    core, apps = client.CoreV1Api(api), client.AppsV1Api(api)
    write("env.bicep", CLUSTER)
    write("app.bicep", OBJECTS)
    core.create_namespaced_config_map("ulna-e2e-shop", {"metadata": {"name": "settings"}, "data": {"level": "debug"}})
    pod = {"containers": [{"name": "web", "image": "localhost/busybox:1", "args": ["sleep", "1"]}]}
    labels = {"app": "by-hand"}
    template = {"metadata": {"labels": labels}, "spec": pod}
    by_hand = {"replicas": 0, "selector": {"matchLabels": labels}, "template": template}
    apps.create_namespaced_deployment("ulna-e2e-shop", {"metadata": {"name": "web"}, "spec": by_hand})
    uid = core.read_namespaced_config_map("settings", "ulna-e2e-shop").metadata.uid
    ulna("deploy", "env.bicep")
    file = ("--file", "app.bicep")

    def marked() -> bool:
        return bool(core.read_namespaced_config_map("settings", "ulna-e2e-shop").metadata.annotations)

    ulna.killed("app/settings", "settings", *file, once=marked)
    assert '"debug" => "info"' in ulna("plan", "app.bicep")
    ulna.refuses("ULN532", "app/web/Deployment", "nothing", *file)
    ulna("import", "app/web/Deployment", "web", *file)
    said = ulna("plan", "app.bicep")
    assert "1 to replace" in said and "selector" in said, "a selector cannot be changed"
    other = Shell(ulna.folder.with_name(f"{ulna.folder.name}-other"), ulna.environment)
    other.folder.mkdir()
    for name in ("env.bicep", "app.bicep"):
        (other.folder / name).write_text((ulna.folder / name).read_text())
    other("deploy", "env.bicep")
    assert "belongs to another Ulna" in other.refuses("ULN532", "app/settings", "settings", *file)
    ulna("deploy", "app.bicep")
    settings = core.read_namespaced_config_map("settings", "ulna-e2e-shop")
    assert (settings.data, settings.metadata.uid) == ({"level": "info"}, uid)
    assert "no change" in ulna("plan", "app.bicep", "--exit-code")
    ulna("destroy", "app.bicep", "--yes")
    with pytest.raises(ApiException, match="404"):
        core.read_namespaced_config_map("settings", "ulna-e2e-shop")
    assert not apps.list_namespaced_deployment("ulna-e2e-shop").items
    ulna("destroy", "env.bicep", "--yes")


# ---------------------------------------------------------------- aws

QUEUE = """
extension aws
resource queue 'AWS.SQS/Queue@default' = {
  alias: 'queue'
  properties: { QueueName: 'ulna-e2e-import', DelaySeconds: 5 }
}
"""


def test_a_resource_of_aws(tmp_path: Path, write: Callable[[str, str], None]) -> None:
    boto3 = pytest.importorskip("boto3", reason="boto3 is not installed (ulna[aws])")
    ulna = Shell(tmp_path, started("ministack-up"))
    keys = {k.lower(): v for k, v in ulna.environment.items() if k in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
    region, address = ulna.environment["AWS_REGION"], ulna.environment["AWS_ENDPOINT_URL"]
    control = boto3.client("cloudcontrol", region_name=region, endpoint_url=address, **keys)
    wish = json.dumps({"QueueName": "ulna-e2e-import", "DelaySeconds": 9})
    id = control.create_resource(TypeName="AWS::SQS::Queue", DesiredState=wish)["ProgressEvent"]["Identifier"]

    def there() -> dict[str, Any]:
        found = control.get_resource(TypeName="AWS::SQS::Queue", Identifier=id)["ResourceDescription"]["Properties"]
        return dict(json.loads(found))

    write("app.bicep", QUEUE)
    file = ("--file", "app.bicep")
    try:
        cards = tmp_path / ".ulna" / "global" / "aws" / "cards"
        ulna.killed("app/queue", id, *file, once=lambda: cards.is_dir() and any(cards.iterdir()))
        ulna.refuses("ULN533", "app/queue", "another", *file)
        assert "9 => 5" in ulna("plan", "app.bicep")
        assert "1 changed" in ulna("deploy", "app.bicep")
        assert there()["DelaySeconds"] == 5
        ulna("destroy", "app.bicep", "--yes")
        with pytest.raises(control.exceptions.ResourceNotFoundException):
            there()
        assert "there is no AWS::SQS::Queue" in ulna.refuses("ULN532", "app/queue", id, *file)
    finally:
        with suppress(control.exceptions.ClientError):
            control.delete_resource(TypeName="AWS::SQS::Queue", Identifier=id)


# ---------------------------------------------------------------- azure

NET = """
param location string = resourceGroup().location
resource net 'Microsoft.Network/virtualNetworks@2024-10-01' = {
  name: 'net'
  location: location
  tags: { team: 'shop' }
  properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } }
  resource inner 'subnets' = { name: 'inner', properties: { addressPrefix: '10.0.9.0/24' } }
}
"""


def test_resources_of_azure(tmp_path: Path, write: Callable[[str, str], None]) -> None:
    from tests.fakes.arm.openapi import FILES
    from tests.fakes.arm.server import SUBSCRIPTION, Arm

    if not FILES.is_dir():
        pytest.skip("shared/data/azure-openapi is not there")
    with Arm() as arm:
        group = arm.group("shop")
        id = f"{group}/providers/Microsoft.Network/virtualNetworks/net"
        space = {"addressSpace": {"addressPrefixes": ["10.0.0.0/16"]}}
        arm.world.put(
            id, "2024-10-01", {"location": "westeurope", "tags": {"team": "other"}, "properties": space}, False
        )
        inner = f"{id}/subnets/inner"
        arm.world.put(inner, "2024-10-01", {"properties": {"addressPrefix": "10.0.0.0/24"}}, False)
        place = {"AZURE_SUBSCRIPTION_ID": SUBSCRIPTION, "AZURE_DEFAULTS_GROUP": "shop", "ULNA_AZURE_ENDPOINT": arm.url}
        ulna = Shell(tmp_path, {**place, "AZURE_DEFAULTS_LOCATION": "westeurope"})
        write("app.bicep", NET)
        file = ("--file", "app.bicep")
        ulna.killed("app/net", id, *file, once=lambda: "ulna.home" in arm.world.get(id).get("tags", {}))
        ulna("import", "app/net::inner", inner, *file)
        said = ulna("plan", "app.bicep")
        assert '"other" => "shop"' in said and '"10.0.0.0/24" => "10.0.9.0/24"' in said, said
        other = Shell(tmp_path.with_name(f"{tmp_path.name}-other"), ulna.environment)
        other.folder.mkdir()
        (other.folder / "app.bicep").write_text(NET)
        assert "another state owns it" in other.refuses("ULN532", "app/net", id, *file)
        ulna("deploy", "app.bicep")
        assert arm.world.get(inner)["properties"]["addressPrefix"] == "10.0.9.0/24"
        assert "no change" in ulna("plan", "app.bicep", "--exit-code")
        ulna("destroy", "app.bicep", "--yes")
        assert arm.world.all() == []
        assert "does not exist" in ulna.refuses("ULN532", "app/net", id, *file)
        assert not arm.violations and not arm.own_faults


FARGATE = """
extension radius
resource here 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'here'
  properties: {
    compute: { kind: 'ecs' }
    providers: { aws: { scope: '/planes/aws/aws/accounts/000000000000/regions/us-east-1' } }
  }
}
"""
TASK = """
extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: { application: app.id, container: { image: 'localhost/busybox:1', args: ['sleep', '600'] } }
}
"""


def test_a_service_of_ecs(tmp_path: Path, write: Callable[[str, str], None]) -> None:
    boto3 = pytest.importorskip("boto3", reason="boto3 is not installed (ulna[aws])")
    ulna = Shell(tmp_path, started("ministack-up"))
    keys = {k.lower(): v for k, v in ulna.environment.items() if k in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
    where = {"region_name": ulna.environment["AWS_REGION"], "endpoint_url": ulna.environment["AWS_ENDPOINT_URL"]}
    ecs = boto3.client("ecs", **where, **keys)
    write("env.bicep", FARGATE)
    write("app.bicep", TASK)
    ulna("deploy", "env.bicep")
    cluster = next(c for c in ecs.list_clusters()["clusterArns"] if "here-" in c)
    name = "ulna-e2e-by-hand"
    container = {"name": "main", "image": "localhost/busybox:1", "command": ["sleep", "600"]}
    fargate = {"requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "512"}
    made = ecs.register_task_definition(family=name, containerDefinitions=[container], **fargate)
    ecs.create_service(
        cluster=cluster, serviceName=name, taskDefinition=made["taskDefinition"]["taskDefinitionArn"], desiredCount=0,
        launchType="FARGATE", networkConfiguration={"awsvpcConfiguration": {"subnets": ["subnet-1"]}},
    )  # fmt: skip

    def seen() -> dict[str, Any]:
        return dict(ecs.describe_services(cluster=cluster, services=[name])["services"][0])

    given = ("--file", "app.bicep")
    try:
        ulna.refuses("ULN532", "app/web/service", "nowhere", *given)
        assert "never taken over" in ulna.refuses("ULN532", "app/web/logs", "nothing", *given)
        ulna("import", "app/web/service", f"{cluster.rpartition('/')[2]}/{name}", *given)
        ulna("destroy", "app.bicep", "--yes", "--on-unmanage", "detach")
        assert not ecs.describe_services(cluster=cluster, services=[name], include=["TAGS"])["services"][0].get("tags")
        ulna("import", "app/web/service", f"{cluster.rpartition('/')[2]}/{name}", *given)
        said = ulna("plan", "app.bicep")
        assert "~ AWS.ECS/Service/service" in said and "DesiredCount" in said and "subnet-1" in said, said
        ulna("deploy", "app.bicep")
        assert seen()["desiredCount"] == 1 and seen()["taskDefinition"] != made["taskDefinition"]["taskDefinitionArn"]
        assert "no change" in ulna("plan", "app.bicep", "--exit-code")
        ulna("destroy", "app.bicep", "--yes")
        assert not [s for s in ecs.list_services(cluster=cluster)["serviceArns"] if name in s]
    finally:
        for file in ("app.bicep", "env.bicep"):
            ulna("destroy", file, "--yes", code=None)
        ecs.deregister_task_definition(taskDefinition=made["taskDefinition"]["taskDefinitionArn"])
