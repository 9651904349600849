"""A value that cannot be worked out from what is deployed: told where it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.contract.resource import Resource
from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity, UlnaError
from engine.expand.functions.signature import EvaluationError
from engine.template.template import Template, numbered

Work = Callable[[Value], object]
"""Works a value out; raises `EvaluationError`."""


def unresolved(resource: Resource, error: EvaluationError, work: Work) -> UlnaError:
    """The error of a resource, at the property that it comes from."""
    place = resource.origin
    if place is not None and resource.owner is None and place.source.name.endswith(".bicep"):
        from engine.template.pinpoint import pinpoint

        steps = path_to(dict(resource.properties), work) or (["name"] if _fails(resource.name, work) else [])
        place = pinpoint(place, steps) if steps else place
    return told(error, None if place is None else numbered(place, resource.address))


def worked_out(values: Mapping[str, Value], work: Callable[[Value], Value], template: Template) -> dict[str, Value]:
    """The outputs of a deployment; raises `UlnaError` for one that cannot be worked out."""
    found: dict[str, Value] = {}
    for name, value in values.items():
        try:
            found[name] = work(value)
        except EvaluationError as error:
            raise told(error, template.place(f"/outputs/{name}")) from None
    return found


def told(error: EvaluationError, place: Label | None) -> UlnaError:
    """The error as a finding at a place."""
    return UlnaError(Diagnostic("ULN510", Severity.ERROR, error.message, place, help=error.help))


def path_to(value: Value, work: Work) -> list[str]:
    """The path to the innermost part that cannot be worked out."""
    match value:
        case dict():
            parts = [(str(key), part) for key, part in value.items()]
        case list() | tuple():
            parts = [(str(place), part) for place, part in enumerate(value)]
        case _:
            return []
    return next(([key, *path_to(part, work)] for key, part in parts if _fails(part, work)), [])


def _fails(value: Value, work: Work) -> bool:
    try:
        work(value)
    except EvaluationError:
        return True
    return False
