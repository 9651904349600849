"""Resources of Azure by the installed command, on the stand-in: scopes, drift, storms, kills; nothing runs but the stand-in."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.arm.filling import number
from tests.fakes.arm.openapi import FILES
from tests.fakes.arm.server import SUBSCRIPTION, Arm

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(not FILES.is_dir(), reason="shared/data/azure-openapi is not there")]
ULNA = Path(sys.executable).parent / "ulna"
APP = Path(__file__).parent / "azure"

GENERIC = """
param location string = resourceGroup().location
param prefix string = '10.0.0.0/24'
param me string = 'me'
resource net 'Microsoft.Network/virtualNetworks@2024-10-01' = {
  name: 'net'
  location: location
  tags: { team: 'shop' }
  properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } }
  resource inner 'subnets' = { name: 'inner', properties: { addressPrefix: prefix } }
}
resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = { name: me, location: location }
resource role 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(net.id, 'reader')
  scope: net
  properties: {
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'acdd72a7-3385-48ef-bd42-f606fba81ae7')
  }
}
resource there 'Microsoft.Storage/storageAccounts@2023-05-01' existing = { name: 'there' }
output files string = there.properties.primaryEndpoints.file
output inner string = net::inner.id
"""
KEYS = """
param location string = resourceGroup().location
param level string = 'info'
resource made 'Microsoft.Storage/storageAccounts@2023-05-01' = {
  name: 'made'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}
