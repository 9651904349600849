"""Checks decorators: their arguments, and whether they may stand where they stand."""

from __future__ import annotations

from engine.check.assign import assignable
from engine.check.body import loop_of
from engine.check.calls import count
from engine.check.constants import constant
from engine.check.expect import expect
from engine.check.functions.decorators import FEATURES, TARGETS, Target
from engine.check.misfits import Place
from engine.check.symbols import Kind
from engine.check.types import (
    ARRAY,
    INT,
    OBJECT,
    STRING,
    ArrayType,
    DiscriminatedType,
    IntLiteral,
    ObjectType,
    TupleType,
    Type,
    UnknownType,
    show,
    union,
    widen,
    without_null,
)
from engine.diagnostics.source import Span
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

_TARGETS: dict[type[tree.Node], tuple[int, str, str]] = {
    tree.Param: (Target.PARAM, "BCP125", "a parameter"),
    tree.ResourceParam: (Target.PARAM, "BCP125", "a parameter"),
    tree.Var: (Target.VAR, "BCP126", "a variable"),
    tree.TypeDeclaration: (Target.TYPE, "BCP297", "a type"),
    tree.Output: (Target.OUTPUT, "BCP129", "an output"),
    tree.Func: (Target.FUNC, "BCP152", "a function"),
    tree.Resource: (Target.RESOURCE, "BCP127", "a resource"),
    tree.Module: (Target.MODULE, "BCP128", "a module"),
    tree.Metadata: (Target.METADATA, "BCP269", "metadata"),
    tree.TypeProperty: (Target.MEMBER, "BCP297", "a member of a type"),
    tree.TupleItem: (Target.MEMBER, "BCP297", "a member of a type"),
    tree.Import: (Target.IMPORT, "BCP152", "an import"),
    tree.Extension: (Target.EXTENSION, "BCP152", "an extension"),
    tree.Assert: (Target.ASSERT, "BCP152", "an assertion"),
    tree.Test: (Target.TEST, "BCP152", "a test"),
}

_BARE = (tree.TargetScope, tree.Using, tree.Extends, tree.ExtensionConfig)
"""Statements that no decorator stands on."""

_WANTED: dict[str, Type] = {
    "minValue": INT,
    "maxValue": INT,
    "minLength": union(STRING, ARRAY),
    "maxLength": union(STRING, ARRAY),
    "secure": union(STRING, OBJECT),
    "sealed": OBJECT,
}
"""What the thing under the decorator must be."""

_CONSTRAINTS = frozenset({*_WANTED, "allowed"})
"""The decorators that narrow a type."""

LAMBDAS = frozenset({"validate", "waitUntil"})
"""Decorators that take more than literals."""


def check_decorators(infer: Infer, node: tree.Node, type: Type | None) -> None:
    """The decorators of a statement or member; `type` is that of what they stand on, where it has one."""
    decorators: tuple[tree.Decorator, ...] = getattr(node, "decorators", ())
    seen: dict[str, list[tree.Decorator]] = {}
    if decorators and isinstance(node, _BARE):
        at = Span(decorators[0].start, decorators[0].start + 1)
        infer.report.error("BCP130", at, "Nothing can be said of this statement by a decorator", "Remove it.")
        return
    for decorator in decorators:
        name = infer.model.decorators.get(id(decorator))
        if name is None:
            _no_decorator(infer, decorator)
            continue
        seen.setdefault(name, []).append(decorator)
        call = decorator.expression
        assert isinstance(call, tree.Call | tree.MethodCall)
        if name == "export" and isinstance(node, tree.TypeProperty | tree.TupleItem):
            message = "Only what is declared at the top can be exported"
            infer.report.error("BCP361", decorator, message, "Declare the type of this member by itself.")
            continue
        if not _target(infer, node, name, call.name):
            continue
        if _arguments(infer, name, call, type) and type is not None:
            _attach(infer, node, name, decorator, type)
        if name == "batchSize" and isinstance(node, tree.Resource | tree.Module) and loop_of(node.value) is None:
            infer.report.error("BCP155", decorator, "'@batchSize' is for loops of resources and modules")
        if name == "nullIfNotFound" and isinstance(node, tree.Resource) and not node.existing:
            message = "'@nullIfNotFound' is for what exists already, and this resource is deployed"
            infer.report.error("BCP445", decorator, message, "Remove it, or write 'existing' before '='.")
        if (feature := FEATURES.get(name)) and not infer.model.config.feature(feature):
            message = f"Decorator '{name}' is an experiment that is not switched on"
            infer.report.error(
                "BCP057", call.name, message, f"Set experimentalFeaturesEnabled.{feature} in bicepconfig.json."
            )
    _crossed(infer, seen)
    for name, same in seen.items():
        if len(same) > 1:
            for decorator in same:
                infer.report.error("BCP166", decorator, f"Decorator '{name}' stands here more than once")


