"""Which engine an environment means, and what of the SDK is loaded for that."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engine.contract.errors import Terminal
from engine.contract.operator import Environment
from providers.docker.client import Client
from providers.docker.target import Target, connect, target_of


def environment(**compute: str) -> Environment:
    return Environment("shop", "docker", properties={"compute": {"kind": "docker", **compute}})


def test_an_environment_names_its_engine():
    assert target_of(environment(host="ssh://me@there")) == Target("shop", "ssh://me@there")
    assert target_of(environment(context="remote")) == Target("shop", None, "remote")
    assert target_of(environment()) == Target("shop")
    assert target_of(None) == Target()
    assert "ssh://me@there" in target_of(environment(host="ssh://me@there")).words
    assert "'remote'" in target_of(environment(context="remote")).words


def test_without_one_it_is_what_docker_itself_would_use(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "tcp://10.1.2.3:2376")
    assert "tcp://10.1.2.3:2376" in Target("shop").words
    monkeypatch.delenv("DOCKER_HOST")
    assert Target("shop").words == "the Docker engine"


def test_a_context_that_is_not_there_says_how_to_list_them():
    with pytest.raises(Terminal, match="no context 'nowhere'") as caught:
        connect(Target("shop", None, "nowhere"))
    assert "docker context ls" in caught.value.help


def test_the_sdk_is_not_loaded_before_an_engine_is_asked():
    program = """
import sys
from pathlib import Path
from engine.contract.operator import Site
from providers.docker import provider
provider.platform('docker').runtime_schema
provider.operators(Site(Path('x'), None))
print(*(m for m in ('docker', 'requests', 'asyncio', 'logging', 'jsonschema', 'http.client') if m in sys.modules))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not run.stdout.strip()


def test_without_the_sdk_it_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "docker.errors", None)
    client = Client(tmp_path, Target("shop"))
    for ask in (lambda: client.api, lambda: client.has_image("x"), client.make_home):
        with pytest.raises(Terminal, match="not installed") as caught:
            ask()
        assert "ulna[docker]" in caught.value.help
