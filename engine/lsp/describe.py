"""Symbols, functions and properties in words: a line of code and a paragraph, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.check.functions.signature import Function, Overload
from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.check.types import ANY, ObjectType, PropertyType, ResourceType, Type, UnknownType, show, without_null
from engine.lsp.occurrences import origin
from engine.lsp.words import Word, function_word
from engine.parse import tree

MANY = 30
"""No more properties are listed."""


def page(code: str, *paragraphs: str) -> str:
    """Markdown: a piece of Bicep, and what is to be said about it."""
    return "\n\n".join([f"```bicep\n{code}\n```", *(p for p in paragraphs if p)])


def symbol_page(model: Model, symbol: Symbol, seen_from: Model) -> str:
    """All about a symbol of a file, as seen from this or another one."""
    home, itself = origin(model, symbol)
    where = f"From '{home.path.rpartition('/')[2]}'." if home is not seen_from else ""
    return page(headline(model, symbol), description(itself), where)


def headline(model: Model, symbol: Symbol) -> str:
    """A symbol as it would be declared."""
    home, itself = origin(model, symbol)
    type = home.type_of_symbol(itself) or model.type_of_symbol(symbol) or ANY
    if isinstance(type, UnknownType):
        type = ANY
    name = symbol.name
    match itself.declaration:
        case tree.Resource(existing=existing):
            full = home.resource_types.get(itself)
            version = f"@{full.version}" if full and full.version else ""
            written = f"{full.type}{version}" if full else "?"
            return f"resource {name} '{written}'{' existing' if existing else ''}"
        case tree.Module(path=path) | tree.Test(path=path):
            return f"{itself.kind} {name} '{path.literal if isinstance(path, tree.Text) else ''}'"
        case tree.TypeDeclaration():
            return f"type {name} = {spell(type)}"
        case tree.Func() as func:
            return f"func {func_signature(home, itself, func)[0]}"
        case tree.Import(path=path):
            return f"import * as {name} from '{path.literal if isinstance(path, tree.Text) else ''}'"
        case tree.Extension():
            return f"extension {name}"
        case None:
            return f"namespace {name}"
        case _:
            word = _WORDS.get(itself.kind, str(itself.kind))
            return f"{word} {name} {spell(type)}"


_WORDS = {Kind.PARAM: "param", Kind.VAR: "var", Kind.OUTPUT: "output", Kind.ASSERT: "assert"}


def func_signature(model: Model, symbol: Symbol, func: tree.Func) -> tuple[str, list[str]]:
    """`name(a T, b U) R` of a user's function, and its parameters one by one."""
    overload = model.signature(symbol)
    types = overload.parameters if overload else (ANY,) * len(func.parameters)
    each = [f"{p.name.text} {show(t)}" for p, t in zip(func.parameters, types, strict=False)]
    return f"{symbol.name}({', '.join(each)}) {show(overload.returns) if overload else 'any'}", each


def spell(type: Type) -> str:
    """A type, with the properties of an object one a line."""
    if isinstance(type, ObjectType) and type.properties:
        lines = [f"  {n}{'' if p.required else '?'}: {show(without_null(p.type))}" for n, p in _first(type.properties)]
        more = ["  …"] if len(type.properties) > MANY else []
        return "\n".join(["{", *lines, *more, "}"])
    if isinstance(type, ResourceType):
        return "module" if type.module else "resource"
    return show(type)


def _first(properties: Mapping[str, PropertyType]) -> Iterator[tuple[str, PropertyType]]:
    for count, item in enumerate(properties.items()):
        if count < MANY:
            yield item


def description(symbol: Symbol) -> str:
    """What `@description` says of a symbol, or its `@metadata`."""
    return described(symbol.declaration)


def described(node: tree.Node | None) -> str:
    """What the decorators of a declaration say that it is."""
    for decorator in getattr(node, "decorators", ()):
        call = decorator.expression
        if isinstance(call, tree.Call | tree.MethodCall) and call.arguments:
            given = call.arguments[0]
            if call.name.text == "description" and isinstance(given, tree.Text):
                return given.literal or ""
            if call.name.text == "metadata" and isinstance(given, tree.Object):
                for member in given.members:
                    if isinstance(member, tree.Property) and getattr(member.key, "text", "") == "description":
                        return (member.value.literal or "") if isinstance(member.value, tree.Text) else ""
    return ""


def overload_signature(name: str, overload: Overload, word: Word, returns: bool = True) -> tuple[str, list[str]]:
    """`name(a: T, b?: U): R` of one way to call a built-in function, and its parameters one by one."""
    each = []
    for place, type in enumerate(overload.parameters):
        last = place == len(overload.parameters) - 1
        given = word.parameters[place] if place < len(word.parameters) else f"value{place + 1}"
        dots = "..." if overload.variadic and last else ""
        optional = "?" if place >= overload.minimum and not dots else ""
        each.append(f"{dots}{given}{optional}: {show(type)}")
    return f"{name}({', '.join(each)})" + (f": {show(overload.returns)}" if returns else ""), each


def function_page(function: Function) -> str:
    """All about a built-in function."""
    word = function_word(function.name)
    lines = [overload_signature(function.name, o, word)[0] for o in function.overloads]
    return page("\n".join(lines), word.text)


def property_page(name: str, property: PropertyType, reading: bool = False) -> str:
    """All about a property; where it is read, it is no matter whether it must be written."""
    notes = [
        "Required." if property.required and not reading else "",
        "Set by the platform." if property.readonly else "",
        "Can be set, not read." if property.writeonly else "",
    ]
    return page(f"{name}: {spell(without_null(property.type))}", property.description, " ".join(n for n in notes if n))
