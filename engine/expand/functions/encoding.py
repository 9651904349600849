"""Base64, data URIs and percent encoding."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.conversions import read_json
from engine.expand.functions.signature import ANY, STRING, EvaluationError, Library
from engine.expand.functions.text import as_text

LIBRARY = Library()


@LIBRARY.declare("base64", STRING)
def base64(text: str) -> str:
    """UTF-8, in base64."""
    from binascii import b2a_base64

    return b2a_base64(text.encode("utf-8", "replace"), newline=False).decode()


@LIBRARY.declare("base64ToString", STRING)
def base64_to_string(text: str) -> str:
    """The text that base64() encoded."""
    return _decode("base64ToString", text)


@LIBRARY.declare("base64ToJson", STRING)
def base64_to_json(text: str) -> Value:
    """The value whose JSON text base64() encoded."""
    return read_json("base64ToJson", _decode("base64ToJson", text))


@LIBRARY.declare("dataUri", ANY)
def data_uri(value: Value) -> str:
    """A `data:` URI of a text."""
    kind = "text/plain" if type(value) is str else "application/json"
    return f"data:{kind};charset=utf8;base64,{base64(as_text(value))}"


@LIBRARY.declare("dataUriToString", STRING)
def data_uri_to_string(uri: str) -> str:
    """The text in a `data:` URI."""
    head, comma, data = uri.partition(",")
    if not comma or not head.lower().startswith("data:"):
        raise EvaluationError("Argument 1 of dataUriToString() is no data URI")
    if head.lower().endswith(";base64"):
        return _decode("dataUriToString", data)
    from urllib.parse import unquote

    return unquote(data)


def _decode(function: str, text: str) -> str:
    from binascii import Error, a2b_base64

    try:
        return a2b_base64(text, strict_mode=True).decode()
    except (Error, ValueError):
        raise EvaluationError(f"Argument 1 of {function}() is not UTF-8 text in base64") from None


@LIBRARY.declare("uriComponent", STRING)
def uri_component(text: str) -> str:
    """Percent-encoded, all but letters, digits and `-._~`."""
    from urllib.parse import quote

    return quote(text, safe="", errors="replace")


@LIBRARY.declare("uriComponentToString", STRING)
def uri_component_to_string(text: str) -> str:
    """The text that uriComponent() encoded."""
    from urllib.parse import unquote

    return unquote(text)
