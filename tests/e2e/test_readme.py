"""The README's first command, as a newcomer runs it, and what follows in its tour."""

import json
import re
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.e2e.newcomer import Clone, readme_commands

pytestmark = pytest.mark.e2e
APP = "samples/hello/app.bicep"


def fetch(url: str) -> str:
    with urlopen(url, timeout=60) as answer:
        return answer.read().decode()


def url_of(text: str) -> str:
    found = re.findall(r"http://127\.0\.0\.1:\d+", text) or re.findall(r"http://localhost:\d+", text)
    assert found, text
    return found[-1]


def pids(clone: Clone) -> dict[str, str]:
    resources = json.loads(clone.run("status", "--format", "json").stdout)["resources"]
    return {r["address"]: r["id"] for r in resources if r["type"] == "Ulna.Process/processes"}


def test_there_are_two_commands() -> None:
    assert len(readme_commands()) == 2
    assert readme_commands()[1] in (Path(__file__).parent.parent.parent / "README.md").read_text()


def test_the_first_command_leaves_an_application_running(clone: Clone) -> None:
    assert clone.first.returncode == 0, clone.first.stdout + clone.first.stderr
    assert fetch(url_of(clone.first.stdout)) == "web heard: Hello from the backend\n"


def test_a_second_deploy_changes_nothing(clone: Clone) -> None:
    before = pids(clone)
    result = clone.run("deploy", APP)
    assert "nothing" in result.stdout.lower() or "no change" in result.stdout.lower()
    assert pids(clone) == before
    assert clone.run("plan", APP, "--exit-code").returncode == 0


def test_an_edit_of_one_variable_restarts_that_process_only(clone: Clone) -> None:
    before = pids(clone)
    assert clone.run("plan", APP, "-p", "greeting=Moin", "--exit-code", ok=(2,)).stdout
    result = clone.run("deploy", APP, "-p", "greeting=Moin")
    after = pids(clone)
    assert {a for a in after if after[a] != before[a]} == {a for a in after if "backend" in a}
    assert fetch(url_of(result.stdout)) == "web heard: Moin from the backend\n"
    clone.run("deploy", APP)


def test_an_environment_of_its_own(clone: Clone) -> None:
    clone.run("deploy", "samples/hello/env.bicep")
    result = clone.run("deploy", APP, "-e", "local")
    assert fetch(url_of(result.stdout)) == "web heard: Hello from the backend\n"
    clone.run("destroy", APP, "-e", "local", "--yes")
    clone.run("destroy", "samples/hello/env.bicep", "--yes")


@pytest.mark.parametrize(
    "arguments",
    [
        ("status",),
        ("logs", "web"),
        ("graph", APP),
        ("graph", APP, "--format", "json"),
        ("graph", APP, "--format", "dot"),
        ("graph", APP, "--format", "mermaid"),
        ("build", APP, "--stdout"),
        ("lint", APP),
        ("render", APP),
        ("state", "list"),
        ("explain", "BCP057"),
        ("version",),
        ("--help",),
        ("what-if", APP, "--format", "json"),
        ("completion", "bash"),
    ],
    ids=" ".join,
)
def test_every_verb_of_the_tour(clone: Clone, arguments: tuple[str, ...]) -> None:
    clone.run(*arguments, "-e", "default", ok=(0,)) if arguments[0] in ("status", "logs") else clone.run(*arguments)


def test_a_plan_is_saved_applied_and_refused_when_things_moved_on(clone: Clone, tmp_path: Path) -> None:
    saved = str(tmp_path / "plan.json")
    clone.run("plan", APP, "-p", "greeting=Servus", "--out", saved)
    clone.run("apply", saved)
    refused = clone.run("apply", saved, ok=(1,))
    assert "state" in refused.stderr and "plan" in refused.stderr
    clone.run("deploy", APP)


def test_destroy_leaves_nothing(clone: Clone) -> None:
    url = url_of(clone.run("deploy", APP).stdout)
    clone.run("destroy", APP, "--yes")
    with pytest.raises(URLError):
        fetch(url)
    assert not pids(clone)
