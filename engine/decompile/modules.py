"""Deployments inside a template, as modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.decompile.faults import Refused
from engine.decompile.given import parameters
from engine.decompile.loops import lowered
from engine.decompile.resources import constant, finish, head, place_of, text_node, wrap
from engine.decompile.scope import Known
from engine.decompile.simplify import Call, Joined, Literal, Node
from engine.decompile.writer import Writer, quoted

Nested = Callable[[dict[str, Any], str, str], str]
"""Decompiles a template: the document, its JSON pointer, the symbol of its module; gives the path of the new file."""


def module(writer: Writer, known: Known, nested: Nested) -> str:
    """`module symbol 'path' = …`"""
    writer.scope.used = set()
    pointer = known.pointer
    properties = lowered(known.value.get("properties"), f"{pointer}/properties")
    mode = properties.get("mode", "Incremental")
    if not isinstance(mode, str) or mode.lower() != "incremental":
        raise Refused("A module is always deployed incrementally", f"{pointer}/properties/mode")
    lifted: list[tuple[str, str]] = []
    if "template" in properties:
        template = properties["template"]
        if not isinstance(template, dict):
            raise Refused("A template must be an object", f"{pointer}/properties/template")
        options = properties.get("expressionevaluationoptions") or {}
        inner = isinstance(options, dict) and str(options.get("scope")).lower() == "inner"
        if not inner:
            from engine.decompile.outer import lift

            template, nodes = lift(template, writer, f"{pointer}/properties")
            lifted = [(name, writer.expression(node)) for name, node in nodes]
        path = nested(template, f"{pointer}/properties/template", known.symbol)
        path = quoted(path)
    else:
        path = _link(writer, properties.get("templatelink"), f"{pointer}/properties/templateLink")

    def body() -> str:
        members = [("name", writer.placed(known.name, f"{pointer}/name"))]
        if (where := _where(writer, known)) is not None:
            members.append(("scope", where))
        given = [*lifted, *parameters(writer, properties.get("parameters"), known, f"{pointer}/properties/parameters")]
        members.append(("params", writer.object(given)))
        return finish(writer, known, members)

    return f"{head(writer, known)}module {known.symbol} {path} = {wrap(writer, known, body)}"


def _where(writer: Writer, known: Known) -> str | None:
    """The scope that a deployment goes to; None for that of its template."""
    fields, pointer = known.value, known.pointer
    if where := place_of(writer, known):
        return where
    target = fields.get("scope")
    if target is None:
        return None
    if target == "/":
        return f"{writer.function('tenant')}()"
    node = text_node(writer, target, f"{pointer}/scope")
    prefix = "microsoft.management/managementgroups/"
    match node:
        case Literal(str(text)) if text.lower().startswith(prefix):
            return f"{writer.function('managementGroup')}({quoted(text[len(prefix) :])})"
        case Joined((str(first), single)) if first.lower() == prefix and not isinstance(single, str):
            return f"{writer.function('managementGroup')}({writer.expression(single)})"
        case Call(name, (Literal(str(type)), group)) if (
            name.lower() == "tenantresourceid" and type.lower() == prefix.strip("/")
        ):
            return f"{writer.function('managementGroup')}({writer.expression(group)})"
        case _:
            return writer.expression(node)


def _link(writer: Writer, value: Any, pointer: str) -> str:
    """The path of a linked template, as well as it can be told."""
    fields = lowered(value, pointer) if value is not None else {}
    match fields:
        case {"id": str(spec)}:
            return _spec(spec, pointer)
        case {"relativepath": str(path)}:
            return quoted(path)
        case {"uri": str(uri)}:
            node = writer.read(uri, f"{pointer}/uri")
            found = _path(writer, node) if node is not None else None
            said = uri.replace("*/", "* /").replace("\n", " ").replace("\r", " ")
            return quoted(found) if found is not None else f"'?' /*TODO: replace with correct path to {said}*/"
        case _:
            pass
    raise Refused("The link to a template needs 'uri', 'relativePath' or 'id'", pointer)


def _spec(spec: str, pointer: str) -> str:
    """`ts:subscription/group/name:version`"""
    match spec.strip("/").split("/"):
        case [_, subscription, _, group, _, _, _, name, _, version]:
            return quoted(f"ts:{subscription}/{group}/{name}:{version}")
        case _:
            pass
    raise Refused("The id of a template spec is expected", f"{pointer}/id")


def _path(writer: Writer, node: Node) -> str | None:
    """The path of `concat(base, '/path')`: the text after the one value it starts with."""
    match node:
        case Call(kind, (Literal(name),)) if kind.lower() in ("variables", "parameters"):
            value = writer.scope.values.get(f"{kind.lower()}({str(name).lower()})")
            inner = writer.read(value, "") if isinstance(value, str) else None
            return _path(writer, inner) if inner is not None else None
        case Call(kind, (_, Literal(str(path)), *_)) if kind.lower() == "uri":
            return path.lstrip("/") or None
        case Joined((first, str(path))) if not isinstance(first, str):
            return path.lstrip("/") or None
        case _:
            return constant(writer.scope, node) if isinstance(node, Joined) else None
