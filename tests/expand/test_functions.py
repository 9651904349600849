"""Every function of the library: a table of exact values for each file, and one of refused arguments."""

from __future__ import annotations

from typing import Any

import pytest

from engine.expand.functions.find import every, find
from engine.expand.functions.signature import EvaluationError

STRINGS = [
    ("format('{0}-{1}', 'a', 7)", "a-7"),
    ("format('{{{0}}}', 'a')", "{a}"),
    ("format('{0:D4}|{0:N2}|{0:x}|{0:X4}', 255)", "0255|255.00|ff|00FF"),
    ("format('{0:N0}|{0:#,##0.00}|{0:E2}', 1234567)", "1,234,567|1,234,567.00|1.23E+006"),
    ("format('{0:000-000}|{0:0.0%}', 42)", "000-042|4200.0%"),
    ("format('{0:P1}|{0:F1}', json('0.125'))", "12.5 %|0.1"),
    ("format('[{0,5}|{0,-5}]', 'ab')", "[   ab|ab   ]"),
    ("format('{0} {1} {2}', true(), null(), createArray(1, 'a'))", 'True  [1,"a"]'),
    ("format('{0:x}', sub(0, 1))", "ffffffff"),
    ("format('{0:D3}', sub(0, 5))", "-005"),
    ("format('{0:yyyy}', '2026-01-01')", "2026-01-01"),
    ("toLower('ÄbC')", "äbc"),
    ("toUpper('abc')", "ABC"),
    ("trim('  a b ')", "a b"),
    ("replace('123-123', '-', '')", "123123"),
    ("padLeft('123', 10, '0')", "0000000123"),
    ("padLeft(7, 3)", "  7"),
    ("substring('one two three', 4, 3)", "two"),
    ("substring('abc', 3)", ""),
    ("split('one,two,three', ',')", ["one", "two", "three"]),
    ("split('one;two,three', createArray(',', ';'))", ["one", "two", "three"]),
    ("split('a,,b', ',')", ["a", "", "b"]),
    ("join(createArray('a', 1, true()), '-')", "a-1-True"),
    ("startsWith('abcdef', 'AB')", True),
    ("endsWith('abcdef', 'EF')", True),
    ("like('storage-eu-1', 'Storage-*-?')", True),
    ("like('abc', 'a?')", False),
    ("like('', '*')", True),
    ("string(1)", "1"),
    ("string(true())", "True"),
    ("string(createObject('a', createArray(1, null())))", '{"a":[1,null]}'),
    ("concat('a', 1, 'b')", "a1b"),
    ("concat(createArray(1), createArray(2, 3))", [1, 2, 3]),
    ("'it''s'", "it's"),
]

ARRAYS = [
    ("length('abc')", 3),
    ("length(createObject('a', 1))", 1),
    ("empty('')", True),
    ("empty(null())", True),
    ("empty(createArray(0))", False),
    ("array('a')", ["a"]),
    ("array(createArray(1))", [1]),
    ("range(5, 3)", [5, 6, 7]),
    ("range(0, 0)", []),
    ("take('one', 2)", "on"),
    ("take(createArray(1, 2), 5)", [1, 2]),
    ("take(createArray(1, 2), sub(0, 1))", []),
    ("skip(createArray(1, 2, 3), 1)", [2, 3]),
    ("skip('abc', sub(0, 2))", "abc"),
    ("flatten(createArray(createArray(1), createArray(createArray(2))))", [1, [2]]),
    ("first(createArray())", None),
    ("first('one')", "o"),
    ("last(createArray(1, 2))", 2),
    ("last('')", ""),
    ("contains(createObject('OneTwo', 1), 'onetwo')", True),
    ("contains(createArray('a'), 'A')", False),
    ("contains('OneTwo', 'Two')", True),
    ("contains('OneTwo', 'two')", False),
    ("contains(createArray(1, 2), 2)", True),
    ("indexOf('test', 'T')", 0),
    ("lastIndexOf('test', 'T')", 3),
    ("indexOf('abc', 'x')", -1),
    ("indexOf(createArray('a', 'b'), 'b')", 1),
    ("lastIndexOf(createArray('a', 'b', 'a'), 'a')", 2),
    ("distinct(createArray(1, 'a', 1, true(), 'a'))", [1, "a", True]),
    ("union(createArray('a', 'b'), createArray('b', 'c'))", ["a", "b", "c"]),
    ("intersection(createArray('a', 'b', 'c'), createArray('c', 'b'))", ["b", "c"]),
    ("createArray(1, 'a', createArray())", [1, "a", []]),
]

