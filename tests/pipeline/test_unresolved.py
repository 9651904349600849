"""A value that proves to have none once others are deployed: told where it is written, through the modules around it."""

from __future__ import annotations

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.render.text import render
from engine.pipeline.deploying import deploy
from engine.pipeline.foreseeing import findings
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


APPLICATION = """extension radius
param environment string
param ports object = { http: { containerPort: 80 } }
resource app 'Applications.Core/applications@2023-10-01-preview' = { name: 'app', properties: { environment: environment } }
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: { image: 'a/b:1', ports: ports }
    runtimes: { process: { command: 'sleep', args: ['60'] } }
  }
}
resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'cache'
  properties: { application: app.id, environment: environment, resourceProvisioning: 'manual', host: 'h', port: 6379 }
}
resource extra 'Applications.Core/extenders@2023-10-01-preview' = {
  name: 'extra'
  properties: { application: app.id, environment: environment, resourceProvisioning: 'manual', word: 'x' }
}
resource value 'Ulna.Core/values@2026-12-01' = { name: 'value', properties: { input: READ } }
output right string = '${web.properties.endpoints.http} ${cache.properties.tls} ${extra.properties.word}'
output safe string = cache.properties.?username ?? web.properties.endpoints.?nope ?? 'none'
output never string = environment == '' ? cache.properties.username : 'other'
output read string = READ
"""
ENVIRONMENT = """extension radius
resource dev 'Applications.Core/environments@2023-10-01-preview' = { name: 'dev', properties: { compute: { kind: 'process' } } }
"""


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ("web.properties.endpoints.nope", "'nope' does not exist; there is 'http'"),
        ("cache.properties.username", "'username' does not exist; there is 'application', "),
        ("cache.properties.secrets.nope", "'nope' does not exist; there is 'connectionString', 'url'"),
        ("extra.properties.nope", "'nope' does not exist; there is "),
        ("web.properties.provisioningState", "'provisioningState' does not exist"),
    ],
)
def test_what_a_resource_will_never_report_is_told_before_anything_is_deployed(
    write: Write, read: str, said: str
) -> None:
    write("env.bicep", ENVIRONMENT)
    write("main.bicep", APPLICATION.replace("READ", read))
    (for_lint,) = {d.code for d in findings(Request("main.bicep", environment="env.bicep")) if d.severity == "error"}
    assert for_lint == "ULN510"
    deploy(Request("env.bicep"))
    for verb in (plan, deploy):
        with pytest.raises(UlnaError) as call:
            verb(Request("main.bicep", environment="dev"))
        places = [d.primary.span.start for d in call.value.diagnostics if d.primary is not None]
        assert len(set(places)) == 2, "at the property, and at the output"
        assert {d.code for d in call.value.diagnostics} == {"ULN510"}
        assert all(said in d.message for d in call.value.diagnostics)


def test_what_it_will_report_is_no_finding(write: Write) -> None:
    write("env.bicep", ENVIRONMENT)
    write("main.bicep", APPLICATION.replace("READ", "'x'"))
    assert not [d for d in findings(Request("main.bicep", environment="env.bicep")) if d.severity == "error"]
