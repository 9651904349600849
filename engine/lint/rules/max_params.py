"""Rule max-params."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import declared_params
from engine.lint.rule import Category, Finding, rule

MOST = 256


@rule("max-params", Category.DEPLOYMENT_ERROR)
def max_params(model: Model) -> Iterator[Finding]:
    """More parameters than a template may have: 256.

    The Azure Resource Manager refuses such a template. Split the file into modules.

    Example:
        @@ 257 param p{} int
        ---
        param p int[]
        output o int[] = p
    """
    found = declared_params(model)
    if len(found) > MOST:
        yield found[0].name, f"There are {len(found)} parameters, and {MOST} are allowed"
