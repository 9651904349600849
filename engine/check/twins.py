"""Names that differ only in upper and lower case: whoever deploys the template cannot tell them apart."""

from __future__ import annotations

from engine.check.declare import declaring_identifier
from engine.check.model import Model
from engine.check.report import Report
from engine.check.symbols import Kind, Symbol

_KINDS = {
    Kind.PARAM: "parameters",
    Kind.VAR: "variables",
    Kind.OUTPUT: "outputs",
    Kind.TYPE: "types",
    Kind.FUNC: "functions",
    Kind.ASSERT: "assertions",
}


def check_twins(model: Model, report: Report) -> None:
    """The declarations of one kind in a file."""
    by_name: dict[tuple[Kind, str], list[Symbol]] = {}
    for symbol in (*model.symbols.values(), *model.outputs.values()):
        if symbol.kind in _KINDS and symbol.home is None:
            by_name.setdefault((symbol.kind, symbol.name.lower()), []).append(symbol)
    for (kind, _), same in by_name.items():
        if len(same) > 1:
            names = ", ".join(f"'{s.name}'" for s in same)
            for symbol in same:
                place = declaring_identifier(symbol)
                if place is not None:
                    message = f"The {_KINDS[kind]} {names} differ only in upper and lower case"
                    report.error("BCP353", place, message, "Rename all but one.")
