"""Rule use-resource-id-functions."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import key_of, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

_OTHER = frozenset(
    f"{what}id"
    for what in (
        *(
            "account",
            "app",
            "appclient",
            "application",
            "client",
            "feature",
            "group",
            "instance",
            "key",
            "managedby",
            "object",
        ),
        *(
            "offer",
            "plan",
            "policy",
            "principal",
            "project",
            "public",
            "publisher",
            "roledefinition",
            "rule",
            "sku",
            "subscription",
            "tenant",
            "user",
        ),
    )
)
"""Names that end so, and hold no resource id."""


@rule("use-resource-id-functions", Category.PORTABILITY)
def use_resource_id_functions(model: Model) -> Iterator[Finding]:
    """A resource id that is put together as a text.

    Its form is the platform's business. Use the `id` of a resource, or `resourceId()` and its kin.

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
    for _, node in resources(model):
        for inner in tree.find(node.value, tree.Property):
            key = key_of(inner) or ""
            if (key == "id" or key.endswith("Id")) and key.lower() not in _OTHER and _is_text(model, inner.value):
                yield inner.key, f"'{key}' is put together as a text"


def _is_text(model: Model, node: tree.Node) -> bool:
    if isinstance(node, tree.Name):
        symbol = model.symbol(node)
        return (
            symbol is not None
            and isinstance(symbol.declaration, tree.Var)
            and _is_text(model, symbol.declaration.value)
        )
    if not isinstance(node, tree.Text):
        return False
    return not any(isinstance(n, tree.Member) and n.name.text == "id" for n in tree.walk(node))
