"""What is refused, and where in the JSON it stands."""

from __future__ import annotations

from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Source, Span
from engine.sources.jsonc import Malformed, Places


class Refused(Exception):
    """A template that has no Bicep form: what is wrong, and the JSON pointer of its place."""

    def __init__(self, message: str, pointer: str, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.pointer = pointer
        self.help = help


def _label(pointer: str, source: Source) -> Label:
    """The nearest place there is; a document too deep for its places to be found has only its start."""
    try:
        places = Places(source)
        while pointer and pointer not in places:
            pointer = pointer.rpartition("/")[0]
        if pointer in places:
            return places[pointer]
    except (RecursionError, Malformed):
        pass
    return Label(source, Span(0, min(1, len(source.text))))


def diagnose(fault: Refused, source: Source) -> Diagnostic:
    """The refusal, at its place in the text."""
    label = _label(fault.pointer, source)
    return Diagnostic("ULN012", Severity.ERROR, fault.message, label, (), fault.help)
