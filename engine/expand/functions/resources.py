"""What a template may ask of itself and its resources: parameters, variables, ids, references, loop indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.contract.value import Output, Value
from engine.expand.functions.signature import LEAVES, EvaluationError, Library, describe, kind_of
from engine.expand.host import Argument, Stepwise

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator

LIBRARY = Library()
_Arguments = tuple[Argument, ...]


def text_of(function: str, position: int, value: Value, evaluator: Evaluator) -> str:
    """An argument that must be text and known, because the shape of the graph rests on it."""
    value = evaluator.named(value)
    if type(value) is not str:
        raise EvaluationError(f"Argument {position} of {function}() must be a string, not {describe(kind_of(value))}")
    return value


@LIBRARY.special("parameters", 1)
def parameters(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The value of a parameter."""
    name = text_of("parameters", 1, evaluator.evaluate(arguments[0]), evaluator)
    return evaluator.frame.parameter(name, evaluator)


@LIBRARY.special("variables", 1)
def variables(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The value of a variable."""
    name = text_of("variables", 1, evaluator.evaluate(arguments[0]), evaluator)
    return evaluator.frame.variable(name, evaluator)


@LIBRARY.special("copyIndex", 0, 2)
def copy_index(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The index of a loop, the innermost or a named one, plus an offset."""
    values = [evaluator.evaluate(a) for a in arguments]
    name = values.pop(0) if values and type(values[0]) is str else ""
    found = evaluator.indexes.get(name.lower())
    if found is None:
        what = f"no loop '{name}' around it" if name else "no loop around it"
        raise EvaluationError(f"copyIndex() has {what}")
    return evaluator.call("add", found, values[0]) if values else found


@LIBRARY.special("reference", 1, 3)
def reference(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """What a resource reports: its properties, or all of it for 'full'."""
    from engine.expand.references import read

    values = [evaluator.evaluate(a) for a in arguments]
    text = text_of("reference", 1, values[0], evaluator)
    version = values[1] if len(values) > 1 and type(values[1]) is str else ""
    full = len(values) > 2 and text_of("reference", 3, values[2], evaluator).lower() == "full"
    return read(evaluator, text, version, full)


@LIBRARY.special("references", 1, 2)
def references(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """What all resources of a loop report."""
    from engine.expand.once import Waiting
    from engine.expand.references import find, report_of
    from engine.expand.unit import Unit

    values = [evaluator.evaluate(a) for a in arguments]
    text = text_of("references", 1, values[0], evaluator)
    full = len(values) > 1 and text_of("references", 2, values[1], evaluator).lower() == "full"
    unit = find(evaluator.frame, text)
    if not isinstance(unit, Unit) or unit.loop is None:
        raise EvaluationError(f"Argument 1 of references() is '{text}', which is no loop of resources")
    try:
        instances = [i for i in unit.instances() if i.present()]
    except Waiting:
        evaluator.touch((unit.address,))
        return Output(unit.address)
    reports = [report_of(evaluator, instance, full) for instance in instances]
    return [r.whole() if isinstance(r, Stepwise) else r for r in reports]


# ---------------------------------------------------------------- ids


@LIBRARY.special("resourceId", 2, rest=True)
def resource_id(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The id of a resource in a resource group; `subscriptionId` and `resourceGroup` may come first."""
    from engine.expand.scopes import GROUP

    before, type, names = _split("resourceId", arguments, evaluator, 2)
    level = evaluator.frame.home.level
    match before:
        case [group]:
            level = level.replace(kind=GROUP, group=group)
        case [subscription, group]:
            level = level.replace(kind=GROUP, subscription=subscription, group=group)
        case _:
            pass
    return _id(level.id, level.group, type, names, evaluator)


@LIBRARY.special("subscriptionResourceId", 2, rest=True)
def subscription_resource_id(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The id of a resource in a subscription, which may come first."""
    from engine.expand.scopes import SUBSCRIPTION

    before, type, names = _split("subscriptionResourceId", arguments, evaluator, 1)
    level = evaluator.frame.home.level.replace(kind=SUBSCRIPTION)
    if before:
        level = level.replace(subscription=before[0])
    return _id(level.id, level.group, type, names, evaluator)


@LIBRARY.special("managementGroupResourceId", 2, rest=True)
def management_group_resource_id(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The id of a resource in a management group, which may come first."""
    from engine.expand.scopes import MANAGEMENT_GROUP

    before, type, names = _split("managementGroupResourceId", arguments, evaluator, 1)
    level = evaluator.frame.home.level.replace(kind=MANAGEMENT_GROUP)
    if before:
        level = level.replace(management_group=before[0])
    return _id(level.id, level.group, type, names, evaluator)


@LIBRARY.special("tenantResourceId", 2, rest=True)
def tenant_resource_id(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The id of a resource of the tenant."""
    _, type, names = _split("tenantResourceId", arguments, evaluator, 0)
    return _id("", evaluator.frame.home.level.group, type, names, evaluator)


@LIBRARY.special("extensionResourceId", 3, rest=True)
def extension_resource_id(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The id of a resource that extends another one, or a scope."""
    from engine.expand.scopes import GROUP, parse_level

    prefix = evaluator.evaluate(arguments[0])
    _, type, names = _split("extensionResourceId", arguments[1:], evaluator, 0)
    group = evaluator.frame.home.level.group
    level = parse_level(prefix, evaluator.frame.home.level) if isinstance(prefix, str) else None
    group = level.group if level and level.kind == GROUP else group
    return _id(prefix, group, type, names, evaluator)


def _id(prefix: Value, group: str, type: str, names: list[Value], evaluator: Evaluator) -> Value:
    from engine.expand import scopes

    if scopes.is_app_type(type):
        prefix = scopes.plane(group, evaluator.frame.world.scope)
    return scopes.resource_id(prefix, type, names, evaluator.vault)


def _split(function: str, arguments: _Arguments, evaluator: Evaluator, most: int) -> tuple[list[str], str, list[Value]]:
    """What stands before the type, the type, and the names behind it."""
    values = [evaluator.evaluate(a) for a in arguments]
    for position, value in enumerate(values[: most + 1]):
        text = text_of(function, position + 1, value, evaluator)
        if "/" in text and not text.startswith("/"):
            for i, name in enumerate(values[position + 1 :]):
                if type(name) not in (str, int) and type(name) not in LEAVES:
                    where = position + i + 2
                    raise EvaluationError(
                        f"Argument {where} of {function}() must be a string, not {describe(kind_of(name))}"
                    )
            before = [str(evaluator.named(v)) for v in values[:position]]
            return before, text, [str(n) if type(n) is int else n for n in values[position + 1 :]]
    raise EvaluationError(f"{function}() is given no resource type, such as 'Applications.Core/containers'")
