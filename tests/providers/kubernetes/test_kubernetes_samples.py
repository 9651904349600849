"""What the samples become on Kubernetes is what the newest Kubernetes takes: held against its schema, without a cluster."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from tests.providers.kubernetes.test_kubernetes_platform import check

SAMPLES = Path(__file__).parents[3] / "samples"
PLACE = """extension radius
@secure()
param secret string
resource kube 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'kube'
  properties: { compute: { kind: 'kubernetes', namespace: 'there', gateway: { %s, domain: 'x.test' } } }
}
module app '%s' = { params: { environment: kube.id%s } }
"""
SERVICES = "[ { name: 'one', answer: '1', replicas: 2 }, { name: 'two', answer: '2' } ]"


@pytest.mark.parametrize(
    "gateways", ["kind: 'caddy'", "kind: 'ingress', class: 'nginx'", "kind: 'gatewayApi', class: 'some'"]
)
@pytest.mark.parametrize(
    ("sample", "file", "more"),
    [
        ("hello", "app.bicep", ""),
        ("todo", "app.bicep", ", password: secret"),
        ("loadtest", "app.bicep", ""),
        ("emulator", "app.bicep", ""),
        ("fleet", "main.bicep", f", services: {SERVICES}, token: secret"),
    ],
)
def test_a_sample_is_what_kubernetes_takes(sample, file, more, gateways, tmp_path, monkeypatch, capsys):
    shutil.copytree(SAMPLES / sample, tmp_path / sample)
    monkeypatch.chdir(tmp_path / sample)
    Path("kube.bicep").write_text(PLACE % (gateways, file, more))
    code = main(["render", "kube.bicep", "-p", "secret=sesame", "--format", "json"])
    said = capsys.readouterr()
    assert code == 0, said.out + said.err
    objects = [o for o in json.loads(said.out) if "metadata" in o]
    assert len(objects) > 5
    for each in objects:
        check(each["metadata"]["name"], _filled(each))


def _filled(value: Any) -> Any:
    """With a text in the place of what only a deployment knows."""
    if isinstance(value, dict):
        return (
            "x" if len(value) == 1 and next(iter(value)).startswith("$") else {k: _filled(v) for k, v in value.items()}
        )
    return [_filled(v) for v in value] if isinstance(value, list) else value
