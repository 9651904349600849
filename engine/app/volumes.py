"""A volume, as it was declared, to one that any platform can render. Pure."""

from __future__ import annotations

from engine.app.environment import application_of
from engine.app.lowered import Lowered, open_part
from engine.app.runtimes import runtime_of
from engine.contract.app import Volume
from engine.contract.operator import View
from engine.contract.platform import Platform
from engine.contract.resource import Resource, body


def lower_volume(resource: Resource, view: View, platform: Platform) -> Lowered:
    """What a volume comes to on the platform of its environment."""
    properties = body(resource)
    shape = {k: v for k, v in properties.items() if k in ("kind", "sizeInGib", "shared", "application")}
    if (waiting := open_part(resource, shape)) is not None:
        return waiting
    application, _ = application_of(resource, view.find)
    volume = Volume(
        resource,
        application,
        properties["kind"],
        properties.get("sizeInGib") or 1,
        properties.get("shared") is True,
        {k: v for k, v in properties.items() if k not in ("application", "environment", "kind", "runtimes")},
        runtime_of(resource, platform.kind) or {},
    )
    return Lowered(volume, resource.waits)
