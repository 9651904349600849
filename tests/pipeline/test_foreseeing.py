"""What an environment would say of a file, asked of nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.pipeline.foreseeing import findings
from engine.pipeline.request import Request

APP = """\
extension radius
param environment string
@secure()
@minLength(8)
param password string
@allowed(['a', 'b'])
param size string
param count int
resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource store 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'store'
  properties: {
    application: shop.id
    data: { password: { value: password } }
  }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web-${size}'
  properties: {
    application: shop.id
    container: {
      image: 'web:${size}'
      env: {
        COUNT: { value: string(count) }
        PASSWORD: {
          valueFrom: { secretRef: { source: store.id, key: 'pasword' } }
        }
      }
    }
    extensions: [
      { kind: 'daprSidecar', appId: 'web' }
    ]
    runtimes: {
      process: {
        comand: 'run'
      }
      docker: {}
    }
  }
}
"""
ENVIRONMENT = """\
extension radius
resource here 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'here'
  properties: {
    compute: { kind: 'process' }
    policy: { maxReplicas: 1 }
    overlay: {
      containers: { extensions: [{ kind: 'manualScaling', replicas: 2 }] }
    }
  }
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.bicep").write_text(APP.replace("web-${size}", "web"))
    (tmp_path / "env.bicep").write_text(ENVIRONMENT)
    return tmp_path


def told(environment: str, *parameters: str) -> list[tuple[str, str, int]]:
    found = findings(Request("app.bicep", environment, parameters=parameters))
    return [(d.severity, d.code, d.primary.source.position(d.primary.span.start)[0] if d.primary else 0) for d in found]


def test_the_findings_stand_at_their_lines(folder):
    assert told("env.bicep") == [
        ("info", "ULN332", 33),
        ("error", "BCP089", 38),
        ("info", "ULN315", 40),
        ("error", "ULN314", 28),
        ("error", "ULN318", 33),
        ("error", "ULN331", 33),
    ]
    assert sorted(f.name for f in folder.iterdir()) == ["app.bicep", "env.bicep"], "nothing is written"


def test_a_value_that_is_given_is_checked(folder):
    assert told("env.bicep", "password=short")[0][:2] == ("error", "ULN203")


def test_an_environment_is_a_name_or_a_file_that_declares_one(folder):
    assert told("nowhere") == [("error", "ULN501", 0)]
    (folder / "none.bicep").write_text("param x string\n")
    assert told("none.bicep") == [("error", "ULN501", 0)]
    (folder / "broken.bicep").write_text("resource\n")
    assert {code[:3] for _, code, _ in told("broken.bicep")} == {"BCP"}
    assert told("absent.bicep") == [("error", "ULN004", 0)]


def test_what_is_wrong_in_the_environment_itself_is_told(folder):
    (folder / "env.bicep").write_text(ENVIRONMENT.replace("extensions: [", "extension: ["))
    assert told("env.bicep") == [("error", "BCP089", 8)], "and what follows of it is not"


def test_a_module_for_the_environment_may_take_parameters(folder):
    (folder / "env.bicep").write_text("param kind string = 'process'\n" + ENVIRONMENT.replace("'process'", "kind"))
    assert ("error", "ULN318", 33) in told("env.bicep")


def test_parameters_of_the_environments_file_are_passed_as_well(folder):
    scoped = ENVIRONMENT.replace(
        "policy:", "providers: { azure: { scope: '/subscriptions/${subscription}' } }\n    policy:"
    )
    (folder / "env.bicep").write_text("param subscription string\n" + scoped)
    assert "BCP036" not in [code for _, code, _ in told("env.bicep")]
    whole = scoped.replace("'/subscriptions/${subscription}'", "subscription")
    (folder / "env.bicep").write_text("param subscription string\n" + whole)
    assert told("env.bicep", "subscription=5") == [("error", "BCP036", 7)]
    assert ("error", "ULN318", 33) in told("env.bicep", "subscription=/subscriptions/5")
    assert told("env.bicep", "subscription=/subscriptions/5", "nobodys=1") == [("error", "ULN201", 0)]


AZURE = """\
extension radius
param group string
param location string
param vault string
param endpoint string
param images string
resource here 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'here'
  properties: {
    compute: { kind: 'aci', location: location, keyVault: vault, cloud: { resourceManager: endpoint } }
    policy: { images: [images] }
    providers: { azure: { scope: group } }
  }
}
"""
AWS = """\
extension radius
param account string
param launch string
resource here 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'here'
  properties: {
    compute: { kind: 'ecs', launchType: launch }
    providers: { aws: { scope: account } }
  }
}
"""


@pytest.mark.parametrize(("text", "given", "line"), [(AZURE, "group", 12), (AWS, "account", 8)])
def test_nothing_is_said_of_a_place_that_is_not_known(folder, text, given, line):
    (folder / "env.bicep").write_text(text)
    there = [(severity, code) for severity, code, _ in told("env.bicep")]
    assert not {code for _, code in there} & {"BCP036", "BCP035", "ULN307", "ULN331", "ULN501"}
    assert ("info", "ULN315") in there, "what does not hang on it is still told"
    assert ("error", "ULN314") in there
    assert [m for m in messages("env.bicep") if "does not say" in m or "launch type" in m] == []
    assert told("env.bicep", f"{given}=nowhere") == [("error", "BCP036", line)]


def messages(environment: str) -> list[str]:
    return [d.message for d in findings(Request("app.bicep", environment, parameters=()))]


def test_a_compute_kind_that_is_not_known_is_asked_for(folder):
    (folder / "env.bicep").write_text("param kind string\n" + ENVIRONMENT.replace("'process'", "kind"))
    assert told("env.bicep") == [("error", "ULN501", 0)]
    assert ("error", "ULN318", 33) in told("env.bicep", "kind=process")
