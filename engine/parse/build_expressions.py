"""The nodes of expressions: one method a rule of the grammar.

A method's arguments are the symbols of its rule: a token is its number, an optional symbol that is absent is None,
a list is a list, a skipped stretch is a `Broken`, and anything else is the node made of it.
"""

# ruff: noqa: D102  a method is its rule of the grammar

from __future__ import annotations

from engine.parse import tree
from engine.parse.strings import cook, without_first_newline
from engine.parse.tokens import Problem, Tokens
from engine.parse.tree import Broken, Expression, Identifier

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

Place = int | Broken
"""A token, or the nothing that stands for one that is missing."""


class Expressions:
    """What names, lists and expressions become."""

    __slots__ = ("ends", "problems", "quiet", "spoilt", "starts", "text", "tokens")

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.text = tokens.text
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.spoilt = tokens.spoilt
        self.problems = tokens.problems
        self.quiet: set[int] = set()  # commas of which something has been said already

    def end(self, place: Place) -> int:
        """Where a token, or what stands for it, ends."""
        return self.ends[place] if type(place) is int else place.end  # type: ignore[union-attr]

    def say(self, code: str, start: int, end: int, message: str, help: str = "") -> None:
        """One more problem."""
        self.problems.append(Problem(code, start, end, message, help))

    # -------------------------------------------------------------- lists

    def nothing(self) -> list[object]:
        return []

    def first(self, item: object) -> list[object]:
        return [item]

    def add(self, items: list[object], separator: object, item: object) -> list[object]:
        items.append(item)
        return items

    def first_line(self, item: object, newline: int) -> list[object]:
        return [item]

    def add_line(self, items: list[object], item: object, newline: int) -> list[object]:
        items.append(item)
        return items

    def comma_newline(self, comma: int, newline: int) -> int:
        if comma not in self.quiet:
            at = self.starts[newline]
            help = "Separate with a comma or a line end, not both."
            self.say("BCP238", at, at, "A comma is followed by a line end", help)
        return comma

    def skip(self, kept: object, skipped: object) -> object:
        return kept

    def missing(self, gap: Broken) -> Broken:
        return gap

    missing_separator = missing_comma = missing_assign = missing_arrow = missing_from = missing_as = missing_in = (
        missing
    )
    missing_colon = missing_open = broken_close = missing_close_brace = missing_close_bracket = (
        missing_close_parenthesis
    ) = missing
    missing_close_angle = broken = broken_path = broken_resource_type = broken_body = broken_loop_body = missing
    broken_condition_body = broken_type = missing

    # -------------------------------------------------------------- names and literals

    def identifier(self, token: int) -> Identifier:
        start, end = self.starts[token], self.ends[token]
        if end - start > 255:
            self.say("BCP024", start, end, "The name is longer than 255 characters", "Shorten it.")
        return Identifier(start, end, self.text[start:end])

    def missing_name(self, gap: Broken) -> Identifier:
        return Identifier(gap.start, gap.end, "")

    missing_key = missing_type_key = missing_member = missing_name

    def reference(self, token: int) -> tree.Name:
        start, end = self.starts[token], self.ends[token]
        return tree.Name(start, end, self.text[start:end])

    def integer(self, token: int) -> Expression:
        start, end = self.starts[token], self.ends[token]
        if end - start < 20 or (end - start < 400 and int(self.text[start:end]) < 2**64):
            return tree.Integer(start, end, int(self.text[start:end]))
        self.say("BCP010", start, end, "The number does not fit into 64 bits", "Write a smaller one.")
        return Broken(start, end)

    def true(self, token: int) -> tree.Boolean:
        return tree.Boolean(self.starts[token], self.ends[token], True)

    def false(self, token: int) -> tree.Boolean:
        return tree.Boolean(self.starts[token], self.ends[token], False)

    def null(self, token: int) -> tree.Null:
        return tree.Null(self.starts[token], self.ends[token])

    def string(self, token: int) -> tree.Text | Broken:
        start, end = self.starts[token], self.ends[token]
        if token in self.spoilt:
            return Broken(start, end)
        text = self.text[start + 1 : end - 1]
        if "\\" in text:
            said = len(self.problems)
            text = cook(text, start + 1, self.problems)
            if len(self.problems) > said:
                return Broken(start, end)
        return tree.Text(start, end, (text,))

    def multiline(self, token: int) -> tree.Text | Broken:
        start, end = self.starts[token], self.ends[token]
        if token in self.spoilt:
            return Broken(start, end)
        text = self.text[start:end].lstrip("$")[3:-3]
        return tree.Text(start, end, (without_first_newline(text),), (), True)

    def interpolated(self, head: int, holes: list[object], tail: int) -> tree.Text | Broken:
        """`holes` are expressions with the tokens of the pieces between them."""
        start, end = self.starts[head], self.ends[tail]
        if tail in self.spoilt:
            return Broken(start, end)
        opener = self.text[start : self.ends[head]]
        dollars = len(opener) - len(opener.lstrip("$"))
        before, after, last = (dollars + 3, dollars + 1, 3) if dollars else (1, 2, 1)
        bounds = [(start + before, self.ends[head] - after)]
        bounds += [(self.starts[t] + 1, self.ends[t] - after) for t in holes if type(t) is int]
        bounds.append((self.starts[tail] + 1, end - last))
        if dollars:
            parts = [self.text[a:b] for a, b in bounds]
            parts[0] = without_first_newline(parts[0])
        else:
            said = len(self.problems)
            parts = [cook(self.text[a:b], a, self.problems) for a, b in bounds]
            if len(self.problems) > said:
                return Broken(start, end)
        expressions = tuple(self._hole(h) for h in holes if type(h) is not int)
        return tree.Text(start, end, tuple(parts), expressions, bool(dollars))

    def _hole(self, node: Any) -> Expression:
        """An expression in a hole: no literal of several parts may stand in it."""
        if type(node) is tree.Name or not any(sign in self.text[node.start : node.end] for sign in "[{"):
            return node  # type: ignore[no-any-return]
        from engine.parse.holes import without_literals

        def say(start: int) -> None:
            help = "Give it a name by 'var', and write the name."
            self.say("BCP087", start, start + 1, "No array or object can be written out in a string", help)

        return without_literals(node, say)  # type: ignore[return-value]

    def add_hole(self, holes: list[object], middle: int, hole: Expression) -> list[object]:
        holes.append(middle)
        holes.append(hole)
        return holes

    # -------------------------------------------------------------- operators

    def ternary(
        self, condition: Expression, mark: int, then: Expression, colon: Place, other: Expression
    ) -> Expression:
        return tree.Ternary(condition.start, other.end, condition, then, other)

    def binary(self, left: Expression, operator: int, right: Expression) -> Expression:
        start = self.starts[operator]
        text = self.text[start : self.ends[operator]]
        return tree.Binary(left.start, right.end, text, left, right, start)

    def unary(self, operator: int, operand: Expression) -> Expression:
        start = self.starts[operator]
        return tree.Unary(start, operand.end, self.text[start : self.ends[operator]], operand)

    def lambda_one(self, name: int, arrow: int, body: Expression) -> Expression:
        return tree.Lambda(self.starts[name], body.end, (self.identifier(name),), body)

    def lambda_many(self, group: tuple[int, list[Expression], Place], arrow: int, body: Expression) -> Expression:
        opener, items, _ = group
        names = []
        for item in items:
            if isinstance(item, tree.Name):
                names.append(Identifier(item.start, item.end, item.text))
            elif not isinstance(item, Broken):
                names.append(Identifier(item.start, item.end, ""))
                self.say("BCP015", item.start, item.end, "A lambda's parameter must be a name", "Write a name.")
        return tree.Lambda(self.starts[opener], body.end, tuple(names), body)

    # -------------------------------------------------------------- access and calls

    def member(self, base: Expression, dot: int, name: Identifier) -> Expression:
        return tree.Member(base.start, name.end, base, name)

    def safe_member(self, base: Expression, dot: int, mark: int, name: Identifier) -> Expression:
        return tree.Member(base.start, name.end, base, name, True)

    def method(
        self, base: Expression, dot: int, name: Identifier, opener: int, arguments: list[Expression], closer: Place
    ) -> Expression:
        return tree.MethodCall(base.start, self.end(closer), base, name, tuple(arguments))

    def method_empty(self, base: Expression, dot: int, name: Identifier, opener: int, closer: Place) -> Expression:
        return tree.MethodCall(base.start, self.end(closer), base, name, ())

    def safe_method(
        self,
        base: Expression,
        dot: int,
        mark: int,
        name: Identifier,
        opener: int,
        items: list[Expression],
        closer: Place,
    ) -> Expression:
        self._unsafe(mark)
        return tree.MethodCall(base.start, self.end(closer), base, name, tuple(items), True)

    def safe_method_empty(
        self, base: Expression, dot: int, mark: int, name: Identifier, opener: int, closer: Place
    ) -> Expression:
        self._unsafe(mark)
        return tree.MethodCall(base.start, self.end(closer), base, name, (), True)

    def _unsafe(self, mark: int) -> None:
        """`.?` asks for a property; a function is there or is not."""
        start, end = self.starts[mark], self.ends[mark]
        self.say("BCP322", start, end, "'.?' cannot be used to call a function", "Write '.'.")

    def index(
        self, base: Expression, opener: int, before: int | None, index: Expression, after: int | None, closer: Place
    ) -> Expression:
        return tree.Index(base.start, self.end(closer), base, index)

    def safe_index(
        self, base: Expression, opener: int, mark: int, index: Expression, after: int | None, closer: Place
    ) -> Expression:
        return tree.Index(base.start, self.end(closer), base, index, True)

    def end_index(
        self, base: Expression, opener: int, mark: int, index: Expression, after: int | None, closer: Place
    ) -> Expression:
        return tree.Index(base.start, self.end(closer), base, index, False, True)

    def safe_end_index(
        self, base: Expression, opener: int, mark: int, hat: int, index: Expression, after: int | None, closer: Place
    ) -> Expression:
        return tree.Index(base.start, self.end(closer), base, index, True, True)

    def empty_index(self, base: Expression, opener: int, newline: int | None, closer: int) -> Expression:
        at = self.starts[closer]
        self.say("BCP117", at, at, "The brackets hold no index", "Write an index or a property's name in them.")
        return tree.Index(base.start, self.ends[closer], base, Broken(at, at))

    def nested_member(self, base: Expression, colons: int, name: Identifier) -> Expression:
        return tree.NestedMember(base.start, name.end, base, name)

    def non_null(self, base: Expression, mark: int) -> Expression:
        return tree.NonNull(base.start, self.ends[mark], base)

    def call_empty(self, name: int, opener: int, closer: Place) -> Expression:
        return tree.Call(self.starts[name], self.end(closer), self.identifier(name), ())

    def call(self, name: int, opener: int, arguments: list[Expression], closer: Place) -> Expression:
        return tree.Call(self.starts[name], self.end(closer), self.identifier(name), tuple(arguments))

    # -------------------------------------------------------------- parentheses, arrays, objects

    def group_empty(self, opener: int, closer: Place) -> tuple[int, list[Expression], Place]:
        return opener, [], closer

    def group(self, opener: int, items: list[Expression], closer: Place) -> tuple[int, list[Expression], Place]:
        return opener, items, closer

    def group_trailing(
        self, opener: int, items: list[Expression], comma: int, closer: Place
    ) -> tuple[int, list[Expression], Place]:
        """A comma before the closing parenthesis stands for one item more, which no expression in parentheses has."""
        return opener, [*items, Broken(self.starts[comma], self.ends[comma])], closer

    def parenthesized(self, group: tuple[int, list[Expression], Place]) -> Expression:
        opener, items, closer = group
        start, end = self.starts[opener], self.end(closer)
        if len(items) == 1:
            return tree.Parenthesized(start, end, items[0])
        inside, outside = (items[0].start, items[-1].end) if items else (start + 1, start + 1)
        self.say("BCP243", inside, outside, "The parentheses must hold exactly one expression", "Write one in them.")
        return Broken(start, end)

    def array_empty(self, opener: int, newline: int | None, closer: Place) -> Expression:
        return tree.Array(self.starts[opener], self.end(closer), ())

    def array(
        self, opener: int, newline: int | None, items: list[Expression], separator: Place | None, closer: Place
    ) -> Expression:
        return tree.Array(self.starts[opener], self.end(closer), tuple(items))

    def spread(self, dots: int, value: Expression) -> tree.Spread:
        return tree.Spread(self.starts[dots], value.end, value)

    def object_empty(self, opener: int, newline: int | None, closer: Place) -> Expression:
        return tree.Object(self.starts[opener], self.end(closer), ())

    def object(
        self, opener: int, newline: int | None, members: list[tree.Property], separator: Place | None, closer: Place
    ) -> Expression:
        return tree.Object(self.starts[opener], self.end(closer), tuple(members))

    def property(self, key: Identifier | tree.Text | Broken, colon: Place, value: Expression) -> tree.Property | Broken:
        if isinstance(key, Broken):
            self.say(
                "BCP022", key.start, key.end, "This is no name of a property", "Write a name, or a text in quotes."
            )
            return Broken(key.start, value.end)
        return tree.Property(key.start, value.end, key, value)
