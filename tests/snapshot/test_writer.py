from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract.resource import Resource
from engine.contract.value import Deferred, Output, Secret, Unknown
from engine.expand.constant import constant
from engine.expand.placeholders import CLOSER, OPENER, Placeholders, told_by
from engine.expand.writer import Writer
from engine.parse.arm import parse_expression

SITE = Resource("d/site", "Ns/sites", "2020-01-01", "s", "/x/providers/Ns/sites/s", {})


def writer(placeholders: Placeholders | None = None) -> Writer:
    return Writer(placeholders or Placeholders(), {"d/site": SITE})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Output("d/site", ("properties", "a", 0)), "reference('/x/providers/Ns/sites/s', '2020-01-01').a[0]"),
        (Output("d/site", ("properties",)), "reference('/x/providers/Ns/sites/s', '2020-01-01')"),
        (Output("d/site", ("kind",)), "reference('/x/providers/Ns/sites/s', '2020-01-01', 'full').kind"),
        (Output("d/site", ()), "reference('/x/providers/Ns/sites/s', '2020-01-01', 'full')"),
        (Output("d/site", ("listKeys()", "k")), "listKeys('/x/providers/Ns/sites/s', '2020-01-01').k"),
        (Output("d/gone", ("properties", "a b")), "reference('d/gone')['a b']"),
        (told_by("subscription()", "id"), "subscription().id"),
        (Deferred("[]", (told_by("deployer()"), "x")), "deployer().x"),
        (Deferred("[]", ([1], told_by("f()"))), "createArray(1)[f()]"),
        (Deferred("[secret]", ("hush", "p")), "parameters('p')"),
        (Deferred("[secret]", (told_by("f()"), "p")), "f()"),
        (Secret("p", "00"), "parameters('p')"),
        (Deferred("if", (told_by("f()"), {"it's": None}, [True, 1.5])),
         "if(f(), createObject('it''s', null()), createArray(true(), json('1.5')))"),
        (Deferred("lambda", ("x#0", Deferred("lambdaVariables", ("x#0",)))), "lambda('x', lambdaVariables('x'))"),
        (Unknown(), "null()"),
    ],
)  # fmt: skip
def test_a_value_is_written_as_a_template_would_say_it(value, text):
    assert writer().expression_text(value) == text
    parse_expression(text)


def test_only_what_is_open_becomes_an_expression():
    value = {"a": [told_by("f()"), "[x]", "[x", 1, None], "b": {"c": True}}
    assert writer().json(value) == {"a": ["[f()]", "[[x]", "[x", 1, None], "b": {"c": True}}


def test_an_open_text_is_a_format_of_what_it_stands_for():
    open = Placeholders()
    text = open.text(Deferred("format", ("{0}-{1}-{0}", told_by("f()"), 2)))
    assert text == open.text(Deferred("format", ("{0}-2-{0}", told_by("f()")))), "equal ids stay equal"
    assert writer(open).json(f"a{{}}'{text}") == "[format('a{{}}''{0}-2-{1}', f(), f())]"
    assert writer(open).json(open.keep(told_by("f()"))) == "[f()]"
    odd = open.text(Deferred("format", ("{0:N}", told_by("f()"))))
    assert writer(open).json(odd) == "[format('{0:N}', f())]"


def test_a_text_that_looks_like_a_placeholder_is_a_text():
    odd = f"{OPENER}7{CLOSER}"
    assert writer().json(odd) == odd and writer().json(f"[{odd}]") == f"[[{odd}]"


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**31), 2**31 - 1) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc[]'{}", min_size=1), inner, max_size=3),
    max_leaves=8,
)


@given(PLAIN)
def test_what_is_written_evaluates_to_the_value(value):
    assert constant(writer().expression_text(value)) == value
