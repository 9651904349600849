"""Which cloud an environment names, and whose credentials are used: those that `az login` and its kin have left.

An `http` endpoint must be on the loopback: a stand-in for tests. It is sent no credential of anybody's, but the word `loopback`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from engine.contract.errors import Terminal
from engine.contract.operator import Environment
from engine.contract.quiet import hush
from engine.record import Record

CLOUDS = {
    "public": ("https://management.azure.com", "login.microsoftonline.com"),
    "usGovernment": ("https://management.usgovcloudapi.net", "login.microsoftonline.us"),
    "china": ("https://management.chinacloudapi.cn", "login.chinacloudapi.cn"),
}
"""By name: where resources are managed, and who knows the users."""
ENDPOINT = "ULNA_AZURE_ENDPOINT"
"""The variable that names the endpoint for resources of no environment of kind aci."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Target(Record):
    """Where resources are managed. `authority` is the host that tokens come from."""

    environment: str = ""
    endpoint: str = CLOUDS["public"][0]
    authority: str = CLOUDS["public"][1]

    @property
    def words(self) -> str:
        """How people call it."""
        return f"Azure at {urlsplit(self.endpoint).netloc}"


def target_of(environment: Environment | None) -> Target:
    """The target of an environment; the public cloud outside of any."""
    name = environment.name if environment is not None else ""
    compute = environment.properties.get("compute") if environment is not None else None
    cloud = compute.get("cloud") if isinstance(compute, Mapping) and environment and environment.kind == "aci" else None
    if isinstance(cloud, Mapping):
        endpoint = cloud.get("resourceManager") or CLOUDS["public"][0]
        return Target(name, endpoint.rstrip("/"), cloud.get("authority") or CLOUDS["public"][1])
    if isinstance(cloud, str) and cloud in CLOUDS:
        return Target(name, *CLOUDS[cloud])
    if endpoint := os.environ.get(ENDPOINT):
        return Target(name, endpoint.rstrip("/"))
    return Target(name)


def place_of(properties: Mapping[str, Any]) -> tuple[str, str] | None:
    """The subscription and the resource group of an environment's properties; None where it names none."""
    compute, providers = properties.get("compute") or {}, properties.get("providers") or {}
    azure = providers.get("azure") if isinstance(providers, Mapping) else None
    scopes = (compute.get("resourceGroup"), azure.get("scope") if isinstance(azure, Mapping) else None)
    for scope in scopes:
        found = re.fullmatch(r"/subscriptions/([^/]+)/resourceGroups/([^/]+)/?", str(scope or ""), re.I)
        if found is not None:
            return found[1], found[2]
    return None


def connect(target: Target, audience: str = "") -> Any:
    """A pipeline of the SDK's for the management of resources, or for a service; nothing is asked of anybody yet."""
    hush("azure", "msal", "urllib3")
    from azure.core.pipeline.policies import HeadersPolicy, RequestIdPolicy, UserAgentPolicy
    from azure.mgmt.core import ARMPipelineClient
    from azure.mgmt.core.policies import ARMAutoResourceProviderRegistrationPolicy

    policies = [RequestIdPolicy(), HeadersPolicy(), UserAgentPolicy("ulna"), _login(target, audience)]
    if not audience:
        policies.insert(0, ARMAutoResourceProviderRegistrationPolicy())
    made: Any = ARMPipelineClient(target.endpoint, policies=policies, connection_timeout=15, read_timeout=90)
    return made.__enter__()  # its session is made here: left to the first requests, they might use it half-made


def _login(target: Target, audience: str = "") -> Any:
    """What puts a token on a request: one for the audience, the management of resources by default."""
    from azure.core.pipeline.policies import SansIOHTTPPolicy

    parts = urlsplit(target.endpoint)
    if parts.scheme == "http" and parts.hostname in LOOPBACK:

        class Nobody(SansIOHTTPPolicy):  # type: ignore[type-arg]
            """A word that stands for a token."""

            def on_request(self, request: Any) -> None:
                request.http_request.headers["Authorization"] = "Bearer loopback"

        return Nobody()
    if parts.scheme != "https":
        help = "Use https: a token that goes over the network in the open is everybody's."
        raise Terminal(f"the endpoint '{target.endpoint}' is neither https nor on this machine", help)
    from azure.identity import DefaultAzureCredential
    from azure.mgmt.core.policies import ARMChallengeAuthenticationPolicy

    credential = DefaultAzureCredential(authority=target.authority)
    return ARMChallengeAuthenticationPolicy(credential, f"{audience or target.endpoint}/.default")
