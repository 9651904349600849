"""The settings of one file: `bicepconfig.json` merged over the defaults."""

from __future__ import annotations

from collections.abc import Mapping

from engine.config.defaults import DEFAULTS
from engine.diagnostics.diagnostic import Diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


class Config:
    """Settings as nested mappings under the keys of `bicepconfig.json`, and what was wrong with them."""

    __slots__ = ("diagnostics", "path", "settings", "shown")

    def __init__(
        self,
        settings: Mapping[str, Any] | None = None,
        path: str | None = None,
        diagnostics: tuple[Diagnostic, ...] = (),
        shown: str = "",
    ) -> None:
        self.settings: Mapping[str, Any] = DEFAULTS if settings is None else merge(DEFAULTS, settings)
        self.path = path
        """The file it came from; None for the defaults alone."""
        self.shown = shown or path or ""
        """How people would write that path."""
        self.diagnostics = diagnostics

    def get(self, *keys: str, default: Any = None) -> Any:
        """The value under a path of keys, or `default`."""
        value: Any = self.settings
        for key in keys:
            if not isinstance(value, Mapping) or key not in value:
                return default
            value = value[key]
        return value

    def feature(self, name: str) -> bool:
        """Whether an experimental feature is on."""
        return self.get("experimentalFeaturesEnabled", name) is True


def merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Key by key; what is no object in both is replaced."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        merged[key] = merge(under, value) if isinstance(under, Mapping) and isinstance(value, Mapping) else value
    return merged
