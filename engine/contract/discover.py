"""Finds providers and loads them when a resource type or a compute kind asks for them.

Reading entry points costs 88 ms, so what is installed is kept in a table in the user's cache folder, keyed by the folders
on `sys.path` and their times; it holds while the providers' own files are as they were. `Ulna.Core` needs neither: its
provider is known by name. A provider that cannot be loaded is a diagnostic and leaves the others alone.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.contract.cache import cache_folder, keep
from engine.contract.operator import Environment, Operator, Site, at_place
from engine.contract.platform import Platform
from engine.contract.provider import Provider
from engine.contract.resource import Resource
from engine.contract.value import Properties
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.record import Record

GROUP = "ulna.providers"

ANY = "*/*"
"""Among a provider's types: it is asked about what nobody else serves, as types of its own may be called anything."""


class Listing(Record):
    """What the table says of an installed provider: its name, where it is (`module:attribute`), and what it serves."""

    name: str
    value: str
    types: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


CORE = Listing("core", "providers.core:provider", ("Ulna.Core/*",))


class Unusable(Record):
    """A provider that is installed and cannot be used, and why."""

    name: str
    reason: str

    @property
    def diagnostic(self) -> Diagnostic:
        """It as a warning: what needs the provider fails on its own."""
        message = f"The provider '{self.name}' cannot be loaded: {self.reason}"
        return Diagnostic("ULN330", Severity.WARNING, message, help="Install it again, update it, or remove it.")


def load(listing: Listing) -> Provider | Unusable:
    """The provider itself; whatever goes wrong while it is imported is its own bug, and said so."""
    module, _, attribute = listing.value.partition(":")
    try:
        provider: Any = import_module(module)
        for part in attribute.split(".") if attribute else ():
            provider = getattr(provider, part)
        for wanted in ("name", "types", "kinds", "operators", "platform", "schemas"):
            getattr(provider, wanted)
    except Exception as error:  # whatever an import does
        return Unusable(listing.name, f"{type(error).__name__}: {error}")
    checked: Provider = provider
    return checked


# ---------------------------------------------------------------- the table


def installed(folder: Path | None = None) -> tuple[tuple[Listing, ...], tuple[Unusable, ...]]:
    """Every installed provider, from the table if it still holds, else by reading entry points."""
    key = _key()
    file = (folder or cache_folder()) / f"providers-{_number(key):08x}.json"
    kept = _read(file, key)
    if kept is not None:
        return kept, ()
    listings, broken = _scan()
    if not broken:
        _write(file, key, listings)
    return listings, broken


def _key() -> list[Any]:
    """Changes whenever something is installed or removed: the folders on `sys.path` with their times."""
    folders: list[Any] = [sys.version, sys.prefix]
    for entry in sys.path:
        try:
            folders.append([entry, os.stat(entry).st_mtime_ns])  # noqa: PTH116  no need to import more
        except OSError:
            continue
    return folders


def _number(key: list[Any]) -> int:
    """One table for each set of folders, so that two virtual environments do not take turns writing one."""
    from zlib import crc32

    return crc32("\n".join(k if isinstance(k, str) else k[0] for k in key).encode())


def _read(file: Path, key: list[Any]) -> tuple[Listing, ...] | None:
    try:
        data = json.loads(file.read_bytes())
        if data["key"] != key or any(_changed(Path(folder)) != time for folder, time in data["folders"].items()):
            return None
        return tuple(Listing(n, v, tuple(t), tuple(k)) for n, v, t, k in data["providers"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(file: Path, key: list[Any], listings: Iterable[Listing]) -> None:
    """Keep the table, and when the files of each provider last changed: its author edits them where they are."""
    rows = [[x.name, x.value, x.types, x.kinds] for x in listings]
    sources = (getattr(sys.modules.get(x.value.partition(":")[0]), "__file__", None) for x in listings)
    folders = {str(folder): _changed(folder) for folder in {Path(source).parent for source in sources if source}}
    keep(file, json.dumps({"key": key, "folders": folders, "providers": rows}))


def _changed(folder: Path) -> int:
    """When a file of Python in a folder last changed, in ns; 0 where there is none."""
    with os.scandir(folder) as entries:
        return max((entry.stat().st_mtime_ns for entry in entries if entry.name.endswith(".py")), default=0)


def _scan() -> tuple[tuple[Listing, ...], tuple[Unusable, ...]]:
    """Every provider by its entry point, loaded once to learn what it serves."""
    from importlib.metadata import entry_points

    found: dict[str, Listing] = {}
    broken: list[Unusable] = []
    for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value)):
        if point.name == CORE.name:
            if point.value != CORE.value:
                broken.append(Unusable(point.value, f"the name '{CORE.name}' belongs to Ulna's own provider"))
            continue
        if point.name in found:
            if found[point.name].value != point.value:
                broken.append(
                    Unusable(point.value, f"another provider is named '{point.name}' too, and was found first")
                )
            continue
        match load(Listing(point.name, point.value)):
            case Unusable() as unusable:
                broken.append(unusable)
            case provider:
                found[point.name] = Listing(point.name, point.value, tuple(provider.types), tuple(provider.kinds))
    return tuple(found.values()), tuple(broken)


# ---------------------------------------------------------------- the registry


