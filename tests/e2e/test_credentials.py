"""Whoever has no credentials, or expired ones, is told so once and what to do; libraries say nothing of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e
ULNA = Path(sys.executable).parent / "ulna"
SUBSCRIPTION = "00000000-0000-0000-0000-000000000001"
AZURE = """
resource net 'Microsoft.Network/virtualNetworks@2024-10-01' = {
  name: 'net'
  location: 'westeurope'
  properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } }
}
resource other 'Microsoft.Network/virtualNetworks@2024-10-01' = {
  name: 'other'
  location: 'westeurope'
  properties: { addressSpace: { addressPrefixes: ['10.1.0.0/16'] } }
}
"""
AWS = """
extension aws
resource queue 'AWS.SQS/Queue@default' = { alias: 'queue', properties: { QueueName: 'one' } }
resource other 'AWS.SQS/Queue@default' = { alias: 'other', properties: { QueueName: 'two' } }
"""
KUBERNETES = """
extension kubernetes with { kubeConfig: '', namespace: 'x' }
resource one 'core/ConfigMap@v1' = { metadata: { name: 'one' } }
resource two 'core/ConfigMap@v1' = { metadata: { name: 'two' } }
"""
DOCKER = """
resource one 'Ulna.Docker/volumes@2026-12-01' = { name: 'one' }
resource two 'Ulna.Docker/volumes@2026-12-01' = { name: 'two' }
"""
PLACE = {"AZURE_SUBSCRIPTION_ID": SUBSCRIPTION, "AZURE_DEFAULTS_GROUP": "shop", "AWS_EC2_METADATA_DISABLED": "true"}
PLUGIN = """
apiVersion: v1
kind: Config
current-context: a
contexts: [{ name: a, context: { cluster: a, user: a } }]
clusters: [{ name: a, cluster: { server: 'https://127.0.0.1:1' } }]
users:
  - name: a
    user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: gone-login, interactiveMode: Never } }
"""


@pytest.mark.parametrize(
    ("sdk", "file", "more", "said", "help"),
    [
        ("azure.identity", AZURE, {}, "nobody is signed in", "az login"),
        ("boto3", AWS, {}, "there are no credentials for AWS", "aws configure"),
        ("boto3", AWS, {"AWS_PROFILE": "gone"}, "The config profile (gone) could not be found", "list-profiles"),
        ("kubernetes", KUBERNETES, {}, "there is no kubeconfig", "Set KUBECONFIG"),
        (
            "kubernetes",
            KUBERNETES,
            {"KUBECONFIG": "plugin"},
            "there are no credentials for the cluster",
            "Log in again",
        ),
        ("docker", DOCKER, {"DOCKER_HOST": "unix:///nowhere.sock"}, "cannot be reached", "Start Docker"),
    ],
)
def test_it_is_one_error_and_nothing_else(tmp_path, sdk, file, more, said, help):
    pytest.importorskip(sdk.partition(".")[0])
    if sdk == "azure.identity":
        pytest.importorskip(sdk)
    (tmp_path / "app.bicep").write_text(file)
    (tmp_path / "plugin").write_text(PLUGIN)
    theirs = ("ULNA_", "AWS_", "AZURE_", "KUBE", "DOCKER_", "IDENTITY_", "MSI_")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(theirs)}
    environment = {**kept, **PLACE, "HOME": str(tmp_path), "NO_COLOR": "1", **more}
    if "KUBECONFIG" in more:
        environment["KUBECONFIG"] = str(tmp_path / "plugin")
    command = [ULNA, "deploy", "app.bicep"]
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 1, run.stdout + run.stderr
    told = run.stdout.partition("Failed:\n")[2].partition("Skipped:")[0]
    assert told.count(said) == 1 and help in told, run.stdout + run.stderr
    for line in run.stderr.splitlines():
        assert "app/" in line, f"somebody else speaks: {line}"
