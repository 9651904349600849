"""What a parameter file assigns: values, and what is open because it comes from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Source
from engine.record import Record
from engine.sources.port import Sources, Unreadable
from engine.sources.text import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

CODE = "ULN506"


class Assigned(Record):
    """Values by parameter; `open` has, by parameter, what is to be said where nobody gives another one."""

    values: Mapping[str, Value]
    open: Mapping[str, Diagnostic]


def assigned(document: Mapping[str, Any], path: str, sources: Sources) -> Assigned:
    """What an ARM parameter document assigns; `path` is the file that it is of."""
    values: dict[str, Value] = {}
    open: dict[str, Diagnostic] = {}
    for name, entry in document["parameters"].items():
        if isinstance(entry, Mapping) and "value" in entry:
            values[name] = entry["value"]
        else:
            message, help = _told(name, entry if isinstance(entry, Mapping) else {}, path)
            open[name] = Diagnostic(CODE, Severity.ERROR, message, _place(path, name, sources), help=help)
    return Assigned(values, open)


def _told(name: str, entry: Mapping[str, Any], path: str) -> tuple[str, str]:
    if "expression" in entry:
        return f"The value of parameter '{name}' comes from outside, from whoever deploys", f"Give it: -p {name}=…"
    if "reference" in entry:
        message = f"Parameter '{name}' takes a secret of a key vault, which is not read here"
        return message, f"Give it: -p {name}=@FILE keeps it out of the command line."
    return f"The parameter '{name}' in '{path}' has no value", "Give it a 'value'."


def _place(path: str, name: str, sources: Sources) -> Label | None:
    """Where a `.bicepparam` file assigns it itself."""
    if not path.endswith(".bicepparam"):
        return None
    from engine.parse import tree
    from engine.parse.parser import parse

    try:
        source = Source(path, read_text(sources, sources.absolute(path)))
    except Unreadable:
        return None
    found = (s for s in parse(source)[0].statements if isinstance(s, tree.Param) and s.name.text == name)
    return next((Label(source, (s.value or s.name).span) for s in found), None)
