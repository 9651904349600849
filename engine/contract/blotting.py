"""Texts of others without the secrets that we know."""

from __future__ import annotations

from collections.abc import Iterable

BLOTTED = "***"
"""What stands in the place of a secret."""
SHORTEST = 3
"""Characters; what is shorter would be found everywhere."""


def blotted(text: str, secrets: Iterable[str]) -> str:
    """The text without these secrets; the longest go first, since they may hold others."""
    for secret in sorted((s for s in secrets if len(s) >= SHORTEST), key=len, reverse=True):
        text = text.replace(secret, BLOTTED)
    return text
