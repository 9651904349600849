"""Rule no-module-name."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.edits import remove_member
from engine.lint.names import property_of
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("no-module-name", level="off")
def no_module_name(model: Model) -> Iterator[Finding]:
    """A name given to a module.

    Without one a name is made that two deployments cannot share by mistake. Leave it out.

    Example:
        >>> a.bicep
        output o int = 1
        <<<
        module a 'a.bicep' = {
          name: 'a'
        }
        ---
        module a 'a.bicep' = {}
    """
    for node in model.nodes(tree.Module):
        name = property_of(node.value, "name")
        if name is not None:
            fix = remove_member(model, name, "Remove the name")
            yield name, f"Module '{node.name.text}' needs no name", fix
