"""Which environment, which deployment, which application: what a call means, and what it refuses."""

import json
from pathlib import Path

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.deploying import deploy
from engine.pipeline.destroying import destroy
from engine.pipeline.looking import status
from engine.pipeline.request import Control, Request, Where
from engine.pipeline.target import DEFAULT, GLOBAL
from tests.pipeline.conftest import Write

VALUE = """
param size int = 1
resource item 'Ulna.Core/values@2026-12-01' = {
  name: 'item'
  properties: { input: size }
}
output size int = item.properties.output
"""
APP = """
extension radius
param environment string
param application string
resource note 'Applications.Core/extenders@2023-10-01-preview' = {
  name: 'note'
  properties: { environment: environment, application: application, resourceProvisioning: 'manual', text: 'hello' }
}
output environment string = environment
output application string = application
"""
ENVIRONMENT = """
extension radius
resource made 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'NAME'
  properties: { compute: { kind: 'process' } }
}
"""


def code_of(call: object) -> str:
    error = call.value  # type: ignore[attr-defined]
    return str(error.diagnostics[0].code)


def test_what_targets_no_environment_is_global(write: Write) -> None:
    write("a.bicep", VALUE)
    outcome = deploy(Request("a.bicep"))
    assert (outcome.environment, outcome.deployment, outcome.outputs) == (GLOBAL, "a", {"size": 1})
    assert outcome.changed == {"a/item": "create"}


def test_the_default_environment_is_made_when_there_is_none(write: Write) -> None:
    write("app.bicep", APP)
    outcome = deploy(Request("app.bicep"))
    assert outcome.ok and outcome.environment == DEFAULT
    assert str(outcome.outputs["environment"]).endswith("Applications.Core/environments/default")
    assert str(outcome.outputs["application"]).endswith("Applications.Core/applications/app")
    assert [s.entry.resource.name for s in status(Where(environment=GLOBAL)).resources] == [DEFAULT]
    assert deploy(Request("app.bicep")).changed == {}


def test_the_only_environment_is_used_and_of_several_one_must_be_named(write: Write) -> None:
    write("app.bicep", APP)
    write("one.bicep", ENVIRONMENT.replace("NAME", "one"))
    deploy(Request("one.bicep"))
    assert deploy(Request("app.bicep", application="shop")).environment == "one"
    write("two.bicep", ENVIRONMENT.replace("NAME", "two"))
    deploy(Request("two.bicep"))
    with pytest.raises(UlnaError, match="several environments") as refused:
        deploy(Request("app.bicep"))
    assert refused.value.exit_code == 2
    assert deploy(Request("app.bicep", environment="two")).environment == "two"


def test_an_environment_that_is_not_there_is_refused(write: Write) -> None:
    write("app.bicep", APP)
    write("one.bicep", ENVIRONMENT.replace("NAME", "staging"))
    deploy(Request("one.bicep"))
    with pytest.raises(UlnaError) as refused:
        deploy(Request("app.bicep", environment="stagign"))
    assert code_of(refused) == "ULN501"
    assert "staging" in refused.value.diagnostics[0].help


def test_an_environment_in_use_stays(write: Write) -> None:
    write("app.bicep", APP)
    write("one.bicep", ENVIRONMENT.replace("NAME", "one"))
    deploy(Request("one.bicep"))
    deploy(Request("app.bicep"))
    with pytest.raises(UlnaError, match="in use"):
        destroy(Where("one.bicep"))
    destroy(Where("app.bicep"))
    assert destroy(Where("one.bicep")).changed == {"one/made": "delete"}


def test_two_files_of_one_name_do_not_delete_each_other(write: Write) -> None:
    write("a/main.bicep", VALUE)
    write("b/main.bicep", VALUE.replace("item", "other"))
    deploy(Request("a/main.bicep"))
    with pytest.raises(UlnaError, match=r"a/main\.bicep") as refused:
        deploy(Request("b/main.bicep"))
    assert code_of(refused) == "ULN508"
    assert deploy(Request("b/main.bicep", name="second")).changed == {"second/other": "create"}
    taken = deploy(Request("b/main.bicep", name="main"))
    assert taken.changed == {"main/item": "delete", "main/other": "create"}


def test_a_file_is_the_same_by_a_link(write: Write, folder: Path) -> None:
    write("a/main.bicep", VALUE)
    deploy(Request("a/main.bicep"))
    (folder / "link").symlink_to("a")
    assert deploy(Request("link/main.bicep")).changed == {}
    assert destroy(Where("link/main.bicep")).ok


def test_a_file_that_was_submitted_is_that_file_as_long_as_it_says_the_same(write: Write) -> None:
    copy = write(".ulna/submitted/global/main/main.bicep", VALUE)
    deploy(Request(str(copy), name="main"))
    write("main.bicep", VALUE)
    assert deploy(Request("main.bicep")).changed == {}
    deploy(Request(str(copy), name="main"))
    write("main.bicep", VALUE.replace("item", "other"))
    for verb in (lambda: deploy(Request("main.bicep")), lambda: destroy(Where("main.bicep"))):
        with pytest.raises(UlnaError, match="was submitted from a file that says something else") as refused:
            verb()
        told = refused.value.diagnostics[0]
        assert told.code == "ULN508" and "submitted/" not in f"{told.message}{told.help}"
    write("main.bicep", VALUE)
    assert destroy(Where("main.bicep")).changed == {"main/item": "delete"}


