"""A host with a desk, in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.pipeline.destroying import destroy
from engine.pipeline.request import Where
from tests.live.staged import Live


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Live]]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ULNA_STATE", raising=False)
    made: list[Live] = []

    def live(text: str) -> Live:
        made.append(Live(tmp_path / "app.bicep", text))
        return made[-1]

    yield live
    for one in made:
        if not one.host.wait(0):
            one.close()
    if made:
        destroy(Where("app"))