def _crossed(infer: Infer, seen: dict[str, list[tree.Decorator]]) -> None:
    """A least that is more than the most."""
    for what in ("Length", "Value"):
        ends = []
        for name in (f"min{what}", f"max{what}"):
            given = getattr(seen[name][0].expression, "arguments", ()) if name in seen else ()
            ends.append(infer.type(given[0]) if given else None)
        least, most = ends
        if isinstance(least, IntLiteral) and isinstance(most, IntLiteral) and least.value > most.value:
            message = f"The least, {least.value}, is more than the most, {most.value}"
            infer.report.error("BCP331", seen[f"min{what}"][0], message)


def _no_decorator(infer: Infer, decorator: tree.Decorator) -> None:
    if not isinstance(decorator.expression, tree.Call | tree.MethodCall | tree.Broken | tree.Name | tree.Member):
        infer.report.error("BCP141", decorator.expression, "This is no decorator")


def _target(infer: Infer, node: tree.Node, name: str, place: tree.Node) -> bool:
    target, code, noun = _TARGETS.get(type(node), (Target.OTHER, "BCP132", "this"))
    if isinstance(node, tree.Param | tree.Var) and name != "description" and infer.model.path.endswith(".bicepparam"):
        help = "Put it on the declaration, in the file that is used."
        infer.report.error(code, place, f"Decorator '{name}' cannot stand in a parameters file", help)
        return False
    if target & TARGETS[name] or isinstance(node, tree.BrokenStatement):
        return True
    infer.report.error(code, place, f"Decorator '{name}' cannot stand on {noun}")
    return False


def _arguments(infer: Infer, name: str, call: tree.Call | tree.MethodCall, type: Type | None) -> bool:
    """Whether a decorator is given what it takes."""
    for argument in call.arguments:
        infer.type(argument)
    function = infer.model.builtins[id(call)]
    if not count(infer, call, function.overloads):
        return False
    signature = function.overloads[0]
    for position, argument in enumerate(call.arguments):
        wanted = signature.parameter(position)
        if name not in LAMBDAS and not _literal(argument):
            constant(infer, argument)
            continue
        given = infer.type(argument)
        if not assignable(given, wanted, infer.resolve):
            message = f"'@{name}' takes {show(wanted)}, and this is {show(given)}"
            infer.report.error("BCP070", argument, message)
            return False
    if name == "allowed" and call.arguments and isinstance(call.arguments[0], tree.Array):
        array = call.arguments[0]
        if not array.items:
            infer.report.error("BCP099", array, "'@allowed' must list at least one value")
        elif type is not None and not isinstance(type, ArrayType | TupleType):
            expect(infer, array, ArrayType(widen(type)), Place(array))
    if name == "metadata" and call.arguments and isinstance(call.arguments[0], tree.Object):
        for member in call.arguments[0].members:
            if isinstance(member, tree.Property) and getattr(member.key, "text", None) == "description":
                expect(infer, member.value, STRING, Place(member.key, name="description"))
    least = {"minLength": 0, "maxLength": 0, "batchSize": 1}.get(name)
    if least is not None and isinstance(given := infer.type(call.arguments[0]), IntLiteral) and given.value < least:
        code = "BCP154" if name == "batchSize" else "BCP168"
        infer.report.error(code, call.arguments[0], f"'@{name}' takes a number of {least} or more")
    return True


