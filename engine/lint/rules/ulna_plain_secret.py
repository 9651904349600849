"""Rule ulna-plain-secret."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.functions.signature import Trait
from engine.check.model import Model
from engine.contract.patterns import pattern
from engine.lint.containers import containers, inner, members
from engine.lint.names import constant_text, is_secure, property_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

_SECRET = r"(?i)(password|passwd|passphrase|pwd|secret|token|apikey|accesskey|secretkey|privatekey|accountkey)$"
_IN_URL = r"(?i)[a-z][a-z0-9+.-]*://[^/\s:@]+:[^/\s@]+@"


@rule("ulna-plain-secret", Category.PLATFORM)
def ulna_plain_secret(model: Model) -> Iterator[Finding]:
    """A secret as the plain value of an environment variable.

    Whoever may look at the container may read it: it stands in its definition on every platform, or in this very file. Put
    it into a secret store, and refer to that: `valueFrom: { secretRef: { source: store.id, key: 'password' } }`.

    Example:
        param application string
        resource web 'Applications.Core/containers@2023-10-01-preview' = {
          name: 'web'
          properties: {
            application: application
            container: {
              image: 'web:1'
              env: {
                DB_PASSWORD: {
                  value: 'hunter2'
                }
              }
              readinessProbe: {
                kind: 'exec'
                command: 'check'
              }
            }
          }
        }
        ---
        resource store 'Applications.Core/secretStores@2023-10-01-preview' existing = {
          name: 'store'
        }
        param application string
        resource web 'Applications.Core/containers@2023-10-01-preview' = {
          name: 'web'
          properties: {
            application: application
            container: {
              image: 'web:1'
              env: {
                DB_PASSWORD: {
                  valueFrom: {
                    secretRef: {
                      source: store.id
                      key: 'password'
                    }
                  }
                }
              }
              readinessProbe: {
                kind: 'exec'
                command: 'check'
              }
            }
          }
        }
    """
    help = "Put it into a secret store, and give the variable a valueFrom.secretRef."
    for container in containers(model):
        for part in container.parts:
            for name, variable in members(inner(part.body, "env")):
                value = property_of(variable.value, "value")
                reason = _reason(model, name, value.value) if value is not None else None
                if value is not None and reason is not None:
                    yield value.value, f"Environment variable '{name}' is plain, and {reason}", None, help


def _reason(model: Model, name: str, value: tree.Node) -> str | None:
    """Why a value is a secret; None if it does not seem to be one."""
    found = _source(model, value, 0)
    if found is not None:
        return found
    text = constant_text(model, value)
    if not text or text.lower() in ("true", "false") or text.isdigit():
        return None
    if pattern(_SECRET).search(name.replace("_", "").replace("-", "")):
        return "its name is that of a secret"
    return "its URL has a password in it" if pattern(_IN_URL).match(text) else None


def _source(model: Model, value: tree.Node, depth: int) -> str | None:
    """Where in an expression a secret comes from, through variables."""
    for node in tree.walk(value):
        match node:
            case tree.Name():
                symbol = model.symbol(node)
                if symbol is None:
                    continue
                if is_secure(model, symbol):
                    return f"'{symbol.name}' is secure"
                if isinstance(symbol.declaration, tree.Var) and depth < 10:
                    found = _source(model, symbol.declaration.value, depth + 1)
                    if found is not None:
                        return found
            case tree.Call() | tree.MethodCall():
                function = model.builtin(node)
                if function is not None and Trait.SECURE in function.traits:
                    return f"what '{function.name}' gives is a secret"
                if isinstance(node, tree.MethodCall) and pattern("list[A-Z]|getSecret$").match(node.name.text):
                    return f"what '{node.name.text}' gives is a secret"
            case _:
                pass
    return None
