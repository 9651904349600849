"""Rule nested-deployment-template-scoping."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Kind
from engine.lint.names import nested_template, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

_OUTSIDE = (Kind.PARAM, Kind.VAR, Kind.RESOURCE, Kind.MODULE)


@rule("nested-deployment-template-scoping", Category.DEPLOYMENT_ERROR)
def nested_deployment_template_scoping(model: Model) -> Iterator[Finding]:
    r"""A name of this file in the template of a nested deployment that is evaluated inside.

    There it means nothing. Use a module, or pass the value by the deployment's `parameters`.

    Example:
        param size string
        resource inner 'Microsoft.Resources/deployments@2024-03-01' = {
          name: 'inner'
          properties: {
            mode: 'Incremental'
            expressionEvaluationOptions: {
              scope: 'inner'
            }
            template: {
              outputs: {
                t: size
              }
            }
            parameters: {
              t: {
                value: size
              }
            }
          }
        }
        ---
        param size string
        resource inner 'Microsoft.Resources/deployments@2024-03-01' = {
          name: 'inner'
          properties: {
            mode: 'Incremental'
            expressionEvaluationOptions: {
              scope: 'inner'
            }
            template: {
              outputs: {
                t: '[parameters(\'t\')]'
              }
            }
            parameters: {
              t: {
                value: size
              }
            }
          }
        }
    """
    for symbol, node in resources(model):
        template, inner = nested_template(model, symbol, node)
        if template is None or not inner:
            continue
        for part in tree.find(template, tree.Name):
            used = model.symbol(part)
            if used is not None and used.kind in _OUTSIDE:
                yield part, f"'{used.name}' is not known inside the nested deployment '{symbol.name}'"
