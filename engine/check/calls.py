"""The types of what calls give, and the arguments that do not fit."""

from __future__ import annotations

from collections.abc import Sequence

from engine.check import catalogue, operators
from engine.check.assign import assignable
from engine.check.constants import constant
from engine.check.functions.az import SCOPE_FUNCTIONS
from engine.check.functions.signature import Function, Overload, Trait
from engine.check.mends import certain
from engine.check.returns import returned
from engine.check.spelling import suggestion, write
from engine.check.symbols import Kind, Symbol
from engine.check.types import (
    ANY,
    ARRAY,
    INT,
    SECURE_STRING,
    UNKNOWN,
    AnyType,
    ArrayType,
    LambdaType,
    NamespaceType,
    ResourceType,
    TupleType,
    Type,
    UnionType,
    UnknownType,
    is_nullable,
    members_of,
    show,
    union,
    without_null,
)
from engine.diagnostics.diagnostic import Diagnostic
from engine.diagnostics.source import Span
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

Calling = tree.Call | tree.MethodCall
Known = tuple[tuple[Type, ...], Type]
"""What type data say of a function: the types of its parameters, and of what it gives."""


def call(infer: Infer, node: tree.Call) -> Type:
    """`name(…)`"""
    symbol = infer.model.bindings.get(id(node))
    if symbol is not None:
        return _user(infer, node, symbol)
    function = infer.model.builtins.get(id(node))
    if function is not None:
        return _builtin(infer, node, function)
    arguments(infer, node)
    return UNKNOWN


def method(infer: Infer, node: tree.MethodCall) -> Type:
    """`base.name(…)`"""
    symbol = infer.model.bindings.get(id(node))
    if symbol is not None:
        return _user(infer, node, symbol)
    function = infer.model.builtins.get(id(node))
    if function is not None:
        return _builtin(infer, node, function)
    base = infer.open(infer.type(node.base))
    given = arguments(infer, node)
    name = node.name.text
    if is_nullable(base) and any(isinstance(m, ResourceType) for m in members_of(base)):
        _perhaps(infer, node, base)
        base = infer.open(without_null(base))
    for each in members_of(base):
        match each:
            case ResourceType(module=False, symbol=resource) if (known := _known(infer, resource, name)) is not None:
                return _resource_function(infer, node, given, resource, known)
            case ResourceType(module=False) if name.startswith("list"):
                return ANY
            case ResourceType(module=False) if name == "getSecret":
                return SECURE_STRING
            case AnyType() | UnknownType() | UnionType() | NamespaceType():
                return UNKNOWN
            case _:
                pass
    if name:
        _no_function(infer, node, base)
    return UNKNOWN


def _no_function(infer: Infer, node: tree.MethodCall, base: Type) -> None:
    """Reports a function that what stands before the dot does not have."""
    message = f"There is no function '{node.name.text}' on {show(base)}"
    if not isinstance(base, ResourceType):
        infer.report.error("BCP067", node.name, message)
        return
    data = None if base.module else catalogue.data_of(infer.model, base.symbol)
    near = None if base.module else suggestion(node.name.text, ["getSecret", *(data.functions if data else ())])
    if near:
        infer.report.error("BCP110", node.name, message, f"Did you mean '{near}'?", fix=write(node.name, near))
    else:
        infer.report.error("BCP109", node.name, message)


def _perhaps(infer: Infer, node: tree.MethodCall, base: Type) -> None:
    """A function of a resource that has a condition: where the resource is not there, the call fails."""
    resource = next((m.symbol.declaration for m in members_of(base) if isinstance(m, ResourceType)), None)
    if resource is not None and resource.start <= node.start < resource.end:
        return  # where its own body asks, it is there
    message = f"Whether there is anything to call '{node.name.text}' on is known only when the deployment runs"
    help = "Say that you know it is there with '!', or call it under the same condition."
    infer.report.warning("BCP422", node, message, help, fix=certain(node.base))


def _known(infer: Infer, resource: Symbol, name: str) -> Known | None:
    """A function of a resource that type data have."""
    data = catalogue.data_of(infer.model, resource)
    return data.functions.get(name) if data is not None else None


def _resource_function(infer: Infer, node: tree.MethodCall, given: list[Type], resource: Symbol, known: Known) -> Type:
    """A call of it: the actions of ARM may also be called without what they take, or in another version."""
    parameters, result = known
    if infer.model.extension_of(resource) is None:
        return result if len(given) in (0, len(parameters)) else ANY
    if not count(infer, node, (Overload(parameters, len(parameters), False, result),)):
        return UNKNOWN
    wrong = [mismatch(infer, *each) for each in zip(node.arguments, given, parameters, strict=True)]
    return UNKNOWN if any(wrong) else result


