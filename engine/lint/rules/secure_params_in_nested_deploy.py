"""Rule secure-params-in-nested-deploy."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import is_secure, nested_template, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("secure-params-in-nested-deploy", Category.SECURITY)
def secure_params_in_nested_deploy(model: Model) -> Iterator[Finding]:
    r"""A secret in the template of a nested deployment that is evaluated outside.

    The template is kept, with the secret in it, in the clear. Use a module; or let it be evaluated inside
    (`expressionEvaluationOptions.scope: 'inner'`), and pass the secret as a secure parameter.

    Example:
        @secure()
        param token string
        resource inner 'Microsoft.Resources/deployments@2024-03-01' = {
          name: 'inner'
          properties: {
            mode: 'Incremental'
            expressionEvaluationOptions: {
              scope: 'outer'
            }
            template: {
              outputs: {
                t: token
              }
            }
            parameters: {
              t: {
                value: token
              }
            }
          }
        }
        ---
        @secure()
        param token string
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
                value: token
              }
            }
          }
        }
    """
    for symbol, node in resources(model):
        template, inner = nested_template(model, symbol, node)
        if template is None or inner:
            continue
        for part in tree.walk(template):
            used = model.symbol(part) if isinstance(part, tree.Name) else None
            lists = isinstance(part, tree.Call | tree.MethodCall) and part.name.text.startswith("list")
            if lists or (used is not None and is_secure(model, used)):
                yield node.name, f"The template of '{symbol.name}' has a secret in it, and is kept in the clear"
                break
