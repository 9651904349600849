from collections.abc import Iterable
from pathlib import Path

from ulna_notes.notes import NoteOperator

from engine.contract.conformance import OperatorConformance
from engine.contract.operator import Operator
from engine.contract.resource import Resource


def note(text: str) -> Resource:
    properties = {"properties": {"text": text}}
    return Resource("notes/first", "Demo.Notes/notes", "2026-12-01", "first", "/notes/first", properties)


class TestNotes(OperatorConformance):
    def operator(self, folder: Path) -> Operator:
        return NoteOperator(folder)

    def resource(self, folder: Path) -> Resource:
        return note("Hello")

    def changes(self, folder: Path) -> Iterable[Resource]:
        return [note("Hello again")]
