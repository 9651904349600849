"""Functions over text; those that also take arrays (concat, take, contains …) stand in arrays.py."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.signature import ANY, ARRAY, INT, STRING, EvaluationError, Knowing, Library
from engine.expand.functions.text import as_text

LIBRARY = Library()


@LIBRARY.declare("format", STRING, rest=ANY, least=1)
def format_(template: str, *arguments: Value) -> str:
    """`{0}`, `{1:D4}`, `{0,8}` as .NET's composite formatting has them."""
    pieces = _simple(template, arguments)
    if pieces is not None:
        return pieces
    from engine.expand.functions.dotnet import compose

    return compose(template, arguments)


def _simple(template: str, arguments: tuple[Value, ...]) -> str | None:
    """The result where every hole is a bare number and no brace is escaped, else None: what string interpolation makes."""
    head, *holes = template.split("{")
    text = [head]
    if "}" in head:
        return None
    for hole in holes:
        number, closed, rest = hole.partition("}")
        if not closed or not number.isdecimal() or int(number) >= len(arguments) or "}" in rest:
            return None
        text.append(as_text(arguments[int(number)]))
        text.append(rest)
    return "".join(text)


@LIBRARY.declare("toLower", STRING)
def to_lower(text: str) -> str:
    """Lower case."""
    return text.lower()


@LIBRARY.declare("toUpper", STRING)
def to_upper(text: str) -> str:
    """Upper case."""
    if text.isascii():
        return text.upper()
    return "".join(
        upper if len(upper := letter.upper()) == 1 else letter for letter in text
    )  # letter by letter, as .NET


@LIBRARY.declare("trim", STRING)
def trim(text: str) -> str:
    """Without white space at both ends."""
    return text.strip()


@LIBRARY.declare("replace", STRING, STRING, STRING)
def replace(text: str, old: str, new: str) -> str:
    """Every occurrence of a text replaced; case counts."""
    if not old:
        raise EvaluationError("Argument 2 of replace() must not be empty")
    return text.replace(old, new)


@LIBRARY.declare("padLeft", STRING | INT, INT, STRING, least=2)
def pad_left(text: str | int, width: int, filler: str = " ") -> str:
    """Filled up on the left to a width."""
    if len(filler) != 1:
        raise EvaluationError("Argument 3 of padLeft() must be a single character")
    if not 0 <= width <= 131072:
        raise EvaluationError("Argument 2 of padLeft() must lie between 0 and 131072")
    return str(text).rjust(width, filler)


@LIBRARY.declare("substring", STRING, INT, INT, least=2)
def substring(text: str, start: int, length: int | None = None) -> str:
    """So many characters from a start, or all from there."""
    if not 0 <= start <= len(text):
        raise EvaluationError(f"Argument 2 of substring() is {start}, outside of the text of {len(text)} characters")
    if length is None:
        return text[start:]
    if length < 0 or start + length > len(text):
        raise EvaluationError(
            f"Argument 3 of substring() is {length}, but {len(text) - start} characters are left from {start}"
        )
    return text[start : start + length]


@LIBRARY.declare("split", STRING, STRING | ARRAY)
def split(text: str, delimiters: str | list[Value]) -> list[Value]:
    """The pieces between a delimiter, or between any of several; empty pieces stay."""
    marks = [delimiters] if type(delimiters) is str else delimiters
    if not all(type(m) is str for m in marks):
        raise EvaluationError("Argument 2 of split() must hold strings only")
    used = [m for m in marks if m]
    if not used:
        return [text]
    if len(used) == 1:
        return list(text.split(str(used[0])))
    import re

    return list(re.split("|".join(re.escape(str(m)) for m in sorted(used, key=lambda m: -len(str(m)))), text))


@LIBRARY.declare("join", ARRAY, STRING)
def join(items: list[Value], delimiter: str) -> str:
    """The items as text, with a delimiter between them."""
    return delimiter.join(as_text(i) for i in items)


@LIBRARY.declare("startsWith", STRING, STRING)
def starts_with(text: str, part: str) -> bool:
    """Whether a text starts with another; case does not count."""
    return text.lower().startswith(part.lower())


@LIBRARY.declare("endsWith", STRING, STRING)
def ends_with(text: str, part: str) -> bool:
    """Whether a text ends with another; case does not count."""
    return text.lower().endswith(part.lower())


@LIBRARY.declare("like", STRING, STRING)
def like(text: str, pattern: str) -> bool:
    """Whether a text matches a pattern, in which `*` stands for any characters and `?` for one; case does not count."""
    text, pattern = text.lower(), pattern.lower()
    at = star = 0
    wild, mark = -1, 0  # where the last `*` was, and how far it has eaten
    while at < len(text):
        if star < len(pattern) and pattern[star] == "*":
            wild, mark = star, at
            star += 1
        elif star < len(pattern) and pattern[star] in ("?", text[at]):
            at, star = at + 1, star + 1
        elif wild >= 0:
            mark += 1
            at, star = mark, wild + 1
        else:
            return False
    return not pattern[star:].strip("*")


@LIBRARY.declare("string", ANY)
def string(value: Value) -> str:
    """The value as text; objects and arrays as compact JSON."""
    return as_text(value)


@LIBRARY.declare("concat", ANY, rest=ANY, least=1, knowing=Knowing.SHAPE)
def concat(*arguments: Value) -> Value:
    """Texts, numbers and booleans joined, or arrays one after the other."""
    if all(type(a) is list for a in arguments):
        return [item for part in arguments for item in part]
    for position, argument in enumerate(arguments):
        if type(argument) not in (str, int, bool):
            raise EvaluationError(
                f"Argument {position + 1} of concat() must be a string, like the others"
                if type(argument) is not list
                else f"Argument {position + 1} of concat() is an array, and others are not"
            )
    return "".join(as_text(a) for a in arguments)
