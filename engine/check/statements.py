"""Checks each statement by its kind: what it declares fits what it gives."""

from __future__ import annotations

from engine.check.assign import assignable
from engine.check.bounds import check_bounds
from engine.check.catalogue import extension_for
from engine.check.closures import check_exports
from engine.check.collections import check_collections
from engine.check.constants import constant
from engine.check.declare import body_members
from engine.check.decorators import check_decorators
from engine.check.derived import check_derived
from engine.check.expect import expect
from engine.check.extensions import check_configuration
from engine.check.infer import Infer
from engine.check.modules import check_module
from engine.check.resource_type import read_full
from engine.check.resources import check_resource, type_name
from engine.check.symbols import Kind
from engine.check.type_forms import check_type_forms
from engine.check.types import BOOL, Type, is_nullable, show
from engine.diagnostics.source import Span
from engine.parse import tree


def type_symbols(infer: Infer) -> None:
    """Gives every symbol of the file its type."""
    stack: list[tree.Node] = [*reversed(infer.model.file.statements)]
    while stack:
        node = stack.pop()
        symbol = infer.model.symbol(node) if isinstance(node, tree.Resource) else None
        if isinstance(node, tree.Resource) and symbol is not None:
            type_name(infer, node, symbol)
            stack.extend(reversed(body_members(node.value)))
    for each in infer.model.symbols.values():
        infer.symbol(each)


def check_statement(infer: Infer, statement: tree.Statement) -> None:
    """One statement of the top level, with its decorators."""
    _statement(infer, statement)
    if statement.decorators:
        typed = statement if isinstance(statement, tree.Param | tree.Output | tree.TypeDeclaration) else None
        check_decorators(infer, statement, infer.declared.of_typed(typed) if typed else None)


def check_parts(infer: Infer) -> None:
    """What is looked at in the whole file, when every statement was."""
    check_derived(infer.declared)
    check_type_forms(infer)
    check_exports(infer)
    members: list[tree.TypeProperty | tree.TupleItem] = [
        *infer.model.nodes(tree.TypeProperty),
        *infer.model.nodes(tree.TupleItem),
    ]
    for member in members:
        if member.decorators:
            check_decorators(infer, member, infer.declared.of_typed(member))
    for resource in infer.model.nodes(tree.Resource):
        nested = infer.model.symbol(resource)
        if nested is None:
            help = "A resource stands at the top level, or directly in the body of another."
            infer.report.error("BCP018", resource.name, "A resource cannot be declared inside a property", help)
        elif resource.decorators and nested.parent is not None:
            check_decorators(infer, resource, None)


def _statement(infer: Infer, statement: tree.Statement) -> None:
    """What a statement declares and gives."""
    report = infer.report
    match statement:
        case tree.Param(type=type, value=value):
            if type is not None:
                declared = infer.declared.of_param(statement, type)
                _sound(infer, type)
                if value is not None:
                    if is_nullable(declared):
                        report.error(
                            "BCP326", value, "A parameter that may be null has no default: null is its default"
                        )
                    expect(infer, value, declared)
                    check_bounds(infer, statement, value)
                    _default(infer, value)
            elif value is not None:
                infer.type(value)
        case tree.Var(name=name, type=type, value=value):
            if name.text == "copy":
                report.error(
                    "BCP239", name, "'copy' has a meaning of its own in templates, and is no name for a variable"
                )
            if type is not None:
                expect(infer, value, infer.declared.of(type))
            else:
                infer.type(value)
        case tree.Output(type=type, value=value):
            declared = infer.declared.of_typed(statement)
            _output(infer, statement, declared)
        case tree.Metadata(value=value, name=name):
            infer.type(value)
            constant(infer, value)
            if name.text.startswith("_"):
                report.error(
                    "BCP268", name, f"Metadata names with a leading underscore are reserved, and '{name.text}' has one"
                )
        case tree.Func():
            _func(infer, statement)
        case tree.Assert(value=value, keyword=keyword):
            _experiment(infer, keyword, "BCP349", "assertions")
            found = infer.type(value)
            if not assignable(found, BOOL, infer.resolve):
                report.error("BCP350", value, f"An assertion is true or false, and this is {show(found)}")
        case tree.Resource():
            check_resource(infer, statement)
        case tree.Module():
            check_module(infer, statement)
            check_collections(infer, statement)
        case tree.TypeDeclaration(name=name, value=value):
            if name.text == "resource":
                report.error("BCP301", name, "'resource' is a word of the language, and no name for a type")
            if isinstance(value, tree.Null):
                report.error(
                    "BCP289", value, "A type that only null fits is no use", "Write the type, and '?' after it."
                )
        case tree.Extension(config=config) | tree.Using(config=config) | tree.ExtensionConfig(config=config):
            if config is not None:
                infer.type(config)
            if isinstance(statement, tree.Extension):
                check_configuration(infer, statement)
        case tree.Test(value=value, keyword=keyword):
            _experiment(infer, keyword, "BCP348", "testFramework")
            infer.type(value)
        case tree.ResourceParam(type=type, name=name):
            word = report.source.text.find("resource", name.end, type.start)
            _experiment(infer, Span(word, type.end), "BCP231", "resourceTypedParamsAndOutputs")
            read = read_full(type.literal or "") if isinstance(type, tree.Text) else None
            if read is not None and extension_for(infer.model, read) is not None:
                message = f"'{read.type}' is of an extension, whose resources cannot be parameters"
                report.error("BCP227", Span(word, type.end), message, "Take its id as a string.")
        case _:
            pass


def _experiment(infer: Infer, place: Span, code: str, feature: str) -> None:
    """A statement that is there only where a feature is switched on."""
    if not infer.model.config.feature(feature):
        help = f"Set experimentalFeaturesEnabled.{feature} in bicepconfig.json."
        infer.report.error(code, place, "This is an experiment that is not switched on", help)


def _sound(infer: Infer, type: tree.Node) -> None:
    """A type that requires itself is no type for anything."""
    symbol = infer.model.symbol(type) if isinstance(type, tree.Name) else None
    if symbol is not None and symbol.kind is Kind.TYPE and symbol in infer.model.cyclic:
        infer.report.error("BCP062", type, f"Type '{symbol.name}' requires itself, so nothing can be of it")


def _default(infer: Infer, value: tree.Node) -> None:
    """The default of a parameter is worked out first of all, so it can only refer to other parameters."""
    for name in tree.find(value, tree.Name):
        symbol = infer.model.symbol(name)
        if symbol is not None and symbol.kind in (Kind.VAR, Kind.RESOURCE, Kind.MODULE):
            message = f"'{name.text}' is a {symbol.kind}, and the default of a parameter can only refer to parameters"
            infer.report.error("BCP072", name, message)


def _output(infer: Infer, statement: tree.Output, declared: Type) -> None:
    symbol = infer.model.bindings.get(id(statement))
    if symbol is not None:
        infer.model.symbol_types[symbol] = declared
    expect(infer, statement.value, declared)
    check_bounds(infer, statement, statement.value)


def _func(infer: Infer, statement: tree.Func) -> None:
    symbol = infer.model.bindings.get(id(statement))
    signature = infer.declared.of_func(symbol) if symbol is not None else None
    for parameter in statement.parameters:
        infer.report.withdraw(parameter.type, "BCP302")  # it is told where the parameter is used
    if signature is not None:
        infer.locals(statement, signature.parameters)
        expect(infer, statement.body, signature.returns)