def _literal(node: tree.Node) -> bool:
    """Whether the outermost expression is a literal at all; what is inside is looked at then."""
    stack = [node]
    while stack:
        top = stack.pop()
        match top:
            case (
                tree.Text(holes=()) | tree.Integer() | tree.Boolean() | tree.Null() | tree.Broken() | tree.Identifier()
            ):
                continue
            case tree.Unary(operator="-", operand=tree.Integer()):
                continue
            case tree.Array() | tree.Object() | tree.Property() | tree.Parenthesized():
                stack.extend(tree.children(top))
            case _:
                return False
    return True


def _own(infer: Infer, node: tree.Node, name: str, decorator: tree.Decorator, type: Type) -> bool:
    """Whether a type is written out where a decorator narrows it, and is no list of values already."""
    written: tree.Node | None = node.value if isinstance(node, tree.TypeDeclaration) else getattr(node, "type", None)
    while isinstance(written, tree.Nullable | tree.Parenthesized | tree.NonNull):
        written = written.inner if isinstance(written, tree.Parenthesized) else written.base
    whole = written
    while isinstance(written, tree.Member | tree.Index | tree.ItemsAccess | tree.RestAccess):
        written = written.base
    if isinstance(written, tree.Parameterized):
        message = f"'@{name}' cannot narrow a type that is taken from a resource type"
        infer.report.error("BCP386", decorator, message)
        return False
    symbol = infer.model.symbol(written) if written is not None else None
    if symbol is not None and symbol.kind in (Kind.TYPE, Kind.WILDCARD):
        message = f"'@{name}' cannot narrow a type that is declared elsewhere"
        infer.report.error("BCP308", decorator, message, f"Put it before the declaration of '{symbol.name}'.")
        return False
    literals = isinstance(whole, tree.Union | tree.Text | tree.Integer | tree.Boolean)
    if literals and name in ("allowed", "minLength", "maxLength"):
        message = f"'@{name}' cannot narrow {show(type)}, which says what values there are"
        infer.report.error("BCP295", decorator, message)
        return False
    return True


def _attach(infer: Infer, node: tree.Node, name: str, decorator: tree.Decorator, type: Type) -> None:
    """Whether what the decorator stands on has a type that it is for."""
    bare = infer.open(without_null(type))
    if isinstance(bare, UnknownType):
        return
    if name in _CONSTRAINTS and not _own(infer, node, name, decorator, bare):
        return
    if name == "discriminator":
        if not isinstance(bare, DiscriminatedType) and not assignable(widen(bare), OBJECT, infer.resolve):
            infer.report.error("BCP124", decorator, f"'@discriminator' is for object, and this is {show(widen(bare))}")
        key = infer.declared.discriminator(node)  # type: ignore[arg-type]  # what can carry it has a type
        if isinstance(bare, DiscriminatedType):
            if key is not None and bare.key != key:
                message = f"The members of the union are told apart by '{bare.key}', not '{key}'"
                infer.report.error("BCP366", decorator, message)
        else:
            infer.report.error("BCP363", decorator, "'@discriminator' is for unions of object types")
        return
    wanted = _WANTED.get(name)
    if wanted is None:
        return
    whole = widen(bare)
    if name == "sealed" and isinstance(bare, ObjectType) and bare.additional is not None and bare != OBJECT:
        message = "'@sealed' allows no other properties, and the type says what others there may be"
        infer.report.error("BCP316", decorator, message)
    if not assignable(whole, wanted, infer.resolve):
        message = f"'@{name}' is for {show(wanted)}, and this is {show(whole)}"
        infer.report.error("BCP124", decorator, message)
