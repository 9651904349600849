"""The 64-bit hash that ARM uses for `uniqueString` and for a template's hash: a two-lane variant of Murmur3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sys import byteorder

_WORD = 0xFFFFFFFF
_ONE, _TWO = 0x239B961B, 0xAB0E9789
_AT_ONCE = 1024
_DIGITS = "abcdefghijklmnopqrstuvwxyz234567"


def murmur64(data: bytes, seed: int = 0) -> int:
    """The hash of some bytes, 0 to 2**64-1."""
    word = _WORD
    first = second = seed
    whole = len(data) // 8
    for one, two in _mixed_lanes(data, whole):
        first ^= one
        first = ((first << 19 | first >> 13) + second) * 5 + 0x561CCD1B & word
        second ^= two
        second = ((second << 13 | second >> 19) + first) * 5 + 0x0BCAA747 & word
    tail = data[whole * 8 :]
    if tail:
        first ^= _rotated(int.from_bytes(tail[:4], "little") * _ONE & word, 15) * _TWO & word
    if len(tail) > 4:
        second ^= _rotated(int.from_bytes(tail[4:], "little") * _TWO & word, 17) * _ONE & word
    second ^= len(data)
    first = (first ^ len(data)) + second & word
    second = second + first & word
    first, second = _mixed(first), _mixed(second)
    first = first + second & word
    return (second + first & word) << 32 | first


def _mixed_lanes(data: bytes, whole: int) -> Iterator[tuple[int, int]]:
    """The words of both lanes, scrambled as far as they can be without the state.

    That much is done on thousands of words at once: as one long integer with 64 bits for each.
    """
    for start in range(0, whole, _AT_ONCE):
        count = min(_AT_ONCE, whole - start)
        words = int.from_bytes(data[start * 8 : (start + count) * 8], "little")
        mask = int.from_bytes(b"\xff\xff\xff\xff\0\0\0\0" * count, "little")
        one = (words & mask) * _ONE & mask
        one = ((one << 15 | one >> 17) & mask) * _TWO & mask
        two = (words >> 32 & mask) * _TWO & mask
        two = ((two << 17 | two >> 15) & mask) * _ONE & mask
        yield from zip(_words(one, count), _words(two, count), strict=True)


def _words(number: int, count: int) -> Sequence[int]:
    """The words of 64 bits that make up a number, the lowest first."""
    words = memoryview(number.to_bytes(count * 8, byteorder)).cast("Q")
    return words if byteorder == "little" else words[::-1]


def unique_string(*parts: str) -> str:
    """ARM's `uniqueString`: 13 base-32 digits of the hash of the parts joined by hyphens."""
    left = murmur64("-".join(parts).encode("utf-8", "replace"))
    digits = ""
    for _ in range(13):
        digits += _DIGITS[left >> 59]
        left = left << 5 & 0xFFFFFFFFFFFFFFFF
    return digits


def _rotated(x: int, by: int) -> int:
    return x << by & _WORD | x >> 32 - by


def _mixed(x: int) -> int:
    x = (x ^ x >> 16) * 0x85EBCA6B & _WORD
    x = (x ^ x >> 13) * 0xC2B2AE35 & _WORD
    return x ^ x >> 16
