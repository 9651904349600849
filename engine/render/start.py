"""Whether a resource is started by itself, or once people ask for it: the tag `ulna.start`. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.resource import Resource
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.suggest import did_you_mean

ANNOTATION = "ulna.start"
WORDS = ("automatic", "explicit")


def starting(resource: Resource) -> Resource | Diagnostic:
    """The resource with what its tag says, which holds for what is made of it as well; or what is wrong with the tag."""
    tags = resource.properties.get("tags")
    wanted = tags.get(ANNOTATION) if isinstance(tags, Mapping) else None
    if not isinstance(wanted, str):
        return resource
    if wanted not in WORDS:
        message = f"'{resource.name}': the tag {ANNOTATION} cannot be '{wanted}'"
        help = did_you_mean(wanted, WORDS) or f"It is one of: {', '.join(WORDS)}."
        return Diagnostic("ULN337", Severity.ERROR, message, resource.origin, help=help)
    return resource.replace(explicit=wanted == "explicit")
