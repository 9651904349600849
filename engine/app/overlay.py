"""What an environment sets over what developers did: merged before anything is lowered, and said.

`overlay.containers` is for every container, `overlay.resources` for one resource by its name, or by `type/name` where another
type is meant. Objects are merged, extensions by their kind, anything else is replaced; null takes a property away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.app.ports import CONTAINERS
from engine.app.runtimes import block_schema, check_blocks
from engine.app.schema import check, check_resource, schema_of
from engine.contract.merging import merged
from engine.contract.operator import Environment, View
from engine.contract.platform import Platform
from engine.contract.resource import Resource, body
from engine.contract.value import Leaf, Properties, Value, has_secret, leaves
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place

SHOWN = 60
"""The longest value that is shown."""


class Overlaid:
    """A view of resources as the environment has them."""

    __slots__ = ("_made", "_view")

    def __init__(self, view: View) -> None:
        self._view = view
        self._made: dict[str, Resource] = {}

    @property
    def environment(self) -> Environment | None:
        """The environment of the resource that looks."""
        return self._view.environment

    def find(self, id: str) -> Resource | None:
        """The resource with this id."""
        found = self._view.find(id)
        return None if found is None else self.of(found)

    def resources(self) -> Iterable[Resource]:
        """All resources."""
        return [self.of(r) for r in self._view.resources()]

    def folder(self, resource: Resource) -> str:
        """The folder of the file that declares it."""
        return self._view.folder(resource)

    def of(self, resource: Resource) -> Resource:
        """A resource as the environment has it."""
        if resource.address not in self._made:
            self._made[resource.address] = overlaid(resource, self._view)
        return self._made[resource.address]


def has_overlay(environment: Environment | None) -> bool:
    """Whether an environment sets anything."""
    return environment is not None and isinstance(environment.properties.get("overlay"), Mapping)


def overlaid(resource: Resource, view: View) -> Resource:
    """The resource with what its environment sets; the same one where that is nothing."""
    patches = list(_patches(resource, view))
    if not patches or resource.existing:
        return resource
    properties: Value = dict(body(resource))
    for patch in patches:
        properties = merge(properties, patch)
    if isinstance(resource.properties.get("properties"), Mapping):
        properties = {**resource.properties, "properties": properties}
    return resource.replace(properties=properties)


def told(resource: Resource, view: View) -> Iterator[Diagnostic]:
    """What the environment sets, property by property."""
    environment = view.environment
    assert environment is not None
    before = body(resource)
    after = body(overlaid(resource, view))
    for path, old, new in _changes(before, after, ()):
        was = "" if old is _ABSENT else f", in place of {_shown(old)}"
        now = "removed" if new is _ABSENT else _shown(new)
        message = f"'{resource.name}': {'.'.join(path)} is set by the environment '{environment.name}': {now}{was}"
        yield Diagnostic("ULN332", Severity.INFO, message, place(resource.origin, path))


def merge(base: Properties, patch: Properties) -> dict[str, Value]:
    """The patch merged over the base."""
    return merged(base, patch, _extensions)


def _extensions(name: str, here: Value, patch: Value) -> list[Value] | None:
    """Extensions of both, one for each kind; other lists are replaced."""
    if name != "extensions" or not isinstance(here, list | tuple) or not isinstance(patch, list | tuple):
        return None
    made = list(here)
    for each in patch:
        kind = each.get("kind") if isinstance(each, Mapping) else None
        at = next((n for n, e in enumerate(made) if isinstance(e, Mapping) and e.get("kind") == kind), None)
        if at is None:
            made.append(each)
        else:
            made[at] = merge(made[at], each) if isinstance(each, Mapping) else each
    return made


def _patches(resource: Resource, view: View) -> Iterator[Properties]:
    """What is meant for a resource, the more general first."""
    environment, type = view.environment, resource.type.lower()
    overlay = environment.properties.get("overlay") if environment is not None else None
    if not isinstance(overlay, Mapping) or not type.startswith("applications.") or type.endswith("/environments"):
        return
    is_container = type == CONTAINERS
    if is_container and isinstance(overlay.get("containers"), Mapping):
        yield overlay["containers"]
    named = overlay.get("resources")
    for key, patch in named.items() if isinstance(named, Mapping) else ():
        kind, slash, name = key.rpartition("/")
        if name.lower() != str(resource.name).lower() or not isinstance(patch, Mapping):
            continue
        if slash:
            if kind.lower() in (type, type.rpartition("/")[2]):
                yield patch
        elif is_container or not _is_container(name, view):
            yield patch


def _is_container(name: str, view: View) -> bool:
    return any(r.type.lower() == CONTAINERS and str(r.name).lower() == name.lower() for r in view.resources())


_ABSENT = object()


def _changes(before: Value, after: Value, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """The paths at which two values differ, with both."""
    if before is after or (type(before) is type(after) and before == after):
        return
    if path[-1:] == ("extensions",):
        before, after = _by_kind(before), _by_kind(after)
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in {**before, **after}:
            yield from _changes(before.get(key, _ABSENT), after.get(key, _ABSENT), (*path, str(key)))
    elif before is _ABSENT and isinstance(after, Mapping) and after:
        for key, value in after.items():
            yield from _changes(_ABSENT, value, (*path, str(key)))
    else:
        yield path, before, after


def _by_kind(extensions: Any) -> Any:
    """Extensions by their kind, which is what they are merged by."""
    if extensions is _ABSENT:
        return {}
    if not isinstance(extensions, list | tuple) or not all(isinstance(e, Mapping) for e in extensions):
        return extensions
    return {str(e.get("kind")): {k: v for k, v in e.items() if k != "kind"} for e in extensions}


def _shown(value: Value) -> str:
    """A value as it may be shown: what is secret, or long, is not."""
    import json

    if isinstance(value, Leaf) or any(True for _ in leaves(value)):
        return "a value that is not shown"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def check_overlaid(resource: Resource) -> tuple[Diagnostic, ...]:
    """What is wrong in a resource as the environment has it; its blocks for a kind are looked at with all others."""
    schema = schema_of(resource.type, resource.api_version)
    return check_resource(resource, schema) if schema is not None else ()


def check_overlay(
    resource: Resource, environment: Environment, platform: Platform, installed: Iterable[str]
) -> tuple[Diagnostic, ...]:
    """What is wrong in what an environment says it sets."""
    overlay = body(resource).get("overlay")
    if not isinstance(overlay, Mapping):
        return ()
    if has_secret(overlay):
        message = f"The overlay of '{resource.name}' holds a secret, whose value is not known to those who deploy there"
        help = "Refer to a secret of the platform's own instead: env.NAME.valueFrom.secretRef with its name."
        where = place(resource.origin, ("overlay",))
        return (Diagnostic("ULN333", Severity.ERROR, message, where, help=help),)
    patches: list[tuple[str, Value, tuple[str, ...]]] = [
        ("Applications.Core/containers", overlay.get("containers"), ("overlay", "containers"))
    ]
    named = overlay.get("resources")
    for key, patch in named.items() if isinstance(named, Mapping) else ():
        patches.append((_meant(key, patch, resource.api_version), patch, ("overlay", "resources", key)))
    found: list[Diagnostic] = []
    for type, patch, path in patches:
        schema = schema_of(type, resource.api_version)
        if schema is not None and isinstance(patch, Mapping):
            found += _misfits(resource, patch, schema, path)
            block, blocks = block_schema(type, platform), _kept(patch.get("runtimes"))
            part = _partial(block) if block is not None else None
            found += check_blocks(blocks, part, resource, (*path, "runtimes"), environment, installed)
    return tuple(found)


def _misfits(resource: Resource, patch: Value, schema: Any, path: tuple[str, ...]) -> Iterator[Diagnostic]:
    """What of a patch the type does not allow."""
    partial = _partial(schema)
    wanted = {**partial["properties"]["properties"], "$defs": partial.get("$defs", {})}
    yield from check(_kept(patch), wanted, f"'{resource.name}'", resource.origin, path)


def _meant(key: str, patch: Value, api_version: str) -> str:
    """The type that a name stands for, as far as the environment alone tells; a bare name is mostly a container's."""
    kind = key.rpartition("/")[0]
    if kind:
        return kind if "/" in kind else f"Applications.Core/{kind}"
    containers: Any = schema_of("Applications.Core/containers", api_version)
    known = containers["properties"]["properties"].get("properties") or {}
    return "Applications.Core/containers" if isinstance(patch, Mapping) and patch.keys() <= known.keys() else ""


def _partial(schema: Any) -> Any:
    """A schema that asks for nothing: what is merged over something whole may be a part of it."""
    if isinstance(schema, Mapping):
        return {k: v if k == "if" else _partial(v) for k, v in schema.items() if k not in ("required", "minProperties")}
    return [_partial(v) for v in schema] if isinstance(schema, list) else schema


def _kept(value: Value) -> Value:
    """A patch without what it takes away."""
    if isinstance(value, Mapping):
        return {k: _kept(v) for k, v in value.items() if v is not None}
    return value
