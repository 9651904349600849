"""A moment as text, by .NET's standard and custom date patterns, in the invariant culture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.expand.functions.signature import EvaluationError

if TYPE_CHECKING:
    from datetime import datetime

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_STANDARD = {
    "d": "MM/dd/yyyy",
    "D": "dddd, dd MMMM yyyy",
    "f": "dddd, dd MMMM yyyy HH:mm",
    "F": "dddd, dd MMMM yyyy HH:mm:ss",
    "g": "MM/dd/yyyy HH:mm",
    "G": "MM/dd/yyyy HH:mm:ss",
    "m": "MMMM dd",
    "M": "MMMM dd",
    "o": "yyyy-MM-ddTHH:mm:ss.fffffffK",
    "O": "yyyy-MM-ddTHH:mm:ss.fffffffK",
    "r": "ddd, dd MMM yyyy HH:mm:ss 'GMT'",
    "R": "ddd, dd MMM yyyy HH:mm:ss 'GMT'",
    "s": "yyyy-MM-ddTHH:mm:ss",
    "t": "HH:mm",
    "T": "HH:mm:ss",
    "u": "yyyy-MM-dd HH:mm:ss'Z'",
    "U": "dddd, dd MMMM yyyy HH:mm:ss",
    "y": "yyyy MMMM",
    "Y": "yyyy MMMM",
}
_UNIVERSAL = frozenset("rRuU")


def print_time(moment: datetime, pattern: str) -> str:
    """The moment by a pattern: `u`, `yyyyMMddTHHmmssZ`, `dddd, d MMM yyyy` …"""
    if len(pattern) == 1:
        if pattern not in _STANDARD:
            raise EvaluationError(f"'{pattern}' is no date pattern")
        if pattern in _UNIVERSAL:
            from datetime import UTC

            moment = moment.astimezone(UTC)
        pattern = _STANDARD[pattern]
    out: list[str] = []
    at = 0
    while at < len(pattern):
        letter = pattern[at]
        if letter in "'\"":
            end = pattern.find(letter, at + 1)
            if end < 0:
                raise EvaluationError(f"The date pattern {pattern!r} has a quote that is never closed")
            out.append(pattern[at + 1 : end])
            at = end + 1
        elif letter == "\\":
            out.append(pattern[at + 1 : at + 2])
            at += 2
        elif letter == "%":
            at += 1
        else:
            run = at
            while run < len(pattern) and pattern[run] == letter:
                run += 1
            out.append(_field(moment, letter, run - at))
            at = run
    return "".join(out)


def _field(moment: datetime, letter: str, count: int) -> str:
    match letter:
        case "y":
            return str(moment.year % 100 if count <= 2 else moment.year).zfill(count)
        case "M" | "d" if count >= 3:
            name = _MONTHS[moment.month - 1] if letter == "M" else _DAYS[moment.weekday()]
            return name[:3] if count == 3 else name
        case "M":
            return str(moment.month).zfill(count)
        case "d":
            return str(moment.day).zfill(count)
        case "H":
            return str(moment.hour).zfill(min(count, 2))
        case "h":
            return str(moment.hour % 12 or 12).zfill(min(count, 2))
        case "m":
            return str(moment.minute).zfill(min(count, 2))
        case "s":
            return str(moment.second).zfill(min(count, 2))
        case "f" | "F":
            digits = f"{moment.microsecond:06}0"[:count]
            return digits if letter == "f" else digits.rstrip("0")
        case "t":
            return ("AM" if moment.hour < 12 else "PM")[: min(count, 2)]
        case "z" | "K":
            return _offset(moment, letter, count)
        case "g":
            return "A.D."
        case _:
            return letter * count


def _offset(moment: datetime, letter: str, count: int) -> str:
    delta = moment.utcoffset()
    minutes = int(delta.total_seconds() // 60) if delta else 0
    if letter == "K" and not minutes:
        return "Z" * count
    sign, minutes = ("-" if minutes < 0 else "+"), abs(minutes)
    if letter == "z" and count < 3:
        return sign + str(minutes // 60).zfill(count)
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}"
