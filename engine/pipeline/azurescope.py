"""Where resources of Azure go: the subscription, the resource group and the region that expressions and ids speak of.

By the environment: `compute.resourceGroup`, else `providers.azure.scope`; the region is `compute.location`, else what the environment
reports. Where it names none, by the variables of Azure's own command line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from engine.contract.operator import Environment

SUBSCRIPTION, GROUP, LOCATION = "AZURE_SUBSCRIPTION_ID", "AZURE_DEFAULTS_GROUP", "AZURE_DEFAULTS_LOCATION"
APP_GROUP = "default"


def azure_scope(environment: Environment | None) -> dict[str, str]:
    """The fields of an expansion's `Scope`; {} where nothing says."""
    properties = environment.properties if environment is not None else {}
    compute, providers = properties.get("compute"), properties.get("providers")
    compute = compute if isinstance(compute, Mapping) else {}
    azure = providers.get("azure") if isinstance(providers, Mapping) else None
    given = (compute.get("resourceGroup"), azure.get("scope") if isinstance(azure, Mapping) else None)
    named = next(filter(None, map(_parts, given)), None)
    outputs = environment.outputs if environment is not None else {}
    location = compute.get("location") or outputs.get("location") or os.environ.get(LOCATION)
    subscription, group = named or (os.environ.get(SUBSCRIPTION), os.environ.get(GROUP))
    fields = {"subscription_id": subscription, "resource_group": group, "location": location}
    kept = {k: v for k, v in fields.items() if isinstance(v, str) and v}
    return {**kept, "app_group": APP_GROUP} if "resource_group" in kept else kept


def _parts(scope: object) -> tuple[str, str | None] | None:
    match = re.fullmatch(r"/subscriptions/([^/]+)(?:/resourceGroups/([^/]+))?/?", str(scope or ""), re.I)
    return (match[1], match[2]) if match is not None else None
