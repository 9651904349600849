"""After any edit, whatever it breaks, an open file is known as if it had been read for the first time."""

import random
from pathlib import Path

import pytest
from client import replace
from hypothesis import example, given, settings
from hypothesis import strategies as some

from engine.diagnostics.source import Source
from engine.lsp.growing import Growing
from engine.parse import tree
from engine.parse.parser import parse

WHOLE = (Path(__file__).parents[1] / "parse/whole.bicep").read_text()

PROGRAM = """\
extension radius
import { greet, level as grade } from 'part.bicep'
// the environment
param environment string

@description('How many')
@minValue(1)
param count int = 3

type point = {
  @description('where')
  x: int
  y: string?
}

var words = '''
param inside string
var all = ${count}
'''
var names = [for n in range(0, count): 'name-${n}']
var where point = {
  x: 1
  y: 'b'
}

func double(a string) string => '${a}${a}'

/* a comment
var commented = 1
*/
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'app'
  properties: {
    environment: environment
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = if (count > 1) {
  name: double('web')
  properties: {
    application: app.id
    container: {
      image: 'web:${count}'
      ports: {
        web: {
          containerPort: where.x
        }
      }
    }
  }
}

module part 'part.bicep' = {
  name: 'part'
  params: {
    given: names[0]
  }
}

#disable-next-line outputs-should-not-contain-secrets
output sum int = length(filter(names, n => n != words)) + part.outputs.sum
output said string = greet(grade)
"""

PART = """\
param given string
@export()
var level = 'high'
@export()
func greet(name string) string => 'Hi ${name}'
output sum int = length(given)
"""

PIECES = (
    "'", "'''", "${", "}", "{", "(", ")", "[", "]", "/*", "*/", "//", "\n", "\n\n", " ", "=", ":", ",", "?", "|", ".", "x", "@",
    "\r\n", "param ", "var v = 1\n", "\nvar v = [\n", "\nparam p string\n", "@description('x')\n", "#disable-next-line no-unused-vars\n",
    "\nresource r 'A.B/c@2020-01-01' = {\n", "  name: 'x'\n", "\ntype t = {\n", "\nfunc f(a string) string => a\n",
    "\noutput o int = \n", "$'''", "[for ", "import ", "where.", "names[0]", "\n, 1", "app",
)  # fmt: skip
"""What is typed or pasted."""

Edit = tuple[float, int, str]
"""Where, as a part of the text, how much is taken away there, and what is put there."""

edits = some.lists(
    some.tuples(
        some.floats(0, 1),
        some.sampled_from((0, 0, 1, 2, 7, 30, 200)),
        some.one_of(some.just(""), some.sampled_from(PIECES), some.text("ab'{}()\n ,@", max_size=4)),
    ),
    min_size=1,
    max_size=8,
)


def made(text, edit):
    """The text after an edit, and the edit in offsets."""
    share, gone, new = edit
    start = round(share * len(text))
    end = min(len(text), start + gone)
    return text[:start] + new + text[end:], (start, end, new)


def parts(read):
    file, problems = read
    return (
        file.statements,
        file.comments,
        file.pragmas,
        [(p.code, p.message, p.help, p.primary.span) for p in problems],
    )


@settings(deadline=None)
@given(some.sampled_from([PROGRAM, WHOLE]), edits)
@example("var a = (\n,b\nparam p string\nvar c = 1\n\nvar d = [\n,", [(0.5, 0, "x")])
@example("var a = 1\nfunc f(b 'x' | 'y') string => ''\nvar c = 2\n", [(0.55, 0, "{")])
@example("param p string\nfunc f() {\n  a: \nvar x = 1\n}\n\n@export()\nfunc g() string => ''\n", [(0.6, 0, "if (\n")])
def test_what_was_left_alone_need_not_be_read_again(text, changes):
    growing = Growing()
    growing.read(Source("a.bicep", text))
    for change in changes:
        text, _ = made(text, change)
        source = Source("a.bicep", text)
        file, problems = growing.read(source)
        assert parts((file, problems)) == parts(parse(Source("a.bicep", text)))
        assert file.source is source and (file.start, file.end) == (0, len(text))
        assert all(p.primary.source is source for p in problems)
        walked = tree.by_kind((file,))
        del walked[tree.File]
        assert identities(growing.listing()) == identities(walked)


def identities(nodes):
    return {kind: [id(node) for node in some] for kind, some in nodes.items()}


def test_only_the_statement_that_is_edited_and_its_neighbours_are_made_anew():
    growing = Growing()
    before, _ = growing.read(Source("a.bicep", PROGRAM))
    starts = {id(s): s.start for s in before.statements}
    at = PROGRAM.index("'web:") + 1
    after, _ = growing.read(Source("a.bicep", f"{PROGRAM[:at]}{{more{PROGRAM[at:]}"))
    same = [now is then for now, then in zip(after.statements, before.statements, strict=True)]
    assert same.count(False) == 2
    assert all(s.start == starts[id(s)] + (5 if s.start > at else 0) for s in after.statements if id(s) in starts)


QUESTIONS = (
    "hover", "completion", "signatureHelp", "definition", "references", "documentHighlight", "prepareRename", "documentSymbol",
    "foldingRange", "semanticTokens/full", "codeAction",
    "formatting",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_answers_after_an_edit_are_those_about_the_same_text_opened_anew(editor, seed):
    chance = random.Random(seed)
    editor.save("part.bicep", PART)
    editor.findings.clear()
    editor.open("a.bicep", PROGRAM)
    findings(editor)
    text, seen = PROGRAM, []
    for _ in range(6):
        change = (chance.random(), chance.choice((0, 0, 1, 7, 200)), chance.choice(PIECES))
        after, (start, end, new) = made(text, change)
        editor.change("a.bicep", replace(place(text, start), place(text, end), new))
        text = after
        at = min(len(text), start + len(new))
        places = [place(text, o) for o in (at, *(chance.randrange(len(text) + 1) for _ in range(6)))]
        seen.append((text, [(p, answers(editor, p)) for p in places], findings(editor)))
    for text, asked, told in seen:
        editor.shut("a.bicep")
        assert findings(editor) == []
        editor.open("a.bicep", text)
        assert told == findings(editor), text
        for at, found in asked:
            for question, answer in answers(editor, at).items():
                assert found[question] == answer, (question, at, text)


def findings(editor):
    """What was told of the file and not asked for yet, or is told next."""
    if editor.uri("a.bicep") not in editor.findings:
        editor.told("a.bicep")
    return editor.findings.pop(editor.uri("a.bicep"))


def place(text, offset):
    """The line and column of an offset, as editors count them."""
    lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return len(lines) - 1, len(lines[-1])


def answers(editor, at):
    found = {}
    for question in QUESTIONS:
        asked = editor.at("a.bicep", *at)
        if question == "references":
            asked["context"] = {"includeDeclaration": True}
        elif question == "formatting":
            asked["options"] = {"tabSize": 2, "insertSpaces": True}
        elif question == "codeAction":
            asked |= {"range": {"start": asked["position"], "end": asked["position"]}, "context": {"diagnostics": []}}
        found[question] = editor.ask(f"textDocument/{question}", asked)
    return found
