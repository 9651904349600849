"""`--operator NAME=OPERATOR`: a pin for this call, in plans, saved plans and deployments."""

from __future__ import annotations

import json

import pytest

from engine.cli.main import main
from engine.contract.resource import Resource
from engine.diagnostics.diagnostic import UlnaError
from engine.expand.desired import Desired, Pending, Unit
from engine.pipeline.deploying import deploy
from engine.pipeline.pinning import pinned
from engine.pipeline.request import Request

VALUES = """
resource first 'Ulna.Core/values@2026-12-01' = { name: 'one', properties: { input: 1 } }
module inner 'inner.bicep' = { name: 'inner' }
"""
INNER = "resource first 'Ulna.Core/values@2026-12-01' = { name: 'two', properties: { input: 2 } }\n"


def graph(*names: str, pending: tuple[Pending, ...] = ()) -> Desired:
    made = (Resource(f"app/{n}", "T", "1", n.rpartition("/")[2].upper(), f"/{n}", {}, pin="old") for n in names)
    return Desired(tuple(made), pending=pending)


def pins(desired: Desired) -> dict[str, str | None]:
    return {r.address: r.pin for r in desired.resources}


@pytest.mark.parametrize("name", ["app/m/a", "m/a", "a", "A"])
def test_a_resource_is_named_as_everywhere(name):
    assert pins(pinned(graph("m/a", "b"), (f"{name}=docker",))) == {"app/m/a": "docker", "app/b": "old"}


def test_the_last_pin_counts_and_others_stay():
    assert pins(pinned(graph("a", "b"), ("a=x", "b=y", "a=z"))) == {"app/a": "z", "app/b": "y"}


@pytest.mark.parametrize(
    ("text", "code", "help"),
    [
        ("a", "ULN503", "Write --operator cache=docker."),
        ("=x", "ULN503", ""),
        ("a=", "ULN503", ""),
        ("AA=x", "ULN338", "There are: A, B."),
    ],
)
def test_what_is_no_pin_or_fits_nothing(text, code, help):
    with pytest.raises(UlnaError) as raised:
        pinned(graph("a", "b"), (text,))
    found = raised.value.diagnostics[0]
    assert found.code == code and help in (found.help or "") and raised.value.exit_code == 2


def test_what_is_undecided_may_still_be_it():
    part = Pending("app/c", Unit.RESOURCE, frozenset({"app/a"}), None)
    assert pins(pinned(graph("a", pending=(part,)), ("c=x",))) == {"app/a": "old"}


def test_a_pin_of_the_command_line_holds_in_plan_apply_and_deploy(write, folder, capsys):
    write("app.bicep", VALUES)
    write("inner.bicep", INNER)
    assert main(["plan", "app.bicep", "--operator", "one=podman"]) == 1
    assert "pinned to the operator 'podman'" in capsys.readouterr().err
    assert main(["plan", "app.bicep", "--operator", "one=core", "--operator", "two=core", "--out", "plan.json"]) == 0
    assert json.loads((folder / "plan.json").read_text())["basis"]["operators"] == ["one=core", "two=core"]
    assert main(["apply", "plan.json"]) == 0
    capsys.readouterr()
    assert main(["deploy", "app.bicep", "--operator", "one=core", "--operator", "two=core", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["changed"] == {}
    assert main(["plan", "app.bicep", "--out", "plain.json"]) == 0
    assert "operators" not in json.loads((folder / "plain.json").read_text())["basis"]


def test_a_pin_that_nobody_can_keep_ends_a_deployment(write):
    path = write("app.bicep", VALUES)
    write("inner.bicep", INNER)
    with pytest.raises(UlnaError) as raised:
        deploy(Request(str(path), operators=("one=podman",)))
    assert raised.value.diagnostics[0].code == "ULN303"
