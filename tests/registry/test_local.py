"""References that stay on this machine: folders, aliases that stand for folders, template specs of the cache."""

import json
from pathlib import Path

import pytest

from .conftest import TEMPLATE

GUID = "00000000-0000-0000-0000-000000000001"
PART = "param size int = 1\noutput size int = size\n"


def settings(**kinds):
    mocks = {kind: {"near": {"mapToFilePath": folder}} for kind, folder in kinds.items()}
    ts = {"specs": {"subscription": GUID, "resourceGroup": "Group"}}
    Path("bicepconfig.json").write_text(json.dumps({"moduleAliasesMock": mocks, "moduleAliases": {"ts": ts}}))


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


def use(reference):
    Path("app.bicep").write_text(f"module m '{reference}' = {{\n  name: 'm'\n}}\noutput size int = m.outputs.size\n")


def test_a_folder_stands_for_its_main_file(ulna):
    write("parts/web/main.bicep", PART)
    for reference in ("parts/web", "./parts/web", "parts/../parts/web"):
        use(reference)
        assert ulna("build", "app.bicep", "--stdout").code == 0


@pytest.mark.parametrize(("file", "reference"), [("other.bicep", "parts/web"), ("main.bicep", "parts/web/")])
def test_a_folder_without_one_is_no_module_and_neither_is_one_with_a_slash(ulna, file, reference):
    write(f"parts/web/{file}", PART)
    use(reference)
    refused = ulna("build", "app.bicep", "--stdout")
    assert refused.code == 1 and "BCP275" in refused.err


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("local/a/web.bicep", PART),
        ("local/a/web.json", json.dumps(TEMPLATE)),
        ("local/a/web/main.bicep", PART),
    ],
)
def test_an_alias_may_stand_for_a_folder(ulna, file, text):
    settings(br="local")
    write(file, text)
    use("br/near:a/web:v1")
    built = ulna("build", "app.bicep", "--stdout")
    assert built.code == 0, built.err
    assert ulna("restore", "app.bicep").out == ""


def test_a_file_that_should_stand_in_and_is_not_there_is_said(ulna):
    settings(br="local")
    use("br/near:web:v1")
    refused = ulna("build", "app.bicep", "--stdout")
    assert refused.code == 1 and "BCP091" in refused.err and "local/web.bicep" in refused.err


def test_a_template_spec_of_the_cache_is_linked(ulna, tmp_path):
    settings()
    folder = tmp_path / "cache" / "ts" / GUID / "group" / "spec" / "v1"
    write(folder / "main.json", json.dumps({"properties": {"mainTemplate": TEMPLATE}}))
    use("ts/specs:Spec:V1")
    built = ulna("build", "app.bicep", "--stdout")
    assert built.code == 0, built.err
    properties = json.loads(built.out)["resources"][0]["properties"]
    assert "template" not in properties
    deployed = ulna("deploy", "app.bicep")
    assert deployed.code == 0 and "size: 1" in deployed.out
    assert properties["templateLink"]["id"] == (
        f"/subscriptions/{GUID}/resourceGroups/Group/providers/Microsoft.Resources/templateSpecs/Spec/versions/V1"
    )
    Path("app.bicep").write_text("module m 'ts/specs:Spec:V1' = {\n  name: 'm'\n  params: {\n    size: 'x'\n  }\n}\n")
    assert "BCP036" in ulna("lint", "app.bicep").err


def test_a_template_spec_may_be_a_local_file(ulna):
    settings(ts="specs")
    write("specs/spec.bicep", PART)
    use("ts/near:spec:v1")
    built = ulna("build", "app.bicep", "--stdout")
    assert built.code == 0, built.err
    assert json.loads(built.out)["resources"][0]["properties"]["template"]["outputs"]
    assert ulna("deploy", "app.bicep").code == 0


def test_a_template_spec_that_is_nowhere_is_said_with_what_to_do(ulna):
    settings()
    use("ts/specs:spec:v1")
    refused = ulna("build", "app.bicep", "--stdout")
    assert refused.code == 1 and "BCP192" in refused.err and "moduleAliasesMock.ts" in refused.err


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ({"moduleAliases": {"br": {"x": {}}}}, "BCP216"),
        ({"moduleAliases": {"br": {"x": {"registry": 5}}}}, "BCP216"),
        ({"moduleAliases": {"br": {"x": 5}}}, "BCP213"),
        ({"moduleAliases": {"br": 5}}, "BCP213"),
        ({"moduleAliases": 5}, "BCP213"),
        ({"moduleAliases": {"br": {"x": {"registry": "r.example/a"}}}}, "BCP192"),
        ({"moduleAliases": {"br": {"x": {"registry": "r/../e"}}}}, "BCP195"),
    ],
)
def test_an_alias_that_makes_no_sense_is_said(ulna, config, code, monkeypatch):
    from engine.sources.transport import RegistryError, Transport

    def no(self, *words):
        raise RegistryError("no network")

    monkeypatch.setattr(Transport, "call", no)
    Path("bicepconfig.json").write_text(json.dumps(config))
    use("br/x:web:v1")
    refused = ulna("build", "app.bicep", "--stdout")
    assert refused.code == 1 and code in refused.err
