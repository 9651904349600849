"""Rule ulna-unused-port."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.containers import Container, Part, containers, inner, members
from engine.lint.names import property_of, resources, type_of_resource
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

_APPLICATIONS = ("applications.core/applications", "radius.core/applications")


@rule("ulna-unused-port", Category.PLATFORM)
def ulna_unused_port(model: Model) -> Iterator[Finding]:
    """A port of a container that nothing goes to: no connection, gateway, URL or probe.

    An open port that nobody uses is one more to attack, and where ports are published it is one more to clash. Remove it,
    or connect to it. Only said where the file declares the whole application, and the container by a plain name; whatever
    mentions the container or the number of the port, in this file or its modules, counts as use.

    Example:
        param environment string
        resource app 'Applications.Core/applications@2023-10-01-preview' = {
          name: 'app'
          properties: {
            environment: environment
          }
        }
        resource web 'Applications.Core/containers@2023-10-01-preview' = {
          name: 'web'
          properties: {
            application: app.id
            container: {
              image: 'web:1'
              ports: {
                http: {
                  containerPort: 80
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
        param environment string
        resource app 'Applications.Core/applications@2023-10-01-preview' = {
          name: 'app'
          properties: {
            environment: environment
          }
        }
        resource web 'Applications.Core/containers@2023-10-01-preview' = {
          name: 'web'
          properties: {
            application: app.id
            container: {
              image: 'web:1'
              ports: {
                http: {
                  containerPort: 80
                }
              }
              readinessProbe: {
                kind: 'exec'
                command: 'check'
              }
            }
          }
        }
        resource gateway 'Applications.Core/gateways@2023-10-01-preview' = {
          name: 'gateway'
          properties: {
            application: app.id
            routes: [
              {
                path: '/'
                destination: 'http://web:80'
              }
            ]
          }
        }
    """
    if not any(type_of_resource(model, s) in _APPLICATIONS and not n.existing for s, n in resources(model)):
        return
    texts: list[str] | None = None
    for container in containers(model):
        name = _plain_name(container)
        if name is None or _referred_to(model, container):
            continue
        for part in container.parts:
            for key, port in members(inner(part.body, "ports")):
                numbers = _numbers(port)
                if not numbers or _in_body(container, part, numbers):
                    continue
                if texts is None:
                    texts = list(_texts(model))
                if not any(_mentions(text, name, numbers) for text in texts):
                    yield port.key, f"Nothing goes to port '{key}' of '{name}'"


def _plain_name(container: Container) -> str | None:
    found = property_of(container.node.value, "name")
    return found.value.literal if found is not None and isinstance(found.value, tree.Text) else None


def _referred_to(model: Model, container: Container) -> bool:
    """Whether anything but an order of deployment names the resource."""
    orders = [p for p in model.nodes(tree.Property) if isinstance(p.key, tree.Identifier) and p.key.text == "dependsOn"]
    uses = model.uses.get(container.symbol, ())
    return any(not any(order.start <= use.start < order.end for order in orders) for use in uses)


def _numbers(port: tree.Property) -> frozenset[int]:
    """The numbers of a port: where it listens, and where others reach it; none if one of them is computed."""
    found = [p.value for key in ("containerPort", "port") if (p := property_of(port.value, key)) is not None]
    return frozenset(v.value for v in found if isinstance(v, tree.Integer)) if _literal(found) else frozenset()


def _literal(values: list[tree.Expression]) -> bool:
    return bool(values) and all(isinstance(v, tree.Integer) for v in values)


def _in_body(container: Container, part: Part, numbers: frozenset[int]) -> bool:
    """Whether a probe, an extension or a block for a platform names the port."""
    ports = property_of(part.body, "ports")
    assert ports is not None, "the port stands in it"
    return any(
        n.value in numbers and not ports.start <= n.start < ports.end for n in tree.find(container.node, tree.Integer)
    )


def _texts(model: Model) -> Iterator[str]:
    """What is written in a program, a hole as a NUL; names of resources and images are not uses of them."""
    for each in model.everything():
        passed = {
            id(p.value)
            for p in each.nodes(tree.Property)
            if isinstance(p.key, tree.Identifier) and p.key.text in ("name", "image")
        }
        yield from ("\0".join(t.parts) for t in each.nodes(tree.Text) if id(t) not in passed)


def _mentions(text: str, name: str, numbers: frozenset[int]) -> bool:
    """Whether a text names the container, or one of its ports at some host."""
    import re  # what is looked for differs from file to file

    for match in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])(?::(\d+))?", text, re.IGNORECASE):
        if match[1] is None or int(match[1]) in numbers:
            return True
    return any(re.search(rf"(?:\0:{n}(?!\d))|(?<!\d){n}/(?:tcp|udp)", text) for n in numbers)
