"""ARM expressions: text to tree, and what is said about text that is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.parse.arm import MAX_DEPTH, Call, Expression, ExpressionError, Index, Literal, Member, parse_expression


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("'a''b'", Literal("a'b")),
        ("''", Literal("")),
        ("-12", Literal(-12)),
        ("1.5e3", Literal(1500.0)),
        (" true ( ) ", Call("true", ())),
        ("f(1, 'x')", Call("f", (Literal(1), Literal("x")))),
        ("__bicep.area(1)", Call("__bicep.area", (Literal(1),))),
        ("a.b.c()", Call("a.b.c", ())),
        ("f().p.q", Member(Member(Call("f", ()), "p"), "q")),
        ("f()['p'][0]", Index(Index(Call("f", ()), Literal("p")), Literal(0))),
        ("(f())", Call("f", ())),
        ("concat(\n  'a',\r\n\t'b'\n)", Call("concat", (Literal("a"), Literal("b")))),
    ],
)
def test_text_becomes_a_tree(text: str, tree: Expression) -> None:
    assert parse_expression(text) == tree


@pytest.mark.parametrize(
    ("text", "message", "offset"),
    [
        ("", "The expression is empty", 0),
        ("f(", "The expression ends too early", 2),
        ("f(1 2)", "Unexpected '2'", 4),
        ("f(,)", "Unexpected ','", 2),
        ("f('x", "A string that is never closed", 2),
        ("f() # 1", "The character '#' has no meaning", 4),
        ("f()\0", "The character '\\x00' has no meaning", 3),
        ("f() g()", "Unexpected 'g'", 4),
    ],
)
def test_what_is_no_expression_is_refused_with_its_place(text: str, message: str, offset: int) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text)
    assert (caught.value.message, caught.value.offset) == (message, offset)


@pytest.mark.parametrize("text", ["f(" * 5000 + ")" * 5000, "f()" + ".a" * 5000, "f()" + "[0]" * 5000, "(" * 5000])
def test_depth_is_refused_and_not_a_crash(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse_expression(text)


def test_the_deepest_legal_expression_is_read() -> None:
    levels = MAX_DEPTH - 2
    assert parse_expression("f(" * levels + "1" + ")" * levels)


@given(st.lists(st.sampled_from(["f", "(", ")", "[", "]", ".", ",", "'a'", "1", "-", " ", "'", "é", "\n"])))
def test_token_soup_gives_a_tree_or_a_refusal(pieces: list[str]) -> None:
    try:
        parse_expression("".join(pieces))
    except ExpressionError as error:
        assert 0 <= error.offset <= len("".join(pieces))
