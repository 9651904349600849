"""What is at the place where types are said to be: a list of their names, or the types themselves as data."""

from __future__ import annotations

from engine.sources.port import Sources

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.type_names import TypeNames


def types_at(path: str, sources: Sources) -> TypeNames:
    """The types at a path: those of a folder with an index, of a package of it, or a list of names."""
    from engine.check.type_index import INDEX, TypeIndex, is_index
    from engine.check.type_names import TypeNames

    absolute = sources.absolute(path.removesuffix(f"/{INDEX}"))
    return TypeIndex(absolute, sources) if is_index(absolute, sources) else TypeNames(absolute, sources)
