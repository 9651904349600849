"""What an environment sets and forbids, as those see it who plan."""

from __future__ import annotations

import json
from pathlib import Path

ENVIRONMENT = """\
extension radius
resource prod 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'prod'
  properties: {
    compute: { kind: 'process' }
    policy: { runtimes: 'RUNTIMES' }
    overlay: { containers: { container: { env: { LEVEL: { value: 'warn' } } } } }
  }
}
"""
APP = """\
extension radius
param environment string
resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource keys 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'keys'
  properties: {
    application: shop.id
    data: { a: { value: 'never-shown' } }
  }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: shop.id
    container: { image: 'web' }
    runtimes: { process: { command: 'true' }, docker: {} }
  }
}
"""


def test_of_many_notes_the_first_are_told_and_how_many_more_there_are(ulna):
    Path("env.bicep").write_text(ENVIRONMENT.replace("RUNTIMES", "allow").replace("overlay:", "//"))
    blocks = "docker: {}, kubernetes: {}"
    names = [f"w{n}" for n in range(5)]
    single = APP[APP.index("resource web") :].replace("docker: {}", blocks)
    parts = "".join(
        single.replace("resource web", f"resource {n}").replace("name: 'web'", f"name: '{n}'") for n in names
    )
    Path("app.bicep").write_text(APP[: APP.index("resource web")] + parts)
    assert ulna("deploy", "env.bicep").code == 0
    told = ulna("plan", "app.bicep", "-e", "prod").out.partition("\nNotes:\n")[2].splitlines()
    assert len(told) == 9 and told[0].startswith("  * 'w0': runtimes.docker is ignored")
    assert told[-1] == "  … and 2 more: -v shows all of them"


def test_a_plan_shows_what_the_environment_sets(ulna):
    Path("env.bicep").write_text(ENVIRONMENT.replace("RUNTIMES", "allow"))
    Path("app.bicep").write_text(APP)
    assert ulna("deploy", "env.bicep").code == 0
    plan = ulna("plan", "app.bicep", "-e", "prod")
    assert plan.code == 0 and "never-shown" not in plan.out + plan.err
    told = "'web': container.env.LEVEL.value is set by the environment 'prod': \"warn\""
    assert f"Set by the environment:\n  * {told}\n" in plan.out
    passed = "'web': runtimes.docker is ignored, the environment 'prod' is of kind 'process'"
    assert plan.out.endswith(f"\nNotes:\n  * {passed}\n")
    with_places = ulna("plan", "app.bicep", "-e", "prod", "-v")
    assert "Notes:" not in with_places.out and f"info ULN315: {passed}" in with_places.err
    assert 'properties.env.LEVEL:         "warn"' in plan.out or "warn" in plan.out
    document = json.loads(ulna("plan", "app.bicep", "-e", "prod", "--format", "json").out)
    codes = [d["code"] for d in document["diagnostics"]]
    assert codes == ["ULN332", "ULN315"]
    for verb in (("lint", "app.bicep", "-e", "prod"), ("lint", "app.bicep", "-e", "env.bicep")):
        found = json.loads(ulna(*verb, "--format", "json").out)
        assert {"ULN332", "ULN315"} <= {d["code"] for d in found}, found


def test_what_is_forbidden_is_an_error_at_its_line(ulna):
    Path("env.bicep").write_text(ENVIRONMENT.replace("RUNTIMES", "forbid"))
    Path("app.bicep").write_text(APP)
    assert ulna("deploy", "env.bicep").code == 0
    for verb in ("lint", "plan", "deploy"):
        result = ulna(verb, "app.bicep", "-e", "prod")
        assert result.code == 1
        assert (
            "app.bicep:19:17: error ULN331: 'web': the policy of the environment 'prod' does not allow runtimes.process"
            in result.err
        )
