"""Amounts as a template writes them: CPU, memory, durations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.contract.app import Resources
from engine.contract.value import Value

_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)")


def seconds(duration: str) -> float:
    """The seconds of a duration such as `1m30s`; the schema has seen to its form."""
    return round(sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(duration)), 9)


def cores(cpu: Value) -> float | None:
    """The cores of `'0.5'`, `'500m'` or `2`."""
    if isinstance(cpu, str):
        return float(cpu[:-1]) / 1000 if cpu.endswith("m") else float(cpu)
    return None if cpu is None else float(cpu)


def resources_of(block: Mapping[str, Any] | None) -> Resources:
    """What a container asks for, and may use at most."""
    asked, most = ((block or {}).get(k) or {} for k in ("requests", "limits"))
    return Resources(cores(asked.get("cpu")), asked.get("memoryInMib"), cores(most.get("cpu")), most.get("memoryInMib"))
