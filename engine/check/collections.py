"""Collections of resources as values: inside a loop one of their items must be picked."""

from __future__ import annotations

from engine.check.body import loop_of, properties_of
from engine.check.declare import body_of
from engine.check.types import ArrayType, ResourceType, members_of
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer


def check_collections(infer: Infer, node: tree.Resource | tree.Module) -> None:
    """The body of one resource or module; `dependsOn` may name whole collections."""
    body = body_of(node.value)
    if loop_of(node.value) is None or body is None:
        return
    for name, given in properties_of(body).items():
        if name not in ("dependsOn", "parent"):
            _whole(infer, given.value)


def _whole(infer: Infer, value: tree.Node) -> None:
    stack = [value]
    while stack:
        node = stack.pop()
        match node:
            case tree.Name() | tree.NestedMember():
                type = infer.model.types.get(id(node))
                if isinstance(type, ArrayType) and any(isinstance(m, ResourceType) for m in members_of(type.item)):
                    help = "Pick one: add an index in brackets."
                    infer.report.error("BCP144", node, "A whole collection cannot be used inside a loop", help)
            case tree.Index(base=tree.Name() | tree.NestedMember(), index=index):
                stack.append(index)
            case tree.Call(name=called) if called.text == "nameof":
                pass
            case _:
                stack.extend(tree.children(node))
