"""What is settled stays as it is: looking at all of it again writes nothing into any log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.state.store import Store


@contextmanager
def nothing_new(folder: Path) -> Iterator[None]:
    """What is done within writes no event, in no environment of the state that a folder has."""
    store = Store.open(folder / ".ulna")
    before = {name: store.read_only(name).seq for name in store.environments()}
    assert before, "nothing was deployed here"
    yield
    found = {name: list(store.log(name).events(before.get(name, 0))) for name in store.environments()}
    assert not {name: events for name, events in found.items() if events}
