"""The 64-bit hash that ARM uses for `uniqueString` and for a template's hash: a two-lane variant of Murmur3."""

from __future__ import annotations

from struct import unpack_from

_WORD = 0xFFFFFFFF
_ONE, _TWO = 0x239B961B, 0xAB0E9789
_DIGITS = "abcdefghijklmnopqrstuvwxyz234567"


def murmur64(data: bytes, seed: int = 0) -> int:
    """The hash of some bytes, 0 to 2**64-1."""
    word, one, two = _WORD, _ONE, _TWO
    first = second = seed
    whole = len(data) // 8
    for low, high in zip(*[iter(unpack_from(f"<{whole * 2}I", data))] * 2, strict=True):
        k = low * one & word
        first ^= (k << 15 | k >> 17) * two & word
        first = ((first << 19 | first >> 13) + second) * 5 + 0x561CCD1B & word
        k = high * two & word
        second ^= (k << 17 | k >> 15) * one & word
        second = ((second << 13 | second >> 19) + first) * 5 + 0x0BCAA747 & word
    tail = data[whole * 8 :]
    if tail:
        first ^= _rotated(int.from_bytes(tail[:4], "little") * one & word, 15) * two & word
    if len(tail) > 4:
        second ^= _rotated(int.from_bytes(tail[4:], "little") * two & word, 17) * one & word
    second ^= len(data)
    first = (first ^ len(data)) + second & word
    second = second + first & word
    first, second = _mixed(first), _mixed(second)
    first = first + second & word
    return (second + first & word) << 32 | first


def unique_string(*parts: str) -> str:
    """ARM's `uniqueString`: 13 base-32 digits of the hash of the parts joined by hyphens."""
    left = murmur64("-".join(parts).encode())
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