def arguments(infer: Infer, node: Calling) -> list[Type]:
    """The types of the arguments of a call that is not understood further."""
    return [infer.type(a) for a in node.arguments]


def parentheses(infer: Infer, node: Calling) -> Span:
    """From the opening parenthesis to the end of the call."""
    start = infer.report.source.text.find("(", node.name.end, node.end)
    return Span(start if start >= 0 else node.name.start, node.end)


def _user(infer: Infer, node: Calling, symbol: Symbol) -> Type:
    given = arguments(infer, node)
    if symbol.kind is not Kind.FUNC:
        return UNKNOWN
    signature = infer.declared.of_func(symbol)
    if signature is None:
        return ANY
    if not count(infer, node, (signature,)):
        return UNKNOWN
    wrong = [
        mismatch(infer, argument, type, wanted)
        for argument, type, wanted in zip(node.arguments, given, signature.parameters, strict=False)
    ]
    return UNKNOWN if any(wrong) else signature.returns


def count(infer: Infer, node: Calling, overloads: Sequence[Overload]) -> bool:
    """Whether a call has as many arguments as one of the overloads takes; else that is reported."""
    given = len(node.arguments)
    if any(o.accepts(given) for o in overloads):
        return True
    least = min(o.minimum for o in overloads)
    most = None if any(o.variadic for o in overloads) else max(len(o.parameters) for o in overloads)
    wanted = f"{least}" if most == least else f"at least {least}" if most is None else f"{least} to {most}"
    plural = "" if wanted == "1" else "s"
    message = f"'{node.name.text}' takes {wanted} argument{plural}, and gets {given}"
    infer.report.error("BCP071", parentheses(infer, node), message)
    return False


def mismatch(infer: Infer, argument: tree.Node, type: Type, wanted: Type) -> bool:
    """Whether an argument does not fit; that is reported."""
    if assignable(type, wanted, infer.resolve):
        return False
    infer.report.error("BCP070", argument, f"The argument is {show(type)}, and the parameter takes {show(wanted)}")
    return True


def _builtin(infer: Infer, node: Calling, function: Function) -> Type:
    _restrict(infer, node, function)
    given = _arguments(infer, node, function)
    if wanted := _scope_arguments(infer, function.name, len(given)):
        message = f"'{function.name}' takes {wanted} arguments in a file for the {infer.model.target_scope} scope"
        infer.report.error("BCP071", parentheses(infer, node), message)
        return UNKNOWN
    if not count(infer, node, function.overloads):
        return UNKNOWN
    if any(type is UNKNOWN or (isinstance(type, LambdaType) and type.returns is UNKNOWN) for type in given):
        return UNKNOWN
    fitting = _fitting(infer, function, given)
    if not isinstance(fitting, Overload):
        present = [without_null(type) for type in given]
        perhaps = _fitting(infer, function, present)
        if not isinstance(perhaps, Overload):
            _refuse(infer, node, function, given, fitting)
            return UNKNOWN
        for argument, whole, rest in zip(node.arguments, given, present, strict=True):
            if whole is not rest:
                message = f"The argument may be null, and '{function.name}' takes {show(rest)}"
                help = "Give a default with '??', or say that it is not null with '!'."
                infer.report.warning("BCP321", argument, message, help, fix=certain(argument))
        fitting, given = perhaps, present
    if function.name == "flatten" and _solid(infer, node.arguments[0], given[0]):
        return UNKNOWN
    place = Span(node.name.end + 1, node.end - 1)
    known = operators.attempt(infer, place, function.name, tuple(given))
    if function.name == "loadJsonContent":
        from engine.check.loaded import loaded

        return loaded(infer, node)
    if function.name == "deployment" and infer.model.target_scope != "resourceGroup":
        return ANY  # it has a location there
    return known or returned(function.name, given, fitting.returns)


def _solid(infer: Infer, argument: tree.Node, given: Type) -> bool:
    """Whether an array has items that are no arrays, which is reported: there is nothing to flatten in them."""
    items = given.items if isinstance(given, TupleType) else (given.item,) if isinstance(given, ArrayType) else ()
    wrong = next((i for i in items if not assignable(i, ARRAY, infer.resolve)), None)
    if wrong is not None:
        infer.report.error("BCP309", argument, f"Only arrays of arrays can be flattened, and this has {show(wrong)}")
    return wrong is not None


