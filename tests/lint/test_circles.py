"""The rules come to an end in files where things lead back to themselves: an editor asks them of such files too."""

from __future__ import annotations

import pytest

from engine.check.check import check
from engine.lint.run import lint
from engine.sources.memory import MemorySources

VARIABLES = """
var one = '${two}/a'
var two = '${one}/b'
resource thing 'My.Rp/things@2024-01-01' = {
  name: one
  location: two
  properties: { otherId: one }
  dependsOn: [ other ]
}
resource other 'My.Rp/others@2024-01-01' = {
  name: two
}
"""

PARENTS = """
resource one 'My.Rp/things/parts@2024-01-01' = {
  parent: two
  name: 'one'
  dependsOn: [ other ]
}
resource two 'My.Rp/things/parts@2024-01-01' = {
  parent: one
  name: 'two'
  properties: { of: resourceId('My.Rp/things/parts', 'one', 'two') }
}
resource other 'My.Rp/others@2024-01-01' = {
  name: 'other'
}
output of object = reference(resourceId('My.Rp/things/parts', 'one', 'two'))
"""


@pytest.mark.parametrize("text", [VARIABLES, PARENTS], ids=["variables", "parents"])
def test_the_rules_come_to_an_end_in_a_circle(text: str) -> None:
    model = check("main.bicep", MemorySources({"main.bicep": text}))
    assert {"BCP080"} <= {d.code for d in model.diagnostics}
    assert all(d.severity != "error" for d in lint(model)), "what is wrong was told before"
