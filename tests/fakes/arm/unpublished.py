"""Types whose published files are not at hand: their requests are held against what the documentation says, in short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

UNPUBLISHED = ("^microsoft.storage/", "roledefinitions")
_ACCOUNT = {
    "sku": {"name": str},
    "kind": str,
    "location": str,
    "tags": {"*": str},
    "properties": {
        "accessTier": str,
        "allowBlobPublicAccess": bool,
        "allowSharedKeyAccess": bool,
        "minimumTlsVersion": str,
        "supportsHttpsTrafficOnly": bool,
        "publicNetworkAccess": str,
        "largeFileSharesState": str,
    },
}
_SHARE = {"properties": {"shareQuota": int, "accessTier": str, "enabledProtocols": str, "metadata": {"*": str}}}
_SHAPES: dict[str, Any] = {
    "microsoft.storage/storageaccounts": _ACCOUNT,
    "microsoft.storage/storageaccounts/fileservices/shares": _SHARE,
}


def unpublished_faults(method: str, kind: str, body: Any) -> Iterator[str]:
    """What of a request is not as documented."""
    if method != "PUT":
        return
    if kind not in _SHAPES:
        yield f"{kind} is not known here"
        return
    yield from _check(_SHAPES[kind], body, "")


def _check(shape: Any, value: Any, at: str) -> Iterator[str]:
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            yield f"{at or 'body'}: no object"
            return
        for key, inner in value.items():
            wanted = shape.get(key, shape.get("*"))
            if wanted is None:
                yield f"{at}.{key}: not known"
            else:
                yield from _check(wanted, inner, f"{at}.{key}")
    elif type(value) is not shape:
        yield f"{at}: {value!r} is no {shape.__name__}"
