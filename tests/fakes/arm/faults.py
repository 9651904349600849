"""What goes wrong on demand: rules that are matched against requests, each for so many times."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Fault:
    """What a matching request gets: an answer of `status` with an error, or a connection that ends.

    `drop`: "before" the request is carried out, or "after". `times` counts down; -1 is for ever.
    """

    path: str
    method: str = ""
    status: int = 0
    code: str = ""
    message: str = "it was asked to fail"
    headers: dict[str, str] = field(default_factory=dict)
    drop: str = ""
    times: int = 1
    hits: int = 0

    def matches(self, method: str, path: str) -> bool:
        """Whether it is for this request."""
        return self.times != 0 and self.method in ("", method) and re.search(self.path, path, re.I) is not None


@dataclass
class Failure:
    """How a long-running operation on a resource ends: not well."""

    path: str
    code: str
    message: str
    times: int = 1


class Faults:
    """All rules; the first that matches counts."""

    def __init__(self) -> None:
        self.rules: list[Fault] = []
        self.failures: list[Failure] = []
        self.expired = False
        self._lock = threading.Lock()

    def add(self, path: str, **rule: Any) -> Fault:
        """One more rule."""
        self.rules.append(Fault(path, **rule))
        return self.rules[-1]

    def fail(self, path: str, code: str, message: str, times: int = 1) -> None:
        """Let the next operation on what matches end with an error."""
        self.failures.append(Failure(path, code, message, times))

    def take(self, method: str, path: str) -> Fault | None:
        """The rule for a request, counted."""
        with self._lock:
            for rule in self.rules:
                if rule.matches(method, path):
                    rule.times -= 1
                    rule.hits += 1
                    return rule
        return None

    def failure(self, path: str) -> Failure | None:
        """The end of an operation on a resource, counted."""
        with self._lock:
            for failure in self.failures:
                if failure.times != 0 and re.search(failure.path, path, re.I):
                    failure.times -= 1
                    return failure
        return None
