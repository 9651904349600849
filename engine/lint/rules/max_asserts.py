"""Rule max-asserts."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

MOST = 32


@rule("max-asserts", Category.DEPLOYMENT_ERROR)
def max_asserts(model: Model) -> Iterator[Finding]:
    """More assertions than a template may have: 32.

    The Azure Resource Manager refuses such a template. Split the file into modules.

    Example:
        >>> bicepconfig.json
        { "experimentalFeaturesEnabled": { "assertions": true } }
        <<<
        @@ 33 assert a{} = true
        ---
        assert a = true
    """
    found = model.nodes(tree.Assert)
    if len(found) > MOST:
        yield found[0].name, f"There are {len(found)} assertions, and {MOST} are allowed"
