"""Where resources of Azure go, by the environment or by the variables of Azure's own command line."""

import pytest

from engine.contract.operator import Environment
from engine.expand.desired import Scope
from engine.expand.scopes import plane
from engine.pipeline.azurescope import GROUP, LOCATION, SUBSCRIPTION, azure_scope

PLACE = "/subscriptions/s1/resourceGroups/g1"


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (SUBSCRIPTION, GROUP, LOCATION):
        monkeypatch.delenv(name, raising=False)


def dev(compute: object = None, scope: str | None = None, **outputs: str) -> Environment:
    providers = {"azure": {"scope": scope}} if scope else {}
    return Environment("dev", "aci", "/e/dev", {"compute": compute or {}, "providers": providers}, outputs)


def test_the_environment_names_it():
    assert azure_scope(dev(scope=PLACE)) == {"subscription_id": "s1", "resource_group": "g1", "app_group": "default"}
    assert azure_scope(dev({"resourceGroup": "/subscriptions/s2/resourceGroups/g2"}, PLACE))["resource_group"] == "g2"
    assert azure_scope(dev(scope="/subscriptions/s1")) == {"subscription_id": "s1"}


def test_the_region_is_the_compute_blocks_else_what_is_reported():
    assert azure_scope(dev(scope=PLACE, location="westeurope"))["location"] == "westeurope"
    assert azure_scope(dev({"location": "uksouth"}, PLACE, location="westeurope"))["location"] == "uksouth"


def test_without_one_the_variables_do(monkeypatch):
    assert azure_scope(None) == {} == azure_scope(dev({"kind": "docker"}))
    monkeypatch.setenv(SUBSCRIPTION, "s3")
    monkeypatch.setenv(GROUP, "g3")
    monkeypatch.setenv(LOCATION, "northeurope")
    assert azure_scope(None) == {
        "subscription_id": "s3",
        "resource_group": "g3",
        "location": "northeurope",
        "app_group": "default",
    }
    assert azure_scope(dev(scope=PLACE))["resource_group"] == "g1"


def test_ids_of_the_app_model_do_not_hang_on_it():
    scope = Scope("d", resource_group="g1", app_group="default")
    assert plane("g1", scope).endswith("/resourceGroups/default")
    assert plane("other", scope).endswith("/resourceGroups/other")
    assert plane("g1", Scope("d", resource_group="g1")).endswith("/resourceGroups/g1")
