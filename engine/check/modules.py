"""Checks modules: their parameters fit what the file or template they name declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.check.body import check_depends_on, check_loop_name, loop_of, properties_of
from engine.check.declare import body_of
from engine.check.declared import params_of
from engine.check.expect import Place, check_object
from engine.check.model import Model
from engine.check.types import ANY, STRING, ObjectType, PropertyType
from engine.parse import tree
from engine.template.template import Template

if TYPE_CHECKING:
    from engine.check.infer import Infer


def check_module(infer: Infer, node: tree.Module) -> None:
    """One module."""
    value = node.value
    if (loop := loop_of(value)) is not None:
        infer.type(loop)
    else:
        infer.type(value)
    body = body_of(value)
    if body is None:
        return
    infer.type(body)
    symbol = infer.model.bindings[id(node)]
    check_loop_name(infer, node, symbol, ("name", "scope"))
    target = infer.model.modules.get(id(node))
    if target is None:
        return
    check_object(
        infer, body, body_type(infer, target), Place(node.name, what="module"), frozenset({"dependsOn", "scope"})
    )
    check_depends_on(infer, properties_of(body).get("dependsOn"))


def body_type(infer: Infer, target: Model | Template) -> ObjectType:
    """What the body of a module may have."""
    params = params_of(target)
    required = any(p.required for p in params.values())
    properties = {
        "name": PropertyType(STRING),
        "params": PropertyType(ObjectType(params, name="params"), required),
        "outputs": PropertyType(ANY, readonly=True),
        "identity": PropertyType(ANY),
    }
    if infer.model.config.feature("moduleExtensionConfigs"):
        properties["extensionConfigs"] = PropertyType(ANY)
    return ObjectType(properties, name="module")
