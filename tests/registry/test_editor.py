"""What an editor shows of modules from registries, before and after they are restored."""

from pathlib import Path

from engine.lsp.actions import actions
from engine.lsp.completion.complete import complete
from engine.lsp.restore import COMMAND, restore
from engine.lsp.workspace import Workspace


def test_a_module_that_was_never_saved_is_restored_and_known_from_then_on(fake):
    fake.add()
    path = str(Path("app.bicep").absolute())
    workspace = Workspace()
    text = f"module demo 'br:{fake.host}/demo:v1' = {{\n  params: {{\n    \n  }}\n}}\n"
    workspace.buffers.put(path, text)
    before = workspace.analysis(path)
    assert [d.code for d in before.findings] == ["BCP190"]
    assert COMMAND in [a.command for a in actions(before, 0, len(text))]
    assert restore(path, workspace.buffers.copy()) == []
    after = workspace.analysis(path)
    assert after.findings == ()
    assert "size" in [i.label for i in complete(after, workspace.buffers, text.index("    \n") + 4)]
