"""From a checked parameter file to the values it assigns: the JSON of a parameters file."""

from __future__ import annotations

from engine.build.build import HANDLERS
from engine.build.emit.constants import EXTERNAL, Constants, Evaluate, Unevaluable, Unset
from engine.build.emit.declared import key_text
from engine.build.emit.text import call, wrap
from engine.build.emit.unit import NO_LOCALS, Session, namespace_of
from engine.check.model import Model
from engine.check.types import UNKNOWN
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.parse import tree
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

__all__ = ["HANDLERS", "Evaluate", "Unevaluable", "build_parameters", "failing_parameters"]

_SCHEMA = "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#"
_DEPTH = 100
"""No chain of `extends` is longer."""


def build_parameters(model: Model, evaluate: Evaluate) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """The parameters document of a `.bicepparam` file without errors, and what evaluating it found wrong.

    `evaluate` gives the value of an ARM expression's text, and raises `Unevaluable` if it has none.
    """
    session = Session()
    unit = _constants(model, session, evaluate, 0)
    _number_inputs(unit)
    document: dict[str, Any] = {"$schema": _SCHEMA, "contentVersion": "1.0.0.0", "parameters": {}}
    wanted = _declared(model)
    for name, home, statement in unit.all_parameters():
        if (wanted is None or name in wanted) and (entry := _entry(home, statement, statement.value)) is not None:
            document["parameters"][name] = entry
    configurations = _configurations(unit)
    if unit.inputs.definitions:
        document["externalInputDefinitions"] = dict(sorted(unit.inputs.definitions.items()))
    if configurations:
        document["extensionConfigs"] = dict(sorted(configurations.items()))
    for using in model.file.statements:
        if isinstance(using, tree.Using) and using.config is not None:
            document["usingConfig"] = _entry(unit, using, using.config)
    return document, tuple(session.diagnostics)


def failing_parameters(model: Model, evaluate: Evaluate) -> tuple[Diagnostic, ...]:
    """What evaluating finds wrong in a parameter file, of those values that make sense so far."""
    session = Session()
    unit = _constants(model, session, evaluate, 0)
    wrong = [d for d in model.diagnostics if d.severity is Severity.ERROR and d.primary is not None]
    for statement in model.file.statements:
        if isinstance(statement, tree.Param) and (value := statement.value) is not None:
            # That the whole is of the wrong type does not keep it from having a value.
            inside = any(_keeps(d, value) for d in wrong)
            if not inside and model.type_of(value) is not UNKNOWN:
                _entry(unit, statement, value)
    return tuple(session.diagnostics)


def _keeps(wrong: Diagnostic, value: tree.Node) -> bool:
    """Whether something wrong keeps an expression from having a value."""
    span = wrong.primary.span if wrong.primary is not None else value.span
    within = value.start <= span.start and span.end <= value.end
    return within and (span != value.span or wrong.code in ("BCP351", "BCP368", "BCP369"))


def _constants(model: Model, session: Session, evaluate: Evaluate, depth: int) -> Constants:
    base = None
    for statement in model.file.statements:
        if isinstance(statement, tree.Extends) and depth < _DEPTH:
            below = model.modules.get(id(statement))
            if isinstance(below, Model):
                base = _constants(below, session, evaluate, depth + 1)
    return Constants(model, session, evaluate, base)


def _declared(model: Model) -> frozenset[str] | None:
    """The parameters of the template that is used; None if none is."""
    for statement in model.file.statements:
        if isinstance(statement, tree.Using):
            used = model.modules.get(id(statement))
            if isinstance(used, Template):
                return frozenset(used.document.get("parameters", ()))
            if isinstance(used, Model):
                kinds = (tree.Param, tree.ResourceParam)
                return frozenset(s.name.text for s in used.file.statements if isinstance(s, kinds))
    return None


