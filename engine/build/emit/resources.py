"""A resource of a template."""

from __future__ import annotations

from engine.build.emit.declared import Declared, key_text
from engine.build.emit.decorators import argument, description
from engine.build.emit.dependencies import Dependencies
from engine.build.emit.identifiers import identifier
from engine.build.emit.loops import count
from engine.build.emit.names import full_name, seen
from engine.build.emit.references import all_of
from engine.build.emit.scopes import Scope, scope_keys, scope_of
from engine.build.emit.secure import decorated
from engine.build.emit.text import wrap
from engine.build.emit.unit import NO_LOCALS, Locals, Unit
from engine.build.emit.values import properties
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_APART = frozenset({"name", "parent", "scope", "dependsOn"})


def resource(unit: Unit, each: Declared, dependencies: Dependencies) -> dict[str, Any]:
    """The resource as JSON, in the order of the reference compiler."""
    locals = seen(unit, each, "copyIndex()")
    found = preamble(unit, each, locals)
    if each.existing:
        found["existing"] = True
    if each.extension is not None:
        found[unit.extension_key] = each.extension
    elif unit.azure is not None:
        found[unit.extension_key] = unit.azure
    if options := _options(unit, each):
        found["@options"] = options
    if decorated(each.statement.decorators, "patch"):
        found["method"] = "PATCH"
    if each.extension is not None:
        found["type"] = f"{each.type}@{each.version}" if each.version else each.type
        found["properties"] = properties(unit, _body(each, frozenset({"parent", "dependsOn"})), locals)
    else:
        found["type"] = each.type
        found["apiVersion"] = each.version
        scope = scope_of(unit, each, locals)
        found.update(scope_keys(unit, scope, _extended(unit, scope)))
        if (name := full_name(unit, each, locals)) is not None:
            found["name"] = wrap(name)
        elif (own := each.properties.get("name")) is not None:
            found["name"] = unit.value(own, locals)
        body = _body(each, _APART)
        if each.loop is not None:  # it has a `copy` of its own, and there is room for one only
            for member in [m for m in body if isinstance(m.value, tree.For)]:
                body.remove(member)
                found[key_text(member.key) or ""] = wrap(unit.text(member.value, locals))
        found.update(properties(unit, body, locals))
    return closing(unit, each, dependencies, found)


def preamble(unit: Unit, each: Declared, locals: Locals) -> dict[str, Any]:
    """`copy` and `condition`, which stand first in resources and modules."""
    found: dict[str, Any] = {}
    if each.loop is not None:
        found["copy"] = {"name": each.name, "count": count(unit, each.loop, NO_LOCALS)}
        if (batch := argument(each.statement.decorators, "batchSize")) is not None:
            found["copy"] |= {"mode": "serial", "batchSize": unit.value(batch)}
    if len(each.conditions) == 1:
        found["condition"] = unit.value(each.conditions[0], locals)
    elif each.conditions:
        found["condition"] = wrap(all_of(unit.texts(each.conditions, locals)))
    return found


def closing(unit: Unit, each: Declared, dependencies: Dependencies, found: dict[str, Any]) -> dict[str, Any]:
    """`dependsOn` and the description, which stand last."""
    if waits := dependencies.of(each):
        found["dependsOn"] = waits
    if (text := description(unit, each.statement.decorators)) is not None:
        found["metadata"] = {"description": text}
    return found


def _body(each: Declared, apart: frozenset[str]) -> list[tree.Property]:
    return [
        member
        for member in (each.body.members if each.body else ())
        if isinstance(member, tree.Property)
        and not (isinstance(member.key, tree.Identifier) and member.key.text in apart)
    ]


def _extended(unit: Unit, scope: Scope) -> str | None:
    return identifier(unit, *scope.resource) if scope.resource is not None else None


def _options(unit: Unit, each: Declared) -> dict[str, Any]:
    found: dict[str, Any] = {}
    decorators = each.statement.decorators
    for name in ("onlyIfNotExists", "nullIfNotFound"):
        if decorated(decorators, name):
            found[name] = []
    for name in ("retryOn", "waitUntil"):
        if (decorator := decorated(decorators, name)) is not None:
            found[name] = [unit.value(each) for each in decorator.arguments]
    return found
