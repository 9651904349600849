"""What the bodies of resources and modules have in common: loops, names, `dependsOn`."""

from __future__ import annotations

from engine.check.declare import body_of
from engine.check.misfits import Place, mismatch
from engine.check.symbols import Symbol
from engine.check.types import (
    ANY,
    AnyType,
    ArrayType,
    NullType,
    ResourceType,
    Type,
    UnknownType,
    members_of,
    show,
)
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer


def loop_of(value: tree.Node) -> tree.For | None:
    """The loop around the body of a resource or module."""
    while isinstance(value, tree.Parenthesized):
        value = value.inner
    return value if isinstance(value, tree.For) else None


def properties_of(body: tree.Object) -> dict[str, tree.Property]:
    """The properties of an object literal by name, the first of each."""
    found: dict[str, tree.Property] = {}
    for member in body.members:
        if isinstance(member, tree.Property):
            key = member.key.text if isinstance(member.key, tree.Identifier) else member.key.literal
            if key is not None:
                found.setdefault(key, member)
    return found


def check_depends_on(infer: Infer, given: tree.Property | None) -> None:
    """`dependsOn` is an array of resources and modules, or of collections of them."""
    if given is None:
        return
    if not isinstance(given.value, tree.Array):
        type = infer.open(infer.type(given.value))
        if not isinstance(type, ArrayType | AnyType | UnknownType):
            mismatch(infer, given.value, type, ArrayType(ANY), Place(name="dependsOn"))
        return
    for item in given.value.items:
        if isinstance(item, tree.Spread):
            continue
        type = infer.open(infer.type(item))
        if isinstance(type, AnyType):
            if isinstance(item, tree.Call | tree.MethodCall):
                infer.report.error(
                    "BCP176", item, "Only resources and modules can be depended on; what 'any()' hides cannot be seen"
                )
        elif not _is_resource(infer, type):
            infer.report.error(
                "BCP034", item, f"Only resources and modules can be depended on, and this is {show(type)}"
            )


def _is_resource(infer: Infer, type: Type) -> bool:
    if isinstance(type, ArrayType):
        return _is_resource(infer, infer.open(type.item))
    return all(isinstance(m, ResourceType | NullType | UnknownType | AnyType) for m in members_of(type))


def check_loop_name(
    infer: Infer, node: tree.Resource | tree.Module, symbol: Symbol, properties: tuple[str, ...]
) -> None:
    """The copies of a looped resource need different names, so one of these properties must use the loop's variable."""
    loop, body = loop_of(node.value), body_of(node.value)
    if loop is None or body is None or getattr(node, "existing", False):
        return
    given = properties_of(body)
    if isinstance(node, tree.Module) and "name" not in given:
        return
    if not all(p in given for p in properties[:1]) or not loop.item.text:
        return
    locals = infer.model.locals.get(id(loop), ())
    for name in properties:
        if name in given:
            for used in tree.walk(given[name].value):
                bound = infer.model.bindings.get(id(used))
                if bound is not None and bound in locals and isinstance(used, tree.Name):
                    return
    names = " or ".join(f"'{p}'" for p in properties if p in given)
    message = f"Every copy of '{symbol.name}' has the same name: {names} does not use '{loop.item.text}'"
    infer.report.warning("BCP179", node.name, message)
