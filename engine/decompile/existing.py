"""Resources that a template only points at, declared as `existing`."""

from __future__ import annotations

from typing import Any

from engine.decompile.identify import Found, Id, find, id_of
from engine.decompile.loops import lowered
from engine.decompile.names import resource_name
from engine.decompile.scope import Known
from engine.decompile.simplify import Call, Literal, Node, join, pieces, walk
from engine.decompile.writer import Writer

_VERSIONS = {"microsoft.keyvault/vaults": "2023-07-01"}
"""The versions to read a type by."""

ANY = "2020-01-01"
"""The version of any other type: only an id is made of these, for which every version does."""

UNSURE = "// TODO: the template names no version of this type; fill one in before reading properties\n"


def existing(writer: Writer, node: Node, user: Known, pointer: str) -> Found | None:
    """The declaration of what an id, or `Type/name`, points at; a loop, where the user's own turns say which it is."""
    id = id_of(node) or _written(node)
    if id is None or (isinstance(id.name, Literal) and not id.name.value):
        return None
    scope = writer.scope
    looped = any(isinstance(n, Call) and n.name.lower() == "copyindex" for n in walk(node))
    if looped and (user.copy is None or len(scope.loops) > 1):
        return None
    version = _VERSIONS.get(id.type.lower(), ANY)
    members: dict[str, Any] = {"existing": True, "apiVersion": version, "name": ""}
    if looped:
        members["copy"] = {k: v for k, v in lowered(user.value["copy"], pointer).items() if k in ("name", "count")}
    symbol = scope.names.take(resource_name(id.name), "_existing")
    known = Known(symbol, id.type, id.name, user.copy if looped else None, pointer, members, _where(writer, id))
    scope.add(known)
    return Found(known, Call("copyIndex", ()) if looped else None)


def _written(node: Node) -> Id | None:
    """The parts of `Namespace/type/name/type/name`, with or without the group it is in before."""
    parts = pieces(node)
    before: tuple[Node, ...] = ()
    texts = [str(p.value).lower() if isinstance(p, Literal) else "" for p in parts]
    if "providers" in texts:
        at = texts.index("providers")
        if texts[:2] != ["", "subscriptions"] or at not in (3, 5):
            return None
        before, parts = (parts[2], *parts[4:at]), parts[at + 1 :]
    types = parts[:2] + parts[3::2]
    if len(parts) < 3 or len(parts) % 2 == 0 or not all(isinstance(t, Literal) for t in types):
        return None
    type = "/".join(str(t.value) for t in types if isinstance(t, Literal))
    name = join(tuple(part for piece in parts[2::2] for part in ("/", piece))[1:])
    return Id(before, type, name, "resourceid" if before else "")


def _where(writer: Writer, id: Id) -> str:
    """The `scope` of what is not where the template is; "" for what is."""
    before = [writer.expression(node) for node in id.before]
    match id.function, before:
        case "tenantresourceid", _:
            return f"{writer.function('tenant')}()"
        case "subscriptionresourceid", _:
            return f"{writer.function('subscription')}({', '.join(before)})"
        case "managementgroupresourceid", [_, *_]:
            return f"{writer.function('managementGroup')}({before[0]})"
        case "resourceid", [_, *_]:
            return f"{writer.function('resourceGroup')}({', '.join(before)})"
        case "extensionresourceid", [text]:
            if (found := find(writer.scope, id.before[0])) is not None and found.index is None:
                return found.known.symbol
            return _group(writer, id.before[0]) or text
        case _:
            return ""


def _group(writer: Writer, node: Node) -> str:
    """`resourceGroup(subscription, name)`, for the id of one."""
    parts = pieces(node)
    texts = [str(p.value).lower() if isinstance(p, Literal) else "" for p in parts]
    if len(parts) == 5 and texts[1] == "subscriptions" and texts[3] == "resourcegroups":
        return f"{writer.function('resourceGroup')}({writer.expression(parts[2])}, {writer.expression(parts[4])})"
    return ""
