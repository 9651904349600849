"""Rule use-recognized-resource-type."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.catalogue import ours
from engine.check.model import Model
from engine.lint.names import bare, constant_text
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

_IDS = frozenset(
    {"resourceId", "subscriptionResourceId", "tenantResourceId", "managementGroupResourceId", "extensionResourceId"}
)


@rule("use-recognized-resource-type", Category.POTENTIAL_ISSUE)
def use_recognized_resource_type(model: Model) -> Iterator[Finding]:
    """`reference()` or `listKeys()` and its kin asked of a type that is not in the list of types.

    It is likely misspelled. Nothing is said where no types are given (`--types`, `ULNA_TYPES`, or `ulna.types` in
    bicepconfig.json), nor of a `reference()` that states an API version.

    Example:
        >>> bicepconfig.json
        { "ulna": { "typeNames": "types.txt" } }
        <<<
        >>> types.txt
        My.Rp/things@2024-01-01
        <<<
        output o object = reference(resourceId('My.Rp/thigns', 'a'))
        ---
        output o object = reference(resourceId('My.Rp/things', 'a'))
    """
    names = model.type_names
    if names is None:
        return
    for node in model.nodes(tree.Call):
        function = model.builtin(node)
        if function is None or not (function.name == "reference" or function.name.startswith("list")):
            continue
        if not node.arguments or (function.name == "reference" and len(node.arguments) > 1):
            continue
        type = _type(model, node.arguments[0])
        if type is not None and not ours(type) and not names.has(type):
            yield node, f"There is no type '{type}' in the list of types, of which '{function.name}' is asked"


def _type(model: Model, node: tree.Node) -> str | None:
    """The type in a call that makes a resource's id; None for anything else."""
    call = bare(node)
    function = model.builtin(call) if isinstance(call, tree.Call) else None
    if function is None or function.name not in _IDS or not isinstance(call, tree.Call):
        return None
    texts = (constant_text(model, argument) for argument in call.arguments)
    return next((text for text in texts if text and "." in text.partition("/")[0] and "/" in text), None)
