"""The engine's own operator passes what every operator must."""

from collections.abc import Iterable
from pathlib import Path

from engine.app.operator import AppOperator
from engine.contract.conformance import OperatorConformance
from engine.contract.operator import Operator
from engine.contract.resource import OUTPUTS, Resource


class Nowhere:
    kinds = ()

    def platform(self, kind: str) -> None:
        return None


def extender(**properties: object) -> Resource:
    body = {"properties": properties, OUTPUTS: {"url": "x"}}
    return Resource("app/db", "Applications.Core/extenders", "2023-10-01-preview", "db", "/db", body)


class TestApp(OperatorConformance):
    def operator(self, folder: Path) -> Operator:
        return AppOperator(Nowhere())

    def resource(self, folder: Path) -> Resource:
        return extender(host="a")

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield extender(host="b")
        yield extender(host="a", port=1)
