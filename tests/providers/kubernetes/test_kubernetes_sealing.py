"""A Secret that is only read: its values are passed on as references, and shown to nobody."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from pathlib import Path

from engine.contract.value import Secret

ULNA = Path(sys.executable).parent / "ulna"
VALUE = "correct-horse-battery-staple"
ENCODED = base64.b64encode(VALUE.encode()).decode()
FILE = """
extension kubernetes with { kubeConfig: '', namespace: '%s' } as k8s
param level string = 'info'
resource given 'core/Secret@v1' existing = { metadata: { name: 'given' } }
resource copy 'core/Secret@v1' = {
  metadata: { name: 'copy', labels: { level: level } }
  stringData: { url: 'redis://:${base64ToString(given.data.password)}@cache' }
}
output password string = given.data.password
"""


def test_its_values_are_sealed_as_they_are_read(lab):
    given = lab.make("core/Secret@v1", "given").replace(existing=True)
    path = f"/api/v1/namespaces/{lab.namespace}/secrets"
    lab.client.call("POST", path, (), {"metadata": {"name": "given"}, "data": {"password": ENCODED}})
    try:
        seen = lab.objects.observe(given, "app/given#existing", lab.call)
        assert isinstance(seen.properties["data"]["password"], Secret)
        assert lab.call.reveal(seen.properties["data"]["password"]) == ENCODED
        assert ENCODED not in repr(seen)
        _deploy(lab, path)
    finally:
        lab.client.call("DELETE", f"{path}/given")


def _deploy(lab, path: str) -> None:
    (lab.folder / "app.bicep").write_text(FILE % lab.namespace)
    said = ""
    for call in (
        ["deploy", "app.bicep"],
        ["plan", "app.bicep"],
        ["deploy", "app.bicep", "-p", "level=debug"],
        ["state", "list", "--format", "json"],
    ):
        said += _ulna(lab, *call)
        copy = lab.client.call("GET", f"{path}/copy")
        assert base64.b64decode(copy["data"]["url"]).decode() == f"redis://:{VALUE}@cache"
    assert "1 no change" in said and "password: (secret)" in said, said
    assert lab.client.call("GET", f"{path}/copy")["metadata"]["labels"]["level"] == "debug"
    _ulna(lab, "destroy", "app.bicep", "--yes")
    assert lab.client.call("GET", path)["items"] and not lab.all()
    written = b"".join(f.read_bytes() for f in lab.folder.rglob("*") if f.is_file())
    for text in (VALUE, ENCODED):
        assert text not in said and text.encode() not in written


def _ulna(lab, *words: str) -> str:
    environment = {**os.environ, "KUBECONFIG": lab.kubeconfig, "NO_COLOR": "1"}
    run = subprocess.run(
        [ULNA, *words], cwd=lab.folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr
