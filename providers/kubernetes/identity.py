"""Whom pods act as beyond the cluster: what Azure's and AWS's webhooks read of a service account. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.contract.app import Workload
from engine.contract.value import Properties
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place

_WORKLOAD = "azure.com.workload"
_CLIENT = re.compile(r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")


def _federated(workload: Workload) -> bool:
    return workload.identity is not None and workload.identity.kind == _WORKLOAD


def account_metadata(workload: Workload) -> Properties:
    """Labels and annotations of the service account."""
    if not _federated(workload):
        return {}
    assert workload.identity is not None
    client = next((m for m in workload.identity.managed if _CLIENT.match(m)), None)
    notes = {"azure.workload.identity/client-id": client} if client else {}
    return {"labels": {"azure.workload.identity/use": "true"}, **({"annotations": notes} if notes else {})}


def pod_labels(workload: Workload) -> Properties:
    """Labels of the pods."""
    return {"azure.workload.identity/use": "true"} if _federated(workload) else {}


def identity_problems(workload: Workload) -> Iterator[Diagnostic]:
    """Identities that a cluster cannot give."""
    identity, resource = workload.identity, workload.resource
    if identity is None:
        return
    if identity.kind != _WORKLOAD:
        message = (
            f"'{resource.name}': an identity of kind '{identity.kind}' is not supported on compute kind 'kubernetes'"
        )
        help = f"Use kind '{_WORKLOAD}', with the client id of a managed identity in managedIdentity."
        yield Diagnostic("ULN318", Severity.ERROR, message, place(resource.origin, ("identity", "kind")), help=help)
    elif not any(map(_CLIENT.match, identity.managed)):
        message = f"'{resource.name}' has an identity of kind '{_WORKLOAD}', and nothing says which: its pods get no token of it"
        help = "Give the client id of the managed identity in managedIdentity, or annotate the ServiceAccount in runtimes.kubernetes.base."
        yield Diagnostic("ULN317", Severity.WARNING, message, place(resource.origin, ("identity",)), help=help)
