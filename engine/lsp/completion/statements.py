"""What a statement can begin with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.lsp.completion.cursor import Cursor
from engine.lsp.completion.item import Item
from engine.lsp.completion.snippets import snippets
from engine.lsp.words import KEYWORDS
from engine.parse import tree

_PARAMETERS = ("using", "extends", "param", "var", "import", "type", "func")
_NOT_THERE = ("using", "extends")


def begins_statement(cursor: Cursor) -> bool:
    """Whether the word at the cursor is the first of a statement of the file."""
    if cursor.before_bare and re.fullmatch(r"\s*(@[\w.]+\(.*\)\s*)+", cursor.before) is None:
        return False
    for node in cursor.nodes[1:]:
        if isinstance(node, tree.BrokenStatement):
            return True
        if isinstance(node, tree.Statement):
            return node.keyword.start == cursor.start and node.keyword.end >= cursor.offset
    return True


def statements(cursor: Cursor) -> Iterator[Item]:
    """The keywords, and pieces of program."""
    params_file = cursor.analysis.path.endswith(".bicepparam")
    for word, about in KEYWORDS.items():
        if word in _PARAMETERS if params_file else word not in _NOT_THERE:
            yield Item(word, "keyword", text=about.text, insert=f"{word} ", order=3)
    yield from snippets(params_file)


_HEAD = r"\s*(resource\s+\w+\s+'[^']*'(\s+existing)?|module\s+\w+\s+'[^']*')\s*="


def begins_body(cursor: Cursor) -> bool:
    """Whether the body of a resource or module comes next."""
    return re.fullmatch(_HEAD, cursor.before_bare) is not None


def bodies(cursor: Cursor) -> Iterator[Item]:
    """A body, in a condition or a loop if need be, with what it must have."""
    from engine.lsp.completion.keys import required_body

    statement = next((n for n in reversed(cursor.nodes) if isinstance(n, tree.Resource | tree.Module)), None)
    body = required_body(cursor.model, statement)
    yield Item("{}", "snippet", "A body with what it must have", insert=body, snippet=True, order=0)
    yield Item(
        "if",
        "keyword",
        "Only if a condition holds",
        insert=f"if (${{1:condition}}) {_shift(body, 1)}",
        snippet=True,
        order=1,
    )
    loop = "\n".join(f"  {line}" if n else line for n, line in enumerate(_shift(body, 2).split("\n")))
    insert = f"[\n  for ${{1:item}} in ${{2:items}}: {loop}\n]"
    yield Item("for", "keyword", "One for every item", insert=insert, snippet=True, order=1)


def _shift(snippet: str, by: int) -> str:
    """The snippet with its places counted from a later number."""
    return re.sub(r"\$([1-9]\d*)", lambda m: f"${int(m[1]) + by}", snippet)
