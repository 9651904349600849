"""What somebody ran by hand and Ulna takes over: what it is in the words of its resource, and who may have it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.contract.difference import differing, dotted
from engine.contract.errors import Terminal
from engine.contract.operator import Same
from engine.contract.resource import Resource
from engine.contract.value import Secret
from providers.docker.adopted import mark_of
from providers.docker.client import Client
from providers.docker.containers import ContainerOperator
from providers.docker.likeness import Words, taken
from providers.docker.networks import NetworkOperator
from providers.docker.target import Target
from providers.docker.volumes import VolumeOperator
from tests.providers.docker.conftest import BUSYBOX

TOKEN = "app/web/web-0#1"
SECRETS = {"password": "hunter2"}
OPEN: Any = lambda value: SECRETS[value.name] if isinstance(value, Secret) else value  # noqa: E731
WORDS = Words(
    lambda name: f"{name}.home",
    lambda name: f"id-of-{name}",
    lambda name: {"shop": "byhand"}.get(name, f"{name}.home"),
    lambda name: {"data": "byhand"}.get(name, f"{name.removeprefix('=')}.home"),
    OPEN,
    {"TOKEN": "kept"},
)


def wish(**options: Any) -> dict[str, Any]:
    host = {"RestartPolicy": {"Name": "unless-stopped"}, **options.pop("HostConfig", {})}
    return {"name": "web", "state": "running", "options": {"Image": "web:1", "HostConfig": host, **options}}


def found(config: dict[str, Any] | None = None, host: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """What an engine says of a container of `web:1` that is as in `wish`."""
    chosen = {"Image": "web:1", "Env": ["PATH=/bin"], "Cmd": ["serve"], "WorkingDir": "/srv", "Labels": {}}
    usual = {"RestartPolicy": {"Name": "unless-stopped", "MaximumRetryCount": 0}, "ShmSize": 64 << 20, "Memory": 0}
    state = {"Status": "running", "Running": True}
    return {
        "Id": "f" * 64,
        "Name": "/web.home",
        "State": state,
        "Config": {**chosen, **(config or {})},
        "HostConfig": {**usual, "NetworkMode": "default", "PortBindings": {}, **(host or {})},
        "NetworkSettings": {"Networks": {}},
        **more,
    }


IMAGE = {"Config": {"Env": ["PATH=/bin"], "Cmd": ["serve"], "WorkingDir": "/srv", "Volumes": {"/cache": {}}}}
BOUND = {"8000/tcp": [{"HostIp": "127.0.0.1", "HostPort": "9000"}]}
OPEN_TO_ALL = {"8000/tcp": [{"HostIp": "0.0.0.0", "HostPort": "9000"}]}
VOLUME = {"Type": "volume", "Name": "byhand", "Destination": "/data", "RW": True}


@pytest.mark.parametrize(
    ("wanted", "there", "differences"),
    [
        (wish(), found(), []),
        (wish(), found(Name="/byhand"), ["name: '=byhand' → 'web'"]),
        (wish(), found({"Image": "web:2"}), ["options.Image: 'web:2' → 'web:1'"]),
        (wish(Entrypoint=["serve", "-p", "1"]), found({"Cmd": ["-p", "1"], "Entrypoint": ["serve"]}), []),
        (wish(Entrypoint=["serve", "-p", "2"]), found({"Cmd": ["serve", "-p", "1"]}),
         ["options.Cmd: ['serve', '-p', '1'] → None", "options.Entrypoint: None → ['serve', '-p', '2']"]),
        (wish(), found({"WorkingDir": "/tmp"}), ["options.WorkingDir: '/tmp' → None"]),
        (wish(Env={"A": "1"}), found({"Env": ["PATH=/bin", "A=1"]}), []),
        (wish(Env={"A": "1"}), found({"Env": ["PATH=/bin", "A=2"]}), ["options.Env.A: '2' → '1'"]),
        (wish(), found({"Env": ["PATH=/bin", "A=might-be-secret"]}), ["options.Env: {'A': '***'} → None"]),
        (wish(Env={"A": Secret("password", "d")}), found({"Env": ["PATH=/bin", "A=hunter2"]}), []),
        (wish(Env={"A": Secret("password", "d")}), found({"Env": ["PATH=/bin", "A=other"]}),
         ["options.Env.A: '***' → (secret)"]),
        ({**wish(), "secrets": {"TOKEN": {"store": "/s", "key": "k"}}}, found({"Env": ["PATH=/bin", "TOKEN=kept"]}), []),
        ({**wish(), "secrets": {"TOKEN": {"store": "/s", "key": "k"}}}, found({"Env": ["PATH=/bin", "TOKEN=x"]}),
         ["secrets: None → {'TOKEN': {'store': '/s', 'key': 'k'}}"]),
        (wish(Labels={"ulna.application": "shop"}), found({"Labels": {"com.docker.compose.project": "x"}}), []),
        (wish(Labels={"team": "a"}), found({"Labels": {"team": "b"}}), ["options.Labels.team: 'b' → 'a'"]),
        (wish(HostConfig={"Memory": 64}), found(host={"Memory": 128}), ["options.HostConfig.Memory: 128 → 64"]),
        (wish(), found(host={"Memory": 128}), ["options.HostConfig.Memory: 128 → None"]),
        (wish(), found(host={"Privileged": True}), ["options.HostConfig.Privileged: True → None"]),
        (wish(), found(host={"NetworkMode": "host"}), ["options.HostConfig.NetworkMode: 'host' → None"]),
        (wish(), found(host={"RestartPolicy": {"Name": "always", "MaximumRetryCount": 0}}),
         ["options.HostConfig.RestartPolicy.Name: 'always' → 'unless-stopped'"]),
        ({**wish(), "publish": {"8000/tcp": 8000}}, found(host={"PortBindings": BOUND}), []),
        ({**wish(), "publish": {"8000/tcp": 8000}}, found(host={"PortBindings": OPEN_TO_ALL}),
         [f"options.HostConfig.PortBindings: {OPEN_TO_ALL} → None", "publish: None → {'8000/tcp': 8000}"]),
        ({**wish(), "network": "shop", "aliases": ["web"]},
         found(NetworkSettings={"Networks": {"byhand": {"Aliases": ["web", "f" * 12]}}}), []),
        ({**wish(), "network": "shop", "aliases": ["web"]}, found(NetworkSettings={"Networks": {"bridge": {}}}),
         ["aliases: [] → ['web']", "network: '' → 'shop'"]),
        (wish(HostConfig={"Mounts": [{"Type": "volume", "Source": "data", "Target": "/data"}]}), found(Mounts=[VOLUME]), []),
        (wish(HostConfig={"Mounts": [{"Type": "volume", "Source": "data", "Target": "/data", "ReadOnly": True}]}),
         found(Mounts=[VOLUME]),
         ["options.HostConfig.Mounts[0].ReadOnly: True → None", "options.HostConfig.Mounts[0].Source: 'data' → '=byhand'"]),
        (wish(HostConfig={"Mounts": [{"Type": "volume", "Target": "/tmp"}]}),
         found(Mounts=[{"Type": "volume", "Name": "a" * 64, "Destination": "/tmp", "RW": True}]), []),
        (wish(), found(Mounts=[{"Type": "volume", "Name": "a" * 64, "Destination": "/cache", "RW": True}]), []),
        (wish(), found(Mounts=[{"Type": "bind", "Source": "/srv", "Destination": "/data", "RW": False}]),
         ["options.HostConfig.Mounts: [{'Type': 'bind', 'Target': '/data', 'Source': '/srv', 'ReadOnly': True}] → None"]),
        (wish(HostConfig={"Binds": ["/srv:/data"]}),
         found(host={"Binds": ["/srv:/data"]}, Mounts=[{"Type": "bind", "Source": "/srv", "Destination": "/data", "RW": True}]), []),
        ({**wish(), "readiness": {"kind": "exec", "command": ["true"], "delay": 0, "period": 1, "timeout": 1, "threshold": 1}},
         found(), ["readiness: None → …"]),
        ({**wish(), "beside": "web"}, found(host={"NetworkMode": "container:id-of-web"}), []),
        (wish(), found(State={"Status": "exited", "Running": False, "ExitCode": 1}), ["state: 'stopped' → 'running'"]),
    ],
)  # fmt: skip
def test_what_is_there_differs_from_the_file_as_it_does(wanted, there, differences):
    live = taken(wanted, there, IMAGE, there["Config"]["Image"] == "web:1", WORDS)
    told = sorted(_told(live, wanted))
    assert [t if "readiness" not in t else "readiness: None → …" for t in told] == sorted(
        _swapped(d) for d in differences
    )


def _told(live: dict[str, Any], wanted: dict[str, Any]) -> Iterator[str]:
    for path in differing(live, wanted):
        yield f"{dotted(path)}: {_at(live, path)} → {_at(wanted, path)}"


def _swapped(line: str) -> str:
    """Differences of mounts are written in the order of the file here, for they read better."""
    name, _, sides = line.partition(": ")
    if not name.startswith("options.HostConfig.Mounts["):
        return line
    before, _, after = sides.partition(" → ")
    return f"{name}: {after} → {before}"


def _at(value: Any, path: tuple[Any, ...]) -> str:
    for key in path:
        if isinstance(value, dict) and key not in value:
            return "None"
        value = value[key]
    return "(secret)" if isinstance(value, Secret) else repr(value)


# ---------------------------------------------------------------- on an engine


@pytest.fixture
def by_hand(lab) -> Iterator[str]:
    """A container, a network and a volume named `ulna-by-hand` that nobody of ours made."""
    api = lab.client.api
    api.create_network("ulna-by-hand")
    api.create_volume("ulna-by-hand")
    made = api.create_container(BUSYBOX, ["sleep", "600"], name="ulna-by-hand", stop_signal="KILL")
    api.start(made["Id"])
    yield made["Id"]
    for remove in (lambda: api.remove_container(made["Id"], force=True), lambda: api.remove_network("ulna-by-hand"),
                   lambda: api.remove_volume("ulna-by-hand")):  # fmt: skip
        try:
            remove()
        except Exception as error:
            assert "No such" in str(error) or "not found" in str(error) or "no such" in str(error)


def thing(type: str, name: str, wish: dict[str, Any]) -> Resource:
    return Resource(f"app/{name}", f"Ulna.Docker/{type}", "2026-12-01", name, f"/{name}", {"properties": wish})


@pytest.mark.e2e
def test_a_container_is_taken_over_renamed_and_removed(lab, make, by_hand):
    resource = make("sleep", "600", options={"StopTimeout": None, "StopSignal": "KILL"})
    seen = lab.containers.adopt(resource, "ulna-by-hand", TOKEN, lab.call)
    assert seen.id == by_hand and seen.properties["properties"]["name"] == "=ulna-by-hand"
    assert lab.containers.adopt(resource, by_hand[:12], TOKEN, lab.call).id == by_hand, "again gives the same"
    assert lab.containers.observe(resource, TOKEN, lab.call).id == by_hand
    assert lab.containers.create(resource, TOKEN, lab.call).id == by_hand, "a deploy after a kill finds it too"
    lab.containers.update(resource, TOKEN, seen, lab.call)
    assert lab.client.inspect(by_hand)["Name"] == f"/{lab.client.name('test-web-0')}"
    with pytest.raises(Terminal, match="belongs to 'app/web/web-0' already"):
        lab.containers.adopt(resource, by_hand, "app/other#1", lab.call)
    lab.containers.delete(resource, TOKEN, lab.call)
    assert lab.containers.observe(resource, TOKEN, lab.call) is None
    assert not lab.client.adopted.notes.file.exists()
    assert lab.client.volume(mark_of("container", by_hand)) is None


@pytest.mark.e2e
@pytest.mark.parametrize("kind", ["container", "network", "volume"])
def test_one_state_owns_what_was_taken_over_until_it_lets_go(lab, make, by_hand, tmp_path, kind):
    other = Client(tmp_path / "elsewhere", Target("elsewhere", lab.host))
    operators = {"container": ContainerOperator, "network": NetworkOperator, "volume": VolumeOperator}
    mine, theirs = operators[kind](lab.client), operators[kind](other)
    wish = {
        "container": make("sleep", "600"),
        "network": thing("networks", "n", {"name": "n"}),
        "volume": thing("volumes", "v", {}),
    }
    resource = wish[kind]
    seen = mine.adopt(resource, "ulna-by-hand", TOKEN, lab.call)
    with pytest.raises(
        Terminal, match="another state owns it, as 'app/web/web-0' of the environment 'test'"
    ) as refused:
        theirs.adopt(resource, "ulna-by-hand", "shop/x#1", lab.call)
    assert f"docker volume rm -f {mark_of(kind, seen.id)}" in refused.value.help
    mine.release(resource, TOKEN, lab.call)
    assert other.volume(mark_of(kind, seen.id)) is None and mine.observe(resource, TOKEN, lab.call) is None
    assert not lab.client.adopted.notes.file.exists()
    assert theirs.adopt(resource, "ulna-by-hand", "shop/x#1", lab.call).id == seen.id
    theirs.delete(resource, "shop/x#1", lab.call)
    assert other.volume(mark_of(kind, seen.id)) is None
    other.close()


@pytest.mark.e2e
@pytest.mark.parametrize("kind", ["container", "network", "volume"])
def test_what_was_made_and_let_go_of_may_be_taken_over(lab, make, tmp_path, kind):
    """The labels that it was made with stay, as an engine changes none: a mark beside it says that it is nobody's."""
    other = Client(tmp_path / "elsewhere", Target("elsewhere", lab.host))
    operators = {"container": ContainerOperator, "network": NetworkOperator, "volume": VolumeOperator}
    mine, theirs = operators[kind](lab.client), operators[kind](other)
    wish = {
        "container": make("sleep", "600"),
        "network": thing("networks", "n", {"name": "n"}),
        "volume": thing("volumes", "v", {}),
    }
    resource = wish[kind]
    seen = mine.create(resource, TOKEN, lab.call)
    with pytest.raises(Terminal, match="another state owns it") as refused:
        theirs.adopt(resource, seen.id, "shop/x#1", lab.call)
    mark = mark_of(kind, seen.id)
    assert f"docker volume rm -f {mark} && docker volume create {mark}" in refused.value.help
    mine.release(resource, TOKEN, lab.call)
    assert mine.adopt(resource, seen.id, "app/again#1", lab.call).id == seen.id, "here as well, under another name"
    mine.release(resource, "app/again#1", lab.call)
    assert theirs.adopt(resource, seen.id, "shop/x#1", lab.call).id == seen.id
    theirs.delete(resource, "shop/x#1", lab.call)
    assert other.volume(mark) is None and mine.observe(resource, TOKEN, lab.call) is None
    other.close()


