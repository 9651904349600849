"""What of a container runs, and can be stopped, on each kind: not what only keeps something for it or leads to it."""

import pytest

from engine.contract.operator import runs
from engine.pipeline.preparing import Prepared
from engine.pipeline.request import Request

PROGRAM = """
extension radius
resource here 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'here'
  properties: { compute: COMPUTE, providers: PROVIDERS }
}
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: here.id }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: { image: 'registry.example/web:1', ports: { http: { containerPort: 80 } }, env: { WORD: { value: 'hello' } } }
    extensions: [{ kind: 'manualScaling', replicas: 2 }]
    runtimes: { process: { command: 'web' } }
  }
}
"""
AZURE = "{ azure: { scope: '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/shop' } }"
AWS = "{ aws: { scope: '/planes/aws/aws/accounts/123456789012/regions/eu-west-1' } }"
KINDS = {
    "process": ("{ kind: 'process' }", "{}", {"Ulna.Process/processes": 2, "Ulna.Process/balancers": 1}),
    "docker": ("{ kind: 'docker' }", "{}", {"Ulna.Docker/containers": 2}),
    "kubernetes": ("{ kind: 'kubernetes', namespace: 'shop' }", "{}", {"apps/Deployment": 1}),
    "aci": ("{ kind: 'aci' }", AZURE, {"Microsoft.ContainerInstance/nGroups": 1}),
    "ecs": ("{ kind: 'ecs' }", AWS, {"AWS.ECS/Service": 1}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_of_a_container_runs(kind, tmp_path):
    compute, providers, expected = KINDS[kind]
    file = tmp_path / "app.bicep"
    file.write_text(PROGRAM.replace("COMPUTE", compute).replace("PROVIDERS", providers))
    prepared = Prepared(Request(str(file), state=tmp_path / "state"))
    native, problems = prepared.native({})
    found: dict[str, int] = {}
    for resource in native.resources:
        operator = prepared.registry.operator(native.nominations[resource.address].operator, resource)
        if resource.address.startswith("app/web") and runs(operator, resource):
            found[resource.type] = found.get(resource.type, 0) + 1
    assert found == expected, (problems, [r.type for r in native.resources], native.pending)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "process"])
def test_reserved_labels_are_left_out_on_every_kind_and_that_is_said(kind, tmp_path):
    compute, providers, _ = KINDS[kind]
    given = "{ kind: 'kubernetesMetadata', labels: { 'radapp.io/odd': 'never-there', team: 'a-team' } }"
    file = tmp_path / "app.bicep"
    text = PROGRAM.replace("COMPUTE", compute).replace("PROVIDERS", providers)
    file.write_text(text.replace("extensions: [", f"extensions: [{given}, "))
    native, problems = Prepared(Request(str(file), state=tmp_path / "state")).native({})
    (said,) = [p for p in problems if "radapp.io/odd" in p.message]
    assert (said.code, said.severity) == ("ULN319", "info") and "set by Ulna itself" in said.message
    parts = str([r.properties for r in native.resources if r.address.startswith("app/web/")])
    assert "a-team" in parts and "never-there" not in parts