OBJECTS = [
    ("createObject('a', 1, 'b', createObject())", {"a": 1, "b": {}}),
    ("items(createObject('b', 2, 'a', 1))", [{"key": "a", "value": 1}, {"key": "b", "value": 2}]),
    ("objectKeys(createObject('b', 2, 'A', 1, 'c', 0))", ["A", "b", "c"]),
    (
        "union(createObject('a', createObject('x', 1, 'y', 1)), createObject('a', createObject('y', 2), 'b', 3))",
        {"a": {"x": 1, "y": 2}, "b": 3},
    ),
    (
        "shallowMerge(createArray(createObject('a', createObject('x', 1)), createObject('a', createObject('y', 2))))",
        {"a": {"y": 2}},
    ),
    ("intersection(createObject('a', 1, 'b', 2), createObject('a', 1, 'b', 3))", {"a": 1}),
]

READING = [
    ("createObject('One', 1).one", 1),
    ("createObject('a b', 1)['a b']", 1),
    ("createArray(1, 2, 3)[1]", 2),
    ("tryGet(createObject('a', createArray(createObject('b', 5))), 'a', 0, 'b')", 5),
    ("tryGet(createObject(), 'a', 'b')", None),
    ("tryGet(null(), 'a')", None),
    ("tryGet(createObject('a', createArray(1, 2)), 'a', createObject('value', 1, 'fromEnd', true()))", 2),
    ("indexFromEnd(createArray(1, 2, 3), 2)", 2),
    ("tryIndexFromEnd(createArray(1), 2)", None),
    ("tryIndexFromEnd(createArray(1), 1)", 1),
]

NUMBERS = [
    ("add(5, 3)", 8),
    ("sub(5, 8)", -3),
    ("mul(5, 3)", 15),
    ("div(8, 3)", 2),
    ("div(-8, 3)", -2),
    ("div(8, -3)", -2),
    ("mod(7, 3)", 1),
    ("mod(-7, 3)", -1),
    ("mod(7, -3)", 1),
    ("min(createArray(0, 3, 2))", 0),
    ("max(0, 3, 2)", 3),
]

LOGIC = [
    ("if(true(), 'a', fail('no'))", "a"),
    ("if(false(), fail('no'), 'b')", "b"),
    ("and(false(), fail('no'))", False),
    ("or(true(), fail('no'))", True),
    ("and(true(), true(), false())", False),
    ("or(false(), false())", False),
    ("not(true())", False),
    ("coalesce(null(), 'a', fail('no'))", "a"),
    ("coalesce(null(), null())", None),
    ("null()", None),
]

COMPARISON = [
    ("equals('a', 'A')", False),
    ("equals(1, json('1.0'))", True),
    ("equals(1, true())", False),
    ("equals(1, '1')", False),
    ("equals(createObject('a', createArray(1)), createObject('a', createArray(1)))", True),
    ("equals(null(), null())", True),
    ("less(1, 2)", True),
    ("lessOrEquals('a', 'a')", True),
    ("greater('b', 'a')", True),
    ("greaterOrEquals(1, 2)", False),
]

CONVERSIONS = [
    ("int('42')", 42),
    ("int(' -7 ')", -7),
    ("int(json('3.9'))", 3),
    ("bool('TRUE')", True),
    ("bool(0)", False),
    ("float('1.5')", 1.5),
    ("json('{\"a\":[1,2.5,null]}')", {"a": [1, 2.5, None]}),
    ("json('null')", None),
]

