"""Rule ulna-floating-image."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.containers import containers
from engine.lint.names import bare, constant_text, property_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("ulna-floating-image", Category.PLATFORM)
def ulna_floating_image(model: Model) -> Iterator[Finding]:
    """An image without a tag, or with the tag `latest`.

    It is another one tomorrow: two replicas may differ, a plan shows no change where there is one, and there is no way
    back. Write a version, as in `web:1.4`, or a digest, `web@sha256:…`.

    Example:
        param application string
        resource web 'Applications.Core/containers@2023-10-01-preview' = {
          name: 'web'
          properties: {
            application: application
            container: {
              image: 'web'
              readinessProbe: {
                kind: 'exec'
                command: 'check'
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
              image: 'web:1.4'
              readinessProbe: {
                kind: 'exec'
                command: 'check'
              }
            }
          }
        }
    """
    for container in containers(model):
        for part in container.parts:
            image = property_of(part.body, "image")
            tail = _tail(model, image.value) if image is not None else None
            if image is None or tail is None or "@" in tail:
                continue
            name, colon, tag = tail.rpartition("/")[2].partition(":")
            help = "Write a version or a digest."
            if not colon:
                yield image.value, f"Image '{name}' has no tag, so it means 'latest'", None, help
            elif tag == "latest":
                yield image.value, f"The tag 'latest' of image '{name or tail}' is another image tomorrow", None, help


def _tail(model: Model, value: tree.Node) -> str | None:
    """The end of an image that certainly is its last part; None where that is not known."""
    text = constant_text(model, value)
    if text is not None:
        return text or None
    value = bare(value)
    if not isinstance(value, tree.Text) or not value.holes:
        return None
    end = value.parts[-1]
    return end if "/" in end or end.startswith(":") else None
