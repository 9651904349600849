"""Rule max-resources."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

MOST = 800


@rule("max-resources", Category.DEPLOYMENT_ERROR)
def max_resources(model: Model) -> Iterator[Finding]:
    """More resources and modules than a template may have: 800.

    The Azure Resource Manager refuses such a template. Split the file into modules. Ulna itself has no such limit:
    turn the rule off for files that never go there.

    Example:
        @@ 801 resource a{} 'My.Rp/things@2024-01-01' = { name: 'a{}' }
        ---
        resource many 'My.Rp/things@2024-01-01' = [for i in range(0, 801): {
          name: 'a${i}'
        }]
    """
    every: list[tree.Resource | tree.Module] = [*model.nodes(tree.Resource), *model.nodes(tree.Module)]
    found = sorted(every, key=lambda n: n.start)
    if len(found) > MOST:
        yield found[0].name, f"There are {len(found)} resources and modules, and {MOST} are allowed"
