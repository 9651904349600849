"""A module of a template: a nested deployment with the template that its file compiles to."""

from __future__ import annotations

from engine.build.emit.access import identified
from engine.build.emit.declared import Declared, key_text
from engine.build.emit.dependencies import Dependencies
from engine.build.emit.identifiers import identifier
from engine.build.emit.loops import copy
from engine.build.emit.names import made_up, seen
from engine.build.emit.resources import closing, preamble
from engine.build.emit.scopes import scope_keys, scope_of
from engine.build.emit.text import call, quote, wrap
from engine.build.emit.unit import Locals, Unit
from engine.build.emit.uses import target
from engine.check.model import Model
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_APART = frozenset({"name", "parent", "scope", "dependsOn", "params", "extensionConfigs"})


def module(unit: Unit, each: Declared, dependencies: Dependencies, template: Any) -> dict[str, Any]:
    """The deployment as JSON, in the order of the reference compiler."""
    assert isinstance(each.statement, tree.Module)
    locals = seen(unit, each, "copyIndex()")
    found = preamble(unit, each, locals)
    found["type"] = each.type
    found["apiVersion"] = each.version
    for member in each.body.members if each.body else ():
        if isinstance(member, tree.Property) and (name := key_text(member.key)) is not None and name not in _APART:
            found[name] = unit.value(member.value, locals)
    own = each.properties.get("name")
    found["name"] = unit.value(own, locals) if own is not None else wrap(made_up(each, locals))
    scope = scope_of(unit, each, locals)
    extended = identifier(unit, *scope.resource) if scope.resource is not None else None
    found.update(scope_keys(unit, scope, extended))
    if scope.kind != "resourceGroup":
        here = "resourceGroup" if unit.model.target_scope == "resourceGroup" else "deployment"
        found["location"] = f"[{here}().location]"
    content: dict[str, Any] = {"expressionEvaluationOptions": {"scope": "inner"}, "mode": "Incremental"}
    if isinstance(given := each.properties.get("params"), tree.Object):
        content["parameters"] = _parameters(unit, given, locals, _resources(unit, each.statement))
    if isinstance(given := each.properties.get("extensionConfigs"), tree.Object):
        content["extensionConfigs"] = _configurations(unit, given, locals)
    # What is deployed from here must be whole: Azure could follow a link, we cannot.
    if not unit.session.symbolic and (link := _link(unit, each.statement)) is not None:
        content["templateLink"] = {"id": link}
    else:
        content["template"] = template
    found["properties"] = content
    return closing(unit, each, dependencies, found)


def _link(unit: Unit, statement: tree.Module) -> str | None:
    """The id of the template spec that a module is; the template of any other is a part of ours."""
    path = statement.path.literal if isinstance(statement.path, tree.Text) else None
    if path is None or not path.startswith(("ts:", "ts/")):
        return None
    from engine.sources.reference import Spec, parse_reference

    meant = parse_reference(path, unit.model.config.settings, unit.model.config.path)
    return meant.id if isinstance(meant, Spec) else None


def _resources(unit: Unit, statement: tree.Statement) -> frozenset[str]:
    """The parameters of a module that take resources, by their ids."""
    used = unit.model.modules.get(id(statement))
    statements = used.file.statements if isinstance(used, Model) else ()
    return frozenset(s.name.text for s in statements if isinstance(s, tree.ResourceParam))


def _parameters(unit: Unit, given: tree.Object, locals: Locals, resources: frozenset[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for member in given.members:
        if isinstance(member, tree.Property):
            name = key_text(member.key) or ""
            if name in resources:
                found[name] = {"value": unit.value(identified(member.value), locals)}
            elif isinstance(member.value, tree.For):
                found[name] = {"copy": [copy(unit, "value", member.value, locals)]}
            else:
                found[name] = _argument(unit, member.value, locals, "reference")
    return found


def _configurations(unit: Unit, given: tree.Object, locals: Locals) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for member in given.members:
        if isinstance(member, tree.Property):
            name, value = key_text(member.key) or "", member.value
            if isinstance(value, tree.Object):
                found[name] = {
                    key_text(p.key) or "": _argument(unit, p.value, locals, "keyVaultReference")
                    for p in value.members
                    if isinstance(p, tree.Property)
                }
            else:
                found[name] = unit.value(value, locals)
    return found


def _argument(unit: Unit, node: tree.Expression, locals: Locals, reference: str) -> Any:
    """`{"value": …}`, or a reference to a secret in a key vault; a choice between two is one expression."""
    if (inner := _inner(unit, node)) is not None:
        return _argument(unit, inner, locals, reference)
    if (secret := _secret(unit, node, locals)) is not None:
        vault, rest = secret
        names = [wrap(text) for text in rest]
        return {
            reference: {
                "keyVault": {"id": wrap(vault)},
                **dict(zip(("secretName", "secretVersion"), names, strict=False)),
            }
        }
    if isinstance(node, tree.Ternary):
        return wrap(_argument_text(unit, node, locals, reference))
    value = unit.value(node, locals)
    inherited = reference != "reference" and isinstance(value, str) and value.startswith("[extensions(")
    return value if inherited else {"value": value}


def _argument_text(unit: Unit, node: tree.Expression, locals: Locals, reference: str) -> str:
    if (inner := _inner(unit, node)) is not None:
        return _argument_text(unit, inner, locals, reference)
    if isinstance(node, tree.Ternary):
        condition = unit.text(node.condition, locals)
        return call("if", condition, *(_argument_text(unit, n, locals, reference) for n in (node.then, node.otherwise)))
    if (secret := _secret(unit, node, locals)) is not None:
        vault, rest = secret
        parts = [t for pair in zip(("'secretName'", "'secretVersion'"), rest, strict=False) for t in pair]
        content = call("createObject", "'keyVault'", call("createObject", "'id'", vault), *parts)
        return call("createObject", quote(reference), content)
    text = unit.text(node, locals)
    return text if text.startswith("extensions(") else call("createObject", "'value'", text)


def _inner(unit: Unit, node: tree.Expression) -> tree.Expression | None:
    """What stands in parentheses, or in `any()`, both of which disappear."""
    match node:
        case tree.Parenthesized():
            return node.inner
        case tree.Call(arguments=[only]) if node.name.text == "any" and unit.bindings.get(id(node)) is None:
            return only
        case _:
            return None


def _secret(unit: Unit, node: tree.Expression, locals: Locals) -> tuple[str, list[str]] | None:
    """`vault.getSecret(name, version)`: the vault's id, and the other two."""
    if not isinstance(node, tree.MethodCall) or node.name.text != "getSecret":
        return None
    if (picked := target(unit, node.base)) is None:
        return None
    symbol, at = picked
    each = unit.declared[symbol]
    vault = identifier(unit, each, seen(unit, each, None if at is None else unit.text(at, locals)))
    return vault, unit.texts(node.arguments, locals)
