"""Resources: which there are, and what is written of each."""

from __future__ import annotations

from typing import Any

from engine.decompile.declarations import description
from engine.decompile.existing import ANY, UNSURE, existing
from engine.decompile.extensions import extension_of
from engine.decompile.faults import Refused
from engine.decompile.identify import Found, find
from engine.decompile.loops import fields_list, loop, lowered, section
from engine.decompile.names import identifier, resource_name
from engine.decompile.scope import Known, Scope
from engine.decompile.simplify import (
    Call,
    Index,
    Joined,
    Literal,
    Member,
    Node,
    join,
    key,
    parts_of,
    plain,
    read,
    unsplit,
)
from engine.decompile.writer import Writer, bare, quoted
from engine.parse.arm import ExpressionError

_APART = frozenset(
    {
        "type",
        "apiversion",
        "condition",
        "copy",
        "comments",
        "comment",
        "dependson",
        "resources",
        "metadata",
        "scope",
        "existing",
        "extension",
        "import",
        "@options",
        "resourcegroup",
        "subscriptionid",
    }
)
"""What is no property of the resource's body."""


def gather(scope: Scope, writer: Writer, resources: Any, pointer: str) -> None:
    """Find the resources of a template, those inside others too, and give each a symbol."""
    if isinstance(resources, dict):
        for symbol, value in resources.items():
            _gather(scope, writer, value, f"{pointer}/{symbol}", None, symbol)
    elif isinstance(resources, list):
        for place, value in enumerate(resources):
            _gather(scope, writer, value, f"{pointer}/{place}", None)
    elif resources is not None:
        raise Refused("Resources must be a list or an object", pointer)


def _gather(scope: Scope, writer: Writer, value: Any, pointer: str, parent: Known | None, symbol: str = "") -> None:
    fields = lowered(value, pointer)
    kind, own = fields.get("type"), fields.get("name")
    foreign = extension_of(fields)
    if foreign is not None and isinstance(kind, str):
        own = symbol or kind.partition("@")[0].rpartition("/")[2]
    if not isinstance(kind, str) or not isinstance(own, str):
        raise Refused("A resource needs a type and a name that are strings", pointer)
    kind = kind.strip("/")
    name = unsplit(text_node(writer, own, f"{pointer}/name"))
    if parent is not None and not kind.lower().startswith(f"{parent.type.lower()}/"):
        kind, name = f"{parent.type}/{kind}", join((parent.name, "/", name))
    copy = fields.get("copy")
    label = lowered(copy, f"{pointer}/copy").get("name") if copy is not None else None
    wanted = identifier(symbol) if symbol else resource_name(name)
    if any(known.symbol.lower() == wanted.lower() for known in scope.resources):
        wanted = identifier(f"{kind}_{wanted}")
    known = Known(
        scope.names.take(wanted, "_resource"), kind, name, None if copy is None else str(label), pointer, fields
    )
    scope.add(known)
    if symbol:
        scope.symbols[symbol.lower()] = known
    for place, child in enumerate(fields.get("resources") or []):
        _gather(scope, writer, child, f"{pointer}/resources/{place}", known)


def text_node(writer: Writer, value: Any, pointer: str) -> Node:
    """A string as an expression."""
    if not isinstance(value, str):
        raise Refused("A string must stand here", pointer)
    node = writer.read(value, pointer)
    return Literal(plain(value)) if node is None else node


def resource(writer: Writer, known: Known) -> str:
    """`resource symbol 'type@version' = …`"""
    scope = writer.scope
    scope.used = set()
    fields, pointer = known.value, known.pointer
    marked = " existing" if fields.get("existing") is True else ""
    foreign = extension_of(fields) is not None
    version = "" if foreign else _version(writer, fields.get("apiversion"), f"{pointer}/apiVersion")

    def body() -> str:
        members: list[tuple[str, str]] = []
        name: Node = known.name
        if foreign:
            properties = section(fields.get("properties"), f"{pointer}/properties")
            return finish(writer, known, writer.members(properties, f"{pointer}/properties"))
        if known.where or (where := place_of(writer, known)):
            members.append(("scope", known.where or where))
        elif "scope" in fields:
            members.append(("scope", scope_of(writer, fields["scope"], known, f"{pointer}/scope")))
        elif (found := parent_of(scope, known)) is not None:
            parent, name = found
            members.append(("parent", scope.use(parent)))
        for own, value in known.members.items():
            if own.lower() == "name":
                members.append(("name", writer.placed(name, f"{pointer}/name")))
            elif own.lower() not in _APART:
                members += writer.members({own: value}, pointer)
        return finish(writer, known, members)

    unsure = UNSURE if marked and version == ANY else ""
    type = quoted(known.type if foreign else f"{known.type}@{version}")
    return f"{unsure}{head(writer, known)}resource {known.symbol} {type}{marked} = {wrap(writer, known, body)}"


def head(writer: Writer, known: Known) -> str:
    """The decorators of a resource or module."""
    lines = description(writer, known.value, known.pointer)
    options = known.value.get("@options")
    for name, values in options.items() if isinstance(options, dict) else ():
        listed = values if isinstance(values, list) else [values]
        lines += writer.decorator(name, ", ".join(writer.value(v, f"{known.pointer}/@options") for v in listed))
    copy = known.value.get("copy")
    if isinstance(copy, dict):
        fields = lowered(copy, known.pointer)
        mode = str(fields.get("mode", "parallel")).lower()
        if mode not in ("serial", "parallel"):
            raise Refused(f"'{mode}' is no mode of a loop", f"{known.pointer}/copy/mode", "Use serial or parallel.")
        if mode == "serial":
            lines += writer.decorator(
                "batchSize", writer.value(fields.get("batchsize", 1), f"{known.pointer}/copy/batchSize")
            )
    return lines


