"""Where a deployment goes: which environment, and which partition of the state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.app.environment import ENVIRONMENTS, default_environment, from_resource, reported
from engine.contract.operator import Environment
from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.suggest import did_you_mean
from engine.record import Record
from engine.state.entry import Entry
from engine.state.store import Store
from engine.template.template import Template

GLOBAL = "global"
"""The partition of what targets no environment: environments themselves, a plain ARM template."""

DEFAULT = "default"


class Target(Record):
    """An environment (None for `global`) and its partition; `invented` if nobody has made the environment yet."""

    partition: str
    environment: Environment | None = None
    invented: bool = False


def environments(store: Store) -> dict[str, Environment]:
    """The environments that were deployed, by name."""
    entries = store.state(GLOBAL).entries.values()
    return {found.name: found for found in map(_from_entry, filter(_is_environment, entries))}


def _from_entry(entry: Entry) -> Environment:
    return from_resource(entry.resource).replace(outputs=reported(entry.resource, entry.outputs))


def _is_environment(entry: Entry) -> bool:
    return entry.resource.type.lower() == ENVIRONMENTS and not entry.deleting and not entry.resource.existing


def choose(store: Store, name: str | None, template: Template | None) -> Target:
    """The target of a deployment; without a template, that of a verb which only looks."""
    if name == GLOBAL:
        return Target(GLOBAL)
    if name is None and template is not None and not targets_an_environment(template):
        return Target(GLOBAL)
    there = environments(store)
    if name is not None:
        if name in there:
            return Target(name, there[name])
        if name == DEFAULT and not there:
            return Target(DEFAULT, default_environment(), invented=True)
        raise _absent(name, there)
    if not there:
        return Target(DEFAULT, default_environment(), invented=True)
    if len(there) > 1 and DEFAULT not in there:
        names = ", ".join(sorted(there))
        raise UlnaError.of("ULN502", f"There are several environments: {names}", "Name one with -e.", exit_code=2)
    chosen = DEFAULT if DEFAULT in there else next(iter(there))
    return Target(chosen, there[chosen])


def _absent(name: str, there: Mapping[str, Environment]) -> UlnaError:
    help = did_you_mean(name, there) or (
        f"There are: {', '.join(sorted(there))}."
        if there
        else "Deploy a file that declares it, such as env.bicep, first."
    )
    return UlnaError.of("ULN501", f"There is no environment '{name}'", help, exit_code=2)


def targets_an_environment(template: Template) -> bool:
    """Whether a template needs one from outside: it takes the parameter `environment`, or has resources of the app model
    and declares no environment itself.
    """
    if "environment" in template.document.get("parameters", {}):
        return True
    types = {t.lower() for t in _types(template.document)}
    return ENVIRONMENTS not in types and any(t.startswith("applications.") for t in types)


def _types(document: Mapping[str, Any]) -> Iterator[str]:
    """The resource types of a template and the templates nested in it."""
    resources = document.get("resources", ())
    for resource in resources.values() if isinstance(resources, Mapping) else resources:
        if not isinstance(resource, Mapping):
            continue
        yield str(resource.get("type", "")).partition("@")[0]
        inner = resource.get("properties")
        if isinstance(inner, Mapping) and isinstance(inner.get("template"), Mapping):
            yield from _types(inner["template"])
        yield from _types(resource)