def test_a_file_destroys_what_was_made_from_it_and_not_what_has_its_name_elsewhere(write: Write) -> None:
    write("a/main.bicep", APP)
    write("b/main.bicep", VALUE)
    deploy(Request("a/main.bicep"))
    with pytest.raises(UlnaError, match=r"a/main\.bicep") as refused:
        destroy(Where("b/main.bicep"))
    assert code_of(refused) == "ULN508"
    deploy(Request("b/main.bicep"))
    assert destroy(Where("b/main.bicep")).environment == GLOBAL
    assert destroy(Where("main")).environment == DEFAULT


def test_a_deployment_that_was_not_finished_is_not_for_another_file_of_its_name_either(write: Write) -> None:
    write("a/main.bicep", VALUE)
    write("b/main.bicep", VALUE.replace("item", "other"))
    stopped = Control()
    stopped.stop()
    assert deploy(Request("a/main.bicep"), control=stopped).interrupted
    with pytest.raises(UlnaError, match=r"a/main\.bicep"):
        deploy(Request("b/main.bicep"))
    assert destroy(Where("a/main.bicep")).ok


def test_parameters_come_from_everywhere_and_the_last_one_wins(write: Write, folder: Path) -> None:
    write("a.bicep", VALUE)
    write("p.json", json.dumps({"size": 2}))
    write("arm.json", json.dumps({"$schema": "x", "parameters": {"size": {"value": 3}}}))
    write("size.txt", "4")
    write("name.txt", "four\r\n")
    write("b.bicep", "param name string\noutput name string = name\n")
    write("a.bicepparam", "using 'a.bicep'\nparam size = 5\n")
    for parameters, size in (
        (("@p.json",), 2),
        (("@arm.json",), 3),
        (("size=@size.txt",), 4),
        (("@p.json", "size=6"), 6),
        (("size=8", "@a.bicepparam"), 5),
    ):
        assert deploy(Request("a.bicep", parameters=parameters)).outputs == {"size": size}
    assert deploy(Request("a.bicepparam")).outputs == {"size": 5}
    assert deploy(Request("b.bicep", parameters=("name=@name.txt",))).outputs == {"name": "four"}
    assert deploy(Request("a.bicepparam", parameters=("size=7",))).outputs == {"size": 7}
    assert destroy(Where("a.bicepparam")).changed == {"a/item": "delete"}


def test_what_nobody_deployed_cannot_be_destroyed(write: Write) -> None:
    write("a.bicep", VALUE)
    with pytest.raises(UlnaError) as refused:
        destroy(Where("a.bicep"))
    assert code_of(refused) == "ULN511"


def test_a_loop_over_what_only_run_time_knows_is_expanded_then(write: Write) -> None:
    write(
        "a.bicep",
        """
        module inner 'inner.bicep' = { name: 'inner', params: { name: 'first' } }
        resource item 'Ulna.Core/values@2026-12-01' = [for name in inner.outputs.names: {
          name: 'item-${name}'
          properties: { input: inner.outputs.names }
        }]
        module last 'inner.bicep' = if (length(inner.outputs.names) == 2) {
          name: 'last-${inner.outputs.names[0]}'
          params: { name: inner.outputs.names[1] }
        }
        """,
    )
    write(
        "inner.bicep",
        """
        param name string
        resource names 'Ulna.Core/values@2026-12-01' = {
          name: name
          properties: { input: ['x', 'y'] }
        }
        output names array = names.properties.output
        """,
    )
    outcome = deploy(Request("a.bicep"))
    assert outcome.ok
    assert set(outcome.changed) == {"a/inner/names", "a/item[0]", "a/item[1]", "a/last/names"}
    assert deploy(Request("a.bicep")).changed == {}


def test_the_status_of_a_deployment_is_asked_for_by_its_name_or_its_file(write: Write) -> None:
    write("a/main.bicep", APP)
    write("b/value.bicep", VALUE)
    deploy(Request("a/main.bicep"))
    deploy(Request("b/value.bicep"))
    for name, environment in (
        ("main", DEFAULT),
        ("a/main.bicep", DEFAULT),
        ("value", GLOBAL),
        ("b/value.bicep", GLOBAL),
    ):
        found = status(Where(name))
        assert found.environment == environment and found.resources
    with pytest.raises(UlnaError, match="no deployment 'mian'"):
        status(Where("mian"))


def test_a_resource_has_one_owner_in_an_environment(write: Write) -> None:
    write("app.bicep", APP)
    deploy(Request("app.bicep", application="shop"))
    with pytest.raises(UlnaError, match="'app' owns that") as refused:
        deploy(Request("app.bicep", application="shop", name="again"))
    assert code_of(refused) == "ULN517"
    assert deploy(Request("app.bicep", application="shop")).changed == {}
