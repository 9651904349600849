"""Rule use-resource-id-functions."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Kind
from engine.check.types import StringLiteral, StringType, members_of, without_null
from engine.contract.patterns import pattern
from engine.lint.names import DEPTH, bare, key_of, property_of, resources, type_of_resource
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

_PLAIN = (
    "appid clientid contentid connectorid datatypeid defaultmenuitemid deploymentspecid detector groupid illusiveincidentid keyid "
    "keyvaultid keyvaultsecretid locations menuid metadata metricid nodeagentskuid objectid parentid policydefinitionreferenceid "
    "principalid requestedserviceobjectiveid resource ruleid schemaid serviceprincipalclientid sid startingdeviceid "
    "storageaccountsubscriptionid subscriptionid syntheticmonitorid tags targetprotectioncontainerid targetworkersizeid tenantid "
    "timezoneid uniquefindingid vlanid workersizeid"
)
_OTHER = frozenset(_PLAIN.split())
"""Properties, in lower case, that hold no resource ids, nor does what is in them."""

_ELSEWHERE = {"microsoft.apimanagement/service/subscriptions": "ownerid"}
"""Properties that hold none in one type of resource."""

_WITHOUT = (
    r"microsoft\.portal/dashboards$|microsoft\.logic/workflows$|microsoft\.apimanagement/service/backends$"
    r"|microsoft\.web/sites/config|microsoft\.documentdb/databaseaccounts/\w*/collections$"
)
"""Types of resources, in lower case, whose ids are others."""

_MAKERS = frozenset(
    {
        "extensionResourceId",
        "resourceId",
        "subscriptionResourceId",
        "tenantResourceId",
        "reference",
        "subscription",
        "guid",
    }
)
"""Functions that give a resource id, or part of one; or what is certainly none."""


@rule("use-resource-id-functions", Category.PORTABILITY)
def use_resource_id_functions(model: Model) -> Iterator[Finding]:
    """A resource id that is put together as a text.

    Its form is the platform's business. Use the `id` of a resource, or `resourceId()` and its kin. Looked at are the `properties` of
    resources: what is called `id` or something that ends so, and has a slash in it or is computed.

    Example:
        param name string
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a'
          properties: {
            otherId: '/subscriptions/x/resourceGroups/y/providers/My.Rp/things/${name}'
          }
        }
        ---
        param name string
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a'
          properties: {
            otherId: resourceId('My.Rp/things', name)
          }
        }
    """
    for symbol, node in resources(model):
        type = type_of_resource(model, symbol)
        found = property_of(node.value, "properties")
        if found is None or not isinstance(found.value, tree.Object) or model.extension_of(symbol) is not None:
            continue
        if pattern(_WITHOUT).match(type) is None:
            yield from _inside(model, found.value, _ELSEWHERE.get(type, ""))


def _inside(model: Model, node: tree.Node, other: str) -> Iterator[Finding]:
    """The ids in a value: neither in another id nor in what holds none."""
    stack = [node]
    while stack:
        top = stack.pop()
        key = key_of(top) or ""
        if key.lower() in _OTHER or (other and key.lower() == other):
            continue
        if key.lower().endswith("id") and not key.endswith(("uid", "UID")) and isinstance(top, tree.Property):
            if _is_string(model, top.value) and _is_made(model, top.value):
                yield top.key, f"'{key}' is put together as a text"
            continue
        stack += reversed([*tree.children(top)])


def _is_string(model: Model, node: tree.Node) -> bool:
    return all(isinstance(t, StringType | StringLiteral) for t in members_of(without_null(model.type_of(node))))


def _is_made(model: Model, node: tree.Node, depth: int = 0) -> bool:
    """Whether a text is put together here, from no resource, module or parameter."""
    if any(s is not None and s.kind in _GIVEN for s in map(model.symbol, tree.find(node, tree.Name))) or depth > DEPTH:
        return False
    match node:
        case tree.Parenthesized(inner=inner) | tree.NonNull(base=inner):
            return _is_made(model, inner, depth + 1)
        case tree.Name():
            symbol = model.symbol(node)
            declaration = symbol.declaration if symbol is not None else None
            if isinstance(declaration, tree.Var):
                return _is_made(model, declaration.value, depth + 1)
            return not isinstance(declaration, tree.Param)
        case tree.Member() | tree.Index():
            return not _of_param(model, node)
        case tree.Text(holes=()):
            return "/" in node.parts[0]
        case tree.Call() | tree.MethodCall():
            function = model.builtin(node)
            return function is None or function.name not in _MAKERS
        case _:
            return not isinstance(node, tree.Ternary)


def _of_param(model: Model, node: tree.Node) -> bool:
    """Whether a value is a part of a parameter."""
    while isinstance(node, tree.Member | tree.Index | tree.NonNull):
        node = bare(node.base)
    symbol = model.symbol(node)
    return symbol is not None and symbol.kind is Kind.PARAM


_GIVEN = (Kind.RESOURCE, Kind.MODULE)
