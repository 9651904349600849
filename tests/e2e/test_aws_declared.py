"""AWS types that a template declares: `extension aws`, one graph with references, `existing`, through Cloud Control of an emulator."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e
TOOLS = Path(__file__).parents[3] / "shared" / "tools"
ULNA = Path(sys.executable).parent / "ulna"
FILE = """
extension aws
@secure()
param key string = 'planted-4711-secret'
resource bucket 'AWS.S3/Bucket@default' = {
  alias: 'photos'
  properties: {
    BucketName: 'ulna-declared-photos'
    Key: key
  }
}
resource queue 'AWS.SQS/Queue@default' = {
  alias: 'queue'
  properties: {
    QueueName: '${bucket.properties.BucketName}-queue'
  }
}
output name string = queue.properties.QueueName
"""
OTHER = """
extension aws
resource photos 'AWS.S3/Bucket@default' existing = {
  alias: 'of-another-file'
  properties: {
    BucketName: 'NAME'
  }
}
output name string = photos.properties.BucketName
"""


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    pytest.importorskip("boto3", reason="boto3 is not installed (ulna[aws])")
    if not (TOOLS / "ministack-up").exists():
        pytest.skip("shared/tools is not there")
    run = subprocess.run([TOOLS / "ministack-up"], capture_output=True, text=True, timeout=1800, check=False)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    given = dict(shlex.split(line)[1].split("=", 1) for line in run.stdout.splitlines())
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ULNA_", "AWS_"))}
    return {**kept, **given, "NO_COLOR": "1"}


def test_declared_resources_are_made_read_changed_and_deleted(tmp_path: Path, environment: dict[str, str]) -> None:
    def ulna(*arguments: str, code: int = 0) -> str:
        run = subprocess.run(
            [ULNA, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert run.returncode == code, run.stdout + run.stderr
        return run.stdout + run.stderr

    (tmp_path / "app.bicep").write_text(FILE)
    told = ulna("deploy", "app.bicep")
    try:
        assert "ulna-declared-photos-queue" in told
        assert "no changes" in ulna("deploy", "app.bicep")
        kept = b"".join(f.read_bytes() for f in (tmp_path / ".ulna").rglob("*") if f.is_file())
        assert b"planted-4711-secret" not in kept
        (tmp_path / "other.bicep").write_text(OTHER.replace("NAME", "ulna-declared-photos"))
        assert "ulna-declared-photos" in ulna("deploy", "other.bicep")
        (tmp_path / "another.bicep").write_text(OTHER.replace("NAME", "nowhere"))
        assert "does not exist" in ulna("deploy", "another.bicep", code=1)
        (tmp_path / "app.bicep").write_text(FILE.replace("}-queue'", "}-queue'\n    DelaySeconds: 5"))
        assert "DelaySeconds" in ulna("plan", "app.bicep") and "1 changed" in ulna("deploy", "app.bicep")
    finally:
        ulna("destroy", "app", "--yes")
