"""Values that nobody may see, sealed before anything else looks at them, whether or not the template calls them secure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.contract.resource import Resource, body
from engine.contract.value import Leaf, Secret, Value, Vault
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.expand.resolve import seal


def sealed(resources: tuple[Resource, ...], vault: Vault) -> tuple[tuple[Resource, ...], tuple[Diagnostic, ...]]:
    """The resources with what their types call secret sealed, and what is wrong with that: `data` of secret stores, `secrets`
    of extenders and portable types.
    """
    problems: list[Diagnostic] = []
    made = tuple(_sealed(r, vault, problems) if r.type[:13].lower() == "applications." else r for r in resources)
    return made, tuple(problems)


def _sealed(resource: Resource, vault: Vault, problems: list[Diagnostic]) -> Resource:
    properties = body(resource)
    if resource.type.lower() == "applications.core/secretstores":
        data = properties.get("data")
        if not isinstance(data, Mapping):
            return resource
        new = {key: _entry(resource, key, entry, vault) for key, entry in data.items()}
        problems.extend(_undecodable(resource, new, vault))
        return _with(resource, properties, "data", new)
    secrets = properties.get("secrets")
    if not isinstance(secrets, Mapping):
        return resource
    return _with(
        resource, properties, "secrets", {k: seal(v, f"{resource.name}.{k}", vault) for k, v in secrets.items()}
    )


def _entry(resource: Resource, key: str, entry: Value, vault: Vault) -> Value:
    """An entry of a store; what is not one is for the schema to tell."""
    if isinstance(entry, Leaf) or not isinstance(entry, Mapping) or "value" not in entry:
        return entry
    return {**entry, "value": seal(entry["value"], f"{resource.name}.{key}", vault)}


def _undecodable(resource: Resource, data: Mapping[str, Any], vault: Vault) -> Iterable[Diagnostic]:
    """Values that are said to be in base64 and are not; the value itself is not repeated."""
    for key, entry in data.items():
        value = entry.get("value") if isinstance(entry, Mapping) and entry.get("encoding") == "base64" else None
        if isinstance(value, Secret) and not _is_base64(vault.open(value)):
            message = f"The secret store '{resource.name}' has a value for '{key}' that is no UTF-8 text in base64"
            help = "Encode it with base64(…), or leave out 'encoding' to give it as it is."
            yield Diagnostic("ULN327", Severity.ERROR, message, resource.origin, help=help)


def _is_base64(value: Value) -> bool:
    from binascii import Error, a2b_base64

    try:
        a2b_base64(value, strict_mode=True).decode()
    except (Error, ValueError, TypeError):
        return False
    return True


def _with(resource: Resource, properties: Mapping[str, Value], key: str, value: Value) -> Resource:
    changed = {**properties, key: value}
    if properties is resource.properties:
        return resource.replace(properties=changed)
    return resource.replace(properties={**resource.properties, "properties": changed})
