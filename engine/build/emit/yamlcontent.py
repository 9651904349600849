"""YAML to JSON values, by the rules of YAML 1.2: `yes` and dates are texts."""

from __future__ import annotations

import re
from typing import Any

import yaml

_DEPTH = 200
"""No content is nested deeper; an alias may well refer to what it is a part of."""


_MOST = 1_000_000
"""And none has more values."""


class MalformedYaml(Exception):
    """A text that is no YAML, or not the YAML of a JSON value."""


class _Loader(yaml.SafeLoader):
    """Knows numbers as PyYAML does, truth values only as `true` and `false`, and no dates."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag.endswith((":int", ":float", ":null"))]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)


def parse_yaml(text: str) -> Any:
    """The value of a YAML text, or `MalformedYaml`."""
    try:
        value = yaml.load(text, _Loader)
        if _weight(value, {}) > _MOST:
            raise MalformedYaml(f"its aliases make it grow to more than {_MOST:,} values")
        return _plain(value, 0)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark is not None else ""
        raise MalformedYaml(f"{getattr(problem, 'problem', None) or 'it cannot be read'}{where}") from None
    except (RecursionError, ValueError) as problem:
        raise MalformedYaml(
            "it is nested too deeply" if isinstance(problem, RecursionError) else str(problem)
        ) from None


def _weight(value: Any, known: dict[int, int]) -> int:
    """How many values there are when aliases are written out."""
    if not isinstance(value, dict | list):
        return 1
    if id(value) not in known:
        known[id(value)] = 1  # what contains itself is found to be nested too deeply
        parts = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_weight(part, known) for part in parts)
    return known[id(value)]


def _plain(value: Any, depth: int) -> Any:
    if depth > _DEPTH:
        raise MalformedYaml(f"it is nested more than {_DEPTH} deep")
    match value:
        case dict():
            return {_key(k): _plain(v, depth + 1) for k, v in value.items()}
        case list():
            return [_plain(v, depth + 1) for v in value]
        case None | bool() | int() | float() | str():
            return value
        case _:
            raise MalformedYaml(f"'{type(value).__name__}' has no place in JSON")


def _key(key: Any) -> str:
    match key:
        case str():
            return key
        case bool():
            return "true" if key else "false"
        case None:
            return "null"
        case _:
            return str(key)
