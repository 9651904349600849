"""Values that are made as they are sent, since they are nobody's to keep: keys of storage accounts, certificates as PKCS #12, ids of roles.

In a body they stand as an object with one key: `{"$storageKey": ID}`, `{"$pkcs12": {"certificate": …, "key": …}}`,
`{"$role": {"scope": …, "name": …}}`.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from engine.contract.blotting import blotted
from engine.contract.errors import Terminal, Transient
from engine.contract.value import Secret, Value
from providers.azure.client import Client
from providers.azure.refusals import Absent

STORAGE_KEY, PKCS12, ROLE = "$storageKey", "$pkcs12", "$role"
MARKS = frozenset({STORAGE_KEY, PKCS12, ROLE})
STORAGE_VERSION = "2023-05-01"
ROLES_VERSION = "2022-04-01"
PASSWORD = "ulna"
"""Of every PKCS #12 that is sent: it is made for one request, which TLS protects."""


def is_late(value: Value) -> bool:
    """Whether a value is made as it is sent."""
    return isinstance(value, Mapping) and len(value) == 1 and not MARKS.isdisjoint(value)


class Sender:
    """Fills in a body: secrets are opened, late values made. What was secret is kept in `opened`, to be blotted out of messages."""

    def __init__(self, client: Client, reveal: Callable[[Secret], Value]) -> None:
        self.client = client
        self.reveal = reveal
        self.opened: list[str] = []

    def body(self, value: Value) -> Any:
        """A value as it is sent."""
        if isinstance(value, Secret):
            return self._secret(self.reveal(value))
        if is_late(value):
            ((kind, of),) = value.items()
            return self._made(kind, self.body(of))
        if isinstance(value, Mapping):
            return {k: self.body(v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self.body(v) for v in value]
        return value

    def blotted(self, text: str) -> str:
        """A text without the secrets that were sent."""
        return blotted(text, self.opened)

    def _secret(self, value: Value) -> Value:
        if isinstance(value, str) and len(value) > 2:
            self.opened.append(value)
        return value

    def _made(self, kind: str, of: Any) -> Value:
        match kind:
            case "$storageKey":
                return self._secret(self._storage_key(of))
            case "$pkcs12":
                return self._secret(pkcs12(of["certificate"], of["key"]))
            case _:
                return self._role(of["scope"], of["name"])

    def _storage_key(self, id: str) -> str:
        try:
            keys = self.client.post(f"{id}/listKeys", STORAGE_VERSION)["keys"]
        except Absent as error:
            raise Transient(f"the storage account '{id}' is not there") from error
        return str(keys[0]["value"])

    def _role(self, scope: str, name: str) -> str:
        path = f"{scope}/providers/Microsoft.Authorization/roleDefinitions"
        try:
            found = self.client.ask(path, ROLES_VERSION, **{"$filter": f"roleName eq '{name}'"})["value"]
        except Absent as error:
            raise Terminal(f"'{scope}' is not there, so that no role can be given on it") from error
        if not found:
            help = "Use the name of a built-in or custom role, as 'az role definition list' shows it, or its id."
            raise Terminal(f"Azure has no role '{name}'", help)
        return str(found[0]["id"])


def pkcs12(certificate: str, key: str) -> str:
    """A certificate with its chain and its key, both PEM, as PKCS #12 in base64; a gateway takes none without a password."""
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, load_pem_private_key
    from cryptography.hazmat.primitives.serialization import pkcs12 as form
    from cryptography.x509 import load_pem_x509_certificates

    try:
        leaf, *chain = load_pem_x509_certificates(certificate.encode())
        private: Any = load_pem_private_key(key.encode(), None)
    except ValueError as error:
        help = "tls.crt is a certificate in PEM, its chain after it; tls.key is its key in PEM, without a password."
        raise Terminal("the certificate of the gateway cannot be read", help) from error
    locked = BestAvailableEncryption(PASSWORD.encode())
    return base64.b64encode(form.serialize_key_and_certificates(b"ulna", private, leaf, chain, locked)).decode()