@pytest.mark.e2e
def test_networks_and_volumes_keep_their_names_and_are_found_by_who_names_them(lab, make, by_hand):
    network = thing("networks", "network", {"name": "test-shop", "driver": "bridge", "labels": {"ulna.x": "y"}})
    volume = thing("volumes", "data", {"driver": "local"})
    made = lab.networks.adopt(network, "ulna-by-hand", "app/network#1", lab.call)
    kept = lab.volumes.adopt(volume, "ulna-by-hand", "app/data#1", lab.call)
    assert made.properties == network.properties and kept.properties == volume.properties
    assert isinstance(lab.volumes.diff(volume, kept, kept), Same)
    mounts = {"HostConfig": {"Mounts": [{"Type": "volume", "Source": "test-data", "Target": "/data"}]}}
    user = make("sleep", "600", network="test-shop", aliases=["web"], options=mounts)
    lab.containers.create(user, TOKEN, lab.call)
    inside = lab.client.container(TOKEN)
    assert list(inside["NetworkSettings"]["Networks"]) == ["ulna-by-hand"]
    assert [m["Name"] for m in inside["Mounts"]] == ["ulna-by-hand"]
    lab.containers.delete(user, TOKEN, lab.call)
    lab.networks.delete(network, "app/network#1", lab.call)
    lab.volumes.delete(volume, "app/data#1", lab.call)
    assert lab.client.volume("ulna-by-hand") is None and not lab.client.api.networks(names=["ulna-by-hand"])


@pytest.mark.e2e
def test_what_cannot_be_taken_over_says_why(lab, make, by_hand, tmp_path):
    resource = make("sleep", "600")
    network = thing("networks", "network", {"name": "test-shop"})
    for operator, wanted, id, reason in (
        (lab.containers, resource, "ulna-nowhere", "there is no container 'ulna-nowhere'"),
        (lab.networks, network, "ulna-nowhere", "there is no network 'ulna-nowhere'"),
        (lab.networks, network, "bridge", "'bridge' is the engine's own"),
        (lab.volumes, thing("volumes", "data", {}), "ulna-nowhere", "there is no volume 'ulna-nowhere'"),
        (lab.gateways, lab.gateway(), "ulna-by-hand", "a gateway is never taken over"),
    ):
        with pytest.raises(Terminal, match=reason) as raised:
            operator.adopt(wanted, id, TOKEN, lab.call)
        assert raised.value.help
    made = lab.containers.create(resource, TOKEN, lab.call)
    stranger = type(lab.containers)(Client(tmp_path / "elsewhere", Target("test", lab.host)))
    with pytest.raises(Terminal, match="another state owns it"):
        stranger.adopt(resource, made.id, TOKEN, lab.call)
