"""What the process platform makes of gateways, helpers, secret stores and volumes, from records of the contract."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from engine.contract.app import (
    Container,
    Endpoint,
    EphemeralVolume,
    Gateway,
    PersistentVolume,
    Port,
    RestartPolicy,
    Route,
    SecretKey,
    SecretStore,
    Tls,
    Volume,
    Workload,
)
from engine.contract.conformance import TestCall, TestView
from engine.contract.errors import Terminal
from engine.contract.operator import Children, Environment
from engine.contract.resource import Condition, Resource
from engine.contract.secretfiles import SecretFileOperator, SecretFiles
from engine.contract.value import Secret, encode
from providers.process.platform import ProcessPlatform

PLATFORM = ProcessPlatform()
CORE = "Applications.Core"


def core(type: str, name: str, **properties: Any) -> Resource:
    id = f"/planes/radius/local/{type}/{name}"
    return Resource(f"shop/{name}", f"{CORE}/{type}", "2023-10-01-preview", name, id, {"properties": properties})


DATA = core("volumes", "data")


def view(*resources: Resource, **compute: Any) -> TestView:
    environment = Environment("local", "process", "", {"compute": {"kind": "process", **compute}})
    return TestView(environment, DATA, *resources, folder="/home/me/shop")


def web(replicas: int = 1, block: dict[str, Any] | None = None, **more: Any) -> Workload:
    block = {"command": "serve"} if block is None else block
    scaling = [{"kind": "manualScaling", "replicas": replicas}] if replicas > 1 else []
    resource = core("containers", "web", runtimes={"process": block}, extensions=scaling)
    fields = {k: more.pop(k) for k in ("env", "secrets", "volumes") if k in more}
    container = Container("web", "x", ports=(Port("http", 3000, 3000),), **fields)
    return Workload(resource, "shop", container, replicas=replicas, runtime=block, **more)


def made(children: Any) -> dict[str, Any]:
    assert isinstance(children, Children), children
    assert not children.diagnostics, children.diagnostics
    return {r.address: encode(r.properties["properties"]) for r in children.resources}


def said(children: Any) -> list[tuple[str, str]]:
    assert isinstance(children, Children)
    return [(d.code, d.message) for d in children.diagnostics]


def gate(*routes: Route, **more: Any) -> Gateway:
    return Gateway(core("gateways", "gate"), "shop", routes, **more)


def to_web(path: str = "/", replicas: int = 1, **more: Any) -> Route:
    workload = web(replicas)
    return Route(path, PLATFORM.endpoint(workload, workload.ports[0]), workload, workload.ports[0], **more)


# ---------------------------------------------------------------- gateways


def test_a_gateway_is_a_port_and_a_proxy(snapshot):
    elsewhere = Route("/docs", Endpoint("example.org", 443, "https"))
    children = PLATFORM.gateway(gate(to_web("/api", replace_prefix="/", timeout=15), elsewhere, to_web("/", 3)), view())
    assert isinstance(children, Children)
    assert {"parts": made(children), "outputs": encode(children.outputs), "early": sorted(children.early)} == snapshot


@pytest.mark.parametrize(
    ("asked", "compute", "hostname"),
    [
        ({"prefix": "shop"}, {}, "shop.localhost"),
        ({"prefix": "shop"}, {"gateway": {"domain": "127.0.0.1.nip.io"}}, "shop.127.0.0.1.nip.io"),
        ({"hostname": "shop.example"}, {}, "shop.example"),
    ],
)
def test_a_hostname_is_full_in_the_url_and_in_what_is_listened_for(asked, compute, hostname):
    children = PLATFORM.gateway(gate(to_web(), **asked), view(**compute))
    assert made(children)["shop/gate/proxy"]["hostname"] == hostname
    assert hostname in str(encode(children.outputs))  # type: ignore[union-attr]


def test_tls_ends_with_a_secret_that_stays_a_reference():
    pair = [SecretKey("/stores/tls", key, Secret(key, "digest")) for key in ("tls.crt", "tls.key")]
    children = PLATFORM.gateway(gate(to_web(), tls=Tls(False, "1.3", *pair)), view(gateway={"port": 9443}))
    parts = made(children)
    assert parts["shop/gate/port-https"] == {"prefer": 9443}
    assert parts["shop/gate/proxy"]["tls"] == {
        "certificate": {"store": "/stores/tls", "key": "tls.crt", "value": {"$secret": ["tls.crt", "digest"]}},
        "key": {"store": "/stores/tls", "key": "tls.key", "value": {"$secret": ["tls.key", "digest"]}},
        "minimumVersion": "1.3",
    }


def test_what_is_passed_through_is_reached_at_the_process_itself():
    children = PLATFORM.gateway(gate(to_web(), tls=Tls(passthrough=True), prefix="shop"), view())
    assert made(children) == {}
    assert encode(children.outputs) == {  # type: ignore[union-attr]
        "url": {
            "$call": [
                "format",
                "https://{0}:{1}",
                "shop.localhost",
                {"$output": ["shop/web/port-http", "properties", "port"]},
            ]
        }
    }
    elsewhere = Route("/", Endpoint("example.org", 443, "https"))
    ((code, message),) = said(PLATFORM.gateway(gate(elsewhere, tls=Tls(passthrough=True)), view()))
    assert code == "ULN318" and "gate" in message


def test_a_block_of_a_gateway_is_said_to_be_ignored():
    assert [c for c, _ in said(PLATFORM.gateway(gate(to_web(), runtime={"command": "x"}), view()))] == ["ULN319"]


# ---------------------------------------------------------------- helpers


def test_helpers_run_before_and_beside_it(snapshot):
    workload = web(
        block={"command": "serve", "sidecars": {"agent": {"command": ["agent", "-v"], "env": {"LEVEL": "debug"}}}},
        init=(
            Container("migrate", "x", command=("migrate", "$(DB)"), env={"DB": "x"}),
            Container("seed", "x", command=("seed",)),
        ),
        sidecars=(Container("agent", "x", command=("ignored",)),),
        volumes=(EphemeralVolume("tmp", "/tmp"), PersistentVolume("data", "/data", str(DATA.id), "write")),
    )
    children = PLATFORM.workload(workload, view())
    assert made(children) == snapshot
    assert isinstance(children, Children)
    waits = {r.address: [(w.address, w.condition) for w in r.waits] for r in children.resources}
    assert waits["shop/web/web-0-migrate"] == []
    assert waits["shop/web/web-0-seed"] == [("shop/web/web-0-migrate", Condition.COMPLETED)]
    assert waits["shop/web/web-0"] == waits["shop/web/web-0-agent"] == [("shop/web/web-0-seed", Condition.COMPLETED)]
    assert children.ending == {"shop/web/web-0-migrate", "shop/web/web-0-seed"}


def test_what_prepares_runs_again_when_what_it_prepares_changes():
    def first(**more: Any) -> Any:
        init = (Container("seed", "x", command=("seed",)),)
        return made(PLATFORM.workload(web(init=init, **more), view()))["shop/web/web-0-seed"]

    assert first() == first() != first(env={"LEVEL": "debug"})


def test_a_helper_that_nobody_says_how_to_run_is_an_error_that_names_it():
    children = PLATFORM.workload(web(init=(Container("migrate", "x"),), sidecars=(Container("agent", "x"),)), view())
    assert isinstance(children, Children)
    assert [d.code for d in children.diagnostics] == ["ULN322", "ULN322"]
    assert "'migrate' among the initContainers of 'web'" in children.diagnostics[0].message
    assert "runtimes.process.sidecars.agent.command" in children.diagnostics[1].help


def test_a_sidecar_of_a_job_goes_on_and_that_is_said():
    sidecars = (Container("agent", "x", command=("agent",)),)
    children = PLATFORM.workload(web(sidecars=sidecars, restart=RestartPolicy.NEVER), view())
    assert [c for c, _ in said(children)] == ["ULN317"]


def test_what_hangs_on_an_output_waits_for_it():
    from engine.contract.operator import Undecided
    from engine.contract.value import Output

    block = {"command": "serve", "sidecars": Output("shop/other", ("x",))}
    assert isinstance(PLATFORM.workload(web(block=block), view()), Undecided)


# ---------------------------------------------------------------- volumes and secrets


def test_a_volume_that_is_not_declared_is_an_error():
    volumes = (PersistentVolume("data", "/data", "/nowhere"),)
    ((code, message),) = said(PLATFORM.workload(web(volumes=volumes), view()))
    assert code == "ULN318" and "/nowhere" in message
    volumes = (PersistentVolume("data", "/data", str(core("containers", "x").id)),)
    ((code, message),) = said(PLATFORM.workload(web(volumes=volumes), view(core("containers", "x"))))
    assert "Applications.Core/containers" in message


def test_a_volume_is_a_folder_and_a_store_a_file():
    assert made(PLATFORM.volume(Volume(DATA, "shop", "persistent"), view())) == {"shop/data/folder": {}}
    store = SecretStore(core("secretStores", "keys"), "shop", "generic", {"a": Secret("a", "digest")})
    assert made(PLATFORM.secret_store(store, view())) == {
        "shop/keys/secrets": {
            "store": "/planes/radius/local/secretStores/keys",
            "kind": "generic",
            "data": {"a": {"$secret": ["a", "digest"]}},
        }
    }
    existing = store.replace(data={"a": None}, reference="other")
    assert made(PLATFORM.secret_store(existing, view()))["shop/keys/secrets"]["refers"] == "other"
    named = store.replace(reference="other")
    assert made(PLATFORM.secret_store(named, view()))["shop/keys/secrets"]["name"] == "other"


def test_a_variable_from_a_store_is_a_reference_and_can_stand_in_others():
    secrets = {
        "PASSWORD": SecretKey("/stores/db", "password", Secret("password", "digest")),
        "TOKEN": SecretKey("x", "t"),
    }
    wish = made(PLATFORM.workload(web(env={"URL": "redis://:$(PASSWORD)@db"}, secrets=secrets), view()))[
        "shop/web/web-0"
    ]
    assert wish["secrets"]["PASSWORD"]["value"] == {"$secret": ["password", "digest"]}
    assert wish["secrets"]["TOKEN"] == {"store": "x", "key": "t"}
    assert wish["env"]["URL"] == {"$call": ["format", "redis://:{0}@db", {"$secret": ["password", "digest"]}]}
    assert "PASSWORD" not in wish["env"]


def stored(folder: Path, **properties: Any) -> tuple[SecretFileOperator, Resource]:
    wish = {"store": "/stores/keys", "kind": "generic", **properties}
    resource = Resource("shop/keys/secrets", "Ulna.Process/secrets", "v", "secrets", "/x", {"properties": wish})
    return SecretFileOperator("secrets", "ulna.process/secrets", folder), resource


def test_a_store_is_found_by_id_and_name_and_read_by_its_owner_only(tmp_path):
    call = TestCall({"a": "sesame"})
    operator, resource = stored(tmp_path / "s", data={"a": Secret("a", "digest")})
    operator.create(resource, "shop/keys/secrets#1", call)
    (file,) = (tmp_path / "s").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    files = SecretFiles(tmp_path / "s")
    assert files.value("/STORES/keys", "a") == files.value("keys", "a") == "sesame"
    assert files.opened({"store": "keys", "key": "a", "value": Secret("unknown in this run", "d")}, call) == "sesame"
    with pytest.raises(Terminal, match="has no key 'b'"):
        files.value("keys", "b")
    with pytest.raises(Terminal, match="no secret store 'others'"):
        files.value("/stores/others", "b")
    operator.delete(resource, "shop/keys/secrets#1", call)
    assert not (tmp_path / "s").exists()


def test_a_store_may_refer_to_another_which_must_have_its_keys(tmp_path):
    call = TestCall({"a": "sesame"})
    operator, first = stored(tmp_path / "s", data={"a": Secret("a", "digest")})
    operator.create(first, "shop/keys/secrets#1", call)
    wish = {"store": "/stores/alias", "kind": "generic", "refers": "keys", "keys": ["a"]}
    operator.create(first.replace(properties={"properties": wish}), "shop/alias/secrets#1", call)
    assert SecretFiles(tmp_path / "s").value("/stores/alias", "a") == "sesame"
    with pytest.raises(Terminal, match="has no key 'c'"):
        operator.create(first.replace(properties={"properties": {**wish, "keys": ["c"]}}), "t#1", call)
    with pytest.raises(Terminal, match="no secret store 'gone'"):
        operator.create(first.replace(properties={"properties": {**wish, "refers": "gone"}}), "t#1", call)


def test_a_key_that_somebody_took_away_is_a_drift(tmp_path):
    call = TestCall({"a": "sesame"})
    operator, resource = stored(tmp_path / "s", data={"a": Secret("a", "digest")})
    operator.create(resource, "shop/keys/secrets#1", call)
    operator.files.write("shop/keys/secrets#1", resource.properties["properties"], {})
    seen = operator.observe(resource, "shop/keys/secrets#1", call)
    assert seen is not None and seen.properties["properties"]["data"] == {"a": None}
