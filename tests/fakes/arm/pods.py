"""Container groups as real containers of a Docker engine; without one they only say that they run."""

from __future__ import annotations

import hashlib
import os
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tests.fakes.arm.pod import Pod, moment
from tests.fakes.arm.removal import gone

if TYPE_CHECKING:
    from tests.fakes.arm.world import World

Json = Any
LABEL = "arm.stand-in"
PAUSE = "localhost/busybox:1"
PYTHON = "localhost/python:3"

_BALANCER = """
import random, socket, sys, threading
name, pairs = sys.argv[1], [tuple(map(int, p.split(":"))) for p in sys.argv[2:]]
def pump(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
    except OSError:
        pass
    finally:
        for s in (a, b):
            try: s.shutdown(socket.SHUT_RDWR)
            except OSError: pass
def serve(front, back):
    listener = socket.create_server(("", front))
    while True:
        client, _ = listener.accept()
        try:
            _, _, found = socket.gethostbyname_ex(name)
        except OSError:
            found = []
        random.shuffle(found)
        for address in found:
            try:
                backend = socket.create_connection((address, back), 2)
                backend.settimeout(None)
            except OSError:
                continue
            threading.Thread(target=pump, args=(client, backend), daemon=True).start()
            threading.Thread(target=pump, args=(backend, client), daemon=True).start()
            break
        else:
            client.close()
for front, back in pairs:
    threading.Thread(target=serve, args=(front, back), daemon=True).start()
threading.Event().wait()
"""


class NoPods:
    """No engine: groups run because they say so, and gateways lead nowhere."""

    world: World

    def __init__(self) -> None:
        self.missing: set[str] = set()
        self.crashing: dict[str, int] = {}
        self.events: dict[str, list[Json]] = {}
        self.started: dict[str, datetime] = {}

    def has_image(self, image: str) -> bool:
        """Whether an image can be pulled."""
        return image not in self.missing

    def apply(self, id: str, sent: Json, filled: Json) -> None:
        """Run a group."""
        self.started[id.lower()] = datetime.now(UTC)

    def settled(self, id: str) -> bool:
        """Whether a group has begun to run."""
        return True

    def remove(self, id: str) -> None:
        """End a group."""

    def forget(self, id: str) -> None:
        """What was made for any resource goes with it."""

    def show(self, id: str, body: Json) -> None:
        """The state of a group, in its body."""
        properties = body["properties"]
        if properties.get("ipAddress"):
            digit = int(hashlib.sha256(id.lower().encode()).hexdigest()[:2], 16)
            properties["ipAddress"]["ip"] = f"10.0.0.{digit}"
        started = moment(self.started.get(id.lower()) or datetime.now(UTC))
        for container in properties["containers"]:
            code = self.crashing.get(container["properties"]["image"])
            now: Json = {"state": "Running", "startTime": started}
            if code is not None:
                now = {"state": "Terminated", "exitCode": code, "finishTime": started, "detailStatus": "Error"}
            container["properties"]["instanceView"] = {
                "restartCount": 0,
                "currentState": now,
                "events": self.events.get(id.rpartition("/")[2], []),
            }
        properties["instanceView"] = {"events": [], "state": "Running"}

    def front(self, world: World, id: str, frontend: Json, balancer: Json) -> str:
        """The private address of a load balancer."""
        return f"10.0.255.{len(id) % 250}"

    def gateway(self, world: World, id: str) -> None:
        """Let an application gateway serve."""

    def act(self, id: str, verb: str) -> None:
        """Start, stop or restart a group."""

    def logs(self, id: str, container: str, tail: int) -> str:
        """What a container wrote."""
        return "started\nlistening\n"

    def close(self) -> None:
        """Remove everything."""


