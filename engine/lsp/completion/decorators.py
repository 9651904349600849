"""What can stand after an at sign."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.check.functions.decorators import DECORATORS, FEATURES, TARGETS, Target
from engine.lsp.completion.cursor import Cursor
from engine.lsp.completion.item import Item
from engine.lsp.describe import overload_signature
from engine.lsp.words import DECORATORS as WORDS
from engine.lsp.words import Word
from engine.parse import tree

_STANDS_ON: dict[type[tree.Node], int] = {
    tree.Param: Target.PARAM,
    tree.ResourceParam: Target.PARAM,
    tree.Var: Target.VAR,
    tree.TypeDeclaration: Target.TYPE,
    tree.Output: Target.OUTPUT,
    tree.Func: Target.FUNC,
    tree.Resource: Target.RESOURCE,
    tree.Module: Target.MODULE,
    tree.TypeProperty: Target.MEMBER,
    tree.TupleItem: Target.MEMBER,
}


def is_decorator(cursor: Cursor) -> bool:
    """Whether the word at the cursor follows an at sign."""
    return re.search(r"(^|[\s\[{,)])@(sys\.)?$", cursor.before) is not None


def decorators(cursor: Cursor) -> Iterator[Item]:
    """Those that fit what they would stand on, or all where that is not known."""
    owner = next((n for n in reversed(cursor.nodes) if type(n) in _STANDS_ON), None)
    target = _STANDS_ON[type(owner)] if owner is not None else ~0
    for name in DECORATORS:
        function = DECORATORS.get(name)
        if not TARGETS[name] & target or function is None:
            continue
        if name in FEATURES and not cursor.model.config.feature(FEATURES[name]):
            continue
        word = WORDS.get(name, Word())
        detail = overload_signature(name, function.overloads[0], word, returns=False)[0]
        given = {"description": "'$1'", "metadata": "{\n  $1\n}", "allowed": "[\n  $1\n]"}.get(name, "$1")
        insert = f"{name}({given if function.overloads[0].parameters else ''})"
        yield Item(name, "decorator", f"@{detail}", word.text, insert, snippet=True, order=2)
    if "sys." not in cursor.before[-4:]:
        yield Item("sys", "namespace", "namespace sys", order=8)