resource there 'Microsoft.Storage/storageAccounts@2023-05-01' existing = { name: 'there' }
resource reader 'Microsoft.ContainerInstance/containerGroups@2023-05-01' = {
  name: 'reader'
  location: location
  properties: {
    osType: 'Linux'
    containers: [
      {
        name: 'reader'
        properties: {
          image: 'reader:1'
          resources: { requests: { cpu: 1, memoryInGB: 1 } }
          environmentVariables: [
            { name: 'LEVEL', value: level }
            { name: 'MADE', secureValue: made.listKeys().keys[0].value }
            { name: 'THERE', secureValue: 'AccountKey=${there.listKeys().keys[0].value};' }
            { name: 'TOKEN', secureValue: made.listAccountSas('2024-01-01', { signedServices: 'b' }).accountSasToken }
          ]
        }
      }
    ]
  }
}
output named string = made.listKeys().keys[0].keyName
output key string = made.listKeys().keys[0].value
"""
SUBSCRIPTIONS = """
targetScope = 'subscription'
resource group 'Microsoft.Resources/resourceGroups@2025-04-01' = { name: 'more', location: 'westeurope' }
module inside 'inside.bicep' = { scope: group, params: { location: group.location } }
output address string = inside.outputs.address
"""
INSIDE = """
param location string
resource ip 'Microsoft.Network/publicIPAddresses@2024-10-01' = {
  name: 'ip'
  location: location
  sku: { name: 'Standard' }
  properties: { publicIPAllocationMethod: 'Static' }
}
output address string = ip.properties.ipAddress
"""
CONTAINER = """
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = { name: 'shop', properties: { environment: environment } }
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: { application: app.id, container: { image: 'web:1', ports: { http: { containerPort: 80 } } } }
}
"""


class Site:
    def __init__(self, folder: Path, arm: Arm) -> None:
        self.folder, self.arm = folder, arm
        self.group = arm.group("shop")
        for name, text in {
            "generic": GENERIC,
            "sub": SUBSCRIPTIONS,
            "inside": INSIDE,
            "app": CONTAINER,
            "keys": KEYS,
        }.items():
            (folder / f"{name}.bicep").write_text(text)
        (folder / "env.bicep").write_text((APP / "env.bicep").read_text())

    @property
    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ULNA_", "AZURE_"))}
        place = {"AZURE_SUBSCRIPTION_ID": SUBSCRIPTION, "AZURE_DEFAULTS_GROUP": "shop"}
        more = {"AZURE_DEFAULTS_LOCATION": "westeurope", "ULNA_AZURE_ENDPOINT": self.arm.url, "NO_COLOR": "1"}
        return {**kept, **place, **more}

    def run(self, *arguments: str, ok: tuple[int, ...] = (0,)) -> str:
        run = subprocess.run(
            [str(ULNA), *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        said = run.stdout + run.stderr
        assert run.returncode in ok, said
        assert "Traceback" not in said and "bug" not in said, said
        return said

    def env(self, *more: str, ok: tuple[int, ...] = (0,)) -> str:
        return self.run("deploy", "env.bicep", "-p", f"endpoint={self.arm.url}", *more, ok=ok)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with Arm() as arm:
        yield Site(tmp_path, arm)
        assert not arm.violations
        assert not arm.own_faults


def test_nested_extension_and_existing_resources(site: Site) -> None:
    there = f"{site.group}/providers/Microsoft.Storage/storageAccounts/there"
    wish = {"location": "westeurope", "kind": "StorageV2", "sku": {"name": "Standard_LRS"}, "properties": {}}
    site.arm.world.put(there, "2023-05-01", wish, False)
    said = site.run("deploy", "generic.bicep")
    assert "https://there.file.core.windows.net/" in said and "/virtualNetworks/net/subnets/inner" in said
    assert "4 no change" in site.run("plan", "generic.bicep")
    site.run("deploy", "generic.bicep", "-p", "prefix=10.0.9.0/24")
    net = site.arm.world.get(f"{site.group}/providers/Microsoft.Network/virtualNetworks/net")
    assert net["properties"]["subnets"][0]["properties"]["addressPrefix"] == "10.0.9.0/24"
    said = site.run("plan", "generic.bicep", "-p", "prefix=10.0.9.0/24", "-p", "me=you")
    assert "1 to replace" in said, said
    site.run("deploy", "generic.bicep", "-p", "prefix=10.0.9.0/24", "-p", "me=you")
    (identity,) = [i for i in site.arm.world.all() if "/userAssignedIdentities/" in i]
    assert identity.endswith("/you"), "the old one is gone"
    site.arm.world.stored[net["id"].lower()].body["tags"]["team"] = "other"
    assert "team" in site.run("plan", "generic.bicep", "-p", "prefix=10.0.9.0/24", "-p", "me=you")
    site.run("destroy", "generic.bicep", "--yes")
    assert site.arm.world.all() == [there], "what exists already is not ours to remove"


def test_keys_are_passed_on_and_shown_to_nobody(site: Site) -> None:
    accounts = f"{site.group}/providers/Microsoft.Storage/storageAccounts"
    wish = {"location": "westeurope", "kind": "StorageV2", "sku": {"name": "Standard_LRS"}, "properties": {}}
    site.arm.world.put(f"{accounts}/there", "2023-05-01", wish, False)
    group = f"{site.group}/providers/Microsoft.ContainerInstance/containerGroups/reader"

    def sent() -> dict[str, str]:
        (container,) = site.arm.world.stored[group.lower()].body["properties"]["containers"]
        return {v["name"]: v.get("value") or v["secureValue"] for v in container["properties"]["environmentVariables"]}

    said = [
        site.run("plan", "keys.bicep"),
        site.run("deploy", "keys.bicep"),
        site.run("plan", "keys.bicep", "--out", "kept.json"),
    ]
    assert "key1" in said[1] and "2 no change" in said[2], said
    keys = {name: number(f"{accounts}/{name}/listKeys") for name in ("made", "there")}
    keys["sas"] = number(f"{accounts}/made/listAccountSas 2024-01-01 b")
    there = {"MADE": keys["made"], "THERE": f"AccountKey={keys['there']};", "TOKEN": keys["sas"]}
    assert sent() == {"LEVEL": "info", **there}
    # what an earlier run was told, this one has to read again before it passes it on
    said.append(site.run("deploy", "keys.bicep", "-p", "level=debug"))
    assert sent() == {"LEVEL": "debug", **there}
    said += [
        site.run("status"),
        site.run("drift", "-e", "default", ok=(0, 1, 2)),
        site.run("state", "list", "--format", "json"),
    ]
    written = [f.read_bytes() for f in site.folder.rglob("*") if f.is_file()]
    for key in keys.values():
        assert not any(key in text for text in said)
        assert not any(key.encode() in content for content in written)
    site.run("destroy", "keys.bicep", "--yes")


def test_another_location_is_another_resource(site: Site) -> None:
    site.run("deploy", "sub.bicep")
    (site.folder / "sub.bicep").write_text(SUBSCRIPTIONS.replace("group.location", "'northeurope'"))
    said = site.run("plan", "sub.bicep")
    assert "location" in said and "cannot be changed in place" in said, said
    site.run("deploy", "sub.bicep")
    (ip,) = site.arm.world.all()
    assert site.arm.world.get(ip)["location"] == "northeurope"
    site.run("destroy", "sub.bicep", "--yes")
    assert list(site.arm.world.stored) == [site.group.lower()]


@pytest.mark.parametrize("moment", [0.9, 1.3, 1.8, 2.4, 3.2])
def test_killed_at_any_moment_the_next_run_goes_on(site: Site, moment: float) -> None:
    site.arm.world.looks = 12
    command = [str(ULNA), "deploy", "env.bicep", "-p", f"endpoint={site.arm.url}"]
    run = subprocess.Popen(
        command, cwd=site.folder, env=site.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(moment)
    run.send_signal(signal.SIGKILL)
    run.wait()
    site.arm.world.looks = 2
    site.env()
    assert len(site.arm.world.all()) == 6
    puts = [p for m, p in site.arm.requests if m == "PUT"]
    assert all(puts.count(p) <= 2 for p in set(puts)), "what was sent is looked for before it is sent again"
    site.run("destroy", "env.bicep", "--yes")
    assert site.arm.world.all() == []


def test_a_storm_passes(site: Site) -> None:
    site.arm.world.faults.add("Microsoft.Network", method="PUT", status=429, times=3, headers={"Retry-After": "1"})
    site.arm.world.faults.add("Microsoft.Network", method="PUT", status=500, times=2)
    site.arm.world.faults.add("natGateways", method="PUT", drop="after")
    site.arm.world.faults.add("virtualNetworks", method="PUT", status=409, code="AnotherOperationInProgress")
    said = site.env()
    assert "retrying" in said and len(site.arm.world.all()) == 6
    site.run("destroy", "env.bicep", "--yes")
    assert site.arm.world.all() == []


def test_what_never_gets_ready_says_why(site: Site) -> None:
    site.env()
    event = {
        "name": "Failed",
        "type": "Warning",
        "message": "Failed to pull image web:1",
        "lastTimestamp": "2026-01-01T00:00:00Z",
    }
    site.arm.world.pods.events["dev-shop-web"] = [event]
    site.arm.world.pods.crashing["web:1"] = 7
    said = site.run("deploy", "app.bicep", "-e", "dev", "--timeout", "6", ok=(1,))
    assert "exit code 7" in said, said
    site.arm.world.pods.crashing.clear()
    site.run("deploy", "app.bicep", "-e", "dev")
    site.run("destroy", "app.bicep", "-e", "dev", "--yes")


def test_an_environment_and_what_goes_there_in_one_file(site: Site) -> None:
    text = (site.folder / "env.bicep").read_text() + CONTAINER.replace("param environment string", "")
    job = "resource job 'Applications.Core/containers@2023-10-01-preview' = { name: 'job', properties: { application: app.id, restartPolicy: 'Never', container: { image: 'job:1' } } }"
    (site.folder / "one.bicep").write_text(text.replace("environment: environment", "environment: dev.id") + job)
    site.arm.world.pods.crashing["job:1"] = 0
    more = ("-p", f"endpoint={site.arm.url}")
    site.run("deploy", "one.bicep", *more)
    assert len(site.arm.world.all()) == 9
    said = site.run("plan", "one.bicep", *more)
    assert "to create" not in said and "to modify" not in said, said
    assert "exited" in site.run("status") or "completed" in site.run("status")
    site.run("destroy", "one.bicep", "--yes")
    assert site.arm.world.all() == []


def test_nobody_at_the_endpoint(site: Site) -> None:
    said = site.run("deploy", "env.bicep", "-p", "endpoint=http://127.0.0.1:9", ok=(1,))
    assert "Azure at 127.0.0.1:9 cannot be reached" in said and "HTTPS_PROXY" in said
    said = site.run("deploy", "env.bicep", "-p", "endpoint=http://azure.example", ok=(1,))
    assert "neither https nor on this machine" in said


def test_expired_credentials_and_limits(site: Site) -> None:
    site.env()
    site.arm.world.cores = 0.5
    said = site.run("deploy", "app.bicep", "-e", "dev", ok=(1,))
    assert "StandardCores" in said and "higher limit" in said
    site.arm.world.cores = 10
    site.arm.world.faults.expired = True
    assert "az login" in site.run("deploy", "app.bicep", "-e", "dev", ok=(1,))
    site.arm.world.faults.expired = False
    site.run("deploy", "app.bicep", "-e", "dev")
    site.run("destroy", "app.bicep", "-e", "dev", "--yes")
    site.run("destroy", "env.bicep", "--yes")
    assert site.arm.world.all() == []


def test_a_misspelt_block_is_an_error_with_its_line(site: Site) -> None:
    site.env()
    text = CONTAINER.replace(
        "properties: { application: app.id,",
        "properties: { runtimes: { aci: { skuu: 'Standard' } }, application: app.id,",
    )
    (site.folder / "app.bicep").write_text(text)
    said = site.run("plan", "app.bicep", "-e", "dev", ok=(1, 2))
    assert "skuu" in said and "app.bicep:" in said and "sku" in said
    text = (site.folder / "env.bicep").read_text()
    (site.folder / "env.bicep").write_text(text.replace("cloud: {", "clowd: {"))
    said = site.env(ok=(1, 2))
    assert "clowd" in said and "env.bicep:" in said
