"""Extensions of a template, and its resources that are theirs."""

from __future__ import annotations

from typing import Any

from engine.decompile.loops import lowered
from engine.decompile.names import is_identifier
from engine.decompile.writer import Writer

_OWN = "az"
_KUBERNETES = "kubernetes"
"""The extension that Bicep itself brings along; the others are named in its configuration."""


def extension_of(fields: dict[str, Any]) -> str | None:
    """The extension that a resource is of; None for one of Azure."""
    name = fields.get("extension", fields.get("import"))
    return name if isinstance(name, str) and name.lower() != _OWN else None


def extensions(writer: Writer, section: dict[str, Any], pointer: str) -> list[str]:
    """`extension name with { … }`, by the name that the template has for it."""
    found: list[str] = []
    for name, value in section.items():
        place = f"{pointer}/{name}"
        fields = lowered(value, place)
        provider = str(fields.get("provider", fields.get("name"))).lower()
        renamed = provider == _KUBERNETES != name.lower() and is_identifier(name)
        config = fields.get("config")
        text = f"extension {provider if renamed else name}"
        if isinstance(config, dict) and config:
            members = {key: _plain(inner) for key, inner in config.items()}
            text += f" with {writer.object(writer.members(members, f'{place}/config'))}"
        found.append(f"{text} as {name}" if renamed else text)
    return found


def _plain(value: Any) -> Any:
    """A value of a configuration, which may be told as the default of one."""
    return value["defaultValue"] if isinstance(value, dict) and "defaultValue" in value else value
