"""Which version of the template language a file needs: 1.0 with a list of resources, or 2.0 with symbolic names."""

from __future__ import annotations

from collections.abc import Iterator

from engine.build.emit.secure import decorated, secure_outputs
from engine.build.emit.survey import Survey
from engine.build.emit.unit import Unit
from engine.build.emit.uses import Uses
from engine.parse import tree

EXPERIMENTAL = {
    "assertions": "Asserts",
    "resourceTypedParamsAndOutputs": "Resource-typed parameters and outputs",
    "waitUntil": "WaitUntil decorator",
    "userDefinedConstraints": "User-defined validation constraints",
    "moduleExtensionConfigs": "Enable defining extension configs for modules",
    "patch": "Patch decorator",
}
"""Features of ARM that are experimental, by the flag that turns them on, with the names that a template lists."""

_SYNTAX = (tree.ObjectType, tree.ArrayType, tree.TupleType, tree.Union, tree.Nullable)
_STATEMENTS = (tree.Extension, tree.TypeDeclaration, tree.Func, tree.Import)


def language_version(unit: Unit, survey: Survey) -> str | None:
    """The version to state; None for 1.0."""
    config = unit.model.config
    if config.feature("moduleExtensionConfigs"):
        return "2.2-experimental"
    if any(config.feature(flag) for flag in EXPERIMENTAL) or _experimental(unit):
        return "2.1-experimental"
    return "2.0" if unit.session.symbolic or _needs_names(unit, survey) else None


def _experimental(unit: Unit) -> bool:
    text = unit.model.source.text
    statements = [each.statement for each in unit.declared.values()]
    if "nullIfNotFound" in text and any(decorated(s.decorators, "nullIfNotFound") for s in statements):
        return True
    return "this." in text and any(
        isinstance(node, tree.MethodCall) and isinstance(node.base, tree.Name) and node.base.text == "this"
        for each in unit.declared.values()
        if each.body is not None
        for node in tree.walk(each.body)
    )


def _needs_names(unit: Unit, survey: Survey) -> bool:
    config = unit.model.config
    if config.feature("symbolicNameCodegen") or config.feature("resourceInfoCodegen"):
        return True
    if any(_statement_needs(unit, statement) for statement in unit.model.file.statements):
        return True
    if any(each.extension is not None for each in unit.declared.values()):
        return True
    if any(each.existing and survey.explicit[symbol].references for symbol, each in unit.declared.items()):
        return True
    if secure_outputs(unit.model):
        return True
    return any(_whole_collection(unit, used) for used in _all(survey))


def _statement_needs(unit: Unit, statement: tree.Statement) -> bool:
    match statement:
        case tree.Var():
            return statement.type is not None
        case tree.Param() | tree.Output():
            return statement.type is not None and any(isinstance(n, _SYNTAX) for n in tree.walk(statement.type))
        case tree.Module():
            symbol = unit.symbol(statement.name)
            each = unit.declared.get(symbol) if symbol else None
            unnamed = each is not None and "name" not in each.properties
            return unnamed or bool(secure_outputs(unit.model.modules.get(id(statement))))
        case tree.Resource():
            found = statement.decorators
            return decorated(found, "onlyIfNotExists") is not None or decorated(found, "retryOn") is not None
        case _:
            return isinstance(statement, _STATEMENTS)


def _all(survey: Survey) -> Iterator[Uses]:
    yield from survey.bodies.values()
    yield from survey.placed.values()
    yield from survey.variables.values()
    yield survey.others


def _whole_collection(unit: Unit, used: Uses) -> bool:
    return any(r.bare and r.index is None and unit.declared[r.symbol].loop is not None for r in used.references)
