"""Rule ulna-dangling-connection."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.contract.patterns import pattern
from engine.diagnostics.diagnostic import Fix, Safety
from engine.lint.containers import containers, inner, members
from engine.lint.edits import replace
from engine.lint.names import bare, constant_text, property_of, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("ulna-dangling-connection", Category.PLATFORM)
def ulna_dangling_connection(model: Model) -> Iterator[Finding]:
    """A connection to nothing: its source is neither a URL nor the id of a resource.

    It is refused when it is deployed. Write the id of a resource that the file declares, as new or as existing
    (`source: backend.id`), or a URL with its scheme (`source: 'http://backend:3000'`).

    Example:
        param application string
        resource web 'Applications.Core/containers@2023-10-01-preview' = {
          name: 'web'
          properties: {
            application: application
            container: {
              image: 'web:1'
              readinessProbe: {
                kind: 'exec'
                command: 'check'
              }
            }
            connections: {
              db: {
                source: 'db:5432'
              }
            }
          }
        }
        ---
        param application string
        resource web 'Applications.Core/containers@2023-10-01-preview' = {
          name: 'web'
          properties: {
            application: application
            container: {
              image: 'web:1'
              readinessProbe: {
                kind: 'exec'
                command: 'check'
              }
            }
            connections: {
              db: {
                source: 'postgres://db:5432'
              }
            }
          }
        }
    """
    for container in containers(model):
        for name, connection in members(inner(container.properties, "connections")):
            source = property_of(connection.value, "source")
            if source is None:
                continue
            what, target = _nothing(model, source.value)
            if what is not None:
                fix = _id(source.value, target) if target is not None else None
                help = "Write SYMBOL.id, or scheme://host:port."
                yield source.value, f"Connection '{name}' leads nowhere: {what} is no id and no URL", fix, help


def _nothing(model: Model, value: tree.Node) -> tuple[str | None, Symbol | None]:
    """What a source is that is certainly nothing to connect to, and the resource that was probably meant."""
    value = bare(value)
    if isinstance(value, tree.Member) and isinstance(value.base, tree.Name | tree.Index):
        base = value.base.base if isinstance(value.base, tree.Index) else value.base
        symbol = model.symbol(base)
        if symbol is not None and symbol.kind is Kind.RESOURCE and value.name.text in ("name", "type", "apiVersion"):
            return f"the {value.name.text} of '{symbol.name}'", symbol if isinstance(value.base, tree.Name) else None
        return None, None
    text = constant_text(model, value)
    if text is None or text.startswith("/") or pattern(r"[A-Za-z][A-Za-z0-9+.-]*://").match(text):
        return None, None
    return f"'{text}'", _named(model, text)


def _named(model: Model, text: str) -> Symbol | None:
    """The one resource of a name."""
    found = []
    for symbol, node in resources(model):
        name = property_of(node.value, "name")
        if symbol.parent is None and name is not None and constant_text(model, name.value) == text:
            found.append(symbol)
    return found[0] if len(found) == 1 and not isinstance(found[0].declaration, tree.For) else None


def _id(value: tree.Node, target: Symbol) -> Fix:
    return replace(value, f"{target.name}.id", f"Write {target.name}.id", Safety.UNSAFE)
