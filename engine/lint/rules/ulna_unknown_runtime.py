"""Rule ulna-unknown-runtime."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.contract.kinds import KINDS
from engine.diagnostics.diagnostic import Safety
from engine.diagnostics.suggest import nearest
from engine.lint.containers import containers, inner, members
from engine.lint.edits import replace
from engine.lint.names import constant_text, property_of, resources
from engine.lint.rule import Category, Finding, rule


@rule("ulna-unknown-runtime", Category.PLATFORM)
def ulna_unknown_runtime(model: Model) -> Iterator[Finding]:
    """A block of `runtimes` for a compute kind that does not exist.

    Blocks of other kinds are passed over by design, so a misspelt one never has any effect. Correct its name; for a kind
    of a provider of your own, add it to `kinds` of this rule in bicepconfig.json.

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
            runtimes: {
              kubernets: {
                pod: {}
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
            runtimes: {
              kubernetes: {
                pod: {}
              }
            }
          }
        }
    """
    kinds: set[str] | None = None
    for container in containers(model):
        for key, block in members(inner(container.properties, "runtimes")):
            if key in KINDS:
                continue
            kinds = kinds or _known(model)
            if key in kinds:
                continue
            near = nearest(key, kinds)
            fix = replace(block.key, near, f"Write '{near}'", Safety.UNSAFE) if near else None
            help = f"Did you mean '{near}'?" if near else f"Compute kinds: {', '.join(sorted(kinds))}."
            yield block.key, f"There is no compute kind '{key}', so this block has no effect", fix, help


def _known(model: Model) -> set[str]:
    """The kinds there are: known ones, those the configuration adds, and those of the file's own environments."""
    options = model.config.get("analyzers", "core", "rules", "ulna-unknown-runtime", "kinds", default=())
    kinds = {*KINDS, *(k for k in options if isinstance(k, str))} if isinstance(options, list) else {*KINDS}
    for _, node in resources(model):
        kind = property_of(node.value, "properties", "compute", "kind")
        text = constant_text(model, kind.value) if kind is not None else None
        if text:
            kinds.add(text)
    return kinds
