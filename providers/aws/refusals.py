"""What AWS says when it fails, mapped once to the contract's kinds of failure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from engine.contract.errors import OperatorError, Terminal, Transient
from providers.aws.target import Target


class Absent(Terminal):
    """What was asked for is not there."""


class Taken(Terminal):
    """It is there already: by what was created under the same token, perhaps."""


class Busy(Transient):
    """Something still uses it, or it is in the middle of a change."""


class Unseen(Transient):
    """It was made a moment ago, and not every part of AWS knows of it yet."""


CREDENTIALS = (
    "Renew them: 'aws sso login', 'aws configure', or new AWS_* variables. "
    "'aws sts get-caller-identity' shows whether they work."
)
_EXPIRED = re.compile(
    r"ExpiredToken|RequestExpired|UnrecognizedClient|InvalidClientTokenId|AuthFailure|InvalidSignature|"
    r"SignatureDoesNotMatch|IncompleteSignature|InvalidAccessKeyId|MissingAuthenticationToken|TokenRefreshRequired"
)
_DENIED = re.compile(r"AccessDenied|UnauthorizedOperation|NotAuthorized|Forbidden|OptInRequired")
_THROTTLED = re.compile(
    r"Throttl|RequestLimitExceeded|TooManyRequests|SlowDown|BandwidthLimitExceeded|PriorRequestNotComplete|RateExceeded"
)
_QUOTA = re.compile(r"LimitExceeded|QuotaExceeded|^TooMany|MaximumReached|CapacityExceeded|InsufficientCapacity|^Max")
_BUSY = re.compile(
    r"DependencyViolation|InUse|DeleteConflict|IncorrectState|InProgress|ConcurrentModification|ConcurrentOperation|ResourceConflict|"
    r"IncorrectFileSystemLifeCycleState|IncorrectMountTargetState|NotStabilized|ConcurrentUpdate|OperationAborted|HasDependencies|"
    r"UpdateInProgress|ServiceNotActive|ClusterContains"
)
_ABSENT = re.compile(r"NotFound|NoSuchEntity|NoSuch|DoesNotExist|MISSING|NonExistent")
_TAKEN = re.compile(r"AlreadyExists|ResourceExists|Duplicate|AlreadyAssociated|MountTargetConflict|AlreadyInUse")
_UNSEEN = re.compile(
    r"role.{0,80}(not valid|cannot be assumed|is invalid)|invalid principal|unable to assume the service linked role|"
    r"does not have an associated load balancer|could not be found or you do not have access|verify that the ECS service role",
    re.I,
)
"""What is said of a thing that another service has not heard of yet."""


def refused(error: Any, words: str = "AWS") -> OperatorError:
    """The failure that an answer of AWS means."""
    response: Mapping[str, Any] = error.response
    code = str((response.get("Error") or {}).get("Code") or "")
    text = " ".join(str((response.get("Error") or {}).get("Message") or "").split())
    about = response.get("ResponseMetadata") or {}
    status = int(about.get("HTTPStatusCode") or 0)
    said = f"{text} ({error.operation_name}: {code})" if text else f"{error.operation_name}: {code or status}"
    if _EXPIRED.search(code):
        return Terminal(f"the credentials for {words} are not accepted: {said}", CREDENTIALS)
    if _THROTTLED.search(code) or status == 429:
        return Transient(f"{words} asks for fewer requests: {said}", after=_after(about))
    if _BUSY.search(code):
        return Busy(said, after=2)
    if _ABSENT.search(code) or (status == 404 and not text):
        return Absent(said)
    if _TAKEN.search(code):
        return Taken(said, "Give it another name, or remove what has the name.")
    return _rest(code, text, said, status, about)


def _rest(code: str, text: str, said: str, status: int, about: Mapping[str, Any]) -> OperatorError:
    if _DENIED.search(code) or status == 403:
        return Terminal(
            said, "Let the user or role do this: the message names the action; or use another profile or role."
        )
    if _QUOTA.search(code):
        return Terminal(
            f"a quota of the account is used up: {said}",
            "Remove what is not needed, or ask for a higher quota (Service Quotas).",
        )
    if _UNSEEN.search(text):
        return Unseen(said, after=3)
    if "not idempotent" in text:
        return Taken(said)
    if re.search(r"has dependencies|currently associated|is in use|still (has|contains)", text, re.I):
        return Busy(said, after=2)
    if status >= 500 or code in ("InternalFailure", "InternalError", "ServiceUnavailable", "ServerException"):
        return Transient(said, after=_after(about))
    return Terminal(said)


def _after(about: Mapping[str, Any]) -> float | None:
    """The seconds of a Retry-After header."""
    value = (about.get("HTTPHeaders") or {}).get("retry-after")
    try:
        return float(value) if value is not None else None
    except ValueError:
        return None


@contextmanager
def speaking(target: Target) -> Iterator[None]:
    """Around every call of the SDK."""
    try:
        from botocore import exceptions as failed
    except ImportError as error:
        help = "Install it: pip install 'ulna[aws]'."
        raise Terminal(f"the AWS SDK for Python is not installed ({error})", help) from error

    try:
        yield
    except failed.ClientError as error:
        raise refused(error, target.words) from error
    except (failed.NoCredentialsError, failed.PartialCredentialsError) as error:
        help = "Log in: 'aws configure' or 'aws sso login'; or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or 'compute.profile'."
        raise Terminal(f"there are no credentials for {target.words}", help) from error
    except failed.ProfileNotFound as error:
        help = "'aws configure list-profiles' shows what there is: correct 'compute.profile' or AWS_PROFILE."
        raise Terminal(str(error).rstrip("."), help) from error
    except failed.NoRegionError as error:
        help = "Name account and region in the environment: providers.aws.scope: '/planes/aws/aws/accounts/ACCOUNT/regions/REGION'."
        raise Terminal(str(error).rstrip("."), help) from error
    except failed.ParamValidationError as error:
        raise Terminal("AWS would not take this: " + " ".join(str(error).split())) from error
    except (failed.HTTPClientError, failed.ConnectionError, OSError) as error:
        raise Transient(f"{target.words} cannot be reached: {' '.join(str(error).split())}", UNREACHABLE) from error
    except failed.BotoCoreError as error:  # SSO, roles, tokens of the configuration
        raise Terminal(
            f"the credentials for {target.words} cannot be had: {' '.join(str(error).split())}", CREDENTIALS
        ) from error


UNREACHABLE = "Check the network, the region's name, and AWS_ENDPOINT_URL if it is set."