LAMBDAS = [
    ("map(range(0, 3), lambda('i', mul(lambdaVariables('i'), 2)))", [0, 2, 4]),
    (
        "map(createArray('a', 'b'), lambda('x', 'i', format('{0}{1}', lambdaVariables('x'), lambdaVariables('i'))))",
        ["a0", "b1"],
    ),
    ("filter(range(0, 5), lambda('i', greater(lambdaVariables('i'), 2)))", [3, 4]),
    ("sort(createArray(3, 1, 2), lambda('a', 'b', less(lambdaVariables('a'), lambdaVariables('b'))))", [1, 2, 3]),
    ("reduce(range(1, 4), 0, lambda('a', 'b', add(lambdaVariables('a'), lambdaVariables('b'))))", 10),
    (
        "reduce(createArray('a', 'b'), '', lambda('a', 'b', 'i', format('{0}{1}{2}', lambdaVariables('a'), lambdaVariables('b'), lambdaVariables('i'))))",
        "a0b1",
    ),
    ("toObject(createArray('a', 'b'), lambda('k', toUpper(lambdaVariables('k'))))", {"A": "a", "B": "b"}),
    ("toObject(createArray('a'), lambda('k', lambdaVariables('k')), lambda('v', 1))", {"a": 1}),
    (
        "groupBy(createArray('apple', 'avocado', 'banana'), lambda('f', first(lambdaVariables('f'))))",
        {"a": ["apple", "avocado"], "b": ["banana"]},
    ),
    ("mapValues(createObject('a', 1), lambda('v', add(lambdaVariables('v'), 1)))", {"a": 2}),
    (
        "map(range(0, 2), lambda('x', map(range(0, 2), lambda('y', add(mul(lambdaVariables('x'), 10), lambdaVariables('y'))))))",
        [[0, 1], [10, 11]],
    ),
]

ENCODING = [
    ("base64('one, two, ü')", "b25lLCB0d28sIMO8"),
    ("base64ToString('b25lLCB0d28sIMO8')", "one, two, ü"),
    ("base64ToJson(base64('{\"a\":1}'))", {"a": 1}),
    ("dataUri('Hello')", "data:text/plain;charset=utf8;base64,SGVsbG8="),
    ("dataUriToString('data:;base64,SGVsbG8sIFdvcmxkIQ==')", "Hello, World!"),
    ("dataUriToString('data:text/plain,a%20b')", "a b"),
    ("uriComponent('http://contoso.com/a b')", "http%3A%2F%2Fcontoso.com%2Fa%20b"),
    ("uriComponentToString('http%3A%2F%2Fcontoso.com')", "http://contoso.com"),
]

HASHING = [
    ("uniqueString('snap', 'crackle', 'pop')", "byghxckddilkc"),
    ("uniqueString('a')", "eveiun73364hy"),
    ("uniqueString('resource-group-id-of-any-length', 'ü')", "mk7omsbgxazig"),
    ("guid('hello')", "520f8434-fe3a-5d99-888d-450a827486a1"),
    ("guid('a', 'b', 1)", "023d3ed2-aa1c-5ba9-b6fc-119ccde4c792"),
]

