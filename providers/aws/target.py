"""Which account and region an environment names, and as whom: credentials are AWS's own (profiles, SSO, roles, variables)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.contract.operator import Environment
from engine.contract.quiet import hush
from engine.record import Record

_SCOPE = re.compile(r"^/planes/aws/aws/accounts/([^/]+)/regions/([^/]+)/?$", re.I)


class Target(Record):
    """An account and a region, and optionally a profile of the AWS configuration and a role to take on.

    What is "" or None is whatever AWS's own tools would take. `cluster` is the one that the environment names, or made.
    """

    environment: str = ""
    account: str = ""
    region: str = ""
    profile: str | None = None
    role: str | None = None
    cluster: str | None = None

    @property
    def words(self) -> str:
        """How people call it."""
        place = f"the account {self.account}" if self.account else "AWS"
        return f"{place} in {self.region}" if self.region else place


def scope_of(properties: Mapping[str, Any]) -> tuple[str, str] | None:
    """The account and region of `providers.aws.scope`; None where there is none that can be read."""
    providers = properties.get("providers")
    aws = providers.get("aws") if isinstance(providers, Mapping) else None
    scope = aws.get("scope") if isinstance(aws, Mapping) else None
    found = _SCOPE.match(scope) if isinstance(scope, str) else None
    return (found[1], found[2]) if found else None


def target_of(environment: Environment | None) -> Target:
    """The target of an environment; one without a scope leaves account and region to AWS's own settings."""
    if environment is None:
        return Target()
    account, region = scope_of(environment.properties) or ("", "")
    compute = environment.properties.get("compute")
    block = compute if isinstance(compute, Mapping) and environment.kind == "ecs" else {}
    texts = {k: v for k, v in block.items() if isinstance(v, str)}
    made = environment.outputs.get("cluster")
    cluster = texts.get("cluster") or (made if isinstance(made, str) else None)
    return Target(environment.name, account, region, texts.get("profile"), texts.get("role"), cluster)


@cache
def _loader() -> Any:
    """What reads the SDK's descriptions of services: megabytes of JSON, once for all targets."""
    from botocore.loaders import create_loader

    return create_loader()


def session_of(target: Target) -> Any:
    """A session of the SDK for a target."""
    hush("boto3", "botocore", "urllib3")
    import boto3
    from botocore.session import Session

    own = Session(profile=target.profile)
    own.register_component("data_loader", _loader())
    session = boto3.Session(botocore_session=own, region_name=target.region or None)
    if target.role is None:
        return session
    from botocore.credentials import AssumeRoleCredentialFetcher, DeferredRefreshableCredentials

    source = session._session.get_credentials()  # the SDK has no public way to take on a role that renews itself
    fetcher = AssumeRoleCredentialFetcher(
        session._session.create_client, source, target.role, extra_args={"RoleSessionName": "ulna"}
    )
    inner = Session(profile=target.profile)
    inner.register_component("data_loader", _loader())
    inner._credentials = DeferredRefreshableCredentials(  # type: ignore[attr-defined]
        method="assume-role", refresh_using=fetcher.fetch_credentials
    )
    return boto3.Session(botocore_session=inner, region_name=target.region or session.region_name)
