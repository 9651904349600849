"""Which engine an environment names: its `compute` block, else what Docker's own command line would use."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from engine.contract.errors import Terminal
from engine.contract.operator import Environment
from engine.contract.quiet import hush
from engine.record import Record


class Target(Record):
    """`host` is an address of an engine, `context` the name of a context of Docker's; neither is whatever is current."""

    environment: str = ""
    host: str | None = None
    context: str | None = None

    @property
    def words(self) -> str:
        """How people call it."""
        if self.host:
            return f"the Docker engine at {self.host}"
        if self.context:
            return f"the Docker engine of the context '{self.context}'"
        return (
            f"the Docker engine at {os.environ['DOCKER_HOST']}"
            if os.environ.get("DOCKER_HOST")
            else "the Docker engine"
        )


def target_of(environment: Environment | None) -> Target:
    """The target of an environment."""
    if environment is None:
        return Target()
    compute = environment.properties.get("compute")
    block = compute if isinstance(compute, Mapping) else {}
    return Target(environment.name, block.get("host"), block.get("context"))


def connect(target: Target) -> Any:
    """A client of the SDK; credentials are Docker's own: its contexts, its certificates, its ssh."""
    hush("docker", "urllib3", "paramiko")
    import docker
    from docker.utils import kwargs_from_env

    if target.host:
        over_tcp = not target.host.startswith(("unix:", "npipe:", "ssh:"))
        settings: dict[str, Any] = {**(kwargs_from_env() if over_tcp else {}), "base_url": target.host}
    elif target.context is None and os.environ.get("DOCKER_HOST"):
        settings = dict(kwargs_from_env())
    else:
        settings = _of_context(target.context)
    ssh = str(settings.get("base_url", "")).startswith("ssh:")
    return docker.APIClient(version="auto", timeout=60, use_ssh_client=ssh, **settings)


def _of_context(name: str | None) -> dict[str, Any]:
    """The settings of a context, the current one if none is named."""
    from docker.context import ContextAPI
    from docker.context.config import get_current_context_name

    wanted = name or get_current_context_name()
    if wanted == "default":
        return {}
    context = ContextAPI.get_context(wanted)
    if context is None:
        raise Terminal(f"Docker has no context '{wanted}'", "'docker context ls' lists the contexts there are.")
    return {"base_url": context.Host, "tls": context.TLSConfig} if context.TLSConfig else {"base_url": context.Host}
