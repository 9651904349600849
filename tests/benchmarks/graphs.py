"""The same graph twice: `Ulna.Core/values` in Bicep, `terraform_data` in HCL."""

LAYERS = 5
FAN_IN = 3


def needs(n: int, layers: int) -> list[list[int]]:
    """For each of n nodes, the nodes of the layer before that it reads."""
    width = max(1, n // layers)
    result: list[list[int]] = []
    for i in range(n):
        layer, place = divmod(i, width)
        before = (layer - 1) * width
        result.append(sorted({before + (place + k) % width for k in range(FAN_IN)}) if layer and layers > 1 else [])
    return result


def bicep(n: int, layers: int = LAYERS) -> str:
    """A file of n values."""
    parts = []
    for i, below in enumerate(needs(n, layers)):
        on = "".join(f"      on{j}: n{j}.properties.output\n" for j in below)
        triggers = f"    triggers: {{\n{on}    }}\n" if below else ""
        head = f"resource n{i} 'Ulna.Core/values@2026-12-01' = {{\n  name: 'n{i}'\n"
        parts.append(f"{head}  properties: {{\n    input: 'value {i}'\n{triggers}  }}\n}}\n")
    return "\n".join(parts)


def terraform(n: int, layers: int = LAYERS) -> str:
    """A configuration of n terraform_data resources."""
    parts = []
    for i, below in enumerate(needs(n, layers)):
        triggers = ", ".join(f"terraform_data.n{j}.output" for j in below)
        extra = f"\n  triggers_replace = [{triggers}]" if below else ""
        parts.append(f'resource "terraform_data" "n{i}" {{\n  input = "value {i}"{extra}\n}}\n')
    return "\n".join(parts)
