"""The nodes of type expressions: one method a rule of the grammar, as in `build_expressions.py`."""

# ruff: noqa: D102  a method is its rule of the grammar
from __future__ import annotations

from engine.parse import tree
from engine.parse.build_expressions import Expressions, Place
from engine.parse.tree import Broken, Decorator, Expression, Identifier


class Types(Expressions):
    """What types become."""

    __slots__ = ()

    def leading_union(self, bar: int, members: list[Expression]) -> Expression:
        if len(members) == 1:
            return members[0]
        return tree.Union(self.starts[bar], members[-1].end, tuple(members))

    def union(self, first: Expression, bar: int, members: list[Expression]) -> Expression:
        return tree.Union(first.start, members[-1].end, (first, *members))

    def nullable(self, base: Expression, mark: int) -> Expression:
        return tree.Nullable(base.start, self.ends[mark], base)

    def array_type(self, item: Expression, opener: int, closer: int) -> Expression:
        return tree.ArrayType(item.start, self.ends[closer], item)

    def type_index(self, base: Expression, opener: int, index: Expression, closer: Place) -> Expression:
        return tree.Index(base.start, self.end(closer), base, index)

    def negative_index(self, minus: int, number: int) -> Expression:
        start, end = self.starts[minus], self.ends[number]
        self.say("BCP387", start, end, "The items of a type are counted from 0", "Write 0 or more.")
        return Broken(start, end)

    def items_access(self, base: Expression, opener: int, star: int, closer: Place) -> Expression:
        return tree.ItemsAccess(base.start, self.end(closer), base)

    def rest_access(self, base: Expression, dot: int, star: int) -> Expression:
        return tree.RestAccess(base.start, self.ends[star], base)

    def parameterized(
        self, name: int, opener: int, before: int | None, arguments: list[Expression], after: int | None, closer: Place
    ) -> Expression:
        return tree.Parameterized(self.starts[name], self.end(closer), self.identifier(name), tuple(arguments))

    def parameterized_empty(self, name: int, opener: int, closer: Place) -> Expression:
        return tree.Parameterized(self.starts[name], self.end(closer), self.identifier(name), ())

    def qualified_parameterized(
        self,
        base: Expression,
        dot: int,
        name: Identifier,
        opener: int,
        before: int | None,
        arguments: list[Expression],
        after: int | None,
        closer: Place,
    ) -> Expression:
        return tree.Parameterized(base.start, self.end(closer), name, tuple(arguments), base)

    def parenthesized_type(self, opener: int, inner: Expression, closer: Place) -> Expression:
        return tree.Parenthesized(self.starts[opener], self.end(closer), inner)

    def parenthesized_type_empty(self, opener: int, closer: Place) -> Expression:
        at = self.ends[opener]
        self.say("BCP243", at, at, "The parentheses must hold exactly one type", "Write one in them.")
        return Broken(self.starts[opener], self.end(closer))

    def tuple_type_empty(self, opener: int, newline: int | None, closer: Place) -> Expression:
        return tree.TupleType(self.starts[opener], self.end(closer), ())

    def tuple_type(
        self, opener: int, newline: int | None, items: list[tree.TupleItem], separator: Place | None, closer: Place
    ) -> Expression:
        return tree.TupleType(self.starts[opener], self.end(closer), tuple(items))

    def object_type_empty(self, opener: int, newline: int | None, closer: Place) -> Expression:
        return tree.ObjectType(self.starts[opener], self.end(closer), ())

    def object_type(
        self, opener: int, newline: int | None, members: list[tree.TypeProperty], separator: Place | None, closer: Place
    ) -> Expression:
        return tree.ObjectType(self.starts[opener], self.end(closer), tuple(members))

    def tuple_item(self, kind: Expression) -> tree.TupleItem | Broken:
        if isinstance(kind, Broken):
            return kind
        return tree.TupleItem(kind.start, kind.end, (), kind)

    def decorated_tuple_item(self, decorators: list[Decorator], kind: Expression) -> tree.TupleItem:
        return tree.TupleItem(decorators[0].start, kind.end, tuple(decorators), kind)

    def any_key(self, star: int) -> int:
        return star

    def type_property(
        self, key: Identifier | tree.Text | int | Broken, colon: Place, kind: Expression
    ) -> tree.TypeProperty | Broken:
        return self._type_property((), key, kind)

    def decorated_type_property(
        self, decorators: list[Decorator], key: Identifier | tree.Text | int | Broken, colon: Place, kind: Expression
    ) -> tree.TypeProperty | Broken:
        return self._type_property(tuple(decorators), key, kind)

    def _type_property(
        self, decorators: tuple[Decorator, ...], key: Identifier | tree.Text | int | Broken, kind: Expression
    ) -> tree.TypeProperty | Broken:
        start = self.starts[key] if isinstance(key, int) else key.start
        if decorators:
            start = decorators[0].start
        if isinstance(key, Broken):
            return Broken(start, kind.end)
        return tree.TypeProperty(start, kind.end, decorators, None if isinstance(key, int) else key, kind)
