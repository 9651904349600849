"""JSON without spaces, as `json` writes it, without what comes along with `json`: regular expressions and enumerations."""

from __future__ import annotations

from _json import encode_basestring, make_encoder

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any, NoReturn


def compact(value: Any) -> str:
    """The text of a value; characters beyond ASCII stand as they are. What is no JSON raises `TypeError`."""
    return "".join(_parts(value, 0))


def _foreign(value: object) -> NoReturn:
    raise TypeError(f"{type(value).__name__} is no JSON")


_parts = make_encoder(None, _foreign, encode_basestring, None, ":", ",", False, False, True)
