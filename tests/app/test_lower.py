"""What a container comes to before any platform has seen it."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from engine.app.lower import lower
from engine.contract.app import (
    Endpoint,
    EphemeralVolume,
    Exec,
    HttpGet,
    PersistentVolume,
    Port,
    Probe,
    Protocol,
    RestartPolicy,
    TcpConnect,
)
from engine.contract.conformance import TestView
from engine.contract.platform import Capability, Support
from engine.contract.value import Output, Secret
from engine.render.graph import Graph, GraphView


class Services:
    """A platform where services have names."""

    kind = "kubernetes"
    capabilities: dict[str, Any] = {}

    def endpoint(self, workload: Any, port: Port) -> Endpoint:
        return Endpoint(str(workload.resource.name), port.port, port.scheme)


def lowered(world: Any, *resources: Any) -> Any:
    graph = Graph(resources, world.environment, "")
    return lower(resources[-1], GraphView(graph, world.environment), Services())  # type: ignore[arg-type]


def test_everything_a_container_says_is_in_the_workload(world):
    web = world.container(
        container={
            "imagePullPolicy": "Always",
            "command": ["a"],
            "args": ["b", "c"],
            "workingDir": "/app",
            "env": {"B": {"value": "2"}, "A": {"value": Output("app/x", ("properties", "y"))}},
            "ports": {
                "http": {"containerPort": 8080, "port": 80, "scheme": "https"},
                "dns": {"containerPort": 53, "protocol": "UDP"},
            },
            "readinessProbe": {"kind": "httpGet", "containerPort": 8080, "path": "/r", "headers": {"X": "1"}},
            "livenessProbe": {
                "kind": "tcp",
                "containerPort": 8080,
                "initialDelaySeconds": 1,
                "periodSeconds": 2,
                "timeoutSeconds": 3,
                "failureThreshold": 4,
            },
            "volumes": {
                "tmp": {"kind": "ephemeral", "mountPath": "/t", "managedStore": "memory"},
                "data": {"kind": "persistent", "mountPath": "/d", "source": "/v", "permission": "write"},
            },
        },
        restartPolicy="OnFailure",
        runtimes={"kubernetes": {"pod": {"a": 1}}, "aci": {}},
        extensions=[{"kind": "manualScaling", "replicas": 3}],
    )
    workload = lowered(world, web).record
    assert (workload.application, workload.container.image, workload.container.image_pull_policy) == (
        "shop",
        "shop/web",
        "Always",
    )
    assert (workload.container.command, workload.container.args, workload.container.working_dir) == (
        ("a",),
        ("b", "c"),
        "/app",
    )
    assert list(workload.container.env.items()) == [("A", Output("app/x", ("properties", "y"))), ("B", "2")]
    assert workload.ports == (
        Port("http", 8080, 80, Protocol.TCP, "https"),
        Port("dns", 53, 53, Protocol.UDP, "udp"),
    )
    assert workload.container.readiness == Probe(HttpGet(8080, "/r", {"X": "1"}))
    assert workload.container.liveness == Probe(TcpConnect(8080), 1, 2, 3, 4)
    assert workload.container.volumes == (
        EphemeralVolume("tmp", "/t", "memory"),
        PersistentVolume("data", "/d", "/v", "write"),
    )
    assert (workload.restart, workload.replicas, workload.runtime) == (RestartPolicy.ON_FAILURE, 3, {"pod": {"a": 1}})


def test_what_is_left_out_has_its_default(world):
    workload = lowered(world, world.container(runtimes=None)).record
    assert (workload.container.command, workload.container.args, workload.container.env, workload.ports) == (
        None,
        None,
        {},
        (),
    )
    assert (workload.restart, workload.replicas, workload.runtime) == (RestartPolicy.ALWAYS, 1, {})


def test_a_probe_by_command_is_split_at_blanks(world):
    web = world.container(container={"livenessProbe": {"kind": "exec", "command": "cat  /tmp/ok"}})
    assert lowered(world, web).record.container.liveness.check == Exec(("cat", "/tmp/ok"))


def test_metadata_is_merged_from_the_environment_to_the_container(world):
    def metadata(**labels: str) -> list[Any]:
        return [{"kind": "kubernetesMetadata", "labels": labels, "annotations": {"from": labels["who"]}}]

    world.environment = world.environment.replace(properties={"extensions": metadata(who="environment", e="1")})
    shop = world.resource(
        "shop", "applications", {"environment": "default", "extensions": metadata(who="application", a="1")}
    )
    web = world.container(extensions=metadata(who="container", c="1"))
    workload = lowered(world, shop, web).record
    assert workload.labels == {"who": "container", "e": "1", "a": "1", "c": "1"}
    assert workload.annotations == {"from": "container"}


def test_connections_have_the_same_names_where_services_have_names(world):
    backend = world.container("backend", {"ports": {"api": {"containerPort": 3000, "port": 80}}})
    web = world.container("web", connections={"b": {"source": world.id("containers", "backend")}})
    assert lowered(world, backend, web).record.container.env == {
        "CONNECTION_B_HOST": "backend",
        "CONNECTION_B_HOSTNAME": "backend",
        "CONNECTION_B_PORT": "80",
        "CONNECTION_B_SCHEME": "http",
        "CONNECTION_B_URL": "http://backend:80",
    }


@pytest.mark.parametrize(
    "container",
    [
        {"ports": Output("app/x")},
        {"ports": {"a": {"containerPort": Output("app/x")}}},
        {"readinessProbe": {"kind": "tcp", "containerPort": Output("app/x")}},
        {"env": Output("app/x")},
        {"volumes": {"v": {"kind": Output("app/x")}}},
    ],
)
def test_what_decides_the_shape_must_be_known(world, container):
    result = lowered(world, world.container(container=container))
    assert result.record is None and result.needs == {"app/x"} and not result.problems


def test_the_shape_may_not_hang_on_a_secret(world):
    result = lowered(world, world.container(container={"ports": Secret("s", "d")}))
    assert result.record is None and not result.needs
    assert [p.code for p in result.problems] == ["ULN321"]


def test_a_connection_reaches_a_container_of_another_deployment(world):
    backend = world.container("backend", {"ports": {"api": {"containerPort": 81}}}).replace(address="other/backend")
    declared = world.resource("b", properties={}, name="backend", existing=True)
    web = world.container("web", connections={"b": {"source": world.id("containers", "backend")}})
    for resources in ((web,), (declared, web)):
        native, problems = world.render(*resources, others=(backend,))
        assert not problems
        process = next(r for r in native.resources if r.type == "Ulna.Process/processes")
        assert "other/backend" in process.depends_on and "other/backend/port-api" in process.depends_on
    _, problems = world.render(declared, web)
    assert [p.code for p in problems] == ["ULN313"]


def test_the_kit_offers_a_view_without_an_engine(world):
    web = world.container()
    assert TestView(world.environment, web).find(str(web.id).upper()) is web


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        ((None,), "The mountPath of the volume 'v0' of 'web' is missing"),
        (("data",), "The mountPath of the volume 'v0' of 'web' is 'data', which is no path from the root"),
        (("/d", "/d/"), "The volumes 'v0' and 'v1' of 'web' are both mounted at '/d/'"),
        (("/d", "/e", "C:\\data"), None),
    ],
)
def test_each_volume_has_a_path_of_its_own(world, paths, said):
    volumes = {
        f"v{n}": {"kind": "ephemeral", "managedStore": "disk"} | ({"mountPath": path} if path else {})
        for n, path in enumerate(paths)
    }
    problems = lowered(world, world.container("web", {"volumes": volumes})).problems
    assert [p.message for p in problems] == ([said] if said else [])


class Images(Services):
    """A platform that runs images."""

    capabilities: ClassVar[dict[str, Any]] = {"image": Capability(Support.NATIVE)}


def said(world: Any, container: dict[str, Any]) -> list[tuple[str, str, str]]:
    web = world.container("web", container)
    graph = Graph((web,), world.environment, "")
    problems = lower(web, GraphView(graph, world.environment), Images()).problems  # type: ignore[arg-type]
    return [(p.code, p.message, p.help) for p in problems]


@pytest.mark.parametrize(
    "image",
    [
        "nginx", "nginx:1", "localhost/busybox:1", "ghcr.io/shop/api:1.4", "my-registry:5000/a/b_c/d.e:v1-2_3.4",
        "111122223333.dkr.ecr.us-east-1.amazonaws.com/web", "[::1]:5000/web:1", "a__b/c--d:X",
        f"nginx@sha256:{'a' * 64}", f"Registry.Example.com/nginx:1@sha256:{'a' * 64}",
    ],
)  # fmt: skip
def test_names_of_images_are_those_that_registries_take(world, image):
    assert said(world, {"image": image}) == []


@pytest.mark.parametrize(
    ("image", "help"),
    [
        ("Nginx:1", "Write it in lower case: nginx:1"),
        ("ghcr.io/Shop/API:1.4-RC", "Write it in lower case: ghcr.io/shop/api:1.4-RC"),
        ("https://ghcr.io/shop:1", "Leave out 'https://'."),
        ("", "Write it as REGISTRY/NAME:TAG, such as ghcr.io/shop/api:1.4."),
        ("nginx :1", "Write it as REGISTRY/NAME:TAG, such as ghcr.io/shop/api:1.4."),
        ("nginx:a/b", "Write it as REGISTRY/NAME:TAG, such as ghcr.io/shop/api:1.4."),
        ("nginx:", "Write it as REGISTRY/NAME:TAG, such as ghcr.io/shop/api:1.4."),
        ("-nginx", "Write it as REGISTRY/NAME:TAG, such as ghcr.io/shop/api:1.4."),
        ("nginx@sha256:abc", "Write it as REGISTRY/NAME:TAG, such as ghcr.io/shop/api:1.4."),
        ("a" * 600, "Write it as REGISTRY/NAME:TAG, such as ghcr.io/shop/api:1.4."),
    ],
)  # fmt: skip
def test_what_is_no_name_of_an_image_is_said(world, image, help):
    what = f"'{image}' is no name of an image" if image else "The name of an image is empty"
    assert said(world, {"image": image}) == [("ULN340", f"{what} ('web')", help)]


@pytest.mark.parametrize(
    ("container", "code", "message"),
    [
        ({"ports": {"a": {"containerPort": 80}, "b": {"containerPort": 80}}}, "ULN328",
         "The ports 'a' and 'b' of 'web' are both 80/TCP"),
        ({"ports": {"a": {"containerPort": 80}, "b": {"containerPort": 81, "port": 80}}}, "ULN328",
         "The ports 'a' and 'b' of 'web' are both 80/TCP"),
        ({"ports": {"a": {"containerPort": 53}, "b": {"containerPort": 53, "protocol": "UDP"}}}, "", ""),
        ({"volumes": {"v": {"kind": "ephemeral", "managedStore": "disk", "mountPath": "/"}}}, "ULN328",
         "The volume 'v' of 'web' is mounted at '/', over all that is in the image"),
        ({"ports": {"a": {"containerPort": 80}}, "readinessProbe": {"kind": "tcp", "containerPort": 81}}, "ULN341",
         "The readinessProbe of 'web' asks port 81, which the container does not declare"),
        ({"livenessProbe": {"kind": "httpGet", "containerPort": 81, "path": "/"}}, "ULN341",
         "The livenessProbe of 'web' asks port 81, which the container does not declare"),
        ({"ports": {"a": {"containerPort": 80}}, "readinessProbe": {"kind": "tcp", "containerPort": 80}}, "", ""),
        ({"readinessProbe": {"kind": "exec", "command": "true"}}, "", ""),
        ({"sidecars": {"agent": {"image": "A B"}}}, "ULN340", "'A B' is no name of an image ('agent')"),
    ],
)  # fmt: skip
def test_what_no_platform_would_take_is_said(world, container, code, message):
    found = said(world, {"image": "web:1", **container})
    assert [f[:2] for f in found] == ([(code, message)] if code else []) and all(f[2] for f in found)
