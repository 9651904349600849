"""Whatever the files contain, a command ends with an exit code of its own and without a failure of the program."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

BICEP = """\
import { f as g } from 'other.bicep'
@allowed(['a', 'b'])
param p string = 'a'
type t = { x: int?, *: string }
var v = [for i in range(0, 3): { ...{ a: i }, b: '${p}-${i}' }]
module m 'other.bicep' = if (p == 'a') {
  params: { q: v[?0].?b ?? '' }
}
output o object = toObject(v, x => x.b)
"""
PARAMETERS = "using 'main.bicep'\nvar y = { a: [1] }\nparam p = '${y.a[0]}' == '1' ? 'a' : 'b'\n"
TEMPLATE = """{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
"contentVersion": "1.0.0.0", "parameters": {"p": {"type": "string", "defaultValue": "[concat('a', 'b')]"}},
"variables": {"copy": [{"name": "c", "count": 2, "input": "[copyIndex('c')]"}]},
"resources": [], "outputs": {"o": {"type": "array", "value": "[variables('c')]"}}}"""
VALUES = """{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#",
"contentVersion": "1.0.0.0", "parameters": {"p": {"value": "a"}}}"""
CONFIGURATION = '{"analyzers": {"core": {"rules": {"no-unused-params": {"level": "error"}}}}, "ulna": {}}'

TEXTS = {
    "main.bicep": BICEP,
    "main.bicepparam": PARAMETERS,
    "main.json": TEMPLATE,
    "main.parameters.json": VALUES,
    "bicepconfig.json": CONFIGURATION,
}
COMMANDS = {
    "main.bicep": (
        "lint {}",
        "build {} --stdout",
        "format --check {}",
        "generate-params {} --stdout",
        "graph {}",
        "plan {}",
    ),
    "main.bicepparam": ("lint {}", "build-params {} --stdout", "format --check {}", "snapshot {}", "plan {}"),
    "main.json": ("decompile {} --stdout", "plan {}"),
    "main.parameters.json": ("decompile-params {} --stdout", "plan main.bicep -p @{}"),
    "bicepconfig.json": ("lint main.bicep", "build main.bicep --stdout"),
}
OTHER = "@export()\nfunc f(a int) int => a\nparam q string = ''\noutput r string = q\n"


def write(changed: str = "", content: bytes = b"") -> None:
    Path("other.bicep").write_text(OTHER)
    for name, text in TEXTS.items():
        Path(name).write_bytes(content if name == changed else text.encode())


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[str, bytes]:
    """A file, and its text with a part replaced, or anything at all."""
    name = draw(st.sampled_from(sorted(TEXTS)))
    text = TEXTS[name].encode()
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(start + 30, len(text))))
    other = TEXTS[draw(st.sampled_from(sorted(TEXTS)))].encode()
    part = draw(
        st.one_of(
            st.sampled_from([b"", b"{", b"[", b"(", b"'", b"${", b"'''", b"\x00", b"\xff", b"null", b'"', b"@", b"=>"]),
            st.binary(max_size=8),
            st.just(other[start:end]),
        )
    )
    return name, draw(st.sampled_from([text[:start] + part + text[end:], text[:start] + part, part]))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spoilt())
@example(("main.bicep", BICEP.encode()))
@example(("main.bicepparam", PARAMETERS.encode()))
@example(("main.json", TEMPLATE.encode()))
@example(("main.parameters.json", VALUES.encode()))
@example(("bicepconfig.json", CONFIGURATION.encode()))
def test_no_input_fails_the_program(ulna, case: tuple[str, bytes]) -> None:
    name, content = case
    write(name, content)
    for command in COMMANDS[name]:
        words = command.format(name).split()
        code, out, err = ulna(*words)
        assert code in {0, 1, 2}, (words, err)
        assert "ULN799" not in out + err, (words, err)
        assert "Traceback" not in err, (words, err)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_files_are_good_as_they_are(ulna, name: str) -> None:
    write()
    code, _, err = ulna(*COMMANDS[name][-1].format(name).split())
    assert "error" not in err
    assert code == 0
