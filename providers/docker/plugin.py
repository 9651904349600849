"""The provider `docker`: its operators share one connection to the engine of their environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Operator, Site
from engine.contract.platform import Platform


class DockerProvider:
    """Serves `Ulna.Docker/*`, the compute kind `docker`, and by hand-off what it can emulate."""

    name = "docker"
    types: tuple[str, ...] = ("Ulna.Docker/*", "Microsoft.Cache/redis", "Microsoft.DBforPostgreSQL/flexibleServers")
    kinds: tuple[str, ...] = ("docker",)

    def operators(self, site: Site) -> tuple[Operator, ...]:
        """Containers, gateways, networks, volumes and secrets of one environment."""
        from engine.contract.secretfiles import SecretFileOperator
        from providers.docker.client import Client
        from providers.docker.containers import ContainerOperator
        from providers.docker.gateways import GatewayOperator
        from providers.docker.networks import NetworkOperator
        from providers.docker.target import target_of
        from providers.docker.volumes import VolumeOperator

        client = Client(site.folder, target_of(site.environment))
        secrets = SecretFileOperator("docker-secrets", "ulna.docker/secrets", site.folder / "secrets")
        return (
            ContainerOperator(client, secrets.files),
            GatewayOperator(client, secrets.files),
            NetworkOperator(client),
            VolumeOperator(client),
            secrets,
        )

    def platform(self, kind: str) -> Platform:
        """The one kind it has."""
        from providers.docker.platform import DockerPlatform

        if kind != "docker":
            raise KeyError(kind)
        return DockerPlatform()

    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """They come with Ulna."""
        return {}


provider = DockerProvider()
