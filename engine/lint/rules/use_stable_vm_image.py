"""Rule use-stable-vm-image."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import constant_text, key_of, property_of
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-stable-vm-image")
def use_stable_vm_image(model: Model) -> Iterator[Finding]:
    """A virtual machine whose image is a preview.

    A preview can change or go at any time. Choose a released image.

    Example:
        resource vm 'Microsoft.Compute/virtualMachines@2023-09-01' = {
          name: 'vm'
          properties: {
            storageProfile: {
              imageReference: {
                offer: 'server-preview'
              }
            }
          }
        }
        ---
        resource vm 'Microsoft.Compute/virtualMachines@2023-09-01' = {
          name: 'vm'
          properties: {
            storageProfile: {
              imageReference: {
                offer: 'server'
              }
            }
          }
        }
    """
    for node in model.nodes(tree.Property):
        if key_of(node) != "imageReference":
            continue
        for name in ("offer", "sku", "version"):
            found = property_of(node.value, name)
            text = constant_text(model, found.value) if found is not None else None
            if found is not None and text is not None and "preview" in text.lower():
                yield found.value, f"Image '{text}' is a preview"