DATES = [
    ("dateTimeAdd('2023-01-01 00:00:00Z', 'P1Y')", "2024-01-01T00:00:00Z"),
    ("dateTimeAdd('2024-01-01 00:00:00Z', 'P1Y')", "2024-12-31T00:00:00Z"),
    ("dateTimeAdd('2023-02-01 00:00:00Z', 'P1M')", "2023-03-03T00:00:00Z"),
    ("dateTimeAdd('2020-04-07 14:53:14Z', '-P9D')", "2020-03-29T14:53:14Z"),
    ("dateTimeAdd('2020-04-07 14:53:14Z', 'PT1H30M', 'HH:mm')", "16:23"),
    ("dateTimeAdd('20200407T145314Z', 'P1W', 'yyyyMMddTHHmmssZ')", "20200414T145314Z"),
    ("dateTimeAdd('2020-04-07T14:53:14+02:00', 'PT0.5S', 'o')", "2020-04-07T14:53:14.5000000+02:00"),
    ("dateTimeAdd('2020-04-07T04:03:02Z', 'PT0S', 'd')", "04/07/2020"),
    ("dateTimeAdd('2020-04-07T04:03:02Z', 'PT0S', 'R')", "Tue, 07 Apr 2020 04:03:02 GMT"),
    ("dateTimeAdd('2020-04-07T14:03:02Z', 'PT0S', 'dddd, d MMM yy h:m:s tt')", "Tuesday, 7 Apr 20 2:3:2 PM"),
    ("dateTimeToEpoch('2023-05-02T15:16:13Z')", 1683040573),
    ("dateTimeFromEpoch(1683040573)", "2023-05-02T15:16:13Z"),
    ("dateTimeFromEpoch(0)", "1970-01-01T00:00:00Z"),
]

NETWORK = [
    (
        "parseCidr('10.144.0.0/20')",
        {
            "network": "10.144.0.0",
            "netmask": "255.255.240.0",
            "broadcast": "10.144.15.255",
            "firstUsable": "10.144.0.1",
            "lastUsable": "10.144.15.254",
            "cidr": 20,
        },
    ),
    (
        "parseCidr('fdad:3236:5555::/48')",
        {
            "network": "fdad:3236:5555::",
            "netmask": "ffff:ffff:ffff::",
            "firstUsable": "fdad:3236:5555::",
            "lastUsable": "fdad:3236:5555:ffff:ffff:ffff:ffff:ffff",
            "cidr": 48,
        },
    ),
    ("cidrSubnet('10.144.0.0/20', 24, 4)", "10.144.4.0/24"),
    ("cidrSubnet('fdad:3236:5555::/48', 52, 1)", "fdad:3236:5555:1000::/52"),
    ("cidrHost('10.144.3.0/24', 0)", "10.144.3.1"),
    ("cidrHost('fdad:3236:5555:3000::/52', 0)", "fdad:3236:5555:3000::1"),
    ("uri('http://contoso.org/firstpath', 'myscript.sh')", "http://contoso.org/myscript.sh"),
    ("uri('http://contoso.org/firstpath/', 'myscript.sh')", "http://contoso.org/firstpath/myscript.sh"),
    (
        "parseUri('https://a.example:8443/x/y?q=1')",
        {"scheme": "https", "host": "a.example", "port": 8443, "path": "/x/y", "query": "?q=1"},
    ),
    ("parseUri('http://a.example')", {"scheme": "http", "host": "a.example", "port": 80, "path": "/", "query": ""}),
    (
        "buildUri(createObject('scheme', 'https', 'host', 'a.example', 'port', 8443, 'path', 'x/y', 'query', 'q=1'))",
        "https://a.example:8443/x/y?q=1",
    ),
    ("buildUri(parseUri('http://a.example/x'))", "http://a.example/x"),
]

