"""The cursor of a completion: the word that is begun, the line before it, and the nodes around it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.check.types import Type
from engine.lsp.analysis import Analysis
from engine.lsp.expected import wanted
from engine.lsp.places import chain, open_string, word_start
from engine.parse import tree

IN_FUNC = (Kind.FUNC, Kind.VAR, Kind.WILDCARD, Kind.TYPE, Kind.EXTENSION)
"""What the body of a function can see of its file."""


class Cursor:
    """A place in an analysed file; `before` is the line up to the word, `string` where the string starts that it is in."""

    __slots__ = ("analysis", "before", "line_start", "nodes", "offset", "start", "string")

    def __init__(self, analysis: Analysis, offset: int) -> None:
        text = analysis.text
        self.analysis = analysis
        self.offset = offset
        self.string = open_string(text, offset)
        self.start = word_start(text, offset)
        self.line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
        self.before = text[self.line_start : self.start]
        self.nodes = chain(analysis.file, offset)
        self.nodes = self._nearby() or self.nodes

    def _nearby(self) -> list[tree.Node] | None:
        """Blanks around what is missing belong to no node: what is missing may stand before or behind them."""
        if isinstance(self.nodes[-1], tree.Broken) or self.start < self.offset:
            return None
        text, file = self.analysis.text, self.analysis.file
        bare = self.line_start + len(self.before_bare)
        ahead = self.offset + len(text[self.offset :]) - len(text[self.offset :].lstrip(" \t"))
        for at in (bare, ahead):
            nodes = chain(file, at)
            if isinstance(nodes[-1], tree.Broken) and (at == bare or nodes[-1].start == nodes[-1].end):
                return nodes
        return chain(file, bare) if len(self.nodes) == 1 and bare > self.line_start else None

    @property
    def model(self) -> Model:
        """The checked file."""
        return self.analysis.model

    @property
    def word(self) -> str:
        """What is begun."""
        return self.analysis.text[self.start : self.offset]

    @property
    def before_bare(self) -> str:
        """The line up to the word, without blanks at its end."""
        return self.before.rstrip()

    def wanted(self) -> Type | None:
        """The type that belongs here."""
        return wanted(self.model, self.nodes)

    def outer(self, kind: type[tree.N]) -> tree.N | None:
        """The nearest node around of a kind."""
        return next((n for n in reversed(self.nodes) if isinstance(n, kind)), None)

    def statement(self) -> tree.Statement | None:
        """The statement around at the top level."""
        return next((n for n in self.nodes if isinstance(n, tree.Statement)), None)

    def scope(self) -> Iterator[Symbol]:
        """The symbols that can be named here, nearest first; of one name only the nearest."""
        seen: set[str] = set()
        for symbol in self._all():
            if symbol.name and symbol.name not in seen:
                seen.add(symbol.name)
                yield symbol

    def _all(self) -> Iterator[Symbol]:
        model, func = self.model, False
        for node, inner in zip(reversed(self.nodes), [None, *reversed(self.nodes)], strict=False):
            if isinstance(node, tree.For | tree.Lambda | tree.Func):
                if isinstance(node, tree.For) and inner is node.array:
                    continue
                func = func or isinstance(node, tree.Func)
                yield from model.locals.get(id(node), ())
            elif isinstance(node, tree.Resource):
                yield from model.nested.get(id(node), {}).values()
        own = self.statement()
        for symbol in model.symbols.values():
            if (
                symbol.declaration is not own
                and (not func or symbol.kind in IN_FUNC)
                and symbol.kind is not Kind.METADATA
            ):
                yield symbol
