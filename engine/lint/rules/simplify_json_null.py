"""Rule simplify-json-null."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.edits import replace
from engine.lint.names import calls
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("simplify-json-null")
def simplify_json_null(model: Model) -> Iterator[Finding]:
    """`json('null')`, where `null` would do.

    Example:
        output o string? = json('null')
        ---
        output o string? = null
    """
    for call in calls(model, "json"):
        text = call.arguments[0].literal if call.arguments and isinstance(call.arguments[0], tree.Text) else None
        if text is not None and text.strip() == "null":
            yield call, "json('null') is null", replace(call, "null", "Write null")
