"""Cases of the docker platform: a container in JSON, and the create options that come of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.app.capability import FEATURES
from engine.app.environment import id_of
from engine.contract.discover import Listing, Providers
from engine.contract.operator import Environment
from engine.contract.platform import Support
from engine.contract.resource import Resource, Wait
from engine.contract.value import Secret, decode, encode
from engine.diagnostics.diagnostic import Diagnostic, Label
from engine.diagnostics.source import Source, Span
from engine.expand.desired import Desired
from engine.render.native import Native
from engine.render.registry import add_app
from engine.render.render import render
from providers.docker.platform import DockerPlatform

CASES = Path(__file__).parents[2] / "cases" / "docker" / "workloads"
DOCKER = Listing("docker", "providers.docker:provider", ("Ulna.Docker/*",), ("docker",))
SOURCE = Source("shop/app.bicep", "")


def core(type: str, symbol: str, name: str = "", version: str = "2023-10-01-preview", **properties: Any) -> Resource:
    full = type if "/" in type else f"Applications.Core/{type}"
    origin = Label(SOURCE, Span(0, 0))
    id = id_of(full, name or symbol)
    body = {"properties": decode(properties)}
    return Resource(f"shop/{symbol}", full, version, name or symbol, id, body, (), origin=origin)


def rendered(
    folder: Path, *resources: Resource, compute: dict[str, Any] | None = None
) -> tuple[Native, tuple[Diagnostic, ...], Providers]:
    properties = {"compute": {"kind": "docker", **(compute or {})}}
    environment = Environment("local", "docker", id_of("Applications.Core/environments", "local"), properties)
    registry = Providers(folder, environment, lambda: ((DOCKER,), ()))
    add_app(registry)
    application = core("applications", "shop", environment=environment.id)
    graph, problems = render(Desired((application, *resources)), registry, environment, "/home/me")
    return graph, problems, registry


def web(**properties: Any) -> Resource:
    container = properties.pop("container", {})
    application = id_of("Applications.Core/applications", properties.pop("application", "shop"))
    return core("containers", "web", application=application, container={"image": "x", **container}, **properties)


def says(folder: Path, *resources: Resource, **more: Any) -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in rendered(folder, *resources, **more)[1]]


def parts(graph: Native) -> dict[str, Any]:
    return {r.address: r.properties["properties"] for r in graph.resources if r.owner is not None}


@pytest.mark.parametrize("case", sorted(CASES.glob("*.json")), ids=lambda p: p.stem)
def test_a_container_comes_to_create_options(case, tmp_path):
    data = json.loads(case.read_text())
    more = [core(r.pop("type"), r.pop("symbol"), **r) for r in json.loads(json.dumps(data.get("beside", [])))]
    graph, problems, registry = rendered(
        tmp_path, *more, web(**json.loads(json.dumps(data["desired"]))), compute=data.get("compute")
    )
    assert not [p for p in problems if p.severity == "error"], problems
    made = []
    for part in graph.resources:
        if part.owner is not None:
            operator = registry.operator(graph.nominations[part.address].operator or "", part)
            made.append({"address": part.address, **encode(dict(operator.native(part)))})  # type: ignore[union-attr]
    told = [f"{p.code} {p.message}" for p in problems]
    if os.environ.get("ULNA_ACCEPT"):
        case.write_text(json.dumps(data | {"native": made, "told": told}, indent=2) + "\n")
    assert made == data["native"]
    assert told == data["told"]


def test_the_table_has_every_feature_and_says_what_is_different():
    table = DockerPlatform().capabilities
    assert table.keys() == FEATURES.keys()
    for key, cell in table.items():
        assert cell.effect or cell.support is Support.NATIVE, key
        assert cell.alternative or cell.support not in (Support.DEGRADED, Support.UNSUPPORTED), key


def test_what_is_unsupported_is_an_error_with_an_alternative(tmp_path):
    _, (problem,), _ = rendered(tmp_path, web(extensions=[{"kind": "daprSidecar", "appId": "a"}]))
    assert (problem.code, problem.severity) == ("ULN318", "error")
    assert "daprSidecar" in problem.message and "docker" in problem.message and problem.help


def test_a_misspelt_option_is_an_error_that_knows_the_right_one(tmp_path):
    _, (problem,), _ = rendered(tmp_path, web(runtimes={"docker": {"HostConfig": {"Priviledged": True}}}))
    assert problem.severity == "error" and "Priviledged" in problem.message and problem.primary is not None
    assert "Privileged" in problem.help


def test_a_block_for_another_kind_is_noted_and_ignored(tmp_path):
    graph, problems, _ = rendered(tmp_path, web(runtimes={"kubernetes": {"pod": {}}}))
    assert [(p.code, p.severity) for p in problems] == [("ULN315", "info")]
    assert parts(graph)["shop/web/web-0"]["options"]["Image"] == "x"


def test_a_port_with_another_number_for_others_is_a_warning(tmp_path):
    ((code, message),) = says(tmp_path, web(container={"ports": {"http": {"containerPort": 8080, "port": 80}}}))
    assert code == "ULN317" and "80" in message and "8080" in message


def test_a_network_of_its_own_is_a_warning(tmp_path):
    ports = {"ports": {"http": {"containerPort": 8080}}}
    block = {"docker": {"HostConfig": {"NetworkMode": "host"}}}
    graph, problems, _ = rendered(tmp_path, web(container=ports, runtimes=block))
    assert [p.code for p in problems] == ["ULN317"]
    assert "network" not in parts(graph)["shop/web/web-0"] and "publish" not in parts(graph)["shop/web/web-0"]


def test_a_liveness_probe_among_the_processes_of_others_is_refused(tmp_path):
    probe = {"livenessProbe": {"kind": "exec", "command": "true"}}
    ((code, message),) = says(tmp_path, web(container=probe, runtimes={"docker": {"HostConfig": {"PidMode": "host"}}}))
    assert code == "ULN318" and "PidMode" in message


def test_a_secret_in_a_command_is_a_warning_and_in_a_variable_is_not(tmp_path):
    secret = encode(Secret("password", "digest"))
    assert not says(tmp_path, web(container={"env": {"PASSWORD": {"value": secret}}}))
    ((code, _),) = says(tmp_path, web(container={"args": ["--password", secret]}))
    assert code == "ULN324"


def test_a_persistent_volume_needs_a_volume_of_this_kind(tmp_path):
    mount = {"kind": "persistent", "mountPath": "/data", "source": "/nowhere"}
    _, (problem,), _ = rendered(tmp_path, web(container={"volumes": {"data": mount}}))
    assert problem.code == "ULN318" and "Ulna.Docker/volumes" in problem.help


def test_two_applications_meet_in_the_network_of_the_one_that_is_asked(tmp_path):
    other = core("applications", "bank")
    ports = {"api": {"containerPort": 9000}}
    till = core("containers", "till", application=other.id, container={"image": "x", "ports": ports})
    graph, problems, _ = rendered(tmp_path, other, till, web(connections={"till": {"source": till.id}}))
    assert not problems
    assert parts(graph)["shop/web/web-0"]["joins"] == ["local-bank"]
    rival = core(
        "containers",
        "rival",
        name="till",
        application=id_of("Applications.Core/applications", "shop"),
        container={"image": "x"},
    )
    till = till.replace(name="till", id=till.id + "2")
    assert [c for c, _ in says(tmp_path, other, till, rival, web(connections={"till": {"source": till.id}}))] == [
        "ULN318"
    ]


def test_a_network_of_the_environment_takes_the_place_of_the_applications(tmp_path):
    graph, _, _ = rendered(tmp_path, web(), compute={"network": "traefik"})
    assert list(parts(graph)) == ["shop/web/web-0"]
    assert parts(graph)["shop/web/web-0"]["network"] == "=traefik"


@pytest.mark.parametrize(
    ("properties", "condition"),
    [
        ({}, "ready"),
        ({"restartPolicy": "Never"}, "started"),
        ({"restartPolicy": "OnFailure"}, "started"),
        ({"runtimes": {"docker": {"HostConfig": {"RestartPolicy": {"Name": "no"}}}}}, "started"),
        (
            {"restartPolicy": "Never", "runtimes": {"docker": {"HostConfig": {"RestartPolicy": {"Name": "always"}}}}},
            "ready",
        ),
    ],
)
def test_a_container_that_is_meant_to_end_need_not_be_ready(tmp_path, properties, condition):
    graph, problems, _ = rendered(tmp_path, web(**properties))
    assert not problems
    (parent,) = (r for r in graph.resources if r.address == "shop/web")
    assert {w.address: str(w.condition) for w in parent.waits}["shop/web/web-0"] == condition


def test_a_block_that_hangs_on_an_output_waits_for_it(tmp_path):
    value = {"$output": ["shop/other", "properties", "host"]}
    graph, _, _ = rendered(tmp_path, web(runtimes={"docker": {"HostConfig": value}}))
    assert [p.needs for p in graph.pending] == [frozenset({"shop/other"})]
    graph, _, _ = rendered(tmp_path, web(runtimes={"docker": {"Env": {"HOST": value}}}))
    assert not graph.pending, "a variable may stay open until run time"
    graph, _, _ = rendered(tmp_path, web(runtimes={"docker": {"Env": [value]}}))
    assert graph.pending, "its name is not known before it is"
    secret = encode(Secret("password", "digest"))
    assert [c for c, _ in says(tmp_path, web(runtimes={"docker": {"Env": [secret]}}))] == ["ULN321"]
    assert not says(tmp_path, web(runtimes={"docker": {"Env": {"PASSWORD": secret}}}))


def test_no_replicas_are_no_containers_and_no_endpoints(tmp_path):
    ports = {"ports": {"http": {"containerPort": 8080}}}
    graph, _, _ = rendered(tmp_path, web(container=ports, extensions=[{"kind": "manualScaling", "replicas": 0}]))
    assert list(parts(graph)) == ["shop/shop/network"]


def test_scaling_leaves_the_first_replica_as_it_is(tmp_path):
    def scaled(n: int) -> Any:
        ports = {"ports": {"http": {"containerPort": 8080}}}
        graph, _, _ = rendered(tmp_path, web(container=ports, extensions=[{"kind": "manualScaling", "replicas": n}]))
        return parts(graph)

    one, three = scaled(1), scaled(3)
    assert len(three) == len(one) + 2
    assert one["shop/web/web-0"] == three["shop/web/web-0"]


def test_a_container_of_an_application_that_nobody_declared_is_refused(tmp_path):
    ((code, message),) = says(tmp_path, web(application="nowhere"))
    assert code == "ULN326" and "nowhere" in message
    assert not says(tmp_path, web(application="nowhere"), compute={"network": "given"})


def test_labels_of_application_and_environment_are_no_news(tmp_path):
    labels = [{"kind": "kubernetesMetadata", "labels": {"team": "shop"}}]
    other = core("applications", "bank", extensions=labels)
    graph, problems, _ = rendered(tmp_path, other, web(application="bank"))
    assert not problems
    assert parts(graph)["shop/web/web-0"]["options"]["Labels"]["team"] == "shop"
    namespace = core("applications", "bank", extensions=[{"kind": "kubernetesNamespace", "namespace": "x"}])
    assert [c for c, _ in says(tmp_path, namespace)] == ["ULN319"]


def test_a_container_waits_for_its_application(tmp_path):
    container = web().replace(waits=(Wait("shop/shop"),))
    graph, _, _ = rendered(tmp_path, container)
    (made,) = (r for r in graph.resources if r.address == "shop/web/web-0")
    assert "shop/shop" in made.depends_on
    (application,) = (r for r in graph.resources if r.address == "shop/shop")
    assert "shop/shop/network" in application.depends_on
