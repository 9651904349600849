"""Rule use-stable-vm-image."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import property_of, resources
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
    for _, node in resources(model):
        found = property_of(node.value, "properties", "storageProfile", "imageReference")
        image: tree.Node | None = found.value if found is not None else None
        symbol = model.symbol(image) if isinstance(image, tree.Name) else None
        if symbol is not None and isinstance(symbol.declaration, tree.Var):
            image = symbol.declaration.value
        for name in ("offer", "sku", "version") if isinstance(image, tree.Object) else ():
            part = property_of(image, name)
            text = part.value.literal if part is not None and isinstance(part.value, tree.Text) else None
            if part is not None and text is not None and "preview" in text.lower():
                yield part.value, f"Image '{text}' is a preview"
