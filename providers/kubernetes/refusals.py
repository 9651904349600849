"""What a cluster says when it refuses or cannot be reached, as one of the contract's few errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from engine.contract.errors import OperatorError, Terminal, Transient
from providers.kubernetes.target import Target


class Absent(Terminal):
    """There is no such object, or no such kind."""


class NoNamespace(Transient):
    """The namespace is not there, or not yet."""


class Contested(Terminal):
    """Fields that others hold; `holders` are (manager, whether it applies declaratively, field)."""

    def __init__(self, reason: str, help: str, holders: tuple[tuple[str, bool, str], ...]) -> None:
        super().__init__(reason, help)
        self.holders = holders


class Unauthorized(Terminal):
    """The credentials are not, or no longer, accepted."""


class Forbidden(Terminal):
    """The user may not do that."""


@contextmanager
def speaking(target: Target) -> Iterator[None]:
    """Around every call of the SDK."""
    try:
        from kubernetes.client.exceptions import ApiException
        from urllib3.exceptions import HTTPError
    except ImportError as error:
        help = "Install it: pip install 'ulna[kubernetes]'."
        raise Terminal(f"the Kubernetes SDK for Python is not installed ({error})", help) from error

    try:
        yield
    except (ApiException, HTTPError, OSError) as error:  # the SDK's own exception is here for failures of TLS alone
        raise unreachable(target, error) from error


def refused(status: int, body: Any, headers: Mapping[str, str], target: Target) -> OperatorError:
    """The error behind an answer of the API server."""
    answer = _status_of(body)
    said = " ".join(str(answer.get("message") or "").split())[:800] or f"HTTP {status} without a reason"
    reason = str(answer.get("reason") or "")
    details = answer.get("details")
    causes = [c for c in (details or {}).get("causes") or () if isinstance(c, Mapping)]
    if "failed to create typed patch object" in said or "unknown field" in said:
        return Terminal(_typed(said), "Check its spelling and type, and the API version of the resource.")
    match status:
        case 401:
            help = "Log in again, or renew the token or certificate that the kubeconfig names for this user."
            return Unauthorized(f"{target.words} does not accept the credentials, or no longer: {said}", help)
        case 403:
            return _forbidden(said)
        case 404:
            return _missing(said)
        case 409:
            return _conflict(said, reason, causes)
        case 422:
            return _invalid(said)
        case 429:
            after = next((v for k, v in headers.items() if k.lower() == "retry-after"), "")
            return Transient(f"{target.words} has too much to do", after=float(after) if after.isdigit() else 1.0)
        case 400 | 405 | 413 | 415:
            return Terminal(said)
        case _:
            after = next((v for k, v in headers.items() if k.lower() == "retry-after"), "")
            return Transient(f"{target.words} failed: {said}", after=float(after) if after.isdigit() else None)


def _status_of(body: Any) -> Mapping[str, Any]:
    try:
        read = json.loads(body if isinstance(body, str | bytes) else "{}")
    except ValueError:
        text = body.decode(errors="replace") if isinstance(body, bytes) else str(body)
        return {"message": text[:300]}
    return read if isinstance(read, Mapping) else {}


def _typed(said: str) -> str:
    found = re.search(r"(\.[\w.\[\]\"=:/-]*): field not declared in schema", said)
    if found:
        return f"'{found[1].lstrip('.')}' is no field of this kind in this cluster"
    found = re.search(r"failed to create typed patch object[^:]*: (\.[^:]+): expected (\w+), got", said)
    if found:
        return f"'{found[1].lstrip('.')}' must be of type {found[2]}"
    found = re.search(r'unknown field "([^"]+)"', said)
    return f"'{found[1]}' is no field of this kind in this cluster" if found else said


def _forbidden(said: str) -> OperatorError:
    if "because it is being terminated" in said:
        return Transient(f"the namespace is being deleted: {said}", after=2)
    if "exceeded quota" in said:
        help = "Ask for less, free what is not needed, or raise the ResourceQuota of the namespace."
        return Terminal(f"the quota of the namespace does not allow it: {said}", help)
    help = "Let an administrator of the cluster bind a role with these rights to the user of the kubeconfig."
    return Forbidden(said, help)


def _missing(said: str) -> OperatorError:
    found = re.search(r'namespaces "([^"]+)" not found', said)
    if found:
        help = "Declare its application or environment, which make namespaces, or create it."
        return NoNamespace(f"there is no namespace '{found[1]}' yet", help, after=1)
    return Absent(said)


def _conflict(said: str, reason: str, causes: list[Mapping[str, Any]]) -> OperatorError:
    holders = tuple(
        (found[1], " using " not in str(c.get("message")), str(c.get("field") or "").lstrip("."))
        for c in causes
        if c.get("reason") == "FieldManagerConflict"
        and (found := re.search(r'conflict with "([^"]+)"', str(c.get("message"))))
    )
    if not holders:
        return Transient(f"somebody else changed it at the same time: {said}", after=0.5)
    by: dict[str, list[str]] = {}
    for manager, _, field in holders:
        by.setdefault(manager, []).append(field)
    who = "; ".join(f"'{m}' holds {', '.join(sorted(set(f)))}" for m, f in by.items())
    help = (
        "Leave these properties out of the file, let the other manager give them up, "
        "or set conflicts: 'take' in the environment's compute block."
    )
    return Contested(f"fields of it are managed by others: {who}", help, holders)


def _invalid(said: str) -> OperatorError:
    help = ""
    if "immutable" in said or "may not be changed" in said or "forbidden: updates to" in said.lower():
        help = "It cannot be changed in place: destroy it first, or give it another name."
    return Terminal(said, help)


def unreachable(target: Target, error: BaseException) -> OperatorError:
    """The failure to reach a cluster at all; the reason is in the innermost cause."""
    from urllib3.exceptions import ReadTimeoutError

    text = str(error)
    if isinstance(error, ReadTimeoutError):
        return Transient(f"{target.words} does not answer in time")
    if "CERTIFICATE_VERIFY_FAILED" in text or "certificate verify failed" in text:
        help = "Correct 'certificate-authority' of the cluster in the kubeconfig."
        return Terminal(f"{target.words} has a certificate that is not trusted: {_last(error)}", help)
    known = ("Connection refused", "Name or service not known", "Connection reset", "No route to host", "timed out")
    why = next((w for w in known if w.lower() in text.lower()), "")
    help = "Start the cluster, or name another with KUBECONFIG or compute.context of the environment."
    return Transient(f"{target.words} cannot be reached: {why.lower() or _last(error)}", help)


def _last(error: BaseException) -> str:
    inner = error
    while (deeper := inner.__cause__ or inner.__context__) is not None:
        inner = deeper
    return " ".join(str(inner).split())[:200] or type(inner).__name__
