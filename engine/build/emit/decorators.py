"""What decorators add to a parameter, an output, a type or a member of one."""

from __future__ import annotations

from engine.build.emit.secure import decorated
from engine.build.emit.unit import Unit
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_BOUNDS = ("minLength", "maxLength", "minValue", "maxValue")


def modified(unit: Unit, schema: dict[str, Any], decorators: tuple[tree.Decorator, ...]) -> dict[str, Any]:
    """The schema with its modifiers, in the order of the reference compiler."""
    if not decorators:
        return schema
    if decorated(decorators, "secure"):
        schema = {
            key: {"string": "securestring", "object": "secureObject"}.get(value, value) if key == "type" else value
            for key, value in schema.items()
        }
    if decorated(decorators, "sealed"):
        schema["additionalProperties"] = False
    if decorated(decorators, "export"):
        schema["metadata"] = {**schema.get("metadata", {}), "__bicep_export!": True}
    if (given := argument(decorators, "metadata")) is not None:
        value = unit.value(given)
        schema["metadata"] = {**schema.get("metadata", {}), **(value if isinstance(value, dict) else {})}
    for bound in _BOUNDS:
        if (given := argument(decorators, bound)) is not None:
            schema[bound] = unit.value(given)
    if (check := decorated(decorators, "validate")) is not None:
        schema["validate"] = [unit.value(each) for each in check.arguments]
    if (text := description(unit, decorators)) is not None:
        schema["metadata"] = {**schema.get("metadata", {}), "description": text}
    return schema


def argument(decorators: tuple[tree.Decorator, ...], name: str) -> tree.Expression | None:
    """The first argument of a decorator."""
    found = decorated(decorators, name)
    return found.arguments[0] if found is not None and found.arguments else None


def description(unit: Unit, decorators: tuple[tree.Decorator, ...]) -> Any:
    """The description, with the indentation that all of its lines share taken off."""
    given = argument(decorators, "description")
    if given is None:
        return None
    text = unit.value(given)
    return dedented(text) if isinstance(text, str) and "\n" in text else text


def dedented(text: str) -> str:
    """A text without the indentation that its lines have in common; blank lines do not count."""
    lines = text.split("\n")
    filled = [line for line in lines if line.strip()]
    common = min((len(line) - len(line.lstrip(" \t")) for line in filled), default=0)
    return "\n".join(line[common:] if line.strip() else line.lstrip(" \t") for line in lines) if common else text
