"""Dates and times; text in, text out, all of it in UTC unless the text says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.expand.functions.signature import INT, STRING, EvaluationError, Library

if TYPE_CHECKING:
    from datetime import datetime

LIBRARY = Library()
_LAYOUTS = (
    "%m/%d/%Y %I:%M:%S %p",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d",
    "%a, %d %b %Y %H:%M:%S GMT",
)


def read_time(function: str, text: str) -> datetime:
    """The moment a text names: ISO 8601 above all, with or without punctuation."""
    from datetime import UTC, datetime

    plain = text.strip()
    try:
        moment = datetime.fromisoformat(plain.replace(" Z", "Z"))
    except ValueError:
        for layout in _LAYOUTS:
            try:
                moment = datetime.strptime(plain, layout)
                break
            except ValueError:
                continue
        else:
            raise EvaluationError(f"{function}() cannot read '{text}' as a date and time") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


@LIBRARY.declare("dateTimeAdd", STRING, STRING, STRING, least=2)
def date_time_add(base: str, duration: str, pattern: str = "") -> str:
    """A moment later, or earlier for a negative duration."""
    from datetime import timedelta

    from engine.expand.functions.calendar import print_time
    from engine.expand.functions.duration import microseconds

    try:
        moment = read_time("dateTimeAdd", base) + timedelta(microseconds=microseconds(duration))
    except OverflowError:
        raise EvaluationError("dateTimeAdd() leaves the years 1 to 9999") from None
    return print_time(moment, pattern or "yyyy-MM-ddTHH:mm:ssK")


@LIBRARY.declare("dateTimeToEpoch", STRING)
def date_time_to_epoch(text: str) -> int:
    """Seconds since 1970-01-01T00:00:00Z."""
    from datetime import UTC, datetime

    return (read_time("dateTimeToEpoch", text) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds().__floor__()


@LIBRARY.declare("dateTimeFromEpoch", INT)
def date_time_from_epoch(seconds: int) -> str:
    """The moment so many seconds after 1970-01-01T00:00:00Z."""
    from datetime import UTC, datetime, timedelta

    from engine.expand.functions.calendar import print_time

    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    except OverflowError:
        raise EvaluationError("dateTimeFromEpoch() leaves the years 1 to 9999") from None
    return print_time(moment, "yyyy-MM-ddTHH:mm:ssK")
