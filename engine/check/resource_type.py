"""The text that names a resource type: `Namespace/type[/subtype]@version`."""

from __future__ import annotations

from engine.contract.patterns import pattern
from engine.record import Record

# Patterns are compiled when they are first used: compiling costs more than importing.
_SEGMENT = r"[A-Za-z0-9][\w.-]*"
_FULL = rf"(?a)({_SEGMENT}(?:/{_SEGMENT})+)@({_SEGMENT})"
_DATED = r"\d{4}-\d{2}-\d{2}(?:-\w+)?|beta|v\d.*"
"""The versions of the platform's own types are dates; those of its Graph are not."""
_NESTED = rf"(?a)({_SEGMENT}(?:/{_SEGMENT})*)(?:@({_SEGMENT}))?"


class ResourceTypeName(Record):
    """A type with its version; a nested resource's may lack the version."""

    type: str
    version: str | None

    @property
    def namespace(self) -> str:
        """The first segment."""
        return self.type.partition("/")[0]


def read_full(text: str) -> ResourceTypeName | None:
    """`Ns/type@version`; None if it is malformed."""
    match = pattern(_FULL).fullmatch(text)
    if match is None or (text.lower().startswith("microsoft.") and not pattern(_DATED).fullmatch(match[2])):
        return None
    return ResourceTypeName(match[1], match[2])


def qualified(text: str) -> tuple[str, str]:
    """The extension or namespace in front of a type, empty where there is none, and the rest: `az:Ns/type@version`."""
    before, colon, after = text.partition(":")
    return (before, after) if colon and before.isidentifier() else ("", text)


def read_nested(text: str) -> ResourceTypeName | None:
    """`type` or `type@version`; None if it is malformed."""
    match = pattern(_NESTED).fullmatch(text)
    return ResourceTypeName(match[1], match[2]) if match else None
