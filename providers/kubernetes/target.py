"""Which cluster an environment names: its `compute` block, else what `kubectl` itself would use."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.contract.errors import Terminal
from engine.contract.operator import Environment
from engine.contract.quiet import hush
from engine.record import Record

IN_CLUSTER = "in-cluster"
"""The context that means the cluster that Ulna itself runs in."""


class Target(Record):
    """A cluster, by `context` of a `kubeconfig`; and the `namespace` for what names none.

    `takes` is whether fields that another manager holds are taken from it.
    """

    environment: str = ""
    context: str | None = None
    kubeconfig: str | None = None
    namespace: str | None = None
    takes: bool = False

    @property
    def words(self) -> str:
        """How people call it."""
        return f"the cluster of the context '{self.context}'" if self.context else "the cluster"


def target_of(environment: Environment | None) -> Target:
    """The target of an environment; whatever is current where there is none, or one of another kind."""
    if environment is None or environment.kind != "kubernetes":
        return Target(environment.name if environment is not None else "")
    compute = environment.properties.get("compute")
    block = compute if isinstance(compute, Mapping) else {}
    return Target(
        environment.name,
        block.get("context"),
        block.get("kubeconfig"),
        block.get("namespace") or "default",
        block.get("conflicts") == "take",
    )


class Connection(Record):
    """A client of the SDK, and the namespace that the kubeconfig has for what names none."""

    api: Any
    namespace: str


def connect(target: Target) -> Connection:
    """A client of the SDK; credentials are those of the kubeconfig, or of the pod that Ulna runs in."""
    hush("kubernetes", "urllib3")
    from kubernetes.client import Configuration
    from kubernetes.client.api_client import ApiClient
    from kubernetes.config import ConfigException, incluster_config, kube_config

    inner: Any = incluster_config  # neither has types
    outer: Any = kube_config
    configuration = Configuration()
    files = _files(target)
    inside = target.context == IN_CLUSTER or (not files and "KUBERNETES_SERVICE_HOST" in os.environ)
    try:
        with _listening() as said:
            if inside:
                inner.load_incluster_config(client_configuration=configuration)
                namespace = _namespace_inside()
            else:
                merged = outer.KubeConfigMerger(os.pathsep.join(map(str, files)))
                if merged.config is None:
                    raise _without_a_file(target)
                loader = outer.KubeConfigLoader(
                    merged.config, active_context=target.context, config_persister=merged.save_changes
                )
                loader.load_and_set(configuration)
                namespace = (loader.current_context.get("context") or {}).get("namespace") or "default"
    except ConfigException as error:
        raise _unusable(target, str(error), files) from error
    if said and not configuration.api_key and not configuration.cert_file:
        raise Terminal(
            f"there are no credentials for {target.words}: {said[-1]}",
            "Log in again with the tool that the kubeconfig names ('users' … 'exec').",
        )
    configuration.retries = False  # the engine decides what is tried again
    return Connection(ApiClient(configuration), namespace)


def _files(target: Target) -> list[Path]:
    """The kubeconfig files that are there."""
    if target.kubeconfig:
        return [Path(target.kubeconfig).expanduser()]
    named = os.environ.get("KUBECONFIG")
    paths = named.split(os.pathsep) if named else ["~/.kube/config"]
    return [p for p in (Path(n).expanduser() for n in paths if n) if p.exists()]


def _namespace_inside() -> str:
    try:
        return Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace").read_text().strip() or "default"
    except OSError:
        return "default"


@contextmanager
def _listening() -> Iterator[list[str]]:
    """What the SDK logs of a failing credential plugin: it goes on without credentials, and says so nowhere else."""
    said: list[str] = []

    class _Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(" ".join(record.getMessage().split())[:300])

    ear = _Ear(logging.WARNING)
    logging.root.addHandler(ear)
    try:
        yield said
    finally:
        logging.root.removeHandler(ear)


def _without_a_file(target: Target) -> Terminal:
    if target.kubeconfig:
        return Terminal(f"there is no kubeconfig '{target.kubeconfig}'", "Correct compute.kubeconfig.")
    return Terminal(
        "there is no kubeconfig: neither KUBECONFIG nor ~/.kube/config names a file",
        "Set KUBECONFIG, or compute.kubeconfig of the environment.",
    )


def _unusable(target: Target, why: str, files: list[Path]) -> Terminal:
    if "Expected object with name" in why and target.context:
        names = ", ".join(map(str, files))
        return Terminal(
            f"the kubeconfig has no context '{target.context}' ({names})",
            "'kubectl config get-contexts' lists the contexts there are.",
        )
    return Terminal(f"the kubeconfig cannot be used: {' '.join(why.split())[:300]}", "Correct it, or name another.")
