"""What a kind would refuse is told by `lint -e` before any call, with its code, at the very property, and with what to do."""

from __future__ import annotations

import pytest

from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.pipeline.foreseeing import findings
from engine.pipeline.request import Request

PLACES = {
    "aci": "{ azure: { scope: '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/shop' } }",
    "ecs": "{ aws: { scope: '/planes/aws/aws/accounts/000000000000/regions/us-east-1' } }",
}
APP = """
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: {
      image: IMAGE
      MORE
    }
    BESIDE
  }
}
"""


def said(write, kind: str, more: str = "", beside: str = "", image: str = "'web:1'") -> list[Diagnostic]:
    """The errors and warnings of an environment of this kind."""
    providers = f"providers: {PLACES[kind]}" if kind in PLACES else ""
    write(
        "env.bicep",
        f"resource e 'Applications.Core/environments@2023-10-01-preview' = {{ name: 'e', properties: {{ compute: {{ kind: '{kind}' }}\n {providers} }} }}",
    )
    write("app.bicep", APP.replace("IMAGE", image).replace("MORE", more).replace("BESIDE", beside))
    return [d for d in findings(Request("app.bicep", "env.bicep")) if d.severity is not Severity.INFO]


def shown(diagnostic: Diagnostic) -> str:
    assert diagnostic.primary is not None
    return diagnostic.primary.source.text[diagnostic.primary.span.start : diagnostic.primary.span.end]


ALL = ("docker", "kubernetes", "aci", "ecs")
TEN_PORTS = "ports: { " + ", ".join(f"p{n}: {{ containerPort: 80{n:02} }}" for n in range(10)) + " }"
MANY = "sidecars: { " + ", ".join(f"s{n}: {{ image: 'a:1' }}" for n in range(11)) + " }"
VOLUMES = "volumes: { " + ", ".join(
    f"v{n}: {{ kind: 'ephemeral', managedStore: 'disk', mountPath: '/v{n}' }}" for n in range(21)
) + " }"  # fmt: skip
PORTS = "ports: { http: { containerPort: 80, port: 81 } }"
GONE = "volumes: { data: { kind: 'persistent', mountPath: '/d', source: 'SOURCE' } }".replace("SOURCE", "/nowhere")
LABELS = "extensions: [{ kind: 'kubernetesMetadata', labels: { team: 'a b' } }]"
BASE = "runtimes: { kubernetes: { base: 'kind: Pod' } }"


@pytest.mark.parametrize(
    ("kinds", "more", "beside", "code", "place"),
    [
        (ALL, "ports: { a: { containerPort: 80 }, b: { containerPort: 80 } }", "", "ULN328", "b"),
        (ALL, "readinessProbe: { kind: 'tcp', containerPort: 81 }", "", "ULN341", "containerPort"),
        (ALL, "volumes: { v: { kind: 'ephemeral', managedStore: 'disk', mountPath: '/' } }", "", "ULN328", "v"),
        (ALL, "ports: { a: { containerPort: 70000 } }", "", "BCP036", "containerPort"),
        (ALL, "sidecars: { agent: { image: 'A:1' } }", "", "ULN340", "image"),
        (("aci",), TEN_PORTS, "", "ULN318", "ports"),
        (("aci",), VOLUMES, "", "ULN318", "volumes"),
        (("aci", "ecs"), "resources: { requests: { cpu: '64' } }", "", "ULN318", "resources"),
        (("ecs",), MANY, "", "ULN318", "sidecars"),
        (("kubernetes",), "", LABELS, "ULN318", "extensions"),
        (("kubernetes",), "", BASE, "ULN335", "base"),
        (("docker", "aci", "ecs"), PORTS, "", "ULN317", "http"),
        (("docker", "kubernetes", "ecs"), GONE, "", "ULN318", "source"),
        (("aci",), GONE, "", "ULN318", "volumes"),
        (("aci",), "args: ['x']", "", "ULN318", "args"),
        (("aci",), "imagePullPolicy: 'Never'", "", "ULN318", "imagePullPolicy"),
        (("docker",), PORTS.replace(", port: 81", ""), "runtimes: { docker: { HostConfig: { NetworkMode: 'host' } } }",
         "ULN317", "NetworkMode"),
        (("docker",), "", "runtimes: { docker: { HostConfig: { Memry: 1 } } }", "BCP089", "Memry"),
        (("ecs",), "", "runtimes: { ecs: { service: { desiredCoun: 1 } } }", "BCP089", "desiredCoun"),
    ],
)  # fmt: skip
def test_it_is_told_at_the_property(write, kinds, more, beside, code, place):
    for kind in kinds:
        found = [d for d in said(write, kind, more, beside) if d.code == code]
        assert [shown(d) for d in found[:1]] == [place], (kind, found)
        assert found[0].help or code == "BCP036", f"{kind} does not say what to do"


@pytest.mark.parametrize("kind", ALL)
def test_the_name_of_an_image_is_told_at_it(write, kind):
    (found,) = said(write, kind, image="'Web:1'")
    assert (found.code, shown(found), found.help) == ("ULN340", "image", "Write it in lower case: web:1")


@pytest.mark.parametrize("kind", ALL)
def test_nothing_is_said_of_what_is_well(write, kind):
    more = "ports: { http: { containerPort: 80 } }, readinessProbe: { kind: 'tcp', containerPort: 80 }"
    assert said(write, kind, more.replace(", r", "\n r")) == []


STORAGE = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/x"
BY_AZURE = f"connections: {{ db: {{ source: '{STORAGE}', iam: {{ kind: 'azure', roles: ['Reader'] }} }} }}"


@pytest.mark.parametrize("block", ["", "runtimes: { ecs: { taskDefinitio: {} } }"])
@pytest.mark.parametrize("more", ["", "prots: { http: { containerPort: 80 } }", "readinessProbe: { kind: 'tcp', containerPort: '80' }"])  # fmt: skip
def test_what_a_kind_says_is_told_with_the_mistakes_in_the_body_and_in_the_block(write, more, block):
    codes = [d.code for d in said(write, "ecs", more, f"{BY_AZURE}\n{block}") if d.severity is Severity.ERROR]
    assert codes.count("ULN318") == 1
    assert len(codes) == 1 + bool(more) + bool(block)
