"""The provider `kubernetes`: its operators share one connection to the cluster of their environment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.contract.operator import Operator, Site
from engine.contract.platform import Platform

GROUPS = (
    "core",
    "apps",
    "batch",
    "autoscaling",
    "policy",
    "networking.k8s.io",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "scheduling.k8s.io",
    "apiextensions.k8s.io",
    "gateway.networking.k8s.io",
)
"""The API groups that everybody knows; those of others are asked about where nobody else serves a type."""


class KubernetesProvider:
    """Serves objects of every kind, `Ulna.Kubernetes/*`, the compute kind `kubernetes`, and by hand-off what it can emulate."""

    name = "kubernetes"
    types: tuple[str, ...] = (
        "Ulna.Kubernetes/*",
        *(f"{g}/*" for g in GROUPS),
        "Microsoft.Cache/redis",
        "Microsoft.DBforPostgreSQL/flexibleServers",
        "*/*",
    )
    kinds: tuple[str, ...] = ("kubernetes",)

    def operators(self, site: Site) -> tuple[Operator, ...]:
        """Those of one environment."""
        from providers.kubernetes.client import Client
        from providers.kubernetes.clusters import ClusterOperator
        from providers.kubernetes.namespaces import NamespaceOperator
        from providers.kubernetes.objects import ObjectOperator
        from providers.kubernetes.target import target_of

        client = Client(site.folder, target_of(site.environment))
        return ObjectOperator(client), NamespaceOperator(client), ClusterOperator(client)

    def platform(self, kind: str) -> Platform:
        """The one kind it has."""
        if kind != "kubernetes":
            raise KeyError(kind)
        return _platform()

    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """Objects are checked by the cluster, which knows its kinds best; our own types come with Ulna."""
        return {}


@cache
def _platform() -> Platform:
    """One for all who ask: it is pure, and its schemas are read once."""
    from providers.kubernetes.platform import KubernetesPlatform

    return KubernetesPlatform()


provider = KubernetesProvider()
