"""Whether a resource can be where it is put, by what type data say of its type."""

from __future__ import annotations

from engine.check import catalogue
from engine.check.body import properties_of
from engine.check.functions.az import SCOPE_FUNCTIONS
from engine.check.scopes import SCOPES
from engine.check.symbols import Symbol
from engine.check.types import ResourceType, members_of
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer


def check_deployable(infer: Infer, node: tree.Resource, symbol: Symbol, body: tree.Object) -> None:
    """One resource of ARM; a child is where its parent is, of which that was said."""
    data = catalogue.data_of(infer.model, symbol)
    if data is None:
        return
    if data.existing and not node.existing:
        infer.report.warning("BCP245", node.type, f"A '{data.name}' can only be read", "Write 'existing' before '='.")
        return
    given = properties_of(body)
    scope = given.get("scope")
    if scope is not None and not node.existing and not data.writable & {"resource", "tenant"}:
        infer.report.error(
            "BCP037", scope.key, f"A '{data.name}' is deployed to the file's own scope, and has no 'scope'"
        )
        return
    supplied = infer.model.target_scope if scope is None else _supplied(infer, scope.value)
    allowed = data.readable if node.existing or not data.writable else data.writable
    if symbol.parent is not None or "parent" in given or supplied not in (*SCOPES, "resource") or supplied in allowed:
        return
    place = body if scope is None else scope.value
    listed = ", ".join(f"'{s}'" for s in sorted(allowed))
    what = "an extension of another resource" if supplied == "resource" else f"at the scope '{supplied}'"
    if supplied in data.readable:
        infer.report.warning("BCP246", place, f"A '{data.name}' can only be read {what}; it is deployed to {listed}")
    else:
        infer.report.error("BCP135", place, f"A '{data.name}' cannot be {what}; it can be at {listed}")


def _supplied(infer: Infer, node: tree.Expression) -> str:
    """The scope that an expression certainly gives; empty where that is not known."""
    while isinstance(node, tree.Parenthesized):
        node = node.inner
    function = infer.model.builtin(node) if isinstance(node, tree.Call | tree.MethodCall) else None
    if function is not None:
        return function.name if function.name in SCOPE_FUNCTIONS else ""
    types = members_of(infer.open(infer.type(node)))
    return "resource" if any(isinstance(t, ResourceType) for t in types) else ""
