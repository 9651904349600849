"""Rule ulna-strict-bicep."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from engine.check.model import Model
from engine.check.symbols import Symbol
from engine.lint.containers import members
from engine.lint.names import bare, constant_text, property_of, resources, type_of_resource
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_KINDS = ("aci", "kubernetes")
"""The compute kinds that others know too."""
_MARK = "x-ulna-addition"


@rule("ulna-strict-bicep", Category.COMPATIBILITY)
def ulna_strict_bicep(model: Model) -> Iterator[Finding]:
    """Something that only Ulna understands, where a file shall work with Bicep and Radius as they are.

    On with `lint --strict-bicep`, or `ulna.strictBicep` in bicepconfig.json: it tells types of `Ulna.*`, what is Ulna's own
    in compatible types, as `waitFor` of a connection, and compute kinds that are not known elsewhere. All other rules that
    begin with `ulna-` are off then.

    Example:
        >>> bicepconfig.json
        { "ulna": { "strictBicep": true } }
        <<<
        param application string
        resource web 'Applications.Core/containers@2023-10-01-preview' = {
          name: 'web'
          properties: {
            application: application
            container: {
              image: 'web:1'
              readinessProbe: {
                kind: 'exec'
                command: 'check'
              }
            }
            runtimes: {
              process: {
                command: 'web'
              }
            }
          }
        }
        ---
        param application string
        resource web 'Applications.Core/containers@2023-10-01-preview' = {
          name: 'web'
          properties: {
            application: application
            container: {
              image: 'web:1'
              readinessProbe: {
                kind: 'exec'
                command: 'check'
              }
            }
            runtimes: {
              kubernetes: {}
            }
          }
        }
    """
    for node in model.nodes(tree.Extension):
        if isinstance(node.spec, tree.Name) and node.spec.text == "ulna":
            yield node.spec, "Only Ulna has the extension 'ulna'"
    for symbol, declared in resources(model):
        type = type_of_resource(model, symbol)
        if type.startswith("ulna."):
            yield declared.type, f"Only Ulna has the type of '{symbol.name}'"
            continue
        schema = _schema(model, symbol)
        if schema is not None:
            yield from _body(declared.value, schema, schema)
            yield from _kinds(model, declared)
    yield from _reads(model)


def _body(value: tree.Node, schema: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[Finding]:
    """What is marked as an addition in the schema of a value."""
    schema = _resolved(schema, whole)
    value = bare(value)
    match value:
        case tree.For() | tree.If():
            yield from _body(value.body, schema, whole)
        case tree.Array():
            if isinstance(items := schema.get("items"), Mapping):
                for item in value.items:
                    yield from _body(item, items, whole)
        case tree.Object():
            for name, member in members(value):
                below = _property(schema, name)
                if below.get(_MARK) is True:
                    yield member.key, f"Only Ulna has the property '{name}' here"
                elif (kind := _text(member)) is not None and _is_variant(schema, name, kind):
                    yield member.value, f"Only Ulna has the {name} '{kind}' here"
                else:
                    yield from _body(member.value, below, whole)
        case _:
            pass


def _text(member: tree.Property) -> str | None:
    return member.value.literal if isinstance(member.value, tree.Text) else None


def _is_variant(schema: Mapping[str, Any], name: str, value: str) -> bool:
    """Whether a value makes an object a variant that is an addition."""
    for variant in schema.get("allOf", ()):
        wanted = variant.get("if", {}).get("properties", {}).get(name, {})
        if variant.get("then", {}).get(_MARK) is True and wanted.get("const") == value:
            return True
    return False


def _property(schema: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The schema of one property, in the object or one of its variants."""
    variants = [v.get("then", v) for v in schema.get("allOf", ()) if isinstance(v, Mapping)]
    for variant in (schema, *variants, *schema.get("oneOf", ()), *schema.get("anyOf", ())):
        found = variant.get("properties", {}).get(name) if isinstance(variant, Mapping) else None
        if isinstance(found, Mapping):
            return found
    rest = schema.get("additionalProperties")
    return rest if isinstance(rest, Mapping) else {}


def _kinds(model: Model, node: tree.Resource) -> Iterator[Finding]:
    """Compute kinds that only Ulna has."""
    kind = property_of(node.value, "properties", "compute", "kind")
    text = constant_text(model, kind.value) if kind is not None else None
    if kind is not None and text is not None and text not in _KINDS:
        yield kind.value, f"Only Ulna has the compute kind '{text}'"
    runtimes = property_of(node.value, "properties", "runtimes")
    block = bare(runtimes.value) if runtimes is not None else None
    for name, member in members(block if isinstance(block, tree.Object) else None):
        if name not in _KINDS:
            yield member.key, f"Only Ulna has the compute kind '{name}'"


def _reads(model: Model) -> Iterator[Finding]:
    """Additions that are read: `web.properties.endpoints`."""
    for node in model.nodes(tree.Member):
        middle = node.base
        if not isinstance(middle, tree.Member) or middle.name.text != "properties":
            continue
        symbol = model.symbol(middle.base.base if isinstance(middle.base, tree.Index) else middle.base)
        schema = _schema(model, symbol) if symbol is not None else None
        if schema is not None and _property(_property(schema, "properties"), node.name.text).get(_MARK) is True:
            yield node.name, f"Only Ulna has the property '{node.name.text}' here"


_read: dict[str, Mapping[str, Any] | None] = {}


def _schema(model: Model, symbol: Symbol) -> Mapping[str, Any] | None:
    """The document that describes the type of a resource; None for types without one. Read once."""
    type = model.resource_types.get(symbol)
    if type is None or not type.type.lower().startswith(("applications.", "radius.")):
        return None
    name = f"{type.type.replace('/', '.')}@{type.version}.json".lower()
    if name not in _read:
        import json

        import schemas

        path = f"{os.path.dirname(schemas.__file__)}/types/{name}"  # noqa: PTH120
        _read[name] = None
        if os.path.isfile(path):  # noqa: PTH113
            with open(path, encoding="utf-8") as file:  # noqa: PTH123
                _read[name] = json.load(file)
    return _read[name]


def _resolved(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    found: Any = whole
    for step in reference.removeprefix("#/").split("/"):
        found = found.get(step, {}) if isinstance(found, Mapping) else {}
    return found if isinstance(found, Mapping) else {}
