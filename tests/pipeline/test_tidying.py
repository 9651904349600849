"""What stays in the state's folder: only its owner can look into it, and of an environment that is gone there is nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from engine.contract import private
from engine.pipeline.deploying import deploy
from engine.pipeline.destroying import destroy
from engine.pipeline.request import Request, Where

ENVIRONMENT = """
resource local 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'local'
  properties: { compute: { kind: 'process' } }
}
"""
APP = """
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource keys 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'keys'
  properties: { application: app.id, type: 'generic', data: { a: { value: 'b' } } }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: { image: 'web:1', ports: { http: { containerPort: 28455 } } }
    runtimes: { process: { command: 'PYTHON', args: ['-m', 'http.server', '-b', '127.0.0.1', '$(PORT)'] } }
  }
}
"""


def kept(folder: Path) -> set[str]:
    return {str(f.relative_to(folder)) for f in folder.rglob("*")}


def test_what_is_kept_is_the_owners_alone_and_goes_with_the_environment(folder: Path) -> None:
    os.umask(0o022)
    (folder / "env.bicep").write_text(ENVIRONMENT)
    (folder / "app.bicep").write_text(APP.replace("PYTHON", sys.executable))
    deploy(Request("env.bicep"))
    deploy(Request("app.bicep", "local"))
    state = folder / ".ulna"
    try:
        for file in (state, *state.rglob("*")):
            assert not file.lstat().st_mode & 0o077, f"{file} is open to others"
        assert "local" in kept(state)
    finally:
        destroy(Where("app", "local"))
    destroy(Where("env"))
    assert {name.partition(".")[0] for name in kept(state)} <= {"state", "vault"}, kept(state)


def test_folders_above_are_closed_too(tmp_path: Path) -> None:
    private.write(tmp_path / "a" / "b" / "c", "x")
    modes = [(tmp_path / p).stat().st_mode & 0o777 for p in ("a", "a/b", "a/b/c")]
    assert modes == [0o700, 0o700, 0o600]
    private.write(tmp_path / "a" / "b" / "c", b"y")
    assert (tmp_path / "a/b/c").read_text() == "y" and len(list((tmp_path / "a/b").iterdir())) == 1
