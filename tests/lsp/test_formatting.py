"""A file that is formatted piece by piece looks as one that is formatted whole."""

from hypothesis import given, settings
from hypothesis import strategies as some

from engine.diagnostics.source import Source
from engine.format.format import format
from engine.lsp.formatting import formatted
from engine.lsp.workspace import Workspace

STATEMENTS = [
    "var a =  1", "var b = [\n 1,\n 2 ] // b", "@description( 'c' )\n@secure()\nparam c string", "type d =\n| 'x'\n| 'y'",
    "var e = '''\nvar f = 1\n'''", "  var g=1", "/* h */ var h = 2", "resource i 'A/b@1' = { name: 'i' }", "param j", "var k = [",
]  # fmt: skip
BETWEEN = [
    "\n", "\n\n\n", "\n// said\n", "\n\n/* said\n */\n", " /* one */ // two\n\n// three\n\n", "\r\n", "\r\r",
    "\n#disable-next-line x y\n", "\n \t\n", " // var z = 1\n",
]  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(some.lists(some.tuples(some.sampled_from(STATEMENTS), some.sampled_from(BETWEEN)), max_size=6))
def test_it_looks_as_a_file_that_is_formatted_whole(parts: list[tuple[str, str]]) -> None:
    files = Workspace()
    for text in ("".join(s + b for s, b in parts), "".join(b + s for s, b in parts)):
        files.buffers.put("/main.bicep", text)
        found = formatted(files.analysis("/main.bicep"))
        assert found == (format(Source("main.bicep", text)) if text else None)
