"""Rule what-if-short-circuiting."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.body import properties_of
from engine.check.declare import body_of
from engine.check.model import Model
from engine.check.symbols import Kind
from engine.lint.names import gates, made_of, property_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("what-if-short-circuiting", Category.POTENTIAL_ISSUE, level="off")
def what_if_short_circuiting(model: Model) -> Iterator[Finding]:
    """A value known only at run time, given to a module that decides by it what it deploys.

    A preview cannot look into such a module: the name or condition of its resources is not known yet.

    Example:
        >>> part.bicep
        param name string
        resource a 'My.Rp/things@2024-01-01' = {
          name: name
        }
        output made string = a.properties.code
        <<<
        module one 'part.bicep' = {
          params: {
            name: 'one'
          }
        }
        module two 'part.bicep' = {
          params: {
            name: one.outputs.made
          }
        }
        ---
        param name string
        module one 'part.bicep' = {
          params: {
            name: 'one'
          }
        }
        module two 'part.bicep' = {
          params: {
            name: name
          }
        }
    """
    modules = model.nodes(tree.Module)
    if not modules:
        return
    from engine.build.emit.declared import declared
    from engine.build.emit.lateness import Lateness
    from engine.build.emit.unit import Session, Unit

    unit = Unit(model, Session())
    unit.declared = declared(model)
    lateness = Lateness(unit)
    for node in modules:
        used = model.modules.get(id(node))
        given = property_of(node.value, "params")
        if not isinstance(used, Model) or given is None or not isinstance(given.value, tree.Object):
            continue
        deciding = _deciding(used)
        for name, property in properties_of(given.value).items():
            if name in deciding and any(True for _ in lateness.parts(property.value)):
                yield property.value, f"Module '{node.name.text}' decides by '{name}' what it deploys"


def _deciding(model: Model) -> set[str]:
    """The parameters that names, scopes and conditions of a file's resources depend on."""
    nodes: list[tree.Node] = []
    every: list[tree.Resource | tree.Module] = [*model.nodes(tree.Resource), *model.nodes(tree.Module)]
    for node in every:
        nodes += gates(node)
        body = body_of(node.value)
        given = properties_of(body) if body is not None else {}
        nodes += [given[key].value for key in ("name", "scope", "parent") if key in given]
    named = map(model.symbol, made_of(model, *nodes))
    return {symbol.name for symbol in named if symbol is not None and symbol.kind is Kind.PARAM}
