"""Whatever is changed in a file: the deployment does what the plan said, no more and no less."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.pipeline.deploying import deploy
from engine.pipeline.planning import plan
from engine.pipeline.request import Request
from engine.plan.change import Action

DONE = {Action.CREATE: "create", Action.MODIFY: "modify", Action.REPLACE: "replace", Action.DELETE: "delete"}

literal = st.sampled_from(["1", "2", "'a'", "[1, 2]", "{ k: 1 }"])
"""What a resource's input may be, besides a reference to an earlier one."""

resource = st.tuples(literal, st.integers(0, 6), st.sampled_from(["", "t1", "t2"]))
"""The input, which earlier resource to read instead (some number is none), and a trigger of replacement."""

files = st.lists(st.dictionaries(st.sampled_from("abcde"), resource, max_size=5), min_size=2, max_size=4)
"""A file after every edit; resources by name."""


def program(resources: dict[str, tuple[str, int, str]]) -> str:
    lines = []
    names = sorted(resources)
    for n, name in enumerate(names):
        value, source, trigger = resources[name]
        given = f"{names[source]}.properties.output" if source < n else value
        triggers = f"triggers: {{ t: '{trigger}' }}" if trigger else ""
        lines.append(
            f"resource {name} 'Ulna.Core/values@2026-12-01' = {{\n  name: '{name}'\n"
            f"  properties: {{\n    input: {given}\n    {triggers}\n  }}\n}}"
        )
    return "\n".join(lines) + "\n"


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files)
def test_a_deployment_does_what_its_plan_said(versions):
    before = os.getcwd()  # noqa: PTH109
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for resources in versions:
                Path("app.bicep").write_text(program(resources))
                planned = plan(Request("app.bicep")).plan
                outcome = deploy(Request("app.bicep"))
                assert outcome.ok, outcome
                said = {c.address: DONE[c.action] for c in planned.changes if c.action in DONE}
                open = {c.address for c in planned.changes if c.action is Action.DEPLOY}
                assert {a: w for a, w in outcome.changed.items() if a not in open} == said
                assert not plan(Request("app.bicep")).plan.acts
        finally:
            os.chdir(before)
