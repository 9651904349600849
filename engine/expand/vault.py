"""Secret values, in memory, for as long as one run lasts."""

from __future__ import annotations

import json
from collections.abc import Callable

from engine.contract.value import Secret, Value


class MemoryVault:
    """A `Vault`: digests are HMAC-SHA-256 under a key, so equal values of one store have equal digests.

    A key given as a function is asked for when the first secret is sealed: most runs have none.
    """

    __slots__ = ("_key", "_values")

    def __init__(self, key: bytes | Callable[[], bytes]) -> None:
        self._key = key
        self._values: dict[str, Value] = {}

    def seal(self, value: Value, name: str) -> Secret:
        """A reference to the value."""
        from hmac import digest

        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if not isinstance(self._key, bytes):
            self._key = self._key()
        mark = digest(self._key, text.encode("utf-8", "surrogatepass"), "sha256").hex()
        self._values[mark] = value
        return Secret(name, mark)

    def open(self, secret: Secret) -> Value:
        """The value; raises `KeyError` if it was never sealed here."""
        return self._values[secret.digest]
