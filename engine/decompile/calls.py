"""The functions of ARM that Bicep has another form for."""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from typing import TYPE_CHECKING

from engine.decompile.extensions import extension_of
from engine.decompile.identify import find
from engine.decompile.names import identifier, is_identifier
from engine.decompile.simplify import Call, Index, Literal, Node, is_text, key

if TYPE_CHECKING:
    from engine.decompile.scope import Known
    from engine.decompile.writer import Writer


def special(writer: Writer, node: Call) -> str | None:
    """The form of a call that is not written as one; None for all others."""
    name, arguments = node.name.lower(), node.arguments
    match name, arguments:
        case (("true" | "false" | "null"), ()):
            return name
        case "parameters", (Literal(str(wanted)),):
            return writer.scope.declared("parameter", wanted)
        case "variables", (Literal(str(wanted)),):
            return writer.scope.declared("variable", wanted)
        case "lambdavariables", (Literal(str(wanted)),):
            return identifier(wanted)
        case "lambda", (*heads, body) if all(isinstance(h, Literal) for h in heads):
            words = [identifier(str(h.value)) for h in heads if isinstance(h, Literal)]
            head = words[0] if len(words) == 1 else f"({', '.join(words)})"
            return f"{head} => {writer.expression(body)}"
        case "if", (condition, then, otherwise):
            parts = [writer.expression(e) for e in (condition, then, otherwise)]
            return f"({parts[0]}?{parts[1]}:{parts[2]})" if writer.tight else f"({parts[0]} ? {parts[1]} : {parts[2]})"
        case "not", (inner,):
            return _not(writer, inner)
        case "equals", (left, right):
            return _equal(writer, left, right, "=")
        case "createarray", items:
            return writer.array([writer.expression(i) for i in items])
        case "createobject", items if len(items) % 2 == 0:
            pairs = zip(items[::2], items[1::2], strict=True)
            return writer.object([(_key(writer, k), writer.expression(v)) for k, v in pairs])
        case "tryget", (base, first, *rest):
            text = writer.base(base) + _access(writer, first, "?")
            return text + "".join(_access(writer, r, "") for r in rest)
        case "indexfromend", (base, index):
            return f"{writer.base(base)}[^{writer.expression(index)}]"
        case "tryindexfromend", (base, index):
            return f"{writer.base(base)}[?^{writer.expression(index)}]"
        case "copyindex", _:
            return _copy_index(writer, node)
        case "resourceid", (Literal(str(type)), *_) if "/" in type:
            known = _single(writer, node)
            return f"{writer.scope.use(known)}.id" if known and not known.is_module else None
        case "reference", (target,):
            known = _single(writer, target)
            if known is None or known.is_module:
                return None
            return writer.scope.use(known) + ("" if extension_of(known.value) else ".properties")
        case _:
            return None


def _single(writer: Writer, node: Node) -> Known | None:
    """The resource, none of a loop, that an id or a name means."""
    found = find(writer.scope, node)
    return found.known if found is not None and found.known.copy is None else None


def _not(writer: Writer, inner: Node) -> str:
    match inner:
        case Call(name, (left, right)) if name.lower() == "equals":
            return _equal(writer, left, right, "!")
    return f"(!{writer.expression(inner)})"


def _equal(writer: Writer, left: Node, right: Node, first: str) -> str:
    match left, right:
        case Call(a, (x,)), Call(b, (y,)) if a.lower() == b.lower() == "tolower":
            return writer.binary(writer.expression(x), f"{first}~", writer.expression(y))
    return writer.binary(writer.expression(left), f"{first}=", writer.expression(right))


def _key(writer: Writer, node: Node) -> str:
    if isinstance(node, Literal) and isinstance(node.value, str):
        return node.value if is_identifier(node.value) else writer.expression(node)
    return writer.expression(node) if is_text(node) else f"'${{{writer.hole(node)}}}'"


def _access(writer: Writer, node: Node, mark: str) -> str:
    """`.name`, `[index]`, `[^index]`, with a question mark or without."""
    match node:
        case Literal(str(name)) if is_identifier(name):
            return f".{mark}{name}"
        case Call(call, arguments) if call.lower() == "createobject" and len(arguments) == 4:
            fields = {
                str(k.value): v for k, v in zip(arguments[::2], arguments[1::2], strict=True) if isinstance(k, Literal)
            }
            if fields.keys() == {"value", "fromEnd"} and isinstance(end := fields["fromEnd"], Call):
                return f"[{mark}{'^' if end.name.lower() == 'true' else ''}{writer.expression(fields['value'])}]"
    return f"[{mark}{writer.expression(node)}]"


def _copy_index(writer: Writer, node: Call) -> str | None:
    """`i`, or `(i + 2)`."""
    name, offset = copy_index(node)
    loop = writer.scope.loop(name)
    if loop is None:
        return None
    loop.index_used = True
    return loop.symbol if offset is None else writer.binary(loop.symbol, "+", writer.expression(offset))


def module_output(writer: Writer, call: Call, name: str) -> str | None:
    """`module.outputs.name`, for a `reference` to a module of the template."""
    if call.name.lower() != "reference" or not call.arguments:
        return None
    known = _single(writer, call.arguments[0])
    if known is None or not known.is_module:
        return None
    return f"{writer.scope.use(known)}.outputs" + (f".{name}" if is_identifier(name) else f"['{name}']")


def copy_index(node: Call) -> tuple[str | None, Node | None]:
    """The loop that a `copyIndex` names, and what it adds."""
    name = offset = None
    for argument in node.arguments:
        if isinstance(argument, Literal) and isinstance(argument.value, str):
            name = argument.value
        else:
            offset = argument
    return name, offset


def item(writer: Writer, node: Index) -> str | None:
    """`item` for `xs[copyIndex()]`, in a loop over `xs`."""
    if not (isinstance(node.index, Call) and node.index.name.lower() == "copyindex"):
        return None
    name, offset = copy_index(node.index)
    loop = writer.scope.loop(name)
    if loop is None or offset is not None or loop.source != key(node.base):
        return None
    loop.item_used = True
    return loop.item


@cache
def _spellings() -> dict[str, tuple[str, str]]:
    from engine.check.functions.lookup import names

    return {name.lower(): (name, namespace) for namespace in ("sys", "az") for name in names(namespace)}


def spelling(name: str, hidden: Container[str] = ()) -> str:
    """A function's name in its usual spelling, with its namespace if it is hidden; that of one nobody knows, as near as a
    name can be."""
    usual, namespace = _spellings().get(name.lower(), ("", ""))
    return f"{namespace}.{usual}" if usual in hidden else usual or identifier(name)