ZERO = "00000000-0000-0000-0000-000000000000"
GROUP = f"/subscriptions/{ZERO}/resourceGroups/default"
RESOURCES = [
    ("resourceId('A.B/c', 'x')", f"{GROUP}/providers/A.B/c/x"),
    ("resourceId('other', 'A.B/c/d', 'x', 'y')", f"/subscriptions/{ZERO}/resourceGroups/other/providers/A.B/c/x/d/y"),
    ("resourceId('s', 'g', 'A.B/c', 'x')", "/subscriptions/s/resourceGroups/g/providers/A.B/c/x"),
    (
        "resourceId('Applications.Core/environments', 'e')",
        "/planes/radius/local/resourceGroups/default/providers/Applications.Core/environments/e",
    ),
    (
        "extensionResourceId('/subscriptions/s/resourceGroups/g', 'Radius.Data/redis', 'r')",
        "/planes/radius/local/resourceGroups/g/providers/Radius.Data/redis/r",
    ),
    ("subscriptionResourceId('A.B/c', 'x')", f"/subscriptions/{ZERO}/providers/A.B/c/x"),
    ("subscriptionResourceId('s', 'Microsoft.Resources/resourceGroups', 'g')", "/subscriptions/s/resourceGroups/g"),
    ("tenantResourceId('A.B/c', 'x')", "/providers/A.B/c/x"),
    (
        "managementGroupResourceId('mg', 'A.B/c', 'x')",
        "/providers/Microsoft.Management/managementGroups/mg/providers/A.B/c/x",
    ),
    (
        "extensionResourceId(resourceId('A.B/c', 'x'), 'L.M/locks', 'l')",
        f"{GROUP}/providers/A.B/c/x/providers/L.M/locks/l",
    ),
]

SCOPES = [
    ("resourceGroup().name", "default"),
    ("resourceGroup().location", "westus"),
    ("resourceGroup().id", GROUP),
    ("subscription().subscriptionId", ZERO),
    ("tenant().tenantId", ZERO),
    ("managementGroup().name", ZERO),
    ("deployment().name", "app"),
    ("deployment().properties.mode", "Incremental"),
    ("deployer().tenantId", ZERO),
]

AZURE = [
    ("environment().suffixes.storage", "core.windows.net"),
    ("roleDefinitions('Reader').roleDefinitionId", "acdd72a7-3385-48ef-bd42-f606fba81ae7"),
    ("pickZones('Microsoft.Compute', 'virtualMachines', 'westus2', 2, 1)", ["2", "3"]),
]

TABLES = {
    "strings": STRINGS,
    "arrays": ARRAYS,
    "objects": OBJECTS,
    "reading": READING,
    "numbers": NUMBERS,
    "logic": LOGIC,
    "comparison": COMPARISON,
    "conversions": CONVERSIONS,
    "lambdas": LAMBDAS,
    "encoding": ENCODING,
    "hashing": HASHING,
    "dates": DATES,
    "network": NETWORK,
    "resources": RESOURCES,
    "scopes": SCOPES,
    "azure": AZURE,
}


