"""What was submitted may hold secrets: it lies in the database under a key that only the state has."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hmac import digest

from cryptography.fernet import Fernet, InvalidToken

from engine.diagnostics.diagnostic import UlnaError


class Seal:
    """Encrypts and authenticates with a key made from that of the vault."""

    def __init__(self, vault_key: bytes) -> None:
        self._fernet = Fernet(urlsafe_b64encode(digest(vault_key, b"ulna server: what was submitted", "sha256")))

    def close(self, content: bytes) -> bytes:
        """Readable with the same key only."""
        return self._fernet.encrypt(content)

    def open(self, sealed: bytes) -> bytes:
        """What was sealed; refuses what was sealed with another key, or changed since."""
        try:
            return self._fernet.decrypt(sealed)
        except InvalidToken:
            help = "The server and the worker need the same --state; submit it again."
            raise UlnaError.of("ULN573", "What was submitted cannot be read with the key of this state", help) from None
