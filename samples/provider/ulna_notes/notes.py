"""`Demo.Notes/notes`: a text file in the folder of the provider; it reports how many words it has."""

from __future__ import annotations

from pathlib import Path

from engine.contract.difference import compare
from engine.contract.errors import Terminal
from engine.contract.operator import Applied, Bid, Call, Difference, Keep, Observed, Rendering, View
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, is_known


class NoteOperator:
    """Owns notes. The file is named for the token, so that a note which was written is found again after a crash."""

    name = "notes"
    effects = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    # decide: pure, so that a plan can ask too

    def bid(self, resource: Resource, view: View) -> Bid | None:
        return Bid(100, "a note") if resource.type.lower() == "demo.notes/notes" else None

    def render(self, resource: Resource, view: View) -> Rendering:
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        return compare(resource, applied, observed)

    def outputs(self, resource: Resource) -> Properties:
        text = body(resource)["text"]
        return {"words": len(text.split())} if isinstance(text, str) and is_known(text) else {}

    # act: plain blocking calls, the same again under the same token

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        file = self._file(token)
        try:
            text = file.read_text()
        except FileNotFoundError:
            return None
        return Observed(file.name, token, {"properties": {"text": text}}, {"words": len(text.split())})

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        text = body(resource)["text"]
        file = self._file(token)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            draft = file.with_suffix(".new")
            draft.write_text(text)
            draft.replace(file)
        except OSError as error:
            raise Terminal(
                f"the note cannot be written: {error.strerror}", "Make room, or the folder writable."
            ) from error
        seen = self.observe(resource, token, call)
        assert seen is not None
        return seen

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        self._file(token).unlink(missing_ok=True)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """For `ulna import`: a text file that is there already becomes the note."""
        file, theirs = self._file(token), Path(id)
        if not file.exists():
            if not theirs.is_file():
                raise Terminal(f"there is no file '{id}'", "The id of a note is the path of a text file.")
            self.folder.mkdir(parents=True, exist_ok=True)
            theirs.replace(file)
        seen = self.observe(resource, token, call)
        assert seen is not None
        return seen

    def _file(self, token: str) -> Path:
        return self.folder / f"{token.replace('/', '%2F')}.txt"
