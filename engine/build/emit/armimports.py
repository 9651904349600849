"""Imports from ARM JSON templates: their definitions, functions and variables, renamed where they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.build.emit.text import call, literal, quote
from engine.build.emit.variables import Section
from engine.check.model import Model
from engine.check.references import REGISTRY
from engine.check.symbols import Kind, Symbol
from engine.parse import tree
from engine.template.template import Template

_USE = re.compile(r"variables\('([^']+)'\)|#/definitions/([^/]+)|copyIndex\('([^']+)'\)|\b(__bicep|_\d+)\.(\w+)\(")


class Foreign:
    """One thing in a template: `names` are those that all things of this template get, by kind and old name."""

    __slots__ = ("kind", "name", "names", "path", "symbols", "template")

    def __init__(
        self, template: Template, path: str, names: dict[tuple[Kind, str], str], kind: Kind, name: str
    ) -> None:
        self.template = template
        self.path = path
        self.names = names
        self.kind = kind
        self.name = name
        self.symbols: list[Symbol] = []

    @property
    def key(self) -> tuple[int, Kind, str]:
        """What tells it from all others."""
        return id(self.template), self.kind, self.name

    def needs(self) -> Iterator[Foreign]:
        """What it refers to in its template."""
        for text in _texts(self._content()):
            for match in _USE.finditer(text):
                variable, definition, _, space, function = match.groups()
                if variable or definition or space:
                    kind = Kind.VAR if variable else Kind.TYPE if definition else Kind.FUNC
                    name = variable or definition or (function if space == "__bicep" else f"{space}.{function}")
                    if (kind, name) != (self.kind, self.name):
                        yield Foreign(self.template, self.path, self.names, kind, name)

    def schema(self) -> dict[str, Any]:
        """A definition or function, with all names replaced."""
        content = self._renamed(self._content())
        return content if isinstance(content, dict) else {}

    def write(self, section: Section, name: str) -> None:
        """Add a variable."""
        content = self._renamed(self._content())
        if self._looped() is not None:
            times = str(content.get("count", 0))
            times = times[1:-1] if times.startswith("[") else times
            section.loops.append({**content, "name": name, "count": f"[length(range(0, {times}))]"})
        else:
            section.values[name] = content

    def text(self, settled: Callable[[str], str]) -> str:
        """The value of a variable as expression text, all that it uses put in; `settled` evaluates a text."""
        return settled(self._text(self._content(), settled, {self.name}))

    def _text(self, value: Any, settled: Callable[[str], str], above: set[str]) -> str:
        match value:
            case str() if value.startswith("[") and value.endswith("]") and not value.startswith("[["):

                def put_in(match: re.Match[str]) -> str:
                    name = match[1]
                    if name is None or name in above:
                        return match[0]
                    used = Foreign(self.template, self.path, self.names, Kind.VAR, name)
                    return settled(used._text(used._content(), settled, above | {name}))

                return _USE.sub(put_in, value[1:-1])
            case str():
                return quote(value[1:] if value.startswith("[[") else value)
            case Mapping():
                pairs = ((quote(k), self._text(v, settled, above)) for k, v in value.items())
                return call("createObject", *(text for pair in pairs for text in pair))
            case list():
                return call("createArray", *(self._text(v, settled, above) for v in value))
            case _:
                return literal(value)

    def _content(self) -> Any:
        document = self.template.document
        match self.kind:
            case Kind.TYPE:
                return document.get("definitions", {}).get(self.name)
            case Kind.FUNC:
                space, _, name = self.name.rpartition(".")
                for each in document.get("functions", ()):
                    if each.get("namespace") == (space or "__bicep"):
                        return each.get("members", {}).get(name)
                return None
            case _:
                looped = self._looped()
                return looped if looped is not None else document.get("variables", {}).get(self.name)

    def _looped(self) -> Mapping[str, Any] | None:
        copies = self.template.document.get("variables", {}).get("copy", ())
        return next((each for each in copies if isinstance(each, Mapping) and each.get("name") == self.name), None)

    def _renamed(self, value: Any) -> Any:
        match value:
            case str():
                return _USE.sub(self._replace, value)
            case Mapping():
                return {key: self._renamed(below) for key, below in value.items()}
            case list():
                return [self._renamed(below) for below in value]
            case _:
                return value

    def _replace(self, match: re.Match[str]) -> str:
        variable, definition, loop, space, function = match.groups()
        if variable:
            return f"variables('{self.names.get((Kind.VAR, variable), variable)}')"
        if definition:
            return f"#/definitions/{self.names.get((Kind.TYPE, definition), definition)}"
        if loop:
            own = self.names.get((Kind.VAR, loop), loop) if self.kind is Kind.VAR and loop == self.name else loop
            return f"copyIndex('{own}')"
        old = function if space == "__bicep" else f"{space}.{function}"
        new = self.names.get((Kind.FUNC, old), old)
        return f"{new}(" if "." in new else f"__bicep.{new}("


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for below in value.values():
                yield from _texts(below)
        case list():
            for below in value:
                yield from _texts(below)
        case _:
            return


def foreign_items(model: Model, symbol: Symbol) -> Foreign | None:
    """What a symbol stands for in the ARM JSON template that it is imported from."""
    for statement in model.file.statements:
        if not isinstance(statement, tree.Import):
            continue
        template = model.modules.get(id(statement))
        if not isinstance(template, Template):
            continue
        name = None
        if symbol.declaration is statement:
            name = symbol.name
        for item in statement.items:
            if symbol.declaration is item:
                name = item.name.text if isinstance(item.name, tree.Identifier) else item.name.literal
        if name is not None:
            literal = statement.path.literal if isinstance(statement.path, tree.Text) else None
            found = Foreign(template, _place(model, literal or ""), {}, symbol.kind, name)
            found.symbols.append(symbol)
            return found
    return None


def _place(model: Model, reference: str) -> str:
    """The path of what is imported; of an artifact its full reference, without an alias."""
    if reference.startswith(REGISTRY):
        from engine.sources.reference import Mapped, parse_reference

        meant = parse_reference(reference, model.config.settings, model.config.path)
        return meant.path if isinstance(meant, Mapped) else str(meant)
    return model.sources.resolve(model.path, reference) if model.sources else reference