def same(a: Any, b: Any) -> bool:
    """Equal, and of the same kinds all the way down: 1 is not True."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return bool(a == b)


@pytest.mark.parametrize("theme", TABLES)
def test_every_function_of_a_theme_gives_the_values_of_its_table(theme: str, evaluate: Any) -> None:
    wrong = []
    for expression, expected in TABLES[theme]:
        got = evaluate(expression)
        if not same(got, expected):
            wrong.append((expression, got, expected))
    assert wrong == []


REFUSED = [
    ("substring('abc', 2, 5)", "Argument 3 of substring() is 5, but 1 characters are left from 2"),
    ("toLower(1)", "Argument 1 of toLower() must be a string, not an integer"),
    ("toLower()", "toLower() takes 1 argument, and 0 are given"),
    ("padLeft('a')", "padLeft() takes 2 to 3 arguments, and 1 are given"),
    ("concat()", "concat() takes at least 1 argument, and 0 are given"),
    ("add(1, '2')", "Argument 2 of add() must be an integer, not a string"),
    ("add(1, true())", "Argument 2 of add() must be an integer, not a boolean"),
    ("div(1, 0)", "div() cannot divide by 0"),
    ("add(9223372036854775807, 1)", "add() overflows: 9223372036854775808 does not fit in 64 bits"),
    ("if('a', 1, 2)", "Argument 1 of if() must be a boolean, not a string"),
    ("and(1, true())", "Argument 1 of and() must be a boolean, not an integer"),
    ("fail('stop here')", "stop here"),
    (
        "json('{')",
        "json() cannot read its text as JSON: Expecting property name enclosed in double quotes at line 1, column 2",
    ),
    ("json('[NaN]')", "json() cannot read its text as JSON: NaN is no JSON"),
    ("int('1x')", "int() cannot read '1x' as an integer"),
    ("base64ToString('!')", "Argument 1 of base64ToString() is not UTF-8 text in base64"),
    ("createArray(1)[1]", "The index 1 is outside of the array, which has 1 item"),
    ("createObject('a', 1).b", "The property 'b' does not exist; there is 'a'"),
    ("null().b", "'b' cannot be read: its base is null"),
    ("createObject('a')", "createObject() takes keys and values in pairs, and 1 arguments are given"),
    ("format('{1}', 'a')", "The template of format() asks for {1}, and 1 values are given"),
    ("format('{0', 'a')", "The template of format() has a '{' at 0 that is never closed"),
    ("format('{0:Q}', 1)", "format() cannot print an integer as 'Q'"),
    ("less(1, 'a')", "less() cannot compare an integer with a string"),
    ("filter(createArray(1), lambda('x', 1))", "The lambda of filter() must give a boolean, not an integer"),
    ("map(createArray(1), 1)", "Argument 2 of map() must be a lambda, not an integer"),
    ("dateTimeAdd('x', 'P1D')", "dateTimeAdd() cannot read 'x' as a date and time"),
    ("dateTimeAdd('2020-01-01', '1D')", "'1D' is no ISO 8601 duration, such as 'P1D' or '-PT15M'"),
    ("dateTimeAdd('9999-12-31', 'P1D')", "dateTimeAdd() leaves the years 1 to 9999"),
    ("cidrSubnet('10.0.0.0/24', 20, 0)", "Argument 2 of cidrSubnet() is 20, and must lie between 24 and 32"),
    (
        "parseCidr('10.0.0.1')",
        "Argument 1 of parseCidr() is '10.0.0.1', which is no address range such as '10.0.0.0/16'",
    ),
    ("resourceId('A.B/c', 'x', 'y')", "The type 'A.B/c' takes 1 name, and 2 are given"),
    ("resourceId('c', 'x')", "resourceId() is given no resource type, such as 'Applications.Core/containers'"),
    ("utcNow()", "utcNow() may be used in the default of a parameter only"),
    ("copyIndex()", "copyIndex() has no loop around it"),
    ("providers('Microsoft.Web')", "providers() cannot be evaluated here: only Azure knows the answer"),
    ("unknownFunction(1)", "There is no function 'unknownFunction'"),
    ("add(1", "This is no expression: The expression ends too early at 6"),
    ("union(createArray(), createObject())", "Argument 2 of union() is an object, and the first is an array"),
    ("range(0, 10001)", "Argument 2 of range() must lie between 0 and 10000, and is 10001"),
]


@pytest.mark.parametrize(("expression", "message"), REFUSED, ids=[e for e, _ in REFUSED])
def test_wrong_arguments_are_refused_by_function_and_argument(expression: str, message: str, evaluate: Any) -> None:
    with pytest.raises(EvaluationError) as refusal:
        evaluate(expression)
    assert refusal.value.message.partition(", in [")[0] == message


def test_every_function_is_called_in_some_table() -> None:
    called = " ".join(e for table in TABLES.values() for e, _ in table) + " ".join(e for e, _ in REFUSED)
    elsewhere = {
        "parameters", "variables", "reference", "references", "newGuid", "target", "[]", "[secret]",
        "toLogicalZone", "toLogicalZones", "toPhysicalZone", "toPhysicalZones",
    }  # fmt: skip
    missing = {f.name for f in every().values() if f"{f.name}(" not in called} - elsewhere
    assert missing == set()


def test_a_function_is_found_in_any_case() -> None:
    assert find("TOLOWER") is find("tolower") is not None


def test_a_misspelled_function_is_met_with_a_suggestion(evaluate: Any) -> None:
    with pytest.raises(EvaluationError) as refusal:
        evaluate("toLowr('A')")
    assert refusal.value.help == "Did you mean 'toLower'?"
