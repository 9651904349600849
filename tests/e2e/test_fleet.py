"""Modules, loops, conditions, a parameter file, a secret and replicas, as real processes."""

import json
import re
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.e2e.newcomer import sample

pytestmark = pytest.mark.e2e
FILE = "samples/fleet/dev.bicepparam"
SECRET = "planted-4711-secret"


def fetch(url: str) -> str:
    with urlopen(url, timeout=60) as answer:
        return answer.read().decode()


def test_the_fleet_comes_up_scales_and_goes(tmp_path: Path) -> None:
    clone = sample("fleet", tmp_path)
    planned = clone.run("plan", FILE, FLEET_TOKEN=SECRET)
    assert "known after deploy" in planned.stdout or "decided after deploy" in planned.stdout
    deployed = clone.run("deploy", FILE, "--format", "json", FLEET_TOKEN=SECRET)
    outputs = json.loads(deployed.stdout.splitlines()[-1])["outputs"]
    page = fetch(outputs["page"])
    assert "Fleet of 2" in page and "An apple a day" in page and "A pair of pears" in page
    state = clone.run("state", "list").stdout
    assert "entry[0]" in state and "entry[1]" in state
    assert clone.run("plan", FILE, "--exit-code", FLEET_TOKEN=SECRET).returncode == 0
    assert clone.run("plan", FILE, "--exit-code", ok=(2,)).returncode == 2  # another token

    clone.run("deploy", FILE, "-p", "statusPage=false", FLEET_TOKEN=SECRET)
    assert "page" not in re.sub(r"statusPage", "", clone.run("state", "list").stdout)

    for path in (clone.folder / ".ulna").rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path
    assert not secret_in_command_lines()

    clone.run("destroy", FILE, "--yes", FLEET_TOKEN=SECRET)
    assert "fleet" not in clone.run("state", "list").stdout


def secret_in_command_lines() -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if SECRET.encode() in path.read_bytes():
                found.append(str(path))
        except OSError:
            continue
    return found
