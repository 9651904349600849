"""The nodes of statements: one method a rule of the grammar, as in `build_expressions.py`."""

# ruff: noqa: D102  a method is its rule of the grammar
from __future__ import annotations

from engine.diagnostics.source import Span
from engine.parse import tree
from engine.parse.build_expressions import Place
from engine.parse.build_types import Types
from engine.parse.tree import Broken, Decorator, Expression, Identifier, Statement

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import TypeVar

    S = TypeVar("S", bound=Statement)


class Build(Types):
    """What statements become, and with `Types` and `Expressions` everything in a file."""

    __slots__ = ()

    def _keyword(self, token: int) -> Span:
        return Span(self.starts[token], self.ends[token])

    # -------------------------------------------------------------- the file

    def file(self, statements: list[Statement]) -> list[Statement]:
        return statements

    def add_line_trailing(
        self, statements: list[Statement], statement: Statement, rest: Broken, newline: int
    ) -> list[Statement]:
        statements.append(statement)
        return statements

    def add_dangling(
        self, statements: list[Statement], decorators: list[Decorator], rest: Broken, newline: int
    ) -> list[Statement]:
        start = decorators[0].start
        end = max(decorators[-1].end, rest.end if rest.end > rest.start else 0)
        statements.append(tree.BrokenStatement(start, end, tuple(decorators), Span(start, start)))
        return statements

    def dangling_member(self, decorators: list[Decorator], gap: Broken) -> Broken:
        return Broken(decorators[0].start, max(decorators[-1].end, gap.end if gap.end > gap.start else 0))

    def broken_statement(self, gap: Broken) -> Statement:
        return tree.BrokenStatement(gap.start, gap.end, (), Span(gap.start, gap.start))

    def decorate(self, decorators: list[Decorator], statement: S) -> S:
        fields = [getattr(statement, f) for f in statement.__fields__[3:]]
        return type(statement)(decorators[0].start, statement.end, tuple(decorators), *fields)

    def decorator(self, at: int, expression: Expression) -> Decorator:
        return Decorator(self.starts[at], expression.end, expression)

    # -------------------------------------------------------------- declarations

    def target_scope(self, word: int, assign: Place, value: Expression) -> Statement:
        return tree.TargetScope(self.starts[word], value.end, (), self._keyword(word), value)

    def metadata(self, word: int, name: Identifier, assign: Place, value: Expression) -> Statement:
        return tree.Metadata(self.starts[word], value.end, (), self._keyword(word), name, value)

    def param(
        self, word: int, name: Identifier, kind: Expression, assign: int | None, value: Expression | None
    ) -> Statement:
        end = value.end if value else max(name.end, kind.end)
        return tree.Param(self.starts[word], end, (), self._keyword(word), name, kind, value)

    def param_value(self, word: int, name: Identifier, assign: Place, value: Expression) -> Statement:
        return tree.Param(self.starts[word], value.end, (), self._keyword(word), name, None, value)

    def resource_param(
        self, word: int, name: Identifier, resource: int, kind: Expression, assign: int | None, value: Expression | None
    ) -> Statement:
        end = (value or kind).end
        return tree.ResourceParam(self.starts[word], end, (), self._keyword(word), name, kind)

    def var_untyped(self, word: int, name: Identifier, assign: int, value: Expression) -> Statement:
        return tree.Var(self.starts[word], value.end, (), self._keyword(word), name, None, value)

    def var(self, word: int, name: Identifier, kind: Expression, assign: Place, value: Expression) -> Statement:
        known = None if isinstance(kind, Broken) and kind.start == kind.end else kind
        return tree.Var(self.starts[word], value.end, (), self._keyword(word), name, known, value)

    def resource(
        self, word: int, name: Identifier, kind: Expression, existing: int | None, assign: Place, body: Expression
    ) -> Statement:
        keyword = self._keyword(word)
        return tree.Resource(keyword.start, body.end, (), keyword, name, kind, existing is not None, body)

    def module(self, word: int, name: Identifier, path: Expression, assign: Place, body: Expression) -> Statement:
        return tree.Module(self.starts[word], body.end, (), self._keyword(word), name, path, body)

    def output(self, word: int, name: Identifier, kind: Expression, assign: Place, value: Expression) -> Statement:
        return tree.Output(self.starts[word], value.end, (), self._keyword(word), name, kind, value)

    def resource_output(
        self, word: int, name: Identifier, resource: int, kind: Expression, assign: Place, value: Expression
    ) -> Statement:
        """An output that is a resource has the type `resource<kind>`."""
        typed = tree.Parameterized(self.starts[resource], kind.end, self.identifier(resource), (kind,))
        return self.output(word, name, typed, assign, value)

    def type_declaration(self, word: int, name: Identifier, assign: Place, value: Expression) -> Statement:
        return tree.TypeDeclaration(self.starts[word], value.end, (), self._keyword(word), name, value)

    def func(
        self,
        word: int,
        name: Identifier,
        opener: Place,
        parameters: list[tree.FuncParameter],
        closer: Place,
        returns: Expression,
        arrow: Place,
        body: Expression,
    ) -> Statement:
        keyword = self._keyword(word)
        return tree.Func(keyword.start, body.end, (), keyword, name, tuple(parameters), returns, body)

    def func_trailing(
        self,
        word: int,
        name: Identifier,
        opener: Place,
        parameters: list[tree.FuncParameter],
        comma: int,
        closer: Place,
        returns: Expression,
        arrow: Place,
        body: Expression,
    ) -> Statement:
        return self.func(word, name, opener, parameters, closer, returns, arrow, body)

    def func_empty(
        self,
        word: int,
        name: Identifier,
        opener: Place,
        closer: Place,
        returns: Expression,
        arrow: Place,
        body: Expression,
    ) -> Statement:
        return self.func(word, name, opener, [], closer, returns, arrow, body)

    def func_parameter(self, name: Identifier, kind: Expression) -> tree.FuncParameter:
        return tree.FuncParameter(name.start, kind.end, name, kind)

    def assertion(self, word: int, name: Identifier, assign: Place, value: Expression) -> Statement:
        return tree.Assert(self.starts[word], value.end, (), self._keyword(word), name, value)

    def test(self, word: int, name: Identifier, path: Expression, assign: Place, value: Expression) -> Statement:
        return tree.Test(self.starts[word], value.end, (), self._keyword(word), name, path, value)

    # -------------------------------------------------------------- imports and extensions

    def import_items(
        self,
        word: int,
        opener: int,
        newline: int | None,
        items: list[tree.ImportItem | Broken],
        separator: Place | None,
        closer: Place,
        source: Place,
        path: Expression,
    ) -> Statement:
        known = tuple(i for i in items if isinstance(i, tree.ImportItem))
        return tree.Import(self.starts[word], path.end, (), self._keyword(word), known, None, path)

    def import_nothing(
        self, word: int, opener: int, newline: int | None, closer: Place, source: Place, path: Expression
    ) -> Statement:
        return tree.Import(self.starts[word], path.end, (), self._keyword(word), (), None, path)

    def import_wildcard(
        self, word: int, star: int, alias: Place, name: Identifier, source: Place, path: Expression
    ) -> Statement:
        return tree.Import(self.starts[word], path.end, (), self._keyword(word), (), name, path)

    def import_item(self, name: int, as_: int | None, alias: Identifier | None) -> tree.ImportItem:
        known = self.identifier(name)
        return tree.ImportItem(known.start, (alias or known).end, known, alias)

    def import_quoted(
        self, name: tree.Text | Broken, as_: int | None, alias: Identifier | None
    ) -> tree.ImportItem | Broken:
        if isinstance(name, Broken):
            return name
        if alias is None:
            self.say("BCP375", name.start, name.end, "A quoted name needs an alias", "Add 'as' and a name after it.")
        return tree.ImportItem(name.start, (alias or name).end, name, alias)

    def import_item_broken(self, gap: Broken) -> Broken:
        return gap

    def import_broken(self, word: int, gap: Broken) -> Statement:
        end = max(gap.end, self.ends[word]) if gap.end > gap.start else self.ends[word]
        return tree.BrokenStatement(self.starts[word], end, (), self._keyword(word))

    def extension(
        self, word: int, spec: Expression, config: Expression | None, as_: int | None, alias: Identifier | None
    ) -> Statement:
        end = (alias or config or spec).end
        return tree.Extension(self.starts[word], end, (), self._keyword(word), spec, config, alias)

    import_extension = extension

    def with_clause(self, word: int, value: Expression) -> Expression:
        return value

    with_broken = with_clause

    # -------------------------------------------------------------- parameter files

    def using(self, word: int, path: Expression, config: Expression | None) -> Statement:
        return tree.Using(self.starts[word], (config or path).end, (), self._keyword(word), path, config)

    def using_none(self, word: int, none: int, config: Expression | None) -> Statement:
        end = config.end if config else self.ends[none]
        return tree.Using(self.starts[word], end, (), self._keyword(word), None, config)

    def extends(self, word: int, path: Expression) -> Statement:
        return tree.Extends(self.starts[word], path.end, (), self._keyword(word), path)

    def extension_config(self, word: int, alias: Identifier, config: Expression) -> Statement:
        return tree.ExtensionConfig(self.starts[word], config.end, (), self._keyword(word), alias, config)

    def extension_config_broken(self, word: int, alias: Identifier, gap: Broken) -> Statement:
        return tree.ExtensionConfig(self.starts[word], alias.end, (), self._keyword(word), alias, None)

    # -------------------------------------------------------------- the values of resources and modules

    def loop(
        self,
        opener: int,
        before: int | None,
        word: int,
        variables: tuple[Identifier, Identifier | None],
        in_: Place,
        array: Expression,
        colon: Place,
        body: Expression,
        after: int | None,
        closer: Place,
    ) -> Expression:
        item, index = variables
        return tree.For(self.starts[opener], self.end(closer), item, index, array, body)

    def broken_loop(self, opener: int, before: int | None, gap: Broken, after: int | None, closer: Place) -> Expression:
        return Broken(self.starts[opener], self.end(closer))

    def loop_item(self, item: Identifier) -> tuple[Identifier, Identifier | None]:
        return item, None

    def loop_pair(self, opener: int, names: list[Identifier], closer: Place) -> tuple[Identifier, Identifier | None]:
        start, end = self.starts[opener], self.end(closer)
        if not names and isinstance(closer, Broken):
            message = "The line ends where the names of an item and an index should stand"
            self.say("BCP009", end, end, message, "Write (item, index).")
        elif len(names) != 2:
            count = "1 name" if len(names) == 1 else f"{len(names)} names"
            message = f"The parentheses hold {count}, not an item and an index"
            if self.problems and self.problems[-1].code == "BCP012":
                self.problems.pop()
            self.say("BCP249", start, end, message, "Write (item, index), or the item alone without parentheses.")
        item = names[0] if names else Identifier(start, start, "")
        return item, names[1] if len(names) > 1 else None

    def condition(self, word: int, group: tuple[int, list[Expression], Place], body: Expression) -> Expression:
        condition = self.parenthesized(group)
        inner = condition.inner if isinstance(condition, tree.Parenthesized) else condition
        return tree.If(self.starts[word], body.end, inner, body)

    def condition_broken(self, word: int, gap: Broken, body: Expression) -> Expression:
        return tree.If(self.starts[word], body.end, gap, body)
