"""Resources and modules as the file declares them, in the order in which a template lists them."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.resource_type import ResourceTypeName
from engine.check.symbols import Symbol
from engine.parse import tree

DEPLOYMENT = "Microsoft.Resources/deployments"
DEPLOYMENT_VERSION = "2025-04-01"
"""The API version of modules, as the reference compiler's newest release has it."""


class Declared:
    """One resource or module: what its statement and those around it say of it.

    `name` is the symbolic name (`parent::child`), `conditions` those of the enclosing resources, outermost first, then its
    own; `body` holds its properties, also by name in `properties`; `enclosing` is the resource that it is nested in.
    """

    __slots__ = (
        "body",
        "conditions",
        "enclosing",
        "existing",
        "extension",
        "loop",
        "module",
        "name",
        "properties",
        "statement",
        "symbol",
        "type",
        "version",
    )

    def __init__(
        self,
        symbol: Symbol,
        statement: tree.Resource | tree.Module,
        enclosing: Declared | None,
        name: ResourceTypeName | None = None,
    ) -> None:
        self.symbol = symbol
        self.statement = statement
        self.enclosing = enclosing
        self.module = isinstance(statement, tree.Module)
        self.existing = isinstance(statement, tree.Resource) and statement.existing
        self.name: str = f"{enclosing.name}::{symbol.name}" if enclosing else symbol.name
        self.type, self.version = (name.type, name.version or "") if name else _type(statement, enclosing)
        self.extension: str | None = None
        """The alias of the extension that defines its type; None for Azure's own."""
        self.loop: tree.For | None = None
        self.conditions: tuple[tree.Expression, ...] = enclosing.conditions if enclosing else ()
        value = statement.value
        if isinstance(value, tree.For):
            self.loop, value = value, value.body
        if isinstance(value, tree.If):
            self.conditions, value = (*self.conditions, value.condition), value.body
        self.body: tree.Object | None = value if isinstance(value, tree.Object) else None
        self.properties: dict[str, tree.Expression] = {}
        for part in self.body.members if self.body else ():
            if isinstance(part, tree.Property):
                self.properties.setdefault(key_text(part.key) or "", part.value)

    @property
    def segments(self) -> int:
        """How many names its type has: one for each part after the provider."""
        return self.type.count("/")


def key_text(key: tree.Identifier | tree.Text) -> str | None:
    """A property's name, if it is known without evaluation."""
    return key.text if isinstance(key, tree.Identifier) else key.literal


def declared(model: Model) -> dict[Symbol, Declared]:
    """All of a file, in the order of a template: nested scopes first, then resources, then modules."""
    resources: list[tuple[Symbol, tree.Resource]] = []
    modules: list[Declared] = []
    for statement in model.file.statements:
        match statement:
            case tree.Resource() if symbol := model.symbol(statement.name):
                resources.append((symbol, statement))
            case tree.Module() if symbol := model.symbol(statement.name):
                modules.append(Declared(symbol, statement, None))
            case _:
                pass
    own = [Declared(symbol, statement, None, model.resource_types.get(symbol)) for symbol, statement in resources]
    found = [*_scope(model, own), *modules]
    return {each.symbol: each for each in found}


def _scope(model: Model, own: list[Declared]) -> Iterator[Declared]:
    for each in own:
        if nested := model.nested.get(id(each.statement)):
            inner = [(s, s.declaration) for s in nested.values()]
            yield from _scope(
                model,
                [
                    Declared(symbol, statement, each, model.resource_types.get(symbol))
                    for symbol, statement in inner
                    if isinstance(statement, tree.Resource)
                ],
            )
    yield from own


def _type(statement: tree.Resource | tree.Module, enclosing: Declared | None) -> tuple[str, str]:
    """Type and API version; a nested resource completes them from the one around it."""
    if isinstance(statement, tree.Module):
        return DEPLOYMENT, DEPLOYMENT_VERSION
    text = (statement.type.literal if isinstance(statement.type, tree.Text) else None) or ""
    name, _, version = text.partition("@")
    if enclosing:
        return f"{enclosing.type}/{name}", version or enclosing.version
    return name, version
