"""What can be folded away: whatever has brackets on several lines, runs of comments, and the imports."""

from __future__ import annotations

from collections.abc import Iterator

from engine.diagnostics.source import Span
from engine.lsp.analysis import Analysis
from engine.parse import tree
from engine.record import Record

_FOLDING = (
    tree.Object, tree.Array, tree.ObjectType, tree.TupleType, tree.For, tree.Call, tree.MethodCall, tree.Func,
)  # fmt: skip


class Fold(Record):
    """Lines, from 0, of which only the first stays; `kind` is empty, `comment` or `imports`."""

    first: int
    last: int
    kind: str = ""


def folds(analysis: Analysis) -> list[Fold]:
    """All of them, from top to bottom; no two with the same first line."""
    found: dict[int, Fold] = {}
    for fold in (*_brackets(analysis), *_comments(analysis), *_imports(analysis)):
        if fold.last > fold.first:
            found.setdefault(fold.first, fold)
    return [found[line] for line in sorted(found)]


def _brackets(analysis: Analysis) -> Iterator[Fold]:
    source = analysis.model.source
    for kind in _FOLDING:
        for node in analysis.model.nodes(kind):
            first, last = source.position(node.start)[0] - 1, source.position(node.end)[0] - 1
            yield Fold(first, last - 1 if analysis.text[node.end - 1 : node.end] in ("}", "]", ")") else last)
    for text in analysis.model.nodes(tree.Text):
        if text.multiline:
            yield Fold(source.position(text.start)[0] - 1, source.position(text.end)[0] - 1)


def _comments(analysis: Analysis) -> Iterator[Fold]:
    run: Span | None = None
    for comment in analysis.file.comments:
        if run is not None and analysis.text[run.end : comment.start].strip(" \t") in ("\n", "\r\n", "\r"):
            run = Span(run.start, comment.end)
            continue
        if run is not None:
            yield _lines(analysis, run, "comment")
        run = comment
    if run is not None:
        yield _lines(analysis, run, "comment")


def _imports(analysis: Analysis) -> Iterator[Fold]:
    imports = [s for s in analysis.file.statements if isinstance(s, tree.Import)]
    if len(imports) > 1:
        yield _lines(analysis, Span(imports[0].start, imports[-1].end), "imports")


def _lines(analysis: Analysis, span: Span, kind: str) -> Fold:
    source = analysis.model.source
    return Fold(source.position(span.start)[0] - 1, source.position(span.end)[0] - 1, kind)
