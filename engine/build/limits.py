"""What a template cannot say of a file, told without building it, and without loading what builds."""

from __future__ import annotations

from engine.build.emit.declared import declared
from engine.build.emit.extensions import assign, extensions
from engine.build.emit.limits import check_limits, needs_text
from engine.build.emit.unit import Session, Unit
from engine.check.model import Model
from engine.diagnostics.diagnostic import Diagnostic


def limits(model: Model) -> tuple[Diagnostic, ...]:
    """What `build` would refuse of a file, whatever else is wrong with it."""
    session = Session()
    try:
        unit = Unit(model, session)
        unit.declared = declared(model)
        assign(unit, extensions(unit))
        if needs_text(unit):
            from engine.build.build import opened

            unit, _, _ = opened(model, session)
        check_limits(unit)
        if "load" in model.source.text:
            from engine.build.emit.loads import find_loads

            find_loads(unit)
    except RecursionError:
        pass  # `build` says so
    return tuple(session.diagnostics)