Failed = list[tuple[int, Overload]]


def _fitting(infer: Infer, function: Function, given: list[Type]) -> Overload | Failed:
    """The overload that takes the arguments; else where each of them first does not."""
    failed: Failed = []
    for overload in function.overloads:
        if not overload.accepts(len(given)):
            continue
        pairs = enumerate(given)
        wrong = next((i for i, t in pairs if not assignable(t, overload.parameter(i), infer.resolve)), None)
        if wrong is None:
            return overload
        failed.append((wrong, overload))
    return failed


def _refuse(infer: Infer, node: Calling, function: Function, given: list[Type], failed: Failed) -> None:
    """Reports the argument that fits the least far."""
    at, overload = max(failed, key=lambda f: f[0])
    if len(failed) > 1 and all(i == at for i, _ in failed):
        wanted = " or ".join(dict.fromkeys(show(o.parameter(at)) for _, o in failed))
        message = f"The argument is {show(given[at])}, and '{function.name}' takes {wanted}"
        infer.report.error("BCP048", node.arguments[at], message)
    else:
        mismatch(infer, node.arguments[at], given[at], overload.parameter(at))


def _restrict(infer: Infer, node: Calling, function: Function) -> None:
    """What some functions want of their arguments or of the reader."""
    if function.name == "nameof" and len(node.arguments) == 1:
        named = tree.Name | tree.Member | tree.Index | tree.NestedMember | tree.Broken
        if not isinstance(node.arguments[0], named):
            infer.report.error("BCP408", node.arguments[0], "'nameof' takes a name or a property")
    if function.name == "externalInput":
        for argument in node.arguments:
            constant(infer, argument)
    if Trait.DEPRECATED in function.traits:
        message = f"'{function.name}' is deprecated and may give other results tomorrow"
        infer.report.warning("BCP241", node.name, message, tags=("deprecated",))


def _scope_arguments(infer: Infer, name: str, given: int) -> str | None:
    """What a function that gives a scope would need here, for the file's own is no such scope; None if all is well."""
    scopes = SCOPE_FUNCTIONS.get(name)
    if given or scopes is None or infer.model.target_scope in (*scopes, "local"):
        return None
    if name != "resourceGroup":
        return "1"
    return "1 to 2" if infer.model.target_scope == "subscription" else "2"


def _arguments(infer: Infer, node: Calling, function: Function) -> list[Type]:
    """The types of the arguments; a lambda is given the types of its parameters before its body is looked at."""
    given: list[Type] = []
    for argument in node.arguments:
        bare = argument
        while isinstance(bare, tree.Parenthesized):
            bare = bare.inner
        if isinstance(bare, tree.Lambda) and given:
            given.append(_lambda(infer, bare, argument, _lambda_parameters(infer, function.name, given)))
        else:
            given.append(infer.type(argument))
    return given


_CARRIED = ("BCP044", "BCP045", "BCP048", "BCP070", "BCP071")
"""What is wrong with a value as a whole: of the body of a lambda it is said of the lambda."""


def _inside(diagnostic: Diagnostic, node: tree.Node) -> bool:
    span = diagnostic.primary.span if diagnostic.primary is not None else None
    return span is not None and node.start <= span.start and span.end <= node.end


def _lambda(infer: Infer, node: tree.Lambda, argument: tree.Node, parameters: tuple[Type, ...]) -> Type:
    """The type of a lambda whose parameters are known."""
    infer.locals(node, parameters)
    type = infer.type(argument)
    if isinstance(type, LambdaType) and type.returns is UNKNOWN:
        reasons = [d.message for d in infer.report.diagnostics if d.code in _CARRIED and _inside(d, node.body)]
        infer.report.withdraw(node.body, *_CARRIED)
        message = f"What the lambda gives is not known: {reasons[0]}" if reasons else "The lambda is wrong in itself"
        infer.report.error("BCP070", argument, message)
    return type


def _lambda_parameters(infer: Infer, name: str, given: list[Type]) -> tuple[Type, ...]:
    item = item_of(infer.open(given[0]))
    match name:
        case "sort":
            return item, item
        case "reduce":
            return ANY, item, INT
        case "mapValues":
            return (ANY,)
        case _:
            return item, INT


def item_of(array: Type) -> Type:
    """What an array holds; `any` where that is not known."""
    match array:
        case ArrayType(item=item):
            return item
        case TupleType(items=items):
            return union(*items) if items else ANY
        case _:
            return ANY
