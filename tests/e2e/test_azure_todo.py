"""The sample `todo` on the stand-in for Azure, with and without a Key Vault: deployed, used, scaled, destroyed; and nothing is left."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator

import pytest

from tests.e2e.test_azure import ROOT, Site, engine
from tests.fakes.arm.pods import Pods
from tests.fakes.arm.server import Arm

__all__ = ["engine"]
pytestmark = pytest.mark.e2e
IMAGES = ("-p", "python=localhost/python:3", "-p", "redis=localhost/redis:7", "-p", "password=a-cache-password")
APP = ("samples/todo/app.bicep", "-e", "azure", *IMAGES)


@pytest.fixture(params=["plain", "vault"])
def site(request: pytest.FixtureRequest, engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    import docker

    pods = Pods(docker.APIClient(version="auto", timeout=120, base_url=engine))
    with Arm(pods) as arm:
        group = arm.group("shop")
        site = Site(tmp_path_factory.mktemp("todo"), arm, pods)
        shutil.copytree(ROOT / "samples" / "todo", site.folder / "samples" / "todo")
        more: list[str] = []
        if request.param == "vault":
            vault = f"{group}/providers/Microsoft.KeyVault/vaults/kv"
            arm.world.put(vault, "2025-05-01", {"location": "westeurope", "properties": {"tenantId": "t"}}, False)
            more = ["-p", f"keyVault={vault}"]
        site.vault = bool(more)  # type: ignore[attr-defined]
        site.run("deploy", "samples/todo/aci.bicep", "-p", f"resourceGroup={group}", "-p", f"endpoint={arm.url}", *more)
        yield site
        assert not arm.violations
        assert not arm.own_faults


def test_it_is_deployed_used_scaled_and_destroyed(site: Site) -> None:
    site.run("deploy", *APP)
    assert "To do" in site.get("/")
    site.run("deploy", *APP, "-p", "replicas=3", "-p", "title=Tomorrow")
    assert "Tomorrow" in site.get("/")
    assert site.kinds().count("containergroups") == 5
    assert "no change" in site.run("plan", *APP, "-p", "replicas=3", "-p", "title=Tomorrow")
    bodies = json.dumps(
        [site.arm.world.get(i) for i in site.arm.world.all() if "/containerGroups/redis" in i or "redis" in i]
    )
    assert ("secureValueReference" in bodies) == site.vault  # type: ignore[attr-defined]
    assert ("a-cache-password" in bodies) == (not site.vault), "the stand-in keeps what a group carries"  # type: ignore[attr-defined]
    state = b"".join(p.read_bytes() for p in (site.folder / ".ulna").rglob("*") if p.is_file())
    assert b"a-cache-password" not in state
    site.run("destroy", "samples/todo/app.bicep", "-e", "azure", "--yes")
    site.run("destroy", "samples/todo/aci.bicep", "--yes")
    left = [i for i in site.arm.world.all() if not i.endswith("/vaults/kv")]
    assert left == [] and site.pods.all() == [] and not site.arm.world.deleted
