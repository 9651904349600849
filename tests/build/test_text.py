"""Text of templates and expressions, hashes, and the order of names."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build.emit.decorators import dedented
from engine.build.emit.dependencies import culture_key
from engine.build.emit.jsonpath import select
from engine.build.emit.text import escape, integer, literal, quote, wrap
from engine.build.emit.unions import printed
from engine.build.emit.yamlcontent import MalformedYaml, parse_yaml
from engine.build.hash import template_hash
from engine.build.render import render_json
from engine.parse.arm import Literal, parse_expression
from engine.template.murmur import murmur64, unique_string

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_json_is_written_as_the_standard_library_would(value: object) -> None:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    for character in "\x85\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    assert render_json(value) == text


def test_halves_of_a_character_are_joined() -> None:
    assert render_json("\ud801\udc37") == '"\U00010437"'
    assert render_json("\ud801") == '"\ufffd"'


@given(st.text())
def test_a_quoted_string_reads_back(value: str) -> None:
    assert parse_expression(quote(value)) == Literal(value)


@given(st.text())
def test_a_string_that_is_an_expression_becomes_the_string(value: str) -> None:
    assert wrap(quote(value)) == escape(value)


@given(JSON)
def test_every_value_has_an_expression(value: object) -> None:
    parse_expression(literal(value))


def test_numbers_beyond_32_bits_are_read_from_json() -> None:
    assert [integer(n) for n in (2**31 - 1, -(2**31), 2**31)] == ["2147483647", "-2147483648", "json('2147483648')"]
    assert literal(0.5) == "json('0.5')"


def test_names_sort_as_people_sort() -> None:
    names = ["b", "B2", "a1", "_z", "A", "a", "a_b", "ab", "aB", "a::b", "z"]
    assert sorted(reversed(names), key=culture_key) == ["_z", "a", "A", "a_b", "a::b", "a1", "ab", "aB", "b", "B2", "z"]


def test_unique_strings_are_those_of_arm() -> None:
    assert unique_string("snap", "crackle", "pop") == "byghxckddilkc"


@pytest.mark.parametrize("length", [0, 1, 4, 5, 7, 8, 9, 15, 8191, 8192, 8200, 20003])
def test_the_hash_does_not_depend_on_how_the_data_is_cut(length: int) -> None:
    data = bytes(i * 7 % 256 for i in range(length))
    assert murmur64(data) == plain_murmur64(data)


def plain_murmur64(data: bytes) -> int:
    """The same hash, word by word."""
    word, one, two = 0xFFFFFFFF, 0x239B961B, 0xAB0E9789

    def rotated(x: int, by: int) -> int:
        return (x << by | x >> 32 - by) & word

    def mixed(x: int) -> int:
        for factor, shift in ((0x85EBCA6B, 16), (0xC2B2AE35, 13)):
            x = (x ^ x >> shift) * factor & word
        return x ^ x >> 16

    first = second = at = 0
    while len(data) - at > 0:
        block = data[at : at + 8]
        first ^= rotated(int.from_bytes(block[:4], "little") * one & word, 15) * two & word
        if len(block) == 8:
            first = (rotated(first, 19) + second) * 5 + 0x561CCD1B & word
        if len(block) > 4:
            second ^= rotated(int.from_bytes(block[4:], "little") * two & word, 17) * one & word
        if len(block) == 8:
            second = (rotated(second, 13) + first) * 5 + 0x0BCAA747 & word
        at += 8
    first, second = first ^ len(data), second ^ len(data)
    first = first + second & word
    second = second + first & word
    first, second = mixed(first), mixed(second)
    first = first + second & word
    return (second + first & word) << 32 | first


def test_the_hash_of_the_empty_template_is_that_of_the_reference_compiler() -> None:
    document = {
        "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
        "contentVersion": "1.0.0.0",
        "metadata": {"_generator": {"name": "bicep", "version": "dev"}},
        "resources": [],
    }
    assert template_hash(document) == "12740863314443779634"
    assert template_hash(dict(reversed(document.items()))) == template_hash(document)


def test_literals_print_as_the_language_writes_them() -> None:
    values = ["it's", "a\n${b}", 1, True, None, {"a": 1, "b": "x"}, ["a", 2]]
    assert [printed(v) for v in values] == [
        "'it\\'s'", "'a\\n\\${b}'", "1", "true", "null", "{ a: 1, b: 'x' }", "['a', 2]",
    ]  # fmt: skip


def test_common_indentation_is_taken_off() -> None:
    assert dedented("  a\n    b\n\n  c\n") == "a\n  b\n\nc\n"
    assert dedented("a\n  b") == "a\n  b"


DATA = {"a": {"b": [1, 2, {"c": "x"}]}, "c": "y", "d e": 0}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$", [DATA]),
        (".a.b[0]", [1]),
        ("a.b[-1].c", ["x"]),
        ("$.a.b[*]", [1, 2, {"c": "x"}]),
        ("$.a.b[0:2]", [1, 2]),
        ("$..c", ["y", "x"]),
        ("$['d e']", [0]),
        ("$.a.b[?(@.c == 'x')].c", ["x"]),
        ("$.a.b[?(@.c)]", [{"c": "x"}]),
        ("$.a.b[?(@.c > 1)]", []),
        ("$.a.none", []),
        ("$.a.b[9]", []),
        ("$.a!", []),
    ],
)
def test_a_path_selects(path: str, expected: list[object]) -> None:
    assert select(DATA, path) == expected


def test_yaml_is_read_as_json_would_be_meant() -> None:
    text = "a: yes\nb: true\nc: 2020-01-01\nd: 1.5\ne: 0x1F\nf: null\ng: [1, '2']\n1: ~\n"
    assert parse_yaml(text) == {
        "a": "yes",
        "b": True,
        "c": "2020-01-01",
        "d": 1.5,
        "e": 31,
        "f": None,
        "g": [1, "2"],
        "1": None,
    }


@pytest.mark.parametrize("text", ["a: [", "&a [*a]", "!!set {a}", "{a: 1}: b", "!!python/object:x {}", "a: b: c"])
def test_what_is_no_json_in_yaml_is_refused(text: str) -> None:
    with pytest.raises(MalformedYaml):
        parse_yaml(text)
