"""What an engine says, and what it means to us: the words of real engines, one line each."""

from __future__ import annotations

import pytest

from engine.contract.errors import Terminal, Transient
from providers.docker.refusals import Absent, NameTaken, PortTaken, refused, unreachable
from providers.docker.target import Target

SAID = [
    (500, "driver failed programming external connectivity on endpoint web (6820d9ba): Bind for 127.0.0.1:8080 failed: port is already allocated", PortTaken, "port 8080 is in use", "End the program"),
    (500, "driver failed programming external connectivity on endpoint web (a1): Error starting userland proxy: listen tcp4 127.0.0.1:8080: bind: address already in use", PortTaken, "port 8080 is in use", ""),
    (500, "Ports are not available: exposing port TCP 127.0.0.1:80 -> 0.0.0.0:0: permission denied", PortTaken, "is in use", ""),
    (409, 'Conflict. The container name "/web" is already in use by container "6f". You have to remove (or rename) that container to be able to reuse that name.', NameTaken, "already in use", "Remove"),
    (409, "network with name shop already exists", NameTaken, "already exists", ""),
    (400, 'OCI runtime create failed: runc create failed: unable to start container process: exec: "serve": executable file not found in $PATH: unknown', Terminal, 'its command cannot be run: "serve": executable file not found in $PATH', "command"),
    (400, 'failed to create shim: OCI runtime create failed: container_linux.go:380: starting container process caused: exec: "/app/x": permission denied: unknown', Terminal, '"/app/x": permission denied', "command"),
    (404, "manifest for nginx:nope not found: manifest unknown: manifest unknown", Terminal, "manifest", "name and tag"),
    (404, "pull access denied for nobody/x, repository does not exist or may require 'docker login': denied", Terminal, "pull access denied", "docker login"),
    (500, "Get https://registry.test/v2/: unauthorized: authentication required", Terminal, "unauthorized", "docker login"),
    (500, "Get https://registry.test/v2/: dial tcp: lookup registry.test: no such host", Terminal, "no such host", "registry"),
    (500, "Get https://registry.test/v2/: net/http: TLS handshake timeout", Transient, "handshake", ""),
    (500, "toomanyrequests: You have reached your pull rate limit", Transient, "toomanyrequests", ""),
    (429, "slow down", Transient, "slow down", ""),
    (403, "error while removing network: network shop id 1 has active endpoints", Transient, "active endpoints", ""),
    (409, "remove data: volume is in use - [abc]", Transient, "in use", ""),
    (409, "removal of container abc is already in progress", Transient, "in progress", ""),
    (404, "network shop not found", Transient, "not found", ""),
    (404, "No such container: web", Absent, "No such container", ""),
    (500, "could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network", Terminal, "non-overlapping", "network prune"),
    (500, "write /var/lib/docker/x: no space left on device", Terminal, "no space left", "Free some space"),
    (400, "invalid reference format: repository name must be lowercase", Terminal, "invalid reference", "REGISTRY/NAME:TAG"),
    (503, "service unavailable", Transient, "unavailable", ""),
    (500, "", Terminal, "gave no reason", ""),
]  # fmt: skip


@pytest.mark.parametrize(("status", "said", "kind", "reason", "help"), SAID, ids=[s[1][:50] or "nothing" for s in SAID])
def test_a_refusal_has_a_kind_a_reason_and_a_help(status, said, kind, reason, help):
    error = refused(status, said)
    assert type(error) is kind
    assert reason in error.reason and help in error.help
    assert "unknown" not in error.reason.lower().split(":")[-1] or "manifest" in said


def test_a_refusal_to_publish_knows_which_port():
    error = refused(500, SAID[0][1])
    assert isinstance(error, PortTaken) and error.port == 8080


def test_an_engine_that_may_not_be_used_is_told_from_one_that_is_not_there():
    target = Target("local", "unix:///run/docker.sock")
    assert isinstance(unreachable(target, PermissionError(13, "Permission denied")), Terminal)
    away = unreachable(target, ConnectionRefusedError(111, "Connection refused"))
    assert isinstance(away, Transient) and "unix:///run/docker.sock" in away.reason and "Start Docker" in away.help
