import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from client import Editor


@pytest.fixture(scope="session")
def started(tmp_path_factory):
    """One server for all tests that do not end it."""
    editor = Editor(tmp_path_factory.mktemp("project"))
    yield editor
    assert editor.close() == 0
    assert not editor.errors, "".join(editor.errors)


@pytest.fixture
def editor(started):
    """The server with nothing open and no file saved."""
    yield started
    for name in [*started.versions]:
        started.shut(name)
    started.ask(
        "textDocument/hover", started.at("nothing.bicep", 0, 0)
    )  # what is told until now is not for the next test
    for file in [p for p in started.folder.rglob("*") if p.is_file()]:
        file.unlink()
