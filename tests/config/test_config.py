"""Settings: the nearest file wins, what it extends lies below, and mistakes are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.check.check import check
from engine.config.config import Config
from engine.config.defaults import DEFAULTS
from engine.config.find import find_config
from engine.config.keys import IDLE, SHAPE
from engine.lint.run import lint
from engine.sources.local import LocalSources
from engine.sources.memory import MemorySources
from engine.sources.port import as_written, join


def find(files: dict[str, Any], path: str = "/a/b/main.bicep") -> Config:
    return find_config(path, MemorySources({k: v if isinstance(v, str) else json.dumps(v) for k, v in files.items()}))


def rule(name: str, **options: Any) -> dict[str, Any]:
    return {"analyzers": {"core": {"rules": {name: options}}}}


def test_without_a_file_the_defaults_hold() -> None:
    config = find({})
    assert config.settings == DEFAULTS
    assert config.path is None
    assert config.get("formatting", "width") == 120


def test_the_nearest_file_wins() -> None:
    config = find(
        {
            "/bicepconfig.json": {"formatting": {"width": 1}},
            "/a/bicepconfig.json": {"formatting": {"indentSize": 4}},
            "/a/b/c/bicepconfig.json": {"formatting": {"width": 2}},
        }
    )
    assert config.path == "/a/bicepconfig.json"
    assert config.get("formatting", "width") == 120
    assert config.get("formatting", "indentSize") == 4


def test_what_is_extended_lies_below() -> None:
    config = find(
        {
            "/a/bicepconfig.json": {"extends": "../base.json", "formatting": {"width": 1}},
            "/base.json": {"formatting": {"width": 2, "indentSize": 3}},
        }
    )
    assert (config.get("formatting", "width"), config.get("formatting", "indentSize")) == (1, 3)
    assert config.diagnostics == ()


@pytest.mark.parametrize(
    ("files", "code", "words"),
    [
        ({"/bicepconfig.json": "{ a"}, "BCP271", "not valid JSON"),
        ({"/bicepconfig.json": "[]"}, "BCP271", "object"),
        ({"/bicepconfig.json": {"extends": "gone.json"}}, "BCP453", "does not exist"),
        ({"/bicepconfig.json": {"extends": "bicepconfig.json"}}, "BCP454", "extends itself"),
        ({"/bicepconfig.json": {"formating": {}}}, "ULN020", "'formating'"),
        (
            {"/bicepconfig.json": {"formatting": {"width": "wide"}}},
            "ULN021",
            "'formatting.width' must be a whole number",
        ),
        ({"/bicepconfig.json": {"analyzers": {"core": {"rules": {"x": {"level": "loud"}}}}}}, "ULN021", "off, info"),
        ({"/bicepconfig.json": {"implicitExtensions": ["az", 1]}}, "ULN021", "'implicitExtensions[1]'"),
        ({"/bicepconfig.json": {"experimentalFeaturesEnabled": 1}}, "ULN021", "an object"),
        ({"/bicepconfig.json": {"extends": "/base.json"}, "/base.json": {}}, "BCP453", "no relative path"),
        ({"/bicepconfig.json": {"extends": ""}}, "BCP453", "no relative path"),
        ({"/bicepconfig.json": {"extends": "base.json"}, "/base.json": "{"}, "BCP271", "not valid JSON"),
        ({"/bicepconfig.json": {"extends": 1}}, "ULN021", "'extends' must be a string"),
        (
            {f"/{n or 'bicepconfig'}.json": {"extends": f"{n + 1}.json"} for n in range(70)},
            "BCP455",
            "More than 64",
        ),
        ({"/bicepconfig.json": {"cloud": {"currentProfile": "AzureCluod"}}}, "ULN021", "profile 'AzureCluod'"),
        ({"/bicepconfig.json": {"cloud": {"credentialPrecedence": ["Guess"]}}}, "ULN021", "AzureCLI"),
        ({"/bicepconfig.json": {"moduleAliases": {"br": {"a": {"registri": "x"}}}}}, "ULN020", "registri"),
        ({"/bicepconfig.json": {"moduleAliasesMock": {"br": {"a": {"mapToFilePath": 1}}}}}, "ULN021", "mapToFilePath"),
        ({"/bicepconfig.json": {"extensions": {"a": 1}}}, "ULN021", "'extensions.a'"),
        ({"/bicepconfig.json": {"cacheRootDirectory": 1}}, "ULN021", "'cacheRootDirectory'"),
        ({"/bicepconfig.json": {"documentation": {"output": {"file": 1}}}}, "ULN021", "'documentation.output.file'"),
        ({"/bicepconfig.json": {"formatting": {"newlineKind": "NL"}}}, "ULN021", "LF, CRLF, CR"),
        ({"/bicepconfig.json": {"ulna": {"strictBicep": "yes"}}}, "ULN021", "true or false"),
        ({"/bicepconfig.json": {"formatting": {"indentSize": -1}}}, "ULN021", "not below zero"),
        ({"/bicepconfig.json": {"bicep": {"version": 1}}}, "ULN021", "'bicep.version' must be a string"),
        ({"/bicepconfig.json/inside": ""}, "BCP272", "it is a folder"),
        ({"/bicepconfig.json": {"experimentalFeaturesEnabled": {"symbolicNameCodeGen": True}}}, "ULN020", "CodeGen"),
        ({"/bicepconfig.json": {"experimentalFeaturesEnabled": {"unheardOf": 1}}}, "ULN021", "true or false"),
        ({"/bicepconfig.json": rule("no-unused-params", lvel="off")}, "ULN020", "no-unused-params.lvel"),
        ({"/bicepconfig.json": rule("no-hardcoded-env-urls", disallowedhosts="x")}, "ULN021", "must be a list"),
        ({"/bicepconfig.json": rule("no-hardcoded-env-urls", excludedhosts=[1])}, "ULN021", "excludedhosts[0]"),
        ({"/bicepconfig.json": rule("use-recent-api-versions", maxAgeInDays=-1)}, "ULN021", "maxAgeInDays"),
        ({"/bicepconfig.json": rule("use-recent-api-versions", gracePeriodInDays="x")}, "ULN021", "gracePeriodInDays"),
        ({"/bicepconfig.json": rule("use-recent-az-powershell-version", minimumVersion=11)}, "ULN021", "a string"),
    ],
)
def test_mistakes_are_named(files: dict[str, Any], code: str, words: str) -> None:
    (found,) = find(files).diagnostics
    assert found.code == code
    assert words in found.message


def test_a_link_that_leads_nowhere_is_no_configuration(tmp_path: Path) -> None:
    (tmp_path / "bicepconfig.json").symlink_to(tmp_path / "gone.json")
    (found,) = find_config(str(tmp_path / "sub" / "main.bicep"), LocalSources()).diagnostics
    assert (found.code, found.severity) == ("BCP272", "error")
    assert "it is a link that leads nowhere" in found.message


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("main.bicep", "../bicepconfig.json"),
        ("./main.bicep", "./../bicepconfig.json"),
        ("../sub/main.bicep", "../bicepconfig.json"),
        ("/a/sub/main.bicep", "/a/bicepconfig.json"),
        ("deep/er/main.bicep", "../bicepconfig.json"),
    ],
)
def test_a_configuration_is_named_as_the_file_is(given: str, shown: str) -> None:
    folder = "/a/sub"
    path = join(f"{folder}/x", given)
    files = MemorySources({"/a/bicepconfig.json": '{ "foo": 1 }'})
    (found,) = find_config(path, files, lambda each: as_written(each, path.rpartition("/")[0], given)).diagnostics
    assert found.primary is not None
    assert found.primary.source.name == shown


def test_findings_on_a_configuration_show_what_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bicepconfig.json").write_text(
        '{ "formating": {}, "analyzers": { "core": { "rules": { "no": {} } } } }'
    )
    (tmp_path / "main.bicep").write_text("output o int = 1")
    monkeypatch.chdir(tmp_path)
    model = check("main.bicep", LocalSources())
    found = [*model.diagnostics, *lint(model)]
    assert [(d.code, d.primary.source.name) for d in found if d.primary is not None] == [
        ("ULN020", "bicepconfig.json"),
        ("ULN020", "bicepconfig.json"),
    ]


def test_what_has_no_meaning_is_known_all_the_same() -> None:
    for path in IDLE:
        shape = SHAPE
        for key in path.split("."):
            assert key in shape, path
            shape = shape[key]


def test_a_misspelt_key_is_told_its_name() -> None:
    (found,) = find({"/bicepconfig.json": {"formating": {}}}).diagnostics
    assert found.help == "Did you mean 'formatting'?"


def test_a_feature_is_on_where_it_says_so() -> None:
    assert find({"/bicepconfig.json": {"experimentalFeaturesEnabled": {"assertions": True}}}).feature("assertions")
    assert not find({}).feature("assertions")


def test_the_defaults_have_the_shape_of_settings() -> None:
    from engine.config.keys import problems

    assert list(problems(DEFAULTS, {})) == []
    assert set(DEFAULTS) <= set(SHAPE)


EVERY_KEY = """\
{
  // Everything that may be said, with comments and a comma too many.
  "$schema": "https://example.com/bicepconfig.schema.json",
  "cloud": {
    "currentProfile": "Mine",
    "profiles": {
      "Mine": { "resourceManagerEndpoint": "https://m.example.com", "activeDirectoryAuthority": "https://a.example.com" }
    },
    "credentialPrecedence": ["AzureCLI", "Environment", "ManagedIdentity", "VisualStudioCode"],
    "credentialOptions": { "managedIdentity": { "type": "UserAssigned", "clientId": "x", "resourceId": "y" } }
  },
  "moduleAliases": {
    "br": { "a": { "registry": "r.example.com", "modulePath": "p" } },
    "ts": { "b": { "subscription": "s", "resourceGroup": "g" } }
  },
  "moduleAliasesMock": { "br": { "a": { "mapToFilePath": "../local" } } },
  "extensions": { "x": "builtin:", "y": "br:r.example.com/x:1", "z": "./x.tgz" },
  "implicitExtensions": ["az"],
  "analyzers": {
    "core": {
      "verbose": false,
      "enabled": true,
      "rules": {
        "no-unused-params": { "level": "OFF" },
        "no-hardcoded-env-urls": { "level": "warning", "disallowedhosts": [], "excludedhosts": [] },
        "use-recent-api-versions": { "level": "info", "maxAgeInDays": 1, "gracePeriodInDays": 1 },
        "use-recent-az-powershell-version": { "minimumVersion": "12.0" }
      }
    }
  },
  "cacheRootDirectory": "/tmp/x",
  "experimentalFeaturesEnabled": { "ociEnabled": true, "extendableParamFiles": true },
  "experimentalFeaturesWarning": false,
  "formatting": { "indentKind": "Tab", "indentSize": 4, "newlineKind": "CRLF", "width": 80, "insertFinalNewline": false },
  "documentation": {
    "output": { "file": "README.md" },
    "template": { "file": "t.md", "includeRoot": "x", "values": {} },
    "examples": { "sources": [{ "path": "e", "include": [], "exclude": [] }], "reassignments": [{ "to": "x" }] }
  },
  "ulna": { "strictBicep": false, },
}
"""


def test_every_key_may_be_said() -> None:
    assert find({"/bicepconfig.json": EVERY_KEY}).diagnostics == ()


def test_a_chain_of_as_many_as_allowed_is_fine() -> None:
    files: dict[str, Any] = {f"/{n or 'bicepconfig'}.json": {"extends": f"{n + 1}.json"} for n in range(63)}
    config = find(files | {"/63.json": {"formatting": {"width": 7}}})
    assert config.diagnostics == () and config.get("formatting", "width") == 7


def test_lists_and_words_of_a_nearer_file_replace_those_below() -> None:
    config = find(
        {
            "/a/bicepconfig.json": {"extends": "..\\\\base.json".replace("\\\\", "\\"), "implicitExtensions": []},
            "/base.json": {"implicitExtensions": ["az", "x"], "extensions": {"x": "builtin:"}},
        }
    )
    assert config.get("implicitExtensions") == [] and config.get("extensions", "x") == "builtin:"
