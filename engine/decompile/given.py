"""What a module is given: values, loops, secrets of key vaults, and choices between them."""

from __future__ import annotations

from typing import Any

from engine.decompile.existing import existing
from engine.decompile.faults import Refused
from engine.decompile.identify import find
from engine.decompile.loops import lowered, property_loops, section
from engine.decompile.resources import text_node, written
from engine.decompile.scope import Known
from engine.decompile.simplify import Call, Literal, Node
from engine.decompile.writer import Writer, bare


def parameters(writer: Writer, given: Any, known: Known, pointer: str) -> list[tuple[str, str]]:
    """The parameters of a module: a name and a text each."""
    return [
        (writer.key(name, f"{pointer}/{name}"), _given(writer, value, known, f"{pointer}/{name}"))
        for name, value in section(given, pointer).items()
    ]


def _given(writer: Writer, value: Any, known: Known, pointer: str) -> str:
    node = writer.read(value, pointer) if isinstance(value, str) else None
    if node is not None:
        return _chosen(writer, node, known, pointer)
    fields = lowered(value, pointer)
    if "value" in fields:
        return writer.value(fields["value"], f"{pointer}/value")
    if "copy" in fields:
        loops = property_loops(writer, fields["copy"], f"{pointer}/copy")
        if len(loops) == 1:
            return loops[0][1]
    if "reference" in fields:
        reference = lowered(fields["reference"], f"{pointer}/reference")
        vault = lowered(reference.get("keyvault"), f"{pointer}/reference/keyVault")
        parts = (vault.get("id"), reference.get("secretname"), reference.get("secretversion"))
        nodes = [None if p is None else text_node(writer, p, f"{pointer}/reference") for p in parts]
        return _secret(writer, nodes, known, f"{pointer}/reference")
    raise Refused("The parameter has neither a value nor a reference", pointer)


def _chosen(writer: Writer, node: Node, known: Known, pointer: str) -> str:
    """`condition ? vault.getSecret('name') : value`, for what chooses between the objects that a parameter may be."""
    match node:
        case Call(name, (condition, then, otherwise)) if name.lower() == "if":
            sides = [_chosen(writer, side, known, pointer) for side in (then, otherwise)]
            return f"({bare(writer.expression(condition))} ? {sides[0]} : {sides[1]})"
    fields = _object(node)
    if (value := fields.get("value")) is not None:
        return writer.expression(value)
    reference = _object(fields.get("reference"))
    vault = _object(reference.get("keyvault"))
    if not vault:
        raise Refused("The parameter has neither a value nor a reference", pointer)
    nodes = [vault.get("id"), reference.get("secretname"), reference.get("secretversion")]
    return _secret(writer, nodes, known, pointer)


def _object(node: Node | None) -> dict[str, Node]:
    """The members that `createObject` gives, by their names in lower case; none for anything else."""
    if not isinstance(node, Call) or node.name.lower() != "createobject":
        return {}
    pairs = zip(node.arguments[::2], node.arguments[1::2], strict=False)
    return {str(name.value).lower(): value for name, value in pairs if isinstance(name, Literal)}


def _secret(writer: Writer, parts: list[Node | None], known: Known, pointer: str) -> str:
    """`vault.getSecret('name', 'version')`; a vault that is not in the template is declared."""
    vault, *names = parts
    found = None if vault is None else find(writer.scope, vault) or existing(writer, vault, known, pointer)
    if found is None or names[0] is None:
        help = "Declare the vault with 'existing' by hand, and use its getSecret."
        raise Refused("The secret is in a key vault of which nothing tells which it is", pointer, help)
    writer.scope.used.add(symbol := written(writer, found))
    return f"{symbol}.getSecret({', '.join(writer.expression(name) for name in names if name is not None)})"
