"""Rule use-recognized-resource-type."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.catalogue import ours
from engine.check.model import Model
from engine.diagnostics.suggest import did_you_mean
from engine.lint.asked import asking, type_in
from engine.lint.rule import Category, Finding, rule


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
    for node in asking(model):
        name = node.name.text
        if name == "reference" and len(node.arguments) > 1:
            continue
        found = type_in(model, node.arguments[0])
        if found is not None and not ours(found[0]) and not names.has(found[0]):
            help = did_you_mean(
                found[0], {known.partition("@")[0] for known in names.names(found[0].partition("/")[0])}
            )
            yield node, f"There is no type '{found[0]}' in the list of types, of which '{name}' is asked", None, help
