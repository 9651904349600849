"""What an operator holds in its hands during a call; what it was shown of secrets does not come back with its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.apply.effects import ProviderBug
from engine.contract.errors import OperatorError, Terminal
from engine.contract.operator import Observed
from engine.contract.value import Secret, Value, Vault

MASK = "•••"
_SHORTEST = 4
"""Shorter secrets are not looked for in texts: they would be found everywhere."""


class EngineCall:
    """A `contract.operator.Call`: one for each call, so that it knows what was revealed in it."""

    __slots__ = ("_revealed", "_stopping", "_vault", "fence")

    def __init__(self, fence: int, vault: Vault | None, stopping: Callable[[], bool]) -> None:
        self.fence = fence
        self._vault = vault
        self._stopping = stopping
        self._revealed: dict[str, Secret] = {}

    def reveal(self, secret: Secret) -> Value:
        """See `Call`."""
        try:
            value = None if self._vault is None else self._vault.open(secret)
        except KeyError:
            value = None
        if value is None:
            reason = f"The value of the secret '{secret.name}' is not known in this run"
            raise Terminal(reason, "Deploy again with the parameter that holds it.")
        for text in _texts(value):
            self._revealed[text] = secret
        return value

    def seal(self, value: Value, name: str) -> Secret:
        """See `Call`."""
        assert self._vault is not None, "an engine whose operators seal has a vault"
        secret = self._vault.seal(value, name)
        for text in _texts(value):
            self._revealed.setdefault(text, secret)
        return secret

    def stopping(self) -> bool:
        """See `Call`."""
        return self._stopping()

    # ---------------------------------------------------------------- the way back

    def clean(self, observed: Observed | None) -> Observed | None:
        """An answer with every secret that was revealed for it put back into its place."""
        if not self._revealed or not isinstance(observed, Observed):
            return observed
        return observed.replace(
            properties=self._hide(observed.properties),
            outputs=self._hide(observed.outputs),
            message=self.mask(observed.message),
        )

    def cleaned(self, error: BaseException) -> BaseException:
        """An error with every secret that was revealed masked in its words."""
        if not self._revealed:
            return error
        if isinstance(error, OperatorError):
            error.reason, error.help = self.mask(error.reason), self.mask(error.help)
            error.args = (error.reason,)
            return error
        # in the words of the class only: the error itself holds the secret
        return ProviderBug.saying(self.mask(f"{type(error).__name__}: {error}"))

    def mask(self, text: str) -> str:
        """A text with the secrets in it masked."""
        for secret in self._revealed:
            if len(secret) >= _SHORTEST:
                text = text.replace(secret, MASK)
        return text

    def _hide(self, value: Value) -> Any:
        if isinstance(value, str):
            found = self._revealed.get(value)
            return found if found is not None else self.mask(value)
        if isinstance(value, Mapping):
            return {k: self._hide(v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self._hide(v) for v in value]
        return value


def _texts(value: Value) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, Mapping):
        return [t for v in value.values() for t in _texts(v)]
    if isinstance(value, list | tuple):
        return [t for v in value for t in _texts(v)]
    return []
