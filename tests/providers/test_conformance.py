"""Our own operators pass what every operator must."""

from collections.abc import Iterable
from pathlib import Path

from engine.contract.conformance import OperatorConformance
from engine.contract.operator import Operator
from engine.contract.resource import Resource
from engine.contract.secretfiles import SecretFileOperator, SecretFiles
from engine.contract.value import Secret, Value
from providers.core.values import ValuesOperator
from providers.process.balancers import BalancerOperator
from providers.process.folders import FolderOperator
from providers.process.gateways import GatewayOperator
from providers.process.port import candidates, is_free
from providers.process.ports import PortOperator
from providers.process.processes import ProcessOperator
from tests.providers.test_caddy import needs_caddy


def a(type: str, **properties: Value) -> Resource:
    return Resource("app/thing", type, "2026-12-01", "thing", "/thing", {"properties": properties})


class TestValues(OperatorConformance):
    def operator(self, folder: Path) -> Operator:
        return ValuesOperator()

    def resource(self, folder: Path) -> Resource:
        return a("Ulna.Core/values", input={"a": [1, None, "x"]}, triggers={"v": 1})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield a("Ulna.Core/values", input=2, triggers={"v": 1})
        yield a("Ulna.Core/values", input={"a": [1, None, "x"]}, triggers={"v": 2})
        yield a("Ulna.Core/values", input={"a": [1, None, "x"]})


class TestPorts(OperatorConformance):
    def operator(self, folder: Path) -> Operator:
        return PortOperator(folder)

    def resource(self, folder: Path) -> Resource:
        return a("Ulna.Process/ports", prefer=28080, protocol="TCP")

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield a("Ulna.Process/ports", prefer=28081, protocol="TCP")
        yield a("Ulna.Process/ports", prefer=28080, protocol="UDP")


class TestProcesses(OperatorConformance):
    def operator(self, folder: Path) -> Operator:
        return ProcessOperator(folder)

    def resource(self, folder: Path) -> Resource:
        env = {"KEY": Secret("key", "digest")}
        return a(
            "Ulna.Process/processes",
            command=["sh", "-c", "trap 'exit 0' TERM; sleep 60 & wait"],
            workingDirectory=str(folder),
            env=env,
            gracePeriodSeconds=2,
        )

    def changes(self, folder: Path) -> Iterable[Resource]:
        properties = dict(self.resource(folder).properties["properties"])
        yield a("Ulna.Process/processes", **properties | {"env": {"KEY": Secret("key", "other")}})
        yield a("Ulna.Process/processes", **properties | {"command": ["sh"]})

    def secrets(self) -> dict[str, Value]:
        return {"key": "do-not-tell-anyone"}


class TestBalancers(OperatorConformance):
    port = next(p for p in candidates(None, "TCP") if is_free(p))

    def operator(self, folder: Path) -> Operator:
        return BalancerOperator(folder)

    def resource(self, folder: Path) -> Resource:
        return a("Ulna.Process/balancers", ports={"http": self.port}, listens=self.port, targets=[1, 2])

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield a("Ulna.Process/balancers", ports={"http": self.port}, listens=self.port, targets=[1, 2, 3])
        yield a("Ulna.Process/balancers", ports={"http": 1}, listens=1, targets=[1, 2])


class TestFolders(OperatorConformance):
    def operator(self, folder: Path) -> Operator:
        return FolderOperator(folder)

    def resource(self, folder: Path) -> Resource:
        return a("Ulna.Process/folders")

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield a("Ulna.Process/folders", note="another")


class TestSecretStores(OperatorConformance):
    def operator(self, folder: Path) -> Operator:
        return SecretFileOperator("secrets", "ulna.process/secrets", folder)

    def resource(self, folder: Path) -> Resource:
        return a("Ulna.Process/secrets", store="/stores/keys", kind="generic", data={"key": Secret("key", "digest")})

    def changes(self, folder: Path) -> Iterable[Resource]:
        data = {"key": Secret("key", "other"), "more": Secret("key", "digest")}
        yield a("Ulna.Process/secrets", store="/stores/keys", kind="generic", data=data)
        yield a("Ulna.Process/secrets", store="/stores/others", kind="generic", data=data)

    def secrets(self) -> dict[str, Value]:
        return {"key": "do-not-tell-anyone"}


@needs_caddy
class TestGateways(OperatorConformance):
    port = next(p for p in candidates(None, "TCP") if is_free(p))

    def operator(self, folder: Path) -> Operator:
        return GatewayOperator(folder / "running", SecretFiles(folder / "secrets"))

    def resource(self, folder: Path) -> Resource:
        return self.leading_to("localhost:1")

    def leading_to(self, *where: str, port: int | None = None, **more: Value) -> Resource:
        listens = port or self.port
        routes = [{"path": "/", "to": list(where)}]
        return a("Ulna.Process/gateways", ports={"http": listens}, listens=listens, routes=routes, **more)

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.leading_to("localhost:1", "localhost:2")
        yield self.leading_to("localhost:1", hostname="shop.example")
        yield self.leading_to("localhost:1", port=1)
