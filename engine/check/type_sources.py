"""Where the types are that somebody gives: a list of their names, or the types themselves as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.config.config import Config
from engine.sources.port import Sources

if TYPE_CHECKING:
    from engine.check.type_names import TypeNames

VARIABLES = ("ULNA_TYPES", "ULNA_TYPE_NAMES")
"""The variables that say where; without them the settings `ulna.types` and `ulna.typeNames` do."""


def given_types(sources: Sources, config: Config) -> TypeNames | None:
    """What the environment or the first file's settings give, not read yet; None for most programs."""
    wanted = (sources.environment(name) for name in VARIABLES)
    path = next(filter(None, wanted), None) or config.get("ulna", "types") or config.get("ulna", "typeNames")
    return types_at(path, sources) if isinstance(path, str) and path else None


def types_at(path: str, sources: Sources) -> TypeNames:
    """The types at a path: those of a folder with an index, of a package of it, or a list of names."""
    from engine.check.type_index import INDEX, TypeIndex, is_index
    from engine.check.type_names import TypeNames

    absolute = sources.absolute(path.removesuffix(f"/{INDEX}"))
    return TypeIndex(absolute, sources) if is_index(absolute, sources) else TypeNames(absolute, sources)
