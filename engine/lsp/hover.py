"""What an editor shows of the thing under the pointer."""

from __future__ import annotations

from engine.check.catalogue import body_type
from engine.check.schema import schema_of
from engine.check.types import PropertyType, show
from engine.diagnostics.codes import explain
from engine.diagnostics.source import Span
from engine.lint.run import all_rules
from engine.lsp.analysis import Analysis
from engine.lsp.describe import described, function_page, overload_signature, page, property_page, symbol_page
from engine.lsp.expected import body_of, key_of, knows, properties, rest, wanted
from engine.lsp.kinds import known_types
from engine.lsp.places import chain, in_comment
from engine.lsp.words import DECORATORS, KEYWORDS, TYPES
from engine.parse import tree
from engine.record import Record


class Hover(Record):
    """Markdown about a stretch of the text."""

    text: str
    span: Span


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """About what stands at an offset; None where there is nothing to say."""
    if in_comment(analysis.file, offset):
        return None
    if (code := _silenced(analysis.file, offset)) is not None:
        return code
    occurrence = analysis.occurrence(offset)
    if occurrence is not None:
        return Hover(symbol_page(occurrence.home, occurrence.symbol, analysis.model), occurrence.span)
    nodes = chain(analysis.file, offset)
    here, outer = nodes[-1], nodes[-2] if len(nodes) > 1 else nodes[-1]
    text = _statement(here, offset) or _built_in(analysis, nodes) or _property(analysis, nodes)
    if text is not None:
        keyword = here.keyword if isinstance(here, tree.Statement) else here.span
        return Hover(text, keyword)
    if isinstance(here, tree.Name) and here.text in TYPES:
        return Hover(page(here.text, TYPES[here.text].text), here.span)
    if isinstance(here, tree.Text) and isinstance(outer, tree.Resource) and here is outer.type:
        return _resource_type(analysis, outer, here)
    return None


def _silenced(file: tree.File, offset: int) -> Hover | None:
    """A code in a `#disable-…` line: what it means."""
    for pragma in file.pragmas:
        for code in pragma.codes:
            if code.start <= offset <= code.end:
                rule = all_rules().get(code.text)
                about = rule.page if rule is not None else explain(code.text)
                return Hover(f"`{code.text}`\n\n{about}", code.span) if about else None
    return None


def _statement(here: tree.Node, offset: int) -> str | None:
    if not isinstance(here, tree.Statement) or not here.keyword.start <= offset <= here.keyword.end:
        return None
    word = _keyword(here)
    return page(word, KEYWORDS[word].text) if word in KEYWORDS else None


_KEYWORDS = {tree.TypeDeclaration: "type", tree.TargetScope: "targetScope", tree.ResourceParam: "param"}


def _keyword(statement: tree.Statement) -> str:
    return _KEYWORDS.get(type(statement)) or type(statement).__name__.lower()


def _built_in(analysis: Analysis, nodes: list[tree.Node]) -> str | None:
    """A function or decorator, where its name is."""
    if len(nodes) < 2 or not isinstance(nodes[-1], tree.Identifier):
        return None
    call = nodes[-2]
    if not isinstance(call, tree.Call | tree.MethodCall) or call.name is not nodes[-1]:
        return None
    function = analysis.model.builtin(call)
    if function is None:
        return None
    if len(nodes) > 2 and isinstance(nodes[-3], tree.Decorator) and function.name in DECORATORS:
        word = DECORATORS[function.name]
        head = overload_signature(function.name, function.overloads[0], word, returns=False)[0]
        return page(f"@{head}", word.text)
    return function_page(function)


def _property(analysis: Analysis, nodes: list[tree.Node]) -> str | None:
    """A key of an object, by the type that the object should have; a member, by that of what it is of."""
    if len(nodes) < 2:
        return None
    here, outer = nodes[-1], nodes[-2]
    match outer:
        case tree.Property(key=key) if key is here:
            given = nodes[-3] if isinstance(nodes[-3], tree.Object) else None
            type = wanted(analysis.model, nodes[:-1])
            found = properties(analysis.model, type, given).get(key_of(key))
            if found is None and knows(others := rest(analysis.model, type)) and others is not None:
                found = PropertyType(others)
            if found is not None:
                return property_page(key_of(key), found)
            return page(f"{key_of(key)}: {show(analysis.model.type_of(outer.value))}")
        case tree.TypeProperty(key=key, type=type) if key is here and key is not None:
            written = analysis.text[type.start : type.end]
            return page(f"{analysis.text[key.start : key.end]}: {written}", described(outer))
        case tree.Member(base=base, name=name) if name is here and name.text:
            found = properties(analysis.model, analysis.model.type_of(base)).get(name.text)
            if found is not None:
                return property_page(name.text, found, reading=True)
            return page(f"{name.text}: {show(analysis.model.type_of(outer))}")
        case _:
            return None


def _resource_type(analysis: Analysis, resource: tree.Resource, place: tree.Text) -> Hover | None:
    symbol = analysis.model.symbol(resource)
    name = analysis.model.resource_types.get(symbol) if symbol else None
    if name is None:
        return None
    full = f"{name.type}@{name.version}" if name.version else name.type
    schema = body_of(analysis.model, resource) if symbol is not None and body_type(analysis.model, symbol) else None
    schema = schema or schema_of(name.type, name.version or "")
    listed = ", ".join(f"`{n}`" for n in properties(analysis.model, schema)) if schema else ""
    about = next((text for known, text in known_types() if known.lower() == full.lower()), "")
    return Hover(page(full, about, f"It has {listed}." if listed else ""), place.span)
