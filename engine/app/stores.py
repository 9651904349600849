"""Secret stores: one lowered, and the keys of one as others refer to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.app.environment import application_of
from engine.app.lowered import Gates, Lowered, open_part
from engine.contract.app import SecretKey, SecretStore
from engine.contract.operator import View
from engine.contract.resource import Resource, body, short
from engine.contract.value import Deferred, Leaf, Properties, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import Path, place
from engine.diagnostics.suggest import did_you_mean, nearest

STORES = "applications.core/secretstores"
REQUIRED: Mapping[str, tuple[str, ...]] = {
    "certificate": ("tls.crt", "tls.key"),
    "basicAuthentication": ("username", "password"),
    "azureWorkloadIdentity": ("clientId", "tenantId"),
    "awsIRSA": ("roleARN",),
}
"""The keys that a type of store must have."""


def type_of(properties: Properties) -> str:
    """The type of a store."""
    return str(properties.get("type") or "generic")


def lower_store(resource: Resource, view: View) -> Lowered:
    """What a secret store comes to."""
    properties = body(resource)
    data = properties.get("data")
    shallow = {k: v for k, v in properties.items() if k != "data"}
    entries = (
        [v if isinstance(v, Leaf) else {**v, "value": None} for v in data.values()]
        if isinstance(data, Mapping)
        else data
    )
    if (waiting := open_part(resource, [shallow, entries])) is not None:
        return waiting
    problems = tuple(_problems(resource, properties))
    application, _ = application_of(resource, view.find)
    reference = properties.get("resource")
    store = SecretStore(resource, application, type_of(properties), values_of(properties), reference or None)
    return Lowered(store, resource.waits, problems=problems)


def values_of(properties: Properties) -> dict[str, Value]:
    """The values of a store, decoded; None for those that only the platform knows."""
    data = properties.get("data")
    if not isinstance(data, Mapping):
        return {}
    return {key: _decoded(entry) for key, entry in data.items() if isinstance(entry, Mapping)}


def listed(properties: Properties) -> dict[str, Value]:
    """What listSecrets() of a store gives."""
    data = {k: {"encoding": "raw", "value": v} for k, v in values_of(properties).items()}
    return {"type": type_of(properties), "data": data}


def _decoded(entry: Mapping[str, Value]) -> Value:
    value = entry.get("value")
    if value is None or entry.get("encoding") != "base64":
        return value
    return Deferred("base64ToString", (value,))


def _problems(resource: Resource, properties: Properties) -> Iterator[Diagnostic]:
    data, type, native = properties["data"], type_of(properties), properties.get("resource")
    for key in REQUIRED.get(type, ()):
        if key not in data:
            near = nearest(key, [k for k in data if k not in REQUIRED[type]])
            help = f"Rename '{near}' to '{key}'." if near else f"Add it: data: {{ '{key}': {{ value: … }} }}."
            yield _wrong(resource, f"of type {type} lacks the key '{key}'", help)
    for key, entry in data.items():
        if entry.get("valueFrom") is not None:
            what = f"takes '{key}' from elsewhere with 'valueFrom', which no compute kind can do"
            yield _wrong(
                resource, what, "Give its 'value', or name a secret that exists with 'resource'.", ("data", key)
            )
        elif entry.get("value") is None and native is None:
            help = "Give it, by a @secure() parameter; or name a secret that exists with 'resource'."
            yield _wrong(resource, f"gives no value for '{key}'", help, ("data", key))
    if not data and native is None:
        yield _wrong(resource, "is empty", "Add a key: data: { password: { value: password } }.")


def _wrong(resource: Resource, what: str, help: str, path: Path = ("data",)) -> Diagnostic:
    return Diagnostic(
        "ULN327",
        Severity.ERROR,
        f"The secret store '{resource.name}' {what}",
        place(resource.origin, path),
        help=help,
    )


# ---------------------------------------------------------------- references to a key


class Keys:
    """Looks up keys of secret stores for one resource; collects its gates and what is wrong."""

    __slots__ = ("gates", "problems", "resource", "view")

    def __init__(self, resource: Resource, view: View, gates: Gates, problems: list[Diagnostic]) -> None:
        self.resource = resource
        self.view = view
        self.gates = gates
        self.problems = problems

    def key(self, what: str, source: str, key: str, path: Path = ()) -> SecretKey | None:
        """The key of a store, or of a secret of the platform's own; None, and a problem, where there is no such thing.

        `what` begins the sentence: "The variable 'A'".
        """
        if not source.startswith("/"):
            return SecretKey(source, key)
        store = self.store(what, source, path)
        if store is None:
            return None
        values = values_of(body(store))
        if key not in values:
            has = did_you_mean(key, values) or f"Its keys: {', '.join(sorted(values)) or 'none'}."
            self._problem(
                f"{what} of '{self.resource.name}' takes '{key}' from the secret store '{store.name}', which has no such key",
                has,
                path,
            )
            return None
        return SecretKey(str(store.id), key, values[key])

    def store(self, what: str, source: str, path: Path = ()) -> Resource | None:
        """The store of an id, waited for; None, and a problem, where it is not there."""
        store = self.view.find(source)
        subject = f"{what} of '{self.resource.name}'"
        if store is None:
            names = {short(r.id): r.id for r in self.view.resources() if r.type.lower() == STORES}
            near = nearest(short(source), names)
            help = f"Did you mean '{names[near]}'?" if near else "Declare it, or take the id from its symbol: store.id."
            self._problem(f"{subject} comes from the secret store '{source}', which is not declared", help, path)
            return None
        if store.type.lower() != STORES:
            help = (
                f"Name a resource of type 'Applications.Core/secretStores'; '{store.name}' is of type '{store.type}'."
            )
            self._problem(f"{subject} comes from '{store.name}', which is no secret store", help, path)
            return None
        if store.existing:
            help = "Deploy it to this environment first, or use the platform's own name of the secret as the source."
            self._problem(
                f"{subject} comes from the secret store '{store.name}', which is not deployed here", help, path
            )
            return None
        if not isinstance(body(store).get("data"), Mapping):
            help = "Name them one by one: data: { password: { value: password } }."
            self._problem(f"{subject} comes from the secret store '{store.name}', whose keys are not known", help, path)
            return None
        self.gates.add(store)
        return store

    def _problem(self, message: str, help: str, path: Path) -> None:
        where = place(self.resource.origin, path)
        self.problems.append(Diagnostic("ULN314", Severity.ERROR, message, where, help=help))
