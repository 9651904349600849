"""What is computed when first asked for, kept, and refused when it rests on itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from engine.expand.functions.signature import EvaluationError

T = TypeVar("T")


class Waiting(Exception):
    """The shape of the graph rests on what only run time knows: the outputs of `needs`."""

    def __init__(self, needs: frozenset[str]) -> None:
        super().__init__(needs)
        self.needs = needs


class Once:
    """A table of results, failures included, and the chain of what is being computed."""

    __slots__ = ("_busy", "_failed", "_made")

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._failed: dict[Hashable, EvaluationError | Waiting] = {}
        self._busy: dict[Hashable, tuple[str, object]] = {}

    def get(self, key: Hashable, label: tuple[str, object], compute: Callable[[], T]) -> T:
        """The result for a key; `label` names it in the path of a cycle: a noun, and what has a `label` or is a name."""
        if key in self._made:
            made: T = self._made[key]
            return made
        if key in self._failed:
            raise self._failed[key].with_traceback(None)
        if key in self._busy:
            keys = [*self._busy]
            path = [_shown(self._busy[k]) for k in keys[keys.index(key) :]]
            error = EvaluationError(f"A cycle: {' → '.join([*path, path[0]])}")
            error.cycle = True
            raise error
        self._busy[key] = label
        try:
            result = self._made[key] = compute()
        except (EvaluationError, Waiting) as failure:
            self._failed[key] = failure
            raise
        finally:
            del self._busy[key]
        return result

    def is_busy(self, key: Hashable) -> bool:
        """Whether the key is being computed right now."""
        return key in self._busy


def _shown(label: tuple[str, object]) -> str:
    noun, of = label
    return f"{noun} '{getattr(of, 'label', of)}'"
