"""Ctrl-C while something starts that will not get ready: the first lets it finish, the second leaves at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

ULNA = Path(sys.executable).parent / "ulna"
FILE = """\
extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'app'
  properties: { environment: environment }
}
resource slow 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'slow'
  properties: {
    application: app.id
    container: {
      image: 'none'
      ports: { http: { containerPort: 18473 } }
      readinessProbe: { kind: 'tcp', containerPort: 18473, periodSeconds: 1 }
    }
    runtimes: { process: { command: 'sleep', args: ['600'] } }
  }
}
"""


@pytest.fixture
def deploying(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A deployment that waits for a process that never listens."""
    (tmp_path / "app.bicep").write_text(FILE)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ULNA_")}
    process = subprocess.Popen(
        [ULNA, "deploy", "app.bicep"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "starting" in line and "slow-0" in line:
            break
    yield process
    process.kill()
    process.communicate()
    destroyed = subprocess.run(
        [ULNA, "destroy", "app.bicep", "--yes"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert destroyed.returncode == 0, destroyed.stderr


def test_the_first_ends_in_order(deploying):
    deploying.send_signal(signal.SIGINT)
    out, err = deploying.communicate(timeout=20)
    assert deploying.returncode == 130
    assert "press Ctrl-C again to stop at once" in err
    assert "was interrupted; the next one goes on from here" in out
    assert "Traceback" not in err


def test_the_second_ends_at_once(deploying):
    begun = time.monotonic()
    deploying.send_signal(signal.SIGINT)
    deploying.send_signal(signal.SIGINT)
    _, err = deploying.communicate(timeout=20)
    assert deploying.returncode == 130 and time.monotonic() - begun < 5
    assert "Traceback" not in err
