"""Rule secure-params-in-nested-deploy."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import is_secure, nested_template, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("secure-params-in-nested-deploy", Category.SECURITY)
def secure_params_in_nested_deploy(model: Model) -> Iterator[Finding]:
    r"""A secret parameter, or a `list…()` call, in a nested deployment that is evaluated outside.

    The deployment is kept, with the secret in it, in the clear. Use a module; or let it be evaluated inside
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
        if inner or not isinstance(template, tree.Object):
            continue
        used = {each: None for name in tree.find(node, tree.Name) if (each := model.symbol(name)) is not None}
        secret = [f"'{each.name}'" for each in used if is_secure(model, each)]
        if secret:
            yield node.name, f"'{symbol.name}' is kept with its secrets in the clear: {', '.join(secret)}"
        calls = (n for n in tree.walk(node) if isinstance(n, tree.Call | tree.MethodCall) and model.builtin(n))
        listed = [call.name.text for call in calls if call.name.text.startswith("list")]
        if listed:
            yield node.name, f"'{symbol.name}' is kept with what '{listed[0]}' returns in the clear"
