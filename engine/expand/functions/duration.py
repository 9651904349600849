"""ISO 8601 durations: a year is 365 days and a month 30, as Resource Manager has it."""

from __future__ import annotations

from engine.expand.functions.signature import EvaluationError

_UNITS = (("Y", 31536000), ("M", 2592000), ("W", 604800), ("D", 86400))
_TIMES = (("H", 3600), ("M", 60), ("S", 1))


def microseconds(text: str) -> int:
    """The length of `P1DT2H`, `-PT15M`, `P2W` …"""
    import re

    number = r"(\d{1,9}(?:[.,]\d{1,9})?)"
    dates = "".join(f"(?:{number}{unit})?" for unit, _ in _UNITS)
    times = "".join(f"(?:{number}{unit})?" for unit, _ in _TIMES)
    found = re.fullmatch(rf"(-?)P{dates}(?:(T)(?=\d){times})?", text.strip(), re.ASCII)
    if found is None or len(text.strip().lstrip("-")) < 3:
        raise EvaluationError(f"'{text}' is no ISO 8601 duration, such as 'P1D' or '-PT15M'")
    sign, *parts = found.groups()
    del parts[len(_UNITS)]
    total = 0
    for part, (_, seconds) in zip(parts, (*_UNITS, *_TIMES), strict=True):
        whole, _, fraction = (part or "0").replace(",", ".").partition(".")
        total += int(whole) * seconds * 1_000_000
        total += int((fraction or "0").ljust(9, "0")) * seconds // 1000
    return -total if sign else total
