"""Every kind of expression, as the text that stands in a template."""

from __future__ import annotations

from typing import Any

import pytest

HEAD = """
param p object
param n int
param t bool
param l array
func f(x int) int => x
resource r 'My.Rp/things@2023-01-01' = {
  name: 'r'
}
"""

CASES = [
    ("'a'", "a"),
    ("''", ""),
    ("'it''s'".replace("''", "\\'"), "it's"),
    ("'[a]'", "[[a]"),
    ("'[a'", "[a"),
    ("'a]'", "a]"),
    ("7", 7),
    ("-7", -7),
    ("-n", "[sub(0, parameters('n'))]"),
    ("true", True),
    ("null", None),
    ("[]", []),
    ("{}", {}),
    ("(7)", 7),
    ("any(7)", 7),
    ("any({ a: 1 })", {"a": 1}),
    ("p!", "[parameters('p')]"),
    ("'${n}'", "[format('{0}', parameters('n'))]"),
    ("'{${n}}'", "[format('{{{0}}}', parameters('n'))]"),
    ("'it\\'s ${n}'", "[format('it''s {0}', parameters('n'))]"),
    ("'${'x'}${true}'", "[format('{0}{1}', 'x', true())]"),
    ("1 + 2 * 3", "[add(1, mul(2, 3))]"),
    ("(1 + 2) * 3", "[mul(add(1, 2), 3)]"),
    ("7 - 2 - 1", "[sub(sub(7, 2), 1)]"),
    ("7 / 2", "[div(7, 2)]"),
    ("7 % -2", "[mod(7, -2)]"),
    ("1 < 2", "[less(1, 2)]"),
    ("1 <= 2", "[lessOrEquals(1, 2)]"),
    ("1 > 2", "[greater(1, 2)]"),
    ("1 >= 2", "[greaterOrEquals(1, 2)]"),
    ("1 == 2", "[equals(1, 2)]"),
    ("1 != 2", "[not(equals(1, 2))]"),
    ("'a' =~ 'B'", "[equals(toLower('a'), toLower('B'))]"),
    ("'a' !~ 'B'", "[not(equals(toLower('a'), toLower('B')))]"),
    ("t && !t || t", "[or(and(parameters('t'), not(parameters('t'))), parameters('t'))]"),
    ("t ? 1 : null", "[if(parameters('t'), 1, null())]"),
    ("p.a ?? p.b ?? 1", "[coalesce(coalesce(parameters('p').a, parameters('p').b), 1)]"),
    ("n + 2147483647", "[add(parameters('n'), 2147483647)]"),
    ("n + 2147483648", "[add(parameters('n'), json('2147483648'))]"),
    ("n + -2147483648", "[add(parameters('n'), -2147483648)]"),
    ("-9223372036854775808", -9223372036854775808),
    ("p.a.b", "[parameters('p').a.b]"),
    ("p['a']", "[parameters('p').a]"),
    ("p['a-b']", "[parameters('p')['a-b']]"),
    ("p['it\\'s']", "[parameters('p')['it''s']]"),
    ("p['${n}']", "[parameters('p')[format('{0}', parameters('n'))]]"),
    ("l[0]", "[parameters('l')[0]]"),
    ("l[n]", "[parameters('l')[parameters('n')]]"),
    ("l[^1]", "[indexFromEnd(parameters('l'), 1)]"),
    ("l[?^1]", "[tryIndexFromEnd(parameters('l'), 1)]"),
    ("l[?0]", "[tryGet(parameters('l'), 0)]"),
    ("p.?a", "[tryGet(parameters('p'), 'a')]"),
    ("p.?a.b[0]", "[tryGet(parameters('p'), 'a', 'b', 0)]"),
    ("p.a.?b.c", "[tryGet(parameters('p').a, 'b', 'c')]"),
    ("p.?a.?b", "[tryGet(tryGet(parameters('p'), 'a'), 'b')]"),
    ("(p.?a).b", "[tryGet(parameters('p'), 'a').b]"),
    ("p.?a[^2]", "[tryGet(parameters('p'), 'a', createObject('value', 2, 'fromEnd', true()))]"),
    ("p[?'a-b']", "[tryGet(parameters('p'), 'a-b')]"),
    ("[1, n]", [1, "[parameters('n')]"]),
    ("concat([1], l)", "[concat(createArray(1), parameters('l'))]"),
    ("union({ a: 1 }, p)", "[union(createObject('a', 1), parameters('p'))]"),
    ("[...l]", "[flatten(createArray(parameters('l')))]"),
    ("[1, ...l, 2]", "[flatten(createArray(createArray(1), parameters('l'), createArray(2)))]"),
    ("{ ...p }", "[shallowMerge(createArray(parameters('p')))]"),
    ("{ a: 1, ...p }", "[shallowMerge(createArray(createObject('a', 1), parameters('p')))]"),
    ("{ '[x]': 1 }", {"[[x]": 1}),
    ("{ copy: 1 }", {"[string('copy')]": 1}),
    ("{ '${n}': 1 }", {"[format('{0}', parameters('n'))]": 1}),
    ("map(l, x => x + 1)", "[map(parameters('l'), lambda('x', add(lambdaVariables('x'), 1)))]"),
    ("reduce(l, 0, (a, b) => a + b)", "[reduce(parameters('l'), 0, lambda('a', 'b', add(lambdaVariables('a'), lambdaVariables('b'))))]"),
    ("map(l, x => { a: x })", "[map(parameters('l'), lambda('x', createObject('a', lambdaVariables('x'))))]"),
    ("f(n)", "[__bicep.f(parameters('n'))]"),
    ("sys.length(l)", "[length(parameters('l'))]"),
    ("az.resourceGroup().name", "[resourceGroup().name]"),
    ("subscription('x')", {}),
    ("string(subscription('x'))", "[string(createObject())]"),
    ("nameof(p)", "p"),
    ("nameof(p.a['b-c'])", "b-c"),
    ("nameof(r.properties)", "properties"),
    ("string(nameof(p))", "[string('p')]"),
    ("{ a: 1 }.a", "[createObject('a', 1).a]"),
    ("[1][0]", "[createArray(1)[0]]"),
    ("r.id", "[resourceId('My.Rp/things', 'r')]"),
    ("r.name", "r"),
    ("r.type", "My.Rp/things"),
    ("r.apiVersion", "2023-01-01"),
    ("'${r.name}!'", "[format('{0}!', 'r')]"),
    ("r.properties", "[reference('r')]"),
    ("r.properties.x", "[reference('r').x]"),
    ("r['properties']['x']", "[reference('r').x]"),
    ("r.tags.x", "[reference('r', '2023-01-01', 'full').tags.x]"),
    ("r", "[reference('r', '2023-01-01', 'full')]"),
    ("r.listKeys().a", "[listKeys('r', '2023-01-01').a]"),
    ("r.listKeys('v').a", "[listKeys('r', 'v').a]"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), CASES, ids=[source for source, _ in CASES])
def test_an_expression_becomes(source: str, expected: Any, compile_: Any) -> None:
    outputs = compile_(f"{HEAD}output o object = any({source})\n").document["outputs"]
    found = outputs["o"]["value"]
    assert (type(found), found) == (type(expected), expected)