def _number_inputs(unit: Constants) -> None:
    """Give inputs from outside their numbers: those of parameters first, then those of variables, by their place."""
    text = unit.model.source.text
    if not any(word in text for word in EXTERNAL):
        return
    statements = sorted(unit.model.file.statements, key=lambda s: not isinstance(s, tree.Param))
    for statement in statements:
        for node in tree.walk(statement):
            if isinstance(node, (tree.Call, tree.MethodCall)) and node.name.text in EXTERNAL:
                _attempt(unit, node, lambda n=node: unit.text(n))


def _entry(unit: Constants, statement: tree.Statement, value: tree.Expression | None) -> dict[str, Any] | None:
    """`value`, `expression`, or a `reference` to a secret."""
    if value is None:
        return {"value": None}

    def make() -> dict[str, Any]:
        chosen = _chosen(unit, value)
        if (secret := _secret(unit, chosen, "reference")) is not None:
            return secret
        text = unit.settled(unit.text(chosen))
        if "externalInputs(" in text:
            return {"expression": f"[{text}]"}
        return {"value": unit.evaluate(text)}

    found: dict[str, Any] | None = _attempt(unit, value, make)
    return found


def _chosen(unit: Constants, node: tree.Expression) -> tree.Expression:
    """The side of a choice that is taken, where the other is a secret: that one has no value here."""
    while isinstance(node, tree.Parenthesized | tree.Ternary):
        if isinstance(node, tree.Parenthesized):
            node = node.inner
        elif any(_name(side) == "getSecret" for side in (node.then, node.otherwise)):
            node = node.then if unit.evaluate(unit.settled(unit.text(node.condition))) is True else node.otherwise
        else:
            break
    return node


def _name(node: tree.Node) -> str:
    while isinstance(node, tree.Parenthesized):
        node = node.inner
    return node.name.text if isinstance(node, tree.Call | tree.MethodCall) else ""


def _attempt(unit: Constants, node: tree.Node, make: Any) -> Any:
    try:
        return make()
    except Unset as problem:
        help = "Set it, or give a default: readEnvironmentVariable('NAME', 'default')."
        unit.error("BCP427", problem.node, f"{problem}, and there is no default", help)
    except Unevaluable as problem:
        unit.error("BCP338", node, f"This cannot be evaluated: {problem}")
    except RecursionError:
        unit.error("ULN120", node, "This nests too deeply to be evaluated")
    return None


def _secret(unit: Constants, node: tree.Expression, reference: str) -> dict[str, Any] | None:
    """`az.getSecret(subscription, group, vault, secret[, version])`"""
    while isinstance(node, tree.Parenthesized):
        node = node.inner
    if not isinstance(node, (tree.Call, tree.MethodCall)) or node.name.text != "getSecret":
        return None
    if (isinstance(node, tree.MethodCall) and namespace_of(unit, node.base) is None) or len(node.arguments) < 4:
        return None
    subscription, group, vault, *names = [unit.settled(t) for t in unit.texts(node.arguments, NO_LOCALS)]
    if any("externalInputs(" in text for text in (subscription, group, vault)):
        id = wrap(call("resourceId", subscription, group, "'Microsoft.KeyVault'", "'vaults'", vault))
    else:
        parts = [unit.evaluate(text) for text in (subscription, group, vault)]
        id = "/subscriptions/{}/resourceGroups/{}/providers/Microsoft.KeyVault/vaults/{}".format(*parts)
    keys = ("secretName", "secretVersion")
    return {reference: {"keyVault": {"id": id}, **{k: wrap(t) for k, t in zip(keys, names, strict=False)}}}


def _configurations(unit: Constants) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for statement in unit.model.file.statements:
        if isinstance(statement, tree.ExtensionConfig):
            members = statement.config.members if isinstance(statement.config, tree.Object) else ()
            pairs = {key_text(p.key) or "": p.value for p in members if isinstance(p, tree.Property)}
            entries = {}
            for name, value in sorted(pairs.items()):
                entries[name] = _secret(unit, value, "keyVaultReference") or _entry(unit, statement, value)
            found[statement.alias.text] = entries
    return found