class Providers:
    """The operators and platforms there are, loaded as they are asked for.

    `folder` is that of one environment, as tokens are unique in one only; each provider's operators get a folder in it.
    """

    def __init__(
        self,
        folder: Path,
        environment: Environment | None = None,
        listings: Callable[[], tuple[tuple[Listing, ...], tuple[Unusable, ...]]] = installed,
    ) -> None:
        self.folder = folder
        self.environment = environment
        self.diagnostics: list[Diagnostic] = []
        self._listings = listings
        self._table: tuple[Listing, ...] | None = None
        self._loaded: dict[str, Provider | None] = {}
        self._platforms: dict[str, Platform | None] = {}
        self._operators: dict[tuple[str, str], tuple[Operator, ...]] = {}
        self._extra: list[tuple[tuple[str, ...], Callable[[], Operator]]] = []
        self._bidders: dict[tuple[str, str], tuple[Operator, ...]] = {}

    def add(self, types: Iterable[str], make: Callable[[], Operator]) -> None:
        """Let one more operator bid for some types, made when one of them is asked for."""
        self._extra.append((tuple(types), cache(make)))
        self._bidders.clear()

    def refresh(self) -> tuple[str, ...]:
        """Look again at what is installed, and give the names of the providers that were not there before."""
        from importlib import invalidate_caches

        invalidate_caches()
        known = {listing.name for listing in self.table}
        fresh = tuple(listing for listing in self._listings()[0] if listing.name not in known)
        if fresh:
            self._table = (*self.table, *fresh)
            self._bidders.clear()
            self._platforms.clear()
        return tuple(listing.name for listing in fresh)

    def bidders(self, type: str, place: Properties | None = None) -> tuple[Operator, ...]:
        """The operators that may bid for a resource type, of this environment or of that at another place.

        Those of another place are called `NAME@ENVIRONMENT`, as one deployment may reach several.
        """
        key = (type, "" if place is None else repr(place))
        if key not in self._bidders:
            own = [make() for types, make in self._extra if serves(types, type)]
            self._bidders[key] = (*own, *(o for listing in self._serving(type) for o in self._of(listing, place)))
        return self._bidders[key]

    def operator(self, name: str | None, resource: Resource) -> Operator | None:
        """The operator of this name that serves a resource: for what the state says is its own. Nobody has no name."""
        if name is None:
            return None
        return next((o for o in self.bidders(resource.type, resource.place) if o.name == name), None)

    def elsewhere(self, environment: Environment | None) -> Properties | None:
        """The place of a resource that goes to this environment: None where that is the registry's own."""
        if environment is None or (self.environment is not None and environment.name == self.environment.name):
            return None
        return environment.place

    def platform(self, kind: str) -> Platform | None:
        """The platform of a compute kind, or None where no provider has it."""
        if kind not in self._platforms:
            providers = (self._load(listing) for listing in self.table if kind in listing.kinds)
            self._platforms[kind] = next((p.platform(kind) for p in providers if p is not None), None)
        return self._platforms[kind]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The compute kinds that installed providers have."""
        return tuple(sorted({k for listing in self.table for k in listing.kinds}))

    def schema(self, type: str, api_version: str) -> Mapping[str, Any] | None:
        """The JSON schema that a provider gives for its type."""
        for listing in self._serving(type):
            provider = self._load(listing)
            if provider is None:
                continue
            try:
                schemas = {k.lower(): v for k, v in provider.schemas().items()}
            except Exception as error:  # without a schema, its operators still check for themselves
                self._unusable(listing, error)
                continue
            if (found := schemas.get(f"{type}@{api_version}".lower())) is not None:
                return found
        return None

    @property
    def table(self) -> tuple[Listing, ...]:
        """What is installed; asking for it may read entry points."""
        if self._table is None:
            found, broken = self._listings()
            self._table = (CORE, *found)
            self.diagnostics.extend(b.diagnostic for b in broken)
        return self._table

    def _serving(self, type: str) -> Iterable[Listing]:
        if serves(CORE.types, type):
            return (CORE,)  # without a look at the table
        found = tuple(x for x in self.table if serves(x.types, type))
        return found or tuple(x for x in self.table if ANY in x.types)

    def _load(self, listing: Listing) -> Provider | None:
        if listing.name not in self._loaded:
            match load(listing):
                case Unusable() as unusable:
                    self.diagnostics.append(unusable.diagnostic)
                    self._loaded[listing.name] = None
                case provider:
                    self._loaded[listing.name] = provider
        return self._loaded[listing.name]

    def _unusable(self, listing: Listing, error: Exception) -> None:
        self.diagnostics.append(Unusable(listing.name, f"{type(error).__name__}: {error}").diagnostic)

    def _of(self, listing: Listing, place: Properties | None) -> tuple[Operator, ...]:
        key = (listing.name, "" if place is None else repr(place))
        if key not in self._operators:
            provider = self._load(listing)
            site = Site(self.folder / listing.name, self.environment if place is None else at_place(place))
            try:
                made = tuple(provider.operators(site)) if provider is not None else ()
                if place is not None:
                    for operator in made:
                        operator.name = f"{operator.name}@{place['name']}"
            except Exception as error:  # a provider's bug must not end the others
                self._unusable(listing, error)
                made = ()
            self._operators[key] = made
        return self._operators[key]


def serves(types: Iterable[str], type: str) -> bool:
    """Whether a list of `Ns/type`, `Ns/*` and `Root.*` has a type; case does not count, as in ids."""
    lower = type.lower()
    wide = (lower, f"{lower.partition('/')[0]}/*", f"{lower.partition('.')[0]}.*")
    return any(t.lower() in wide for t in types)
