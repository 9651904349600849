"""A value that proves to have none once others are deployed: told where it is written, through the modules around it."""

from __future__ import annotations

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.render.text import render
from engine.pipeline.deploying import deploy
from engine.pipeline.planning import plan
from engine.pipeline.request import Request
from tests.pipeline.conftest import Write

MAIN = """param size int
resource first 'Ulna.Core/values@2026-12-01' = {
  name: 'first'
  properties: { input: size }
}
module inner 'inner.bicep' = [for i in range(0, 2): { params: { place: first.properties.output } }]
output letter string = ['a', 'b', 'c'][first.properties.output]
"""
INNER = """param place int
resource second 'Ulna.Core/values@2026-12-01' = {
  name: 'second-${deployment().name}'
  properties: {
    input: { letters: ['x', ['y', 'z', 'w', 'v'][place]] }
  }
}
"""


def refused(call: object) -> str:
    error = call.value  # type: ignore[attr-defined]
    assert [d.code for d in error.diagnostics] == ["ULN510"]
    return render(error.diagnostics)


def test_a_property_is_told_before_anything_is_deployed(write: Write) -> None:
    write("main.bicep", MAIN)
    write("inner.bicep", INNER)
    for verb in (plan, deploy):
        with pytest.raises(UlnaError) as call:
            verb(Request("main.bicep", parameters=("size=7",)))
        said = refused(call)
        assert said.startswith("inner.bicep:5:29: error ULN510: The index 7 is outside of the array, which has 4 items")
        assert "--> main.bicep:6:8" in said
        assert "in module 'inner[0]'" in said


def test_an_output_is_told_when_it_is_worked_out(write: Write) -> None:
    write("main.bicep", MAIN)
    write("inner.bicep", INNER)
    with pytest.raises(UlnaError) as call:
        deploy(Request("main.bicep", parameters=("size=3",)))
    assert refused(call).startswith("main.bicep:7:24: error ULN510: The index 3 is outside of the array, which has 3")
    with pytest.raises(UlnaError) as call:  # nothing is to do any more, but to give it
        deploy(Request("main.bicep", parameters=("size=3",)))
    refused(call)
    assert deploy(Request("main.bicep", parameters=("size=2",))).outputs == {"letter": "c"}
