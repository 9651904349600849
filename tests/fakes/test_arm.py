"""The stand-in for Azure, tried with the SDKs that Azure gives out, and with the requests that Azure's files give as examples."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.arm import openapi
from tests.fakes.arm.server import SUBSCRIPTION, Arm

pytestmark = pytest.mark.skipif(not openapi.FILES.is_dir(), reason="shared/data/azure-openapi is not there")
GROUP = {
    "location": "westeurope",
    "os_type": "Linux",
    "containers": [{"name": "a", "image": "x", "resources": {"requests": {"cpu": 1, "memory_in_gb": 1}}}],
}


@pytest.fixture
def arm() -> Iterator[Arm]:
    with Arm() as made:
        made.group("rg")
        yield made
        assert not made.own_faults


def settings(arm: Arm) -> dict[str, Any]:
    from azure.core.pipeline.policies import SansIOHTTPPolicy

    class Word(SansIOHTTPPolicy):  # type: ignore[type-arg]
        def on_request(self, request: Any) -> None:
            request.http_request.headers["Authorization"] = "Bearer word"

    policy = Word()
    return {"base_url": arm.url, "authentication_policy": policy, "credential_scopes": ["x"], "retry_total": 0}


class Nobody:
    def get_token(self, *scopes: str, **more: Any) -> Any:
        from azure.core.credentials import AccessToken

        return AccessToken("word", int(time.time()) + 3600)


@pytest.fixture
def instances(arm: Arm) -> Any:
    sdk = pytest.importorskip("azure.mgmt.containerinstance", reason="azure-mgmt-containerinstance is not installed")
    with sdk.ContainerInstanceManagementClient(Nobody(), SUBSCRIPTION, **settings(arm)) as client:
        yield client


@pytest.fixture
def resources(arm: Arm) -> Any:
    sdk = pytest.importorskip("azure.mgmt.resource.resources", reason="azure-mgmt-resource is not installed")
    with sdk.ResourceManagementClient(Nobody(), SUBSCRIPTION, **settings(arm)) as client:
        yield client


def test_container_groups_by_the_sdk(arm, instances):
    made = instances.container_groups.begin_create_or_update("rg", "g", GROUP).result()
    assert made.provisioning_state == "Succeeded"
    assert made.containers[0].instance_view.current_state.state == "Running"
    assert instances.containers.list_logs("rg", "g", "a").content
    assert [g.name for g in instances.container_groups.list_by_resource_group("rg")] == ["g"]
    instances.container_groups.begin_delete("rg", "g").result()
    assert arm.world.all() == [] and not arm.violations


def test_groups_and_any_resource_by_the_sdk(arm, resources):
    resources.resource_groups.create_or_update("more", {"location": "westeurope"})
    id = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/more/providers/Microsoft.Network/virtualNetworks/net"
    wish = {"location": "West Europe", "properties": {"addressSpace": {"addressPrefixes": ["10.0.0.0/8"]}}}
    made = resources.resources.begin_create_or_update_by_id(id, wish, api_version="2024-10-01").result()
    assert made.location == "westeurope" and made.properties["provisioningState"] == "Succeeded"
    assert [r.name for r in resources.resources.list_by_resource_group("more")] == ["net"]
    resources.resource_groups.begin_delete("more").result()
    assert arm.world.all() == [] and not arm.violations


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tagz": {}}, "tagz: not known"),
        ({"properties": {"containers": [], "restart": "Always"}}, "properties.restart: not known"),
        ({"properties": {"containers": [], "osType": "Plan9"}}, "is none of"),
        ({"properties": {"containers": "x"}}, "is no array"),
        ({"properties": {"osType": "Linux"}}, "'containers' is missing"),
        ({"location": 3}, "is no string"),
    ],
)
def test_what_the_files_do_not_know_is_refused_and_kept(arm, resources, change, words):
    from azure.core.exceptions import HttpResponseError

    id = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.ContainerInstance/containerGroups/g"
    container = {"name": "a", "properties": {"image": "x", "resources": {"requests": {"cpu": 1, "memoryInGB": 1}}}}
    body = {"location": "x", "properties": {"containers": [container], "osType": "Linux"}, **change}
    with pytest.raises(HttpResponseError, match="was invalid"):
        resources.resources.begin_create_or_update_by_id(
            id, json.dumps(body).encode(), api_version="2025-09-01"
        ).result()
    assert any(words in v for v in arm.violations), arm.violations
    assert arm.world.all() == []


def test_a_version_that_is_not_in_the_files_is_refused_and_kept(arm, resources):
    from azure.core.exceptions import HttpResponseError

    id = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/net"
    with pytest.raises(HttpResponseError, match="NoRegisteredProviderFound"):
        resources.resources.begin_create_or_update_by_id(id, {"location": "x"}, api_version="2016-01-01").result()
    assert arm.violations


def test_who_says_no_word_is_not_let_in(arm):
    import urllib.error
    import urllib.request

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{arm.url}/subscriptions/x/resourceGroups?api-version=2025-04-01")
    assert refused.value.code == 401
    refused.value.close()


def _examples() -> list[tuple[str, str]]:
    folder = (
        "containerinstance/resource-manager/Microsoft.ContainerInstance/ContainerInstance/stable/2025-09-01/examples"
    )
    found = sorted((openapi.FILES / folder).glob("*.json")) if openapi.FILES.is_dir() else []
    return [(f.name, str(f)) for f in found]


@pytest.mark.parametrize(("name", "file"), _examples())
def test_requests_that_azure_gives_as_examples_pass(name, file):
    from pathlib import Path

    example = json.loads(Path(file).read_text())
    bodies = [v for v in example["parameters"].values() if isinstance(v, dict)]
    at = [o for _, o in openapi.operations() if o.version == "2025-09-01" and o.body is not None]
    for body in bodies:
        faults = [list(openapi.check(*o.body, body, "")) for o in at if o.body is not None]
        assert not min(faults, key=len), min(faults, key=len)
