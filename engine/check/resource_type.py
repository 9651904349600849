"""The text that names a resource type: `Namespace/type[/subtype]@version`."""

from __future__ import annotations

import re

from engine.record import Record

_SEGMENT = r"[A-Za-z0-9][\w.-]*"
_FULL = re.compile(rf"({_SEGMENT}(?:/{_SEGMENT})+)@({_SEGMENT})")
_NESTED = re.compile(rf"({_SEGMENT}(?:/{_SEGMENT})*)(?:@({_SEGMENT}))?")


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
    match = _FULL.fullmatch(text)
    return ResourceTypeName(match[1], match[2]) if match else None


def read_nested(text: str) -> ResourceTypeName | None:
    """`type` or `type@version`; None if it is malformed."""
    match = _NESTED.fullmatch(text)
    return ResourceTypeName(match[1], match[2]) if match else None
