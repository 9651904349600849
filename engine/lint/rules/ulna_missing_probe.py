"""Rule ulna-missing-probe."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Symbol
from engine.lint.containers import Container, containers, is_open
from engine.lint.names import constant_text, key_of, property_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("ulna-missing-probe", Category.PLATFORM)
def ulna_missing_probe(model: Model) -> Iterator[Finding]:
    """A container without a readiness or liveness probe.

    Without one a platform takes it for ready as soon as it runs: traffic arrives before it listens, and what hangs is not
    started again. Add `readinessProbe`; `httpGet` or `tcp` on one of its ports, or `exec` where it has none. What runs to
    an end (`restartPolicy` OnFailure or Never, or others wait for its completion) needs none.

    Example:
        param application string
        resource web 'Applications.Core/containers@2023-10-01-preview' = {
          name: 'web'
          properties: {
            application: application
            container: {
              image: 'web:1'
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
          }
        }
    """
    found = [c for c in containers(model) if not is_open(c.properties)]
    awaited = _awaited(model) if found else set()
    for container in found:
        if container.symbol in awaited or _ends(model, container):
            continue
        for part in container.parts:
            if part.helper or is_open(part.body):
                continue
            if property_of(part.body, "readinessProbe") is None and property_of(part.body, "livenessProbe") is None:
                kind = "httpGet' or 'tcp" if property_of(part.body, "ports") else "exec"
                message = f"Container '{part.name}' has no probe, so nobody can tell whether it works"
                yield container.node.name, message, None, f"Add a readinessProbe of kind '{kind}'."


def _ends(model: Model, container: Container) -> bool:
    """Whether it runs to an end, or is not started at all."""
    for key, values in (("restartPolicy", ("onfailure", "never")), ("resourceProvisioning", ("manual",))):
        found = property_of(container.properties, key)
        if found is not None and (constant_text(model, found.value) or "").lower() in values:
            return True
    return False


def _awaited(model: Model) -> set[Symbol]:
    """What others wait for until it has ended."""
    found: set[Symbol] = set()
    if not any(key_of(p) == "waitFor" for p in model.nodes(tree.Property)):
        return found
    for connection in model.nodes(tree.Object):
        condition = property_of(connection, "waitFor")
        if condition is None or constant_text(model, condition.value) != "completed":
            continue
        source = property_of(connection, "source")
        base = source.value.base if source is not None and isinstance(source.value, tree.Member) else None
        symbol = model.symbol(base) if base is not None else None
        if symbol is not None:
            found.add(symbol)
    return found
