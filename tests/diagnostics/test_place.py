"""Where a property is written, found without a parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.diagnostics.diagnostic import Label
from engine.diagnostics.place import place
from engine.diagnostics.source import Source, Span

TEXT = """\
param n string // { not this }
resource web 'Applications.Core/containers@2023-10-01-preview' = if (n == '{') {
  name: 'it\\'s ${n == '}' ? '{' : "x"}'
  tags: { a: 'b', 'c d': 'e' }
  properties: {
    application: app.id /* , } */
    container: {
      image: 'a'   // image: no
      env: {
        A: { value: 'x' }
        B: {
          value: '''
  C: {
'''
        }
        C: union({ value: 'y' }, { other: 1 })
      }
      command: ['a', 'b']
      args: [
        'one'
        {
          x: 1
        }
      ]
    }
    ...spread
    runtimes: {
      process: { comand: 'x' }
      docker: shared
    }
    routes: [for i in range(0, 2): { path: '/' }]
  }
}
"""


def found(*path: str | int, text: str = TEXT, name: str = "web") -> tuple[int, str]:
    start = text.index(name)
    label = place(Label(Source("a.bicep", text), Span(start, start + len(name))), path)
    assert label is not None
    return label.source.position(label.span.start)[0], text[label.span.start : label.span.end]


@pytest.mark.parametrize(
    ("path", "line", "word"),
    [
        (("name",), 3, "name"),
        (("tags", "c d"), 4, "'c d'"),
        (("properties", "container", "image"), 8, "image"),
        (("container", "env", "A", "value"), 10, "value"),
        (("container", "env", "B", "value"), 12, "value"),
        (("container", "env", "C", "value"), 16, "C"),
        (("container", "command", 1), 18, "'b'"),
        (("container", "args", 1, "x"), 22, "x"),
        (("container", "args", 7), 19, "args"),
        (("runtimes", "process", "comand"), 28, "comand"),
        (("runtimes", "docker", "Usr"), 29, "docker"),
        (("routes", 0, "path"), 31, "routes"),
        (("nowhere",), 2, "web"),
        ((), 2, "web"),
    ],
)
def test_a_property_is_found_or_what_is_around_it(path, line, word):
    assert found(*path) == (line, word)


def test_json_is_read_as_well():
    text = '{"resources": {"web": {"type": "x", "properties": {"container": {"imag\\"e": 1, "image": "}"}}}}}'
    assert found("container", "image", text=text, name='"web"')[1] == '"image"'


def test_without_an_origin_there_is_no_place():
    assert place(None, ("a",)) is None


@given(st.text(alphabet="{}[]()'\"/*:, \nab$\\", max_size=40), st.lists(st.sampled_from(["a", "b", 0, 1]), max_size=4))
def test_any_text_gives_a_place_within_it(text, path):
    label = place(Label(Source("a.bicep", text), Span(0, 0)), tuple(path))
    assert label is not None and 0 <= label.span.start <= label.span.end <= len(text)
