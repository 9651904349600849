"""A template's fingerprint, `templateHash`: ARM's hash over the template in one fixed order, in capitals."""

from __future__ import annotations

from collections.abc import Mapping

from engine.build.render import whole_characters
from engine.contract.compact import compact
from engine.template.murmur import murmur64

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


def _keys(names: str) -> list[str]:
    return names.split()


_TOP = _keys(
    "$schema languageVersion contentVersion definitions extensions imports parameters variables functions "
    "resources outputs asserts metadata"
)
_RESOURCE = _keys(
    "extension import type apiVersion name location extendedLocation existing dependsOn tags sku kind "
    "zones identity plan properties scope metadata subscriptionId resourceGroup copy condition"
)
_PARAMETER = _keys(
    "$ref defaultValue minValue maxValue allowedValues minLength maxLength prefixItems items "
    "discriminator properties additionalProperties nullable type metadata"
)
_DEFINITION = _keys(
    "$ref type metadata allowedValues nullable discriminator minLength maxLength minValue maxValue "
    "prefixItems items properties additionalProperties"
)
_OUTPUT = _keys(
    "$ref copy prefixItems items discriminator properties additionalProperties nullable type value metadata"
)
_ARGUMENT = ["name", *(k for k in _DEFINITION if k not in ("type", "metadata")), "type", "metadata"]
_FUNCTION = _keys("parameters output metadata")
_ESCAPED = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def template_hash(document: Mapping[str, Any]) -> str:
    """The hash of a template that does not yet hold its own; nested templates keep theirs."""
    text = compact(_ordered_template(document))
    text = text.upper() if text.isascii() else "".join(map(_upper, whole_characters(text).translate(_ESCAPED)))
    return str(murmur64(text.encode()))


def _upper(character: str) -> str:
    """One character for one character: 'ß' stays."""
    upper = character.upper()
    return upper if len(upper) == 1 else character


def _ordered_template(document: Mapping[str, Any]) -> dict[str, Any]:
    found = _ordered(document, _TOP)
    for section, keys in (("parameters", _PARAMETER), ("outputs", _OUTPUT), ("definitions", _DEFINITION)):
        if section in found:
            found[section] = {name: _schema(each, keys) for name, each in found[section].items()}
    if "functions" in found:
        found["functions"] = [
            {"namespace": f["namespace"], "members": {name: _function(m) for name, m in f["members"].items()}}
            for f in found["functions"]
        ]
    resources = found["resources"]
    if isinstance(resources, list) or not resources:
        found["resources"] = [_ordered(each, _RESOURCE) for each in resources]
    else:
        found["resources"] = {name: _ordered(each, _RESOURCE) for name, each in resources.items()}
    return found


def _ordered(content: Mapping[str, Any], keys: list[str]) -> dict[str, Any]:
    """The known keys first, in their order; then all others, in the order of the source."""
    found = {key: content[key] for key in keys if key in content}
    for key in content:
        if key not in found:
            found[key] = content[key]
    return found


def _schema(content: Mapping[str, Any], keys: list[str]) -> dict[str, Any]:
    found = _ordered(content, keys)
    if isinstance(properties := found.get("properties"), dict):
        found["properties"] = {name: _schema(each, _DEFINITION) for name, each in properties.items()}
    for key in ("items", "additionalProperties"):
        if isinstance(below := found.get(key), dict):
            found[key] = _schema(below, _DEFINITION)
    if isinstance(places := found.get("prefixItems"), list):
        found["prefixItems"] = [_schema(each, _DEFINITION) for each in places]
    if isinstance(by := found.get("discriminator"), dict):
        mapping = {value: _schema(each, _DEFINITION) for value, each in by["mapping"].items()}
        found["discriminator"] = {"propertyName": by["propertyName"], "mapping": mapping}
    return found


def _function(member: Mapping[str, Any]) -> dict[str, Any]:
    parameters = [_ordered(each, _ARGUMENT) for each in member["parameters"]]
    return _ordered({**member, "parameters": parameters, "output": _ordered(member["output"], _OUTPUT)}, _FUNCTION)
