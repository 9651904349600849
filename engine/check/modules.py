"""Checks modules: their parameters fit what the file or template they name declares."""

from __future__ import annotations

from engine.check import arm_types
from engine.check.body import check_depends_on, check_loop_name, loop_of, properties_of
from engine.check.declare import body_of
from engine.check.declared import outputs_of, params_of
from engine.check.expect import check_object
from engine.check.misfits import Place
from engine.check.model import Model
from engine.check.placement import scope_type
from engine.check.resource_type import read_full
from engine.check.resources import no_any
from engine.check.symbols import Kind
from engine.check.types import (
    ANY,
    OBJECT,
    STRING,
    UNKNOWN,
    AnyType,
    ArrayType,
    ObjectType,
    PropertyType,
    StringLiteral,
    StringType,
    TupleType,
    UnionType,
    union,
    without_null,
)
from engine.diagnostics.diagnostic import Severity
from engine.parse import tree
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
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
    no_any(infer, body)
    symbol = infer.model.bindings[id(node)]
    check_loop_name(infer, node, symbol, ("name", "scope"))
    target = infer.model.modules.get(id(node))
    if target is None and isinstance(value, tree.If):
        infer.report.withdraw(value, "BCP046")  # nothing is known of what it decides about
    if target is None or (loop is not None and infer.type(loop.array) is not UNKNOWN and not _loops(infer, loop)):
        return
    check_object(
        infer, body, body_type(infer, target), Place(node.name, what="module"), frozenset({"dependsOn", "scope"})
    )
    given = properties_of(body)
    if "scope" in given:
        scope_type(infer, given["scope"])
    check_depends_on(infer, given.get("dependsOn"))
    for code, message in arm_types.problems(target) if isinstance(target, Template) else ():
        infer.report.add(code, Severity.ERROR if code == "BCP319" else Severity.WARNING, node.path, message)
    _check_resource_params(infer, node, target)
    if infer.model.target_scope == "local" and (secret := secret_outputs(target)):
        message = f"'{secret[0]}' of the module is secret, and what is deployed locally has no secret outputs"
        infer.report.error("BCP421", node.name, message, "Remove @secure() there, or do not output it.")
    if "extensionConfigs" in given and isinstance(given["extensionConfigs"].value, tree.Object):
        _check_configs(infer, given["extensionConfigs"].value)
    if "params" in given and isinstance(given["params"].value, tree.Object):
        _check_secrets(infer, given["params"].value, target)


def _loops(infer: Infer, loop: tree.For) -> bool:
    """Whether what is looped over may be an array."""
    return isinstance(infer.open(infer.type(loop.array)), ArrayType | TupleType | AnyType | UnionType)


def _check_resource_params(infer: Infer, node: tree.Module, target: Model | Template) -> None:
    """A parameter that is a resource has a type that is in the list of types, where there is one."""
    types = infer.model.type_names
    if types is None or types.empty or isinstance(target, Template):
        return
    for statement in target.file.statements:
        written = statement.type if isinstance(statement, tree.ResourceParam) else None
        name = read_full(written.literal or "") if isinstance(written, tree.Text) else None
        if name is not None and types.official(name.type, name.version or "") is None:
            message = f"There is no type '{name.type}@{name.version}', which the module has a parameter of"
            infer.report.warning("BCP230", node.path, message, types.instead(name.type, name.version or ""))


def _check_configs(infer: Infer, configs: tree.Object) -> None:
    """What an extension of a module is configured with is written out, or is that of an extension of this file."""
    for name, given in properties_of(configs).items():
        if not isinstance(given.value, tree.Object | tree.Broken) and not _inherited(infer, given.value):
            message = f"'{name}' is configured by an object, or by the configuration of an extension of this file"
            infer.report.error("BCP431", given, message, "Write { … }, or extension.config.")


def _inherited(infer: Infer, node: tree.Expression) -> bool:
    match node:
        case tree.Parenthesized(inner=inner):
            return _inherited(infer, inner)
        case tree.Ternary(then=one, otherwise=other):
            return _inherited(infer, one) and _inherited(infer, other)
        case tree.Member(base=base, name=name):
            symbol = infer.model.symbol(base)
            return name.text == "config" and symbol is not None and symbol.kind is Kind.EXTENSION
        case _:
            return False


def secret_outputs(target: Model | Template) -> list[str]:
    """The outputs of a module that are secret."""
    found = {name: without_null(type) for name, type in outputs_of(target).items()}
    return [name for name, type in found.items() if isinstance(type, StringType | ObjectType) and type.secure]


def _check_secrets(infer: Infer, params: tree.Object, target: Model | Template) -> None:
    """A secret of a vault can only go to a parameter that is secure."""
    declared = params_of(target)
    for name, given in properties_of(params).items():
        wanted = without_null(declared[name].type) if name in declared else None
        value = given.value
        secret = (
            isinstance(value, tree.MethodCall) and value.name.text == "getSecret" and not infer.model.builtin(value)
        )
        if secret and not (isinstance(wanted, StringType | ObjectType) and wanted.secure):
            infer.report.error("BCP180", value, f"'getSecret' needs a secure parameter, and '{name}' is none")


_IDENTITY = ObjectType(
    {
        "type": PropertyType(union(StringLiteral("None"), StringLiteral("UserAssigned")), True),
        "userAssignedIdentities": PropertyType(OBJECT),
    }
)


def body_type(infer: Infer, target: Model | Template) -> ObjectType:
    """What the body of a module may have."""
    params = params_of(target)
    required = any(p.required for p in params.values())
    properties = {
        "name": PropertyType(STRING),
        "params": PropertyType(ObjectType(params, name="params"), required),
        "outputs": PropertyType(ANY, readonly=True),
        "identity": PropertyType(_IDENTITY),
    }
    if infer.model.config.feature("moduleExtensionConfigs"):
        properties["extensionConfigs"] = PropertyType(ANY)
    return ObjectType(properties, name="module")
