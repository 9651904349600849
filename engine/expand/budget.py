"""What one expansion may cost: steps of evaluation, and how large a value grows when it is written out."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.signature import EvaluationError

STEPS = 2_000_000
"""Calls that are evaluated; the largest template that Azure takes needs a tenth of it."""

WEIGHT = 2_000_000
"""The parts of one value, those counted that it has several times."""


class Budget:
    """The steps that are left, and the weights of the lists and objects that were weighed."""

    __slots__ = ("_weighed", "steps")

    def __init__(self) -> None:
        self.steps = STEPS
        self._weighed: dict[int, tuple[object, int]] = {}  # the value is kept, so that its identity stays its own

    def exhausted(self) -> EvaluationError:
        """What is said when no steps are left."""
        return EvaluationError(
            f"Evaluating the template takes more than {STEPS:,} steps", "Loop over less, or split the template."
        )

    def weigh(self, value: Value, what: str) -> None:
        """Refuse a value that is small only because it shares its parts: whoever writes it out would not come to an end."""
        if self._weight(value) > WEIGHT:
            message = f"The value of {what} grows to more than {WEIGHT:,} parts"
            raise EvaluationError(message, "Make it of fewer lists in lists.")

    def _weight(self, value: Value) -> int:
        kind = type(value)
        if kind is not list and kind is not dict and kind is not tuple:
            return 1
        known = self._weighed.get(id(value))
        if known is None:
            parts = value.values() if isinstance(value, dict) else value
            weight = 1 + sum(map(self._weight, parts))
            known = self._weighed[id(value)] = (value, weight)
        return known[1]
