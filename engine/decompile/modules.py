"""Deployments inside a template, as modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.decompile.faults import Refused
from engine.decompile.loops import lowered
from engine.decompile.resources import constant, finish, head, text_node, wrap
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
        members = [("name", writer.expression(known.name))]
        if (where := _where(writer, known)) is not None:
            members.append(("scope", where))
        given = [*lifted, *_parameters(writer, properties.get("parameters"), f"{pointer}/properties/parameters")]
        members.append(("params", writer.object(given)))
        return finish(writer, known, members)

    return f"{head(writer, known)}module {known.symbol} {path} = {wrap(writer, known, body)}"


def _parameters(writer: Writer, section: Any, pointer: str) -> list[tuple[str, str]]:
    """What a module is given."""
    given: list[tuple[str, str]] = []
    for name, value in (section or {}).items() if isinstance(section or {}, dict) else ():
        place = f"{pointer}/{name}"
        fields = lowered(value, place)
        if "value" in fields:
            given.append((writer.key(name, place), writer.value(fields["value"], f"{place}/value")))
        elif "copy" in fields:
            from engine.decompile.loops import property_loops

            loops = property_loops(writer, fields["copy"], f"{place}/copy")
            given += [(writer.key(name, place), text) for _, text in loops]
        elif "reference" in fields:
            given.append((writer.key(name, place), _secret(writer, fields["reference"], f"{place}/reference")))
        else:
            raise Refused("The parameter has neither a value nor a reference", place)
    return given


def _secret(writer: Writer, value: Any, pointer: str) -> str:
    """`vault.getSecret('name')`, for a vault of this template."""
    fields = lowered(value, pointer)
    vault = lowered(fields.get("keyvault"), f"{pointer}/keyVault").get("id")
    node = writer.read(vault, f"{pointer}/keyVault/id") if isinstance(vault, str) else None
    known = writer.scope.by_reference(node) if node is not None else None
    name = fields.get("secretname")
    if known is None or not isinstance(name, str):
        help = "Declare the vault with 'existing' by hand, and use its getSecret."
        raise Refused("The secret is in a key vault that the template does not have", pointer, help)
    arguments = [writer.value(v, pointer) for v in (name, fields.get("secretversion")) if v is not None]
    return f"{writer.scope.use(known)}.getSecret({', '.join(arguments)})"


def _where(writer: Writer, known: Known) -> str | None:
    """The scope that a deployment goes to; None for that of its template."""
    fields, pointer = known.value, known.pointer
    group, subscription = fields.get("resourcegroup"), fields.get("subscriptionid")
    arguments = [
        writer.value(v, f"{pointer}/{n}") for n, v in (("subscriptionId", subscription), ("resourceGroup", group)) if v
    ]
    if group:
        return f"resourceGroup({', '.join(arguments)})"
    if subscription:
        return f"subscription({arguments[0]})"
    target = fields.get("scope")
    if target is None:
        return None
    if target == "/":
        return "tenant()"
    node = text_node(writer, target, f"{pointer}/scope")
    prefix = "microsoft.management/managementgroups/"
    match node:
        case Literal(str(text)) if text.lower().startswith(prefix):
            return f"managementGroup({quoted(text[len(prefix) :])})"
        case Joined((str(first), single)) if first.lower() == prefix and not isinstance(single, str):
            return f"managementGroup({writer.expression(single)})"
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
