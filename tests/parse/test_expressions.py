"""Expressions and types: what each construct becomes."""

from __future__ import annotations

import pytest

from tests.parse.sketch import kind, value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", "1"),
        ("18446744073709551615", "18446744073709551615"),
        ("true", "True"),
        ("null", "null"),
        ("a", "$a"),
        ("param", "$param"),
        ("for", "$for"),
        ("'it''s'", None),
        (r"'a\n\t\\\'\${b}\u{1F600}'", repr("a\n\t\\'${b}\U0001f600")),
        ("'$ $$ $x'", "'$ $$ $x'"),
        ("''", "''"),
        ("'${a}'", "<'' $a ''>"),
        ("'x${a}y${b}z'", "<'x' $a 'y' $b 'z'>"),
        ("'${a ? '${b}' : '}'}'", "<'' Ternary($a <'' $b ''> '}') ''>"),
        ("'$${a}'", "<'$' $a ''>"),
        ("'''\na'b\\n${c}''''", repr("a'b\\n${c}'")),
        ("''''''", "''"),
        ("'''\r\n\nx'''", r"'\nx'"),
        ("$'''a${b}c'''", "<'a' $b 'c'>"),
        ("$$'''a${b}$${c}$$${d}'''", "<'a${b}' $c '$' $d ''>"),
        ("$'''plain'''", "'plain'"),
        ("$'''a${'b${c}'}'''", "<'a' <'b' $c ''> ''>"),
        ("a + b - c", "Binary(- Binary(+ $a $b) $c)"),
        ("a + b * c", "Binary(+ $a Binary(* $b $c))"),
        ("a || b && c == d", "Binary(|| $a Binary(&& $b Binary(== $c $d)))"),
        ("a < b == c >= d", "Binary(== Binary(< $a $b) Binary(>= $c $d))"),
        ("a =~ b", "Binary(=~ $a $b)"),
        ("a !~ b", "Binary(!~ $a $b)"),
        ("a ?? b ?? c", "Binary(?? Binary(?? $a $b) $c)"),
        ("a / b % c", "Binary(% Binary(/ $a $b) $c)"),
        ("!a.b", "Unary(! Member($a b))"),
        ("-1 + -a", "Binary(+ Unary(- 1) Unary(- $a))"),
        ("a ? b : c ? d : e", "Ternary($a $b Ternary($c $d $e))"),
        ("a\n  ? b // then\n  : c", "Ternary($a $b $c)"),
        ("a.b.c", "Member(Member($a b) c)"),
        ("a.?b", "Member($a b true)"),
        ("a[0]", "Index($a 0)"),
        ("a[?0]", "Index($a 0 true)"),
        ("a[^1]", "Index($a 1 true)"),
        ("a[?^1]", "Index($a 1 true true)"),
        ("a::b::c", "NestedMember(NestedMember($a b) c)"),
        ("a!.b!", "NonNull(Member(NonNull($a) b))"),
        ("a != b", "Binary(!= $a $b)"),
        ("f()", "Call(f)"),
        ("f(a, 'b')", "Call(f [$a 'b'])"),
        ("f(\n  a,\n  b\n)", "Call(f [$a $b])"),
        ("sys.f(a)", "MethodCall($sys f [$a])"),
        ("a.b(c).d", "Member(MethodCall($a b [$c]) d)"),
        ("(a)", "Parenthesized($a)"),
        ("(\n a\n)", "Parenthesized($a)"),
        ("map(a, x => x.y)", "Call(map [$a Lambda([x] Member($x y))])"),
        ("map(a, (x, i) => i)", "Call(map [$a Lambda([x i] $i)])"),
        ("map(a, () => 1)", "Call(map [$a Lambda(1)])"),
        ("map(a, x =>\n  x)", "Call(map [$a Lambda([x] $x)])"),
        ("[]", "Array()"),
        ("[\n]", "Array()"),
        ("[1, 2,]", "Array([1 2])"),
        ("[\n  1\n  2, 3\n]", "Array([1 2 3])"),
        ("[...a, 1]", "Array([Spread($a) 1])"),
        ("{}", "Object()"),
        ("{ a: 1, 'b-c': 2 }", "Object([Property(a 1) Property('b-c' 2)])"),
        ("{\n  ...a\n\n  // note\n  b: c\n}", "Object([Spread($a) Property(b $c)])"),
        ("{ '${a}': 1 }", "Object([Property(<'' $a ''> 1)])"),
        ("{ resource: 1, if: 2 }", "Object([Property(resource 1) Property(if 2)])"),
        ("[for a in b: c]", "For(a $b $c)"),
        ("[for (a, i) in b: {\n x: i\n}]", "For(a i $b Object([Property(x $i)]))"),
        ("[\n for a in b: c\n]", "For(a $b $c)"),
        ("[ /* odd */ for ]", None),
        ("{ a: [for x in y: x] }", "Object([Property(a For(x $y $x))])"),
    ],
)
def test_an_expression_becomes_its_nodes(text: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(AssertionError):
            value(text)
    else:
        assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("string", "$string"),
        ("'a'", "'a'"),
        ("-1", "Unary(- 1)"),
        ("!true", "Unary(! True)"),
        ("'a' | 'b' | null", "Union(['a' 'b' null])"),
        ("\n  | 'a'\n  | 'b'", "Union(['a' 'b'])"),
        ("string?", "Nullable($string)"),
        ("a.b!", "NonNull(Member($a b))"),
        ("string[]", "ArrayType($string)"),
        ("string[][]?", "Nullable(ArrayType(ArrayType($string)))"),
        ("('a' | 'b')[]", "ArrayType(Parenthesized(Union(['a' 'b'])))"),
        ("a[0]", "Index($a 0)"),
        ("a['p']", "Index($a 'p')"),
        ("a[*]", "ItemsAccess($a)"),
        ("a.*", "RestAccess($a)"),
        ("[]", "TupleType()"),
        ("[string, int]", "TupleType([TupleItem($string) TupleItem($int)])"),
        ("[\n  @minLength(1)\n  string\n]", "TupleType([TupleItem([Decorator(Call(minLength [1]))] $string)])"),
        ("{}", "ObjectType()"),
        ("{\n  a: string\n  *: int?\n}", "ObjectType([TypeProperty(a $string) TypeProperty(Nullable($int))])"),
        ("{\n  @secure()\n  'b': c\n}", "ObjectType([TypeProperty([Decorator(Call(secure))] 'b' $c)])"),
        ("resourceInput<'A/b@1'>.name", "Member(Parameterized(resourceInput ['A/b@1']) name)"),
        ("sys.resourceOutput<'A/b@1'>", "Parameterized(resourceOutput ['A/b@1'] $sys)"),
        ("resourceInput<\n  'A/b@1'\n>", "Parameterized(resourceInput ['A/b@1'])"),
    ],
)
def test_a_type_becomes_its_nodes(text: str, expected: str) -> None:
    assert kind(text) == expected