class Pods(NoPods):
    """Groups as containers: one holds the network, the others share it."""

    def __init__(self, api: Any) -> None:
        super().__init__()
        from tests.fakes.arm.gateways import Gateways

        self.api = api
        self.mark = uuid.uuid4().hex[:8]
        self.pods: dict[str, Pod] = {}
        self.networks: dict[str, tuple[str, str]] = {}
        self.resolvers: dict[str, Any] = {}
        self.fronts: dict[str, tuple[str, list[str]]] = {}
        self.gateways = Gateways(self)

    @classmethod
    def of_docker(cls) -> Pods | NoPods:
        """On the engine of DOCKER_HOST; imaginary ones without it."""
        if not os.environ.get("DOCKER_HOST"):
            return NoPods()
        import docker

        return cls(docker.APIClient(version="auto", timeout=60, base_url=os.environ["DOCKER_HOST"]))

    def labels(self, id: str) -> dict[str, str]:
        """What marks a container as one of a resource."""
        return {LABEL: self.mark, f"{LABEL}.id": id}

    def has_image(self, image: str) -> bool:
        """Whether the engine has it: nothing is pulled."""
        try:
            self.api.inspect_image(image)
        except Exception:
            return False
        return image not in self.missing

    # ------------------------------------------------------------ networks

    def network(self, subnet: str) -> tuple[str, str]:
        """The engine's network for the virtual network of a subnet, and the address of its resolver."""
        from tests.fakes.arm.names import Resolver

        virtual = subnet.partition("/subnets/")[0].lower() if subnet else "public"
        if virtual not in self.networks:
            name = f"arm-{self.mark}-{hashlib.sha256(virtual.encode()).hexdigest()[:8]}"
            self.api.create_network(name, labels=self.labels(virtual))
            gateway = self.api.inspect_network(name)["IPAM"]["Config"][0]["Gateway"]
            self.resolvers[virtual] = Resolver(gateway, lambda asked: self.resolve(virtual, asked))
            self.networks[virtual] = (name, gateway)
        return self.networks[virtual]

    def resolve(self, virtual: str, name: str) -> list[str] | None:
        """The addresses of a name in a virtual network; None if there is none."""
        with self.world.lock:
            if name.endswith(".stand-in"):
                return self._behind(name.removesuffix(".stand-in"))
            for stored in list(self.world.stored.values()):
                zone, found, relative = stored.id.partition("/A/")
                if not found or f"{relative}.{zone.rpartition('/')[2]}".lower() != name:
                    continue
                links = [
                    s for k, s in self.world.stored.items() if k.startswith(f"{zone}/virtualNetworkLinks/".lower())
                ]
                if any(s.body["properties"]["virtualNetwork"]["id"].lower() == virtual for s in links):
                    return [r["ipv4Address"] for r in stored.body["properties"].get("aRecords", [])]
        return None

    def _behind(self, mark: str) -> list[str]:
        """The addresses of the groups behind a load balancer."""
        found: list[str] = []
        for stored in self.world.stored.values():
            for stub in stored.body.get("properties", {}).get("containerGroupProfiles", []):
                pools = stub.get("networkProfile", {}).get("loadBalancer", {}).get("backendAddressPools", [])
                if any(_mark(p["resource"].partition("/backendAddressPools/")[0]) == mark for p in pools):
                    below = f"{stored.id}-".lower().replace("/ngroups/", "/containergroups/")
                    found += [p.address for k, p in self.pods.items() if k.startswith(below) and p.serving]
        return found

    # ------------------------------------------------------------ groups

    def apply(self, id: str, sent: Json, filled: Json) -> None:
        """Run a group; one that runs is changed in place."""
        before = self.pods.get(id.lower())
        subnet = next((s["id"] for s in filled["properties"].get("subnetIds", [])), "")
        network, resolver = self.network(subnet)
        if before is not None:
            before.change(sent["properties"])
            return
        self.pods[id.lower()] = Pod(self, id, sent["properties"], network, resolver)

    def settled(self, id: str) -> bool:
        """Whether its containers were started."""
        pod = self.pods.get(id.lower())
        return pod is None or pod.settled.is_set()

    def remove(self, id: str) -> None:
        """Remove its containers."""
        pod = self.pods.pop(id.lower(), None)
        if pod is not None:
            pod.end()

    def forget(self, id: str) -> None:
        """The network of a virtual network, the container of a load balancer, the sockets of a gateway."""
        if (found := self.fronts.pop(id.lower(), None)) is not None:
            self.remove_container(found[0])
        self.gateways.forget(id)
        if (network := self.networks.pop(id.lower(), None)) is not None:
            self.resolvers.pop(id.lower()).close()
            gone(lambda: self.api.remove_network(network[0]))
        if "/storageaccounts/" in id.lower():
            self.remove_volumes("account", id.split("/")[8].lower())

    def show(self, id: str, body: Json) -> None:
        """As the engine says."""
        pod = self.pods.get(id.lower())
        if pod is not None:
            pod.show(body)

    def act(self, id: str, verb: str) -> None:
        """Start, stop or restart a group."""
        pod = self.pods.get(id.lower())
        if pod is not None:
            pod.act(verb)

    def logs(self, id: str, container: str, tail: int) -> str:
        """What the container wrote."""
        pod = self.pods.get(id.lower())
        return pod.logs(container, tail) if pod is not None else ""

    # ------------------------------------------------------------ ways in

    def front(self, world: World, id: str, frontend: Json, balancer: Json) -> str:
        """A container that passes connections on to the groups behind a load balancer."""
        rules = [r["properties"] for r in balancer.get("loadBalancingRules", [])]
        pairs = [f"{r['frontendPort']}:{r['backendPort']}" for r in rules if r["protocol"] == "Tcp"]
        known = self.fronts.get(id.lower())
        if known is None or known[1] != pairs:
            self.forget(id) if known is not None else None
            network, resolver = self.network(frontend["subnet"]["id"])
            made = self.api.create_container(
                PYTHON,
                ["python3", "-c", _BALANCER, f"{_mark(id)}.stand-in", *pairs],
                labels=self.labels(id),
                host_config=self.api.create_host_config(network_mode=network, dns=[resolver], init=True),
            )["Id"]
            self.api.start(made)
            self.fronts[id.lower()] = (made, pairs)
        seen = self.api.inspect_container(self.fronts[id.lower()][0])
        address: str = next(iter(seen["NetworkSettings"]["Networks"].values()))["IPAddress"]
        return address

    def gateway(self, world: World, id: str) -> None:
        """Sockets for its listeners."""
        self.gateways.serve(world, id)

    # ------------------------------------------------------------ the end

    def all(self) -> list[str]:
        """What the engine has of ours, in its own words."""
        filters = {"label": f"{LABEL}={self.mark}"}
        containers = [c["Names"][0] for c in self.api.containers(all=True, filters=filters)]
        networks = [n["Name"] for n in self.api.networks(filters=filters)]
        return [*containers, *networks, *(v["Name"] for v in self.api.volumes(filters=filters)["Volumes"] or ())]

    def remove_container(self, made: str) -> None:
        """Remove a container, and wait until it is gone."""
        gone(lambda: self.api.remove_container(made, force=True, v=True))

    def remove_volumes(self, label: str = "", value: str = "") -> None:
        """Remove our volumes, or those of them that have a label."""
        filters = {"label": [f"{LABEL}={self.mark}", *([f"{LABEL}.{label}={value}"] if label else ())]}
        for volume in self.api.volumes(filters=filters)["Volumes"] or ():
            gone(lambda name=volume["Name"]: self.api.remove_volume(name))  # type: ignore[misc]

    def close(self) -> None:
        """Remove everything."""
        for pod in list(self.pods.values()):
            pod.end()
        self.gateways.close()
        for resolver in self.resolvers.values():
            resolver.close()
        filters = {"label": f"{LABEL}={self.mark}"}
        for container in self.api.containers(all=True, filters=filters):
            self.remove_container(container["Id"])
        for network in self.api.networks(filters=filters):
            gone(lambda id=network["Id"]: self.api.remove_network(id))  # type: ignore[misc]
        self.remove_volumes()
        self.api.close()


def _mark(id: str) -> str:
    return "lb" + hashlib.sha256(id.lower().encode()).hexdigest()[:8]
