"""What Azure says when it fails, mapped once to the few errors there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.contract.errors import OperatorError, Terminal, Transient
from providers.azure.target import Target

LOGIN = "Sign in again: az login; or set AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET."
_QUOTA = re.compile(r"quota|LimitExceeded|LimitReached|CoreLimit|SkuNotAvailable|ServiceUnavailableInRegion", re.I)
_LATER = re.compile(
    r"Transitioning|InProgress|Retryable|BeingDeleted|BeingUpdated|CannotBeDeleted|^InUse|CannotDeleteResource|"
    r"RegistryErrorResponse|PrincipalNotFound|AnotherOperation|^Conflict$|Throttl|TooManyRequests|NotReady|ReferencedResourceNotProvisioned",
    re.I,
)
_NEVER = re.compile(
    r"InvalidResourceLocation|RoleAssignmentExists|UpdateNotPermitted|AlreadyTaken|AlreadyExists|NameNotAvailable|"
    r"MissingSubscriptionRegistration|ScopeLocked|NotPermitted|PropertyChangeNotAllowed|DnsRecordInUse|DeletedButRecoverable",
    re.I,
)
_HELP = {
    "ResourceGroupNotFound": "Create it: az group create; or declare it as a Microsoft.Resources/resourceGroups.",
    "SubscriptionNotFound": "Check providers.azure.scope of the environment, and that the account may see the subscription.",
    "InaccessibleImage": "Check the name of the image; for a private registry give the container an imagePullSecret.",
    "AuthorizationFailed": "Ask for the role Contributor on the resource group; role assignments need User Access Administrator.",
    "ScopeLocked": "Remove the lock, or wait for who set it.",
    "InvalidParameter": "The message says which; the API's documentation has what is allowed.",
    "NoRegisteredProviderFound": "Use an API version that the type has; the message lists them.",
    "MissingSubscriptionRegistration": "Register the provider: az provider register --namespace NAMESPACE.",
    "ObjectIsDeletedButRecoverable": "Purge it or bring it back: az keyvault secret purge, az keyvault secret recover.",
    "DnsRecordInUse": "Give the gateway another hostname.prefix: it is unique in a region.",
}


_ABSENT = (
    "SecretNotFound",
    "ResourceNotFound",
    "NotFound",
    "HTTP 404",
    "ResourceGroupNotFound",
    "ParentResourceNotFound",
)


class Absent(Exception):
    """There is no such thing, nor perhaps what it would be in."""

    def __init__(self, said: str, help: str = "") -> None:
        super().__init__(said)
        self.help = help


def wait_of(headers: Any) -> float | None:
    """The seconds that an answer asks to wait."""
    for name, unit in (("retry-after-ms", 1000), ("x-ms-retry-after-ms", 1000), ("Retry-After", 1)):
        try:
            return max(0.0, float(headers.get(name)) / unit)
        except (TypeError, ValueError):
            continue
    return None


def refused(status: int, body: Any, headers: Any = None) -> OperatorError | Absent:
    """The error in an answer."""
    error = body.get("error", body) if isinstance(body, dict) else {}
    error = error if isinstance(error, dict) else {"code": str(error)}
    code, message = str(error.get("code") or f"HTTP {status}"), " ".join(str(error.get("message") or "").split())
    for detail in error.get("details") or ():
        if isinstance(detail, dict) and detail.get("message") and str(detail["message"]) not in message:
            message += f" ({detail.get('code')}: {detail['message']})"
    said = f"{message.rstrip('.')} ({code})" if message else f"Azure answered {code}"
    after = wait_of(headers or {})
    if status == 401:
        return Terminal(f"Azure does not accept the credentials: {said}", LOGIN)
    if status == 404 and code in _ABSENT:
        return Absent(said, _HELP.get(code, ""))
    if _QUOTA.search(code) and status != 429:
        help = "Ask for a higher limit in the portal (Quotas), use fewer or smaller containers, or another region."
        return Terminal(f"a limit of the subscription is reached: {said}", help)
    if status in (408, 429) or status >= 500:
        return Transient(said, after=after)
    if (_LATER.search(code) or status == 409) and not _NEVER.search(code):
        return Transient(said, after=after)
    return Terminal(said, _HELP.get(code, ""))


_NOT_THERE = re.compile(
    r"unavailable|not found|not installed|could not be found|No accounts|requires the|is required|not configured", re.I
)
"""What a way to sign in says that nobody has set up."""


@contextmanager
def speaking(target: Target) -> Iterator[None]:
    """Maps what the SDK raises; a thing that is not there is `Absent`."""
    try:
        from azure.core.exceptions import (
            AzureError,
            ClientAuthenticationError,
            HttpResponseError,
            ServiceRequestError,
            ServiceResponseError,
        )
    except ImportError as error:
        help = "Install it: pip install 'ulna[azure]'."
        raise Terminal(f"the Azure SDK for Python is not installed ({error})", help) from error
    try:
        yield
    except ClientAuthenticationError as error:
        raise Terminal(f"no credentials for {target.words}: {_refusal(str(error.message or error))}", LOGIN) from error
    except HttpResponseError as error:
        answer: Any = error.response
        raise refused(int(error.status_code or 500), _body(error), getattr(answer, "headers", None)) from error
    except (ServiceRequestError, ServiceResponseError, OSError) as error:
        raise unreachable(target, error) from error
    except AzureError as error:
        raise Transient(f"{target.words}: {error}") from error


def _refusal(said: str) -> str:
    """Of all that the SDK tried, what was there and was refused; mostly nothing was there."""
    tried = re.findall(r"^\t(\w+Credential): (.*(?:\n(?!\t|To mitigate).*)*)", said, re.M)
    if not tried:
        return " ".join(said.split())[:300]
    refused = [f"{name}: {' '.join(text.split())}" for name, text in tried if not _NOT_THERE.search(text)]
    return "; ".join(refused)[:400] or "nobody is signed in"


def unreachable(target: Target, error: BaseException) -> Transient:
    """No answer came; whether the request was carried out nobody knows."""
    inner: BaseException = error
    while (deeper := inner.__cause__ or inner.__context__) is not None and deeper is not inner:
        inner = deeper
    words = " ".join(str(inner).split())[:160] or type(inner).__name__
    return Transient(f"{target.words} cannot be reached: {words}", "Check the network, and the proxy in HTTPS_PROXY.")


def _body(error: Any) -> Any:
    """The body of the answer behind an error; what the SDK says of it where it has none."""
    try:
        body = json.loads(error.response.text())
        if isinstance(body, dict) and ("error" in body or "code" in body):
            return body
    except Exception:  # an answer that is no JSON says nothing more
        pass
    said = getattr(error, "error", None)
    return {
        "error": {"code": getattr(said, "code", "") or "", "message": getattr(said, "message", "") or error.message}
    }
