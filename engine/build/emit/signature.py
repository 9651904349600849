"""The `parameters`, `outputs`, `definitions` and `functions` of a template."""

from __future__ import annotations

from engine.build.emit.access import identified
from engine.build.emit.decorators import argument, description, modified
from engine.build.emit.loops import count, inside, item
from engine.build.emit.secure import decorated
from engine.build.emit.types import bare_schema, schema
from engine.build.emit.unit import NO_LOCALS, Unit
from engine.check.derived import is_resource
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


def parameter(unit: Unit, node: tree.Param | tree.ResourceParam) -> dict[str, Any]:
    """A parameter: its type, default and modifiers."""
    if isinstance(node, tree.ResourceParam):
        return modified(unit, _resource(node.type), node.decorators)
    found = bare_schema(unit, node.type, node.decorators)
    if node.value is not None:
        found["defaultValue"] = unit.value(node.value)
    if (allowed := argument(node.decorators, "allowed")) is not None:
        found["allowedValues"] = unit.value(allowed)
    return modified(unit, found, node.decorators)


def output(unit: Unit, node: tree.Output) -> dict[str, Any]:
    """An output: its type, modifiers and value; of one that is a resource, the id."""
    if isinstance(node.type, tree.Parameterized) and is_resource(node.type):
        found = modified(unit, _resource(node.type.arguments[0]), node.decorators)
        return {**found, "value": unit.value(identified(node.value))}
    found = schema(unit, node.type, node.decorators)
    if isinstance(node.value, tree.For):
        loop = node.value
        within = inside(unit, loop, "copyIndex()", NO_LOCALS)
        found["copy"] = {"count": count(unit, loop, NO_LOCALS), "input": item(unit, loop.body, within)}
    else:
        found["value"] = unit.value(node.value)
    return found


def _resource(type: tree.Node) -> dict[str, Any]:
    """What a resource is handed over as, by the text of its type: its id."""
    source = type.literal if isinstance(type, tree.Text) else None
    return {"type": "string", "metadata": {"resourceType": source or ""}}


def definition(unit: Unit, node: tree.TypeDeclaration, *, imported: bool = False) -> dict[str, Any]:
    """A named type; one that was imported is not exported again."""
    decorators = node.decorators
    if imported:
        decorators = tuple(d for d in decorators if not decorated((d,), "export"))
    return schema(unit, node.value, decorators)


def function(unit: Unit, node: tree.Func, *, imported: bool = False) -> dict[str, Any]:
    """A function: its parameters, and its result as an output."""
    parameters = [{**schema(unit, p.type), "name": p.name.text} for p in node.parameters]
    found: dict[str, Any] = {
        "parameters": parameters,
        "output": {**schema(unit, node.returns), "value": unit.value(node.body)},
    }
    metadata: dict[str, Any] = {}
    if (text := description(unit, node.decorators)) is not None:
        metadata["description"] = text
    if decorated(node.decorators, "export") and not imported:
        metadata["__bicep_export!"] = True
    if metadata:
        found["metadata"] = metadata
    return found
