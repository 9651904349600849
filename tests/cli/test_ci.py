"""What others put into their CI: the hooks for pre-commit, the workflow to call, and the examples of the README."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
UGLY = "var   a = json('null')\noutput x object? = a\n"
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/bicep.yml").read_text())
README = (ROOT / "README.md").read_text()


def shell(command: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", **variables}
    bash = shutil.which("bash")
    assert bash
    return subprocess.run([bash, "-e", "-c", command], cwd=cwd, env=environment, capture_output=True, text=True)


def test_pre_commit_takes_the_hooks():
    if not (BIN / "pre-commit").exists():
        pytest.skip("needs pre-commit")
    result = subprocess.run([BIN / "pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"], check=False)
    assert result.returncode == 0


@pytest.mark.parametrize("hook", HOOKS, ids=lambda h: h["id"])
def test_a_hook_runs_on_the_files_that_it_is_given(hook, tmp_path):
    assert [n for n in ("a.bicep", "a.bicepparam", "a.json") if re.search(hook["files"], n)] == [
        "a.bicep",
        "a.bicepparam",
    ]
    (tmp_path / "a.bicep").write_text(UGLY)
    (tmp_path / "b.bicep").write_text("output x string = nothing\n")
    assert shell(f"{hook['entry']} a.bicep", tmp_path).returncode == 0
    changed = (tmp_path / "a.bicep").read_text()
    assert (changed == UGLY) == (hook["id"] == "ulna-lint")
    assert shell(f"{hook['entry']} a.bicep b.bicep", tmp_path).returncode == ("lint" in hook["id"])


def steps() -> dict[str, str]:
    return {step["name"]: step["run"] for step in WORKFLOW["jobs"]["bicep"]["steps"] if "run" in step}


def test_the_workflow_is_for_calling_and_asks_for_no_more_than_it_needs():
    (trigger,) = (WORKFLOW.get("on") or WORKFLOW[True]).keys()
    assert trigger == "workflow_call"
    assert WORKFLOW["permissions"] == {"contents": "read"}
    job = WORKFLOW["jobs"]["bicep"]
    assert job["permissions"] == {"contents": "read", "security-events": "write"}
    assert not [run for run in steps().values() if "${{" in run], "an input in a script would be run as a script"
    inputs = (WORKFLOW.get("on") or WORKFLOW[True])["workflow_call"]["inputs"]
    used = set(re.findall(r"inputs\.(\w+)", (ROOT / ".github/workflows/bicep.yml").read_text()))
    assert used == set(inputs)


def test_the_commands_of_the_workflow_run(tmp_path):
    (tmp_path / "infra").mkdir()
    (tmp_path / "infra/a.bicep").write_text("var   a = json('null')\noutput x object? = a\noutput y string = nothing\n")
    result = shell(steps()["Lint"], tmp_path, TARGET="infra", OPTIONS="--strict-bicep --no-restore")
    assert result.returncode == 1 and result.stdout.startswith("::")
    sarif = json.loads((tmp_path / "ulna.sarif").read_text())
    assert {r["ruleId"] for r in sarif["runs"][0]["results"]} >= {"BCP057", "simplify-json-null"}
    described = {r["id"]: r["shortDescription"]["text"] for r in sarif["runs"][0]["tool"]["driver"]["rules"]}
    assert described["BCP057"] == "A name is not declared" and "null" in described["simplify-json-null"]
    assert shell(steps()["Format"], tmp_path, TARGET="infra").returncode == 1
    (tmp_path / "infra/a.bicep").write_text("output x object? = null\n")
    assert shell(steps()["Lint"], tmp_path, TARGET="infra", OPTIONS="").returncode == 0
    assert shell(steps()["Format"], tmp_path, TARGET="infra").returncode == 0


def test_the_examples_of_the_readme_name_what_there_is():
    hooks, workflow = (yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", README, re.S))
    assert {h["id"] for h in hooks["repos"][0]["hooks"]} <= {h["id"] for h in HOOKS}
    job = workflow["jobs"]["bicep"]
    assert job["uses"].endswith("/.github/workflows/bicep.yml@main")
    inputs = (WORKFLOW.get("on") or WORKFLOW[True])["workflow_call"]["inputs"]
    assert set(job["with"]) <= set(inputs)
    assert {name for name, given in inputs.items() if given.get("required")} <= set(job["with"])
    assert job["permissions"] == WORKFLOW["jobs"]["bicep"]["permissions"]


def test_a_job_of_ones_own_is_three_commands(tmp_path):
    (tmp_path / "infra").mkdir()
    (tmp_path / "infra/a.bicep").write_text("output x object? = null\n")
    script = next(b for b in re.findall(r"```sh\n(.*?)```", README, re.S) if "ulna.sarif" in b)
    result = shell(re.sub(r" +#.*", "", script), tmp_path)
    assert result.returncode == 0, result.stderr