def wrap(writer: Writer, known: Known, body: Any) -> str:
    """The body in its condition and its loop."""
    fields, pointer = known.value, known.pointer

    def conditional() -> str:
        if "condition" not in fields:
            return str(body())
        text = writer.value(fields["condition"], f"{pointer}/condition")
        return f"if ({bare(text)}) {body()}"

    writer.scope.in_body = True
    if known.copy is None:
        text = conditional()
    else:
        text = loop(writer, lowered(fields["copy"], f"{pointer}/copy"), known.copy, f"{pointer}/copy", conditional)
    writer.scope.in_body = False
    return text


def finish(writer: Writer, known: Known, members: list[tuple[str, str]]) -> str:
    """The body, with the dependencies that nothing in it implies."""
    needed = fields_list(known.value.get("dependson"), f"{known.pointer}/dependsOn")
    texts: list[str] = []
    implied = set(writer.scope.used)
    for place, need in enumerate(needed):
        pointer = f"{known.pointer}/dependsOn/{place}"
        if not isinstance(need, str):
            raise Refused("A dependency must be a string", pointer)
        node = text_node(writer, need, pointer)
        target = find(writer.scope, node)
        text = writer.expression(node) if target is None else written(writer, target)
        if text not in implied and text not in texts:
            texts.append(text)
    if texts:
        members = [*members, ("dependsOn", writer.array(texts))]
    return writer.object(members)


def _version(writer: Writer, version: Any, pointer: str) -> str:
    """The API version, worked out where it is an expression over variables or parameters."""
    if isinstance(version, str):
        node = writer.read(version, pointer)
        found = plain(version) if node is None else constant(writer.scope, node)
        if isinstance(found, str):
            return found
    raise Refused("The API version of a resource must be known", pointer, "Write it as a plain text.")


def constant(scope: Scope, node: Node) -> Any:
    """The JSON value of an expression over variables and defaults of parameters; None if it is none."""
    match node:
        case Literal(value):
            return value
        case Call(kind, (Literal(name),)) if kind.lower() in ("variables", "parameters"):
            said = scope.values.get(f"{kind.lower()}({str(name).lower()})")
            try:
                inner = read(said) if isinstance(said, str) else None
            except ExpressionError:  # it is refused where it stands
                return None
            return said if inner is None else constant(scope, inner)
        case Member(base, name):
            inside = constant(scope, base)
            return (
                next((v for k, v in inside.items() if k.lower() == name.lower()), None)
                if isinstance(inside, dict)
                else None
            )
        case Index(base, Literal(place)):
            inside = constant(scope, base)
            fits = isinstance(inside, list) and isinstance(place, int) and 0 <= place < len(inside)
            return inside[place] if fits else None
        case Joined(parts):
            texts = [p if isinstance(p, str) else constant(scope, p) for p in parts]
            return "".join(texts) if all(isinstance(t, str) for t in texts) else None
        case _:
            return None


def place_of(writer: Writer, known: Known) -> str:
    """The group or subscription that something is in, where it tells that itself; "" otherwise."""
    told = [(name, known.value.get(name.lower())) for name in ("subscriptionId", "resourceGroup")]
    arguments = [writer.value(value, f"{known.pointer}/{name}") for name, value in told if value]
    if not arguments:
        return ""
    return f"{writer.function('resourceGroup' if told[1][1] else 'subscription')}({', '.join(arguments)})"


def scope_of(writer: Writer, value: Any, known: Known, pointer: str) -> str:
    """What an extension resource extends."""
    if value == "/":
        return f"{writer.function('tenant')}()"
    node = text_node(writer, value, pointer)
    if (found := find(writer.scope, node)) is None:
        found = existing(writer, node, known, pointer)
        if found is None:
            return writer.expression(node)
    text = written(writer, found)
    writer.scope.used.add(text)
    return text


def written(writer: Writer, found: Found) -> str:
    """`symbol`, or `symbol[index]`"""
    symbol = found.known.symbol
    return symbol if found.index is None else f"{symbol}[{bare(writer.expression(found.index))}]"


def parent_of(scope: Scope, known: Known) -> tuple[Known, Node] | None:
    """The resource above one, and the name below it."""
    kind = known.type.rpartition("/")[0].lower()
    for other in scope.of_type(kind):
        if other.copy is None and other is not known:
            rest = _below(known.name, other.name)
            if rest is not None:
                return other, rest
    return None


def _below(name: Node, above: Node) -> Node | None:
    """What a name has after another and a slash."""
    parts = list(parts_of(name))
    for part in parts_of(above):
        if not parts:
            return None
        first = parts[0]
        if isinstance(part, str) and isinstance(first, str) and first.lower().startswith(part.lower()):
            parts[0] = first[len(part) :]
            if not parts[0]:
                parts.pop(0)
        elif isinstance(part, str) or isinstance(first, str) or key(part) != key(first):
            return None
        else:
            parts.pop(0)
    if not parts or not isinstance(slash := parts[0], str) or not slash.startswith("/"):
        return None
    rest: list[str | Node] = [p for p in (slash[1:], *parts[1:]) if p != ""]
    if any("/" in p for p in rest if isinstance(p, str)) or not rest:
        return None
    alone = len(rest) == 1 and not isinstance(rest[0], str) and not isinstance(above, Literal | Joined)
    return Joined(tuple(rest)) if alone else join(tuple(rest))
