"""What becomes of a service of a cloud that asks for an emulator: handed on by the one, rendered by the other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.contract.emulator import ANNOTATION, IMAGE, POSTGRES, REDIS
from engine.contract.operator import Children, Environment, HandOff, Keep, Operator, Site
from engine.contract.resource import Resource
from engine.contract.value import Secret
from engine.diagnostics.diagnostic import Severity
from providers.aws.plugin import AwsProvider
from providers.azure.arm import ArmOperator
from providers.azure.client import Client as AzureClient
from providers.azure.marks import Marks
from providers.azure.target import target_of
from providers.docker.client import Client
from providers.docker.containers import ContainerOperator
from providers.docker.target import Target
from providers.kubernetes.plugin import KubernetesProvider
from providers.process.processes import ProcessOperator

APP = Resource("app/shop", "Applications.Core/applications", "2023-10-01-preview", "shop", "/shop", {})


class View:
    def __init__(self, kind: str, *resources: Resource) -> None:
        self.environment = Environment("here", kind, "/here")
        self.all = resources

    def find(self, id: str) -> Resource | None:
        return next((r for r in self.all if r.id == id), None)

    def resources(self) -> Iterable[Resource]:
        return self.all

    def folder(self, resource: Resource) -> str:
        return "."


def service(type: str, tags: dict[str, str] | None = None, **properties: object) -> Resource:
    tags = {ANNOTATION: "true"} if tags is None else tags
    return Resource("app/it", type, "2024-03-01", "it", "/it", {"tags": tags, "properties": properties})


@pytest.fixture
def docker(tmp_path: Path) -> ContainerOperator:
    return ContainerOperator(Client(tmp_path, Target()))


ACCOUNTS = {
    "azure": {"scope": "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g"},
    "aws": {"scope": "/planes/aws/aws/accounts/000000000000/regions/us-east-1"},
}


def operator_of(kind: str, folder: Path, view: View) -> Operator:
    """The one that the cloud's operator hands to on a compute kind; itself where that is its own."""
    azure = ArmOperator(AzureClient(target_of(None)), Marks(folder, ""))
    made = azure.render(service(REDIS), view)
    if not isinstance(made, HandOff):
        return azure
    found = (o for p in (KubernetesProvider(), AwsProvider()) for o in p.operators(Site(folder, view.environment)))
    return next(o for o in found if o.name == made.operator)


@pytest.mark.parametrize(
    ("kind", "host", "words"),
    [
        ("kubernetes", "it.here-shop", "Deployment"),
        ("ecs", "it.here", "AWS.ECS/Service"),
        ("aci", "it.shop.here.internal", "Microsoft.ContainerInstance/containerGroups"),
    ],
)
def test_every_other_kind_runs_it_as_a_container_that_others_reach_by_name(tmp_path, kind, host, words):
    view = View(kind, APP)
    made_of = {"location": "westeurope", "subnet": f"{ACCOUNTS['azure']['scope']}/subnets/groups"}
    properties = {"compute": {"kind": kind, "namespace": "here"}, "providers": ACCOUNTS}
    view.environment = Environment("here", kind, "/here", properties, made_of)
    made = operator_of(kind, tmp_path, view).render(service(REDIS, {ANNOTATION: "true", IMAGE: "redis:9"}), view)
    assert isinstance(made, Children) and not [d for d in made.diagnostics if d.severity is Severity.ERROR]
    assert made.outputs["hostName"] == host and made.outputs["port"] == 6379
    native = next(r for r in made.resources if words in r.type)
    assert all(r.address.startswith("app/it/") for r in made.resources)
    assert kind == "ecs" or "redis:9" in str(native.properties)


@pytest.mark.parametrize(("tags", "handed"), [(None, True), ({}, False), ({ANNOTATION: "false"}, False)])
def test_azure_hands_on_what_asks_for_it(tmp_path, tags, handed):
    target = target_of(None)
    azure = ArmOperator(AzureClient(target), Marks(tmp_path, target.environment))
    rendering = azure.render(service(REDIS, tags), View("docker"))
    assert isinstance(rendering, HandOff if handed else Keep)
    assert not handed or (rendering.operator, ANNOTATION in rendering.why) == ("docker", True)


def test_nobody_but_azure_bids_for_it(docker, tmp_path):
    assert docker.bid(service(REDIS), View("docker")) is None
    assert ProcessOperator(tmp_path).bid(service(REDIS), View("process")) is None


def test_redis_on_docker_reports_what_azure_would(docker):
    made = docker.render(service(REDIS, {ANNOTATION: "true", IMAGE: "redis:9"}), View("docker", APP))
    assert isinstance(made, Children) and not made.diagnostics
    (child,) = made.resources
    assert child.properties["properties"]["options"]["Image"] == "redis:9"
    assert made.outputs["hostName"] == "it" and made.outputs["port"] == made.outputs["sslPort"] == 6379
    assert made.outputs["listKeys()"]["primaryKey"] in child.properties["properties"]["options"]["Cmd"]


def test_postgres_on_docker_has_the_login_and_the_password_of_the_resource(docker):
    password = Secret("password", "digest")
    given = {"administratorLogin": "ada", "administratorLoginPassword": password}
    made = docker.render(service(POSTGRES, **given), View("docker", APP))
    assert isinstance(made, Children)
    (child,) = made.resources
    assert child.properties["properties"]["options"]["Env"] == {"POSTGRES_USER": "ada", "POSTGRES_PASSWORD": password}
    assert made.outputs == {"state": "Ready", "fullyQualifiedDomainName": "it", "port": 5432}


def test_redis_on_processes_listens_on_the_port_that_is_reported(tmp_path):
    made = ProcessOperator(tmp_path).render(service(REDIS), View("process", APP))
    assert isinstance(made, Children)
    assert [r.type for r in made.resources] == ["Ulna.Process/ports", "Ulna.Process/processes"]
    assert made.outputs["hostName"] == "localhost"


def test_postgres_on_processes_has_the_login_and_the_password_and_listens_where_it_says(tmp_path):
    password = Secret("password", "digest")
    given = {"administratorLogin": "ada", "administratorLoginPassword": password}
    made = ProcessOperator(tmp_path).render(service(POSTGRES, **given), View("process", APP))
    assert isinstance(made, Children) and not made.diagnostics
    port, process = made.resources
    spec = process.properties.get("properties", process.properties)
    env = spec["env"]
    assert (env["POSTGRES_USER"], env["POSTGRES_PASSWORD"]) == ("ada", password)
    assert made.outputs["fullyQualifiedDomainName"] == "localhost" and port.type == "Ulna.Process/ports"
    compile(next(w for w in spec["command"] if "initdb" in w), "postgres", "exec")


def test_what_cannot_be_emulated_is_said(docker, tmp_path):
    made = ProcessOperator(tmp_path).render(service("Microsoft.Web/sites"), View("process", APP))
    assert isinstance(made, Children) and [d.code for d in made.diagnostics] == ["ULN318"]
    made = docker.render(service(REDIS), View("docker"))
    assert isinstance(made, Children) and [d.code for d in made.diagnostics] == ["ULN326"]
