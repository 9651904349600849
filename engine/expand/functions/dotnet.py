"""Composite formatting as .NET does it, in the invariant culture: `{0}`, `{0,-8}`, `{0:D4}`, `{0:N2}`, `{0:#,##0.0}`."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.signature import EvaluationError
from engine.expand.functions.text import as_text


def compose(template: str, arguments: tuple[Value, ...]) -> str:
    """The template with its holes filled."""
    out: list[str] = []
    at = 0
    while at < len(template):
        letter = template[at]
        if letter in "{}" and template[at + 1 : at + 2] == letter:
            out.append(letter)
            at += 2
        elif letter == "{":
            end = template.find("}", at)
            if end < 0:
                raise EvaluationError(f"The template of format() has a '{{' at {at} that is never closed")
            out.append(_hole(template[at + 1 : end], arguments))
            at = end + 1
        elif letter == "}":
            raise EvaluationError(f"The template of format() has a '}}' at {at} that closes nothing; write '}}}}'")
        else:
            out.append(letter)
            at += 1
    return "".join(out)


def _hole(text: str, arguments: tuple[Value, ...]) -> str:
    head, _, pattern = text.partition(":")
    number, _, width = head.partition(",")
    if not number.strip().isdecimal():
        raise EvaluationError(f"The template of format() has a hole '{{{text}}}' without a number")
    index = int(number)
    if index >= len(arguments):
        raise EvaluationError(f"The template of format() asks for {{{index}}}, and {len(arguments)} values are given")
    shown = print_value(arguments[index], pattern)
    if not width:
        return shown
    try:
        columns = int(width)
    except ValueError:
        raise EvaluationError(f"The template of format() has a width '{width}' that is no integer") from None
    if abs(columns) > 131072:
        raise EvaluationError("The template of format() has a width above 131072")
    return shown.ljust(-columns) if columns < 0 else shown.rjust(columns)


def print_value(value: Value, pattern: str) -> str:
    """One value by a pattern, which only numbers heed."""
    if not pattern or type(value) not in (int, float):
        return as_text(value)
    letter, digits = pattern[0], pattern[1:]
    if letter.isalpha() and (not digits or (digits.isdecimal() and len(digits) < 3)):
        return _standard(value, letter, int(digits) if digits else None, pattern)
    return _custom(value, pattern)


def _standard(value: int | float, letter: str, digits: int | None, pattern: str) -> str:
    match letter.upper():
        case "D" if type(value) is int:
            return ("-" if value < 0 else "") + str(abs(value)).zfill(digits or 1)
        case "X" if type(value) is int:
            bits = value & (2**32 - 1 if -(2**31) <= value < 0 else 2**64 - 1)
            shown = format(bits, "x" if letter == "x" else "X")
            return shown.zfill(digits or 1)
        case "B" if type(value) is int:
            return format(value & 2**64 - 1, "b").zfill(digits or 1)
        case "N":
            return _fixed(value, 2 if digits is None else digits, group=True)
        case "F":
            return _fixed(value, 2 if digits is None else digits)
        case "C":
            amount = _fixed(abs(value), 2 if digits is None else digits, group=True)
            return f"(¤{amount})" if value < 0 else f"¤{amount}"
        case "P":
            return f"{_fixed(value * 100, 2 if digits is None else digits, group=True)} %"
        case "E":
            mantissa, _, exponent = f"{value:.{6 if digits is None else digits}e}".partition("e")
            return f"{mantissa}{letter}{exponent[0]}{exponent[1:].zfill(3)}"
        case "G" | "R":
            if not digits or (type(value) is int and len(str(abs(value))) <= digits):
                return as_text(value)
            return f"{value:.{digits}g}".replace("e", "E" if letter == "G" else "e")
        case _:
            raise EvaluationError(
                f"format() cannot print {'an integer' if type(value) is int else 'a number'} as '{pattern}'"
            )


def _fixed(value: int | float, digits: int, *, group: bool = False) -> str:
    """Rounded half away from zero, on the decimal digits people see."""
    from decimal import ROUND_HALF_UP, Decimal, localcontext

    with localcontext() as context:
        context.prec = 500
        rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    if rounded == 0:
        rounded = abs(rounded)
    return f"{rounded:,f}" if group else f"{rounded:f}"


def _custom(value: int | float, pattern: str) -> str:
    """`0`, `#`, `.`, `,`, `%`, quoted text and `;` for negative and zero."""
    sections = pattern.split(";")
    if value < 0 and len(sections) > 1 and sections[1]:
        value, pattern = -value, sections[1]
    elif value == 0 and len(sections) > 2:
        pattern = sections[2]
    else:
        pattern = sections[0]
    tokens = _tokens(pattern)
    marks = "".join(text for text, literal in tokens if not literal)
    if "%" in marks:
        value = value * 100
    whole, _, fraction = marks.partition(".")
    most, least = sum(fraction.count(c) for c in "0#"), fraction.rfind("0") + 1
    sign = "-" if value < 0 else ""
    digits, _, decimals = _fixed(abs(value), most).partition(".")
    decimals = decimals.rstrip("0").ljust(least, "0")
    wanted = len(whole[whole.find("0") :].replace(",", "").replace("%", "")) if "0" in whole else 0
    digits = digits.lstrip("0").zfill(wanted) if wanted or digits.strip("0") else ""
    if "," in whole.strip(","):
        digits = _grouped(digits)
    return sign + _lay(tokens, digits, decimals)


def _grouped(digits: str) -> str:
    head = len(digits) % 3
    return ",".join(filter(None, [digits[:head], *(digits[i : i + 3] for i in range(head, len(digits), 3))]))


def _tokens(pattern: str) -> list[tuple[str, bool]]:
    """Characters of a custom pattern, each with whether it stands for itself."""
    tokens: list[tuple[str, bool]] = []
    at = 0
    while at < len(pattern):
        letter = pattern[at]
        if letter in "'\"":
            end = pattern.find(letter, at + 1)
            end = len(pattern) if end < 0 else end
            tokens.append((pattern[at + 1 : end], True))
            at = end + 1
        elif letter == "\\":
            tokens.append((pattern[at + 1 : at + 2], True))
            at += 2
        else:
            tokens.append((letter, letter not in "0#.,%"))
            at += 1
    return tokens


def _lay(tokens: list[tuple[str, bool]], digits: str, decimals: str) -> str:
    """Put the digits where the pattern's placeholders are: all whole ones at the first, so literals stay around them."""
    out: list[str] = []
    places = sum(1 for text, literal in tokens[: _point(tokens)] if not literal and text in "0#")
    plain = digits.replace(",", "")
    grouped = "," in digits
    before = True
    for text, literal in tokens:
        if literal or text == "%":
            out.append(text)
        elif text == ".":
            before = False
            out.append("." if decimals else "")
        elif text == ",":
            continue
        elif not before:
            out.append(decimals[:1])
            decimals = decimals[1:]
        elif grouped:
            out.append(digits)
            digits = ""
        else:
            take = max(len(plain) - places + 1, 0)
            out.append(plain[:take])
            plain = plain[take:]
            places -= 1
    return "".join(out)


def _point(tokens: list[tuple[str, bool]]) -> int:
    return next((i for i, (text, literal) in enumerate(tokens) if text == "." and not literal), len(tokens))
