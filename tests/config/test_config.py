"""Settings: the nearest file wins, what it extends lies below, and mistakes are named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.config.config import Config
from engine.config.defaults import DEFAULTS
from engine.config.find import find_config
from engine.config.keys import SHAPE
from engine.sources.memory import MemorySources


def find(files: dict[str, Any], path: str = "/a/b/main.bicep") -> Config:
    return find_config(path, MemorySources({k: v if isinstance(v, str) else json.dumps(v) for k, v in files.items()}))


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
    ],
)
def test_mistakes_are_named(files: dict[str, Any], code: str, words: str) -> None:
    (found,) = find(files).diagnostics
    assert found.code == code
    assert words in found.message


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
