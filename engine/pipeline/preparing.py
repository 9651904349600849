"""From a request to the native graph it asks for, against the state that is there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.app.environment import id_of
from engine.app.sealing import sealed
from engine.contract.resource import Resource, deployment_of, join
from engine.contract.value import Value, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError, has_errors
from engine.expand.desired import Desired, Known, Scope
from engine.expand.expand import expand
from engine.expand.vault import MemoryVault
from engine.pipeline.arguments import given
from engine.pipeline.azurescope import azure_scope
from engine.pipeline.compiling import compile
from engine.pipeline.places import is_same, is_submitted, placed
from engine.pipeline.reading import RememberingSources
from engine.pipeline.request import Request
from engine.pipeline.target import Target, choose
from engine.plan.unoffered import unoffered
from engine.render.native import Native
from engine.render.registry import open_registry
from engine.render.render import render
from engine.state.fold import State
from engine.state.store import Store

FOLDER = ".ulna"
UNSERVED = ("ULN301", "ULN303")
"""What is wrong with a resource that nobody serves, or that is pinned to nobody there is."""

SCHEMES = ("postgresql://", "postgres://")


class Prepared:
    """A request with all that its verbs share: opened store, compiled template, chosen target, arguments.

    `native(known)` is the graph that is wanted as far as it can be told with the outputs in `known`. Who is `patient` lets wait
    what no operator serves, unless others need parts of it: an operator may be installed while it runs.
    """

    __slots__ = (
        "application",
        "arguments",
        "compiled",
        "deployment",
        "patient",
        "registry",
        "request",
        "revise",
        "scope",
        "sources",
        "state",
        "store",
        "target",
        "vault",
    )

    def __init__(self, request: Request) -> None:
        self.request = request
        self.sources = request.sources or RememberingSources()
        self.store = open_store(request.state)
        self.compiled = compile(request.path, self.sources, request.restore)
        self.deployment = deployment_name(request.name or self.compiled.template.name)
        self.target = self._target()
        self.state: State = self.store.state(self.target.partition)
        self.application = request.application or self.deployment
        self.arguments = self._arguments()
        self.registry = open_registry(self.store.folder / self.target.partition, self.target.environment)
        self.vault = self._vault()
        self.patient = False
        self.revise: Callable[[Desired], Desired] = lambda desired: desired
        self.scope = scope_of(self.deployment, self.target)
        self._refuse_another_file()

    def desired(self, known: Known) -> tuple[Desired, tuple[Diagnostic, ...]]:
        """The graph as the file declares it, and what there is to say of it; raises `UlnaError` where it cannot be."""
        desired, found = expand(self.compiled.template, self.arguments, self.scope, self.vault, known)
        resources, more = sealed(desired.resources, self.vault)
        if has_errors((*found, *more)):
            raise UlnaError(*found, *more)
        desired = desired.replace(resources=resources)
        if self.request.operators:
            from engine.pipeline.pinning import pinned  # few pin by hand

            desired = pinned(desired, self.request.operators)
        return self._with_application(desired), found

    def native(self, known: Known) -> tuple[Native, tuple[Diagnostic, ...]]:
        """The rendered graph, and what there is to say of it; raises `UlnaError` where it cannot be."""
        desired, found = self.desired(known)
        others = tuple(e.resource for e in self.state.entries.values() if not self.owns(e.address) and not e.deleting)
        native, more = render(self.revise(desired), self.registry, self.target.environment, os.getcwd(), others)  # noqa: PTH109
        if self.patient and any(d.code in UNSERVED for d in more):
            needed = _needed(native)
            more = tuple(
                d.replace(severity=Severity.WARNING) if d.code in UNSERVED and d.message not in needed else d
                for d in more
            )
        diagnostics = (
            *found,
            *more,
            *self.registry.diagnostics,
            *_taken(desired, self.state, self.owns),
            *unoffered(native, self.registry.operator, self.compiled.template),
        )
        if has_errors(diagnostics):
            raise UlnaError(*diagnostics)
        return native, diagnostics

    def owns(self, address: str) -> bool:
        """Whether an address belongs to this deployment."""
        return address.partition("/")[0] == self.deployment

    def _target(self) -> Target:
        """Which environment it goes to."""
        return choose(self.store, self.request.environment, self.compiled.template)

    def _vault(self) -> MemoryVault:
        """Where secrets are kept for this run, under the key of the store."""
        return MemoryVault(self.store.vault_key)

    def _arguments(self) -> dict[str, Value]:
        """What was given, over what a parameter file assigns, over what Ulna fills in where it is declared."""
        document = self.compiled.template.document
        filled: dict[str, Value] = {}
        declared = document.get("parameters", {})
        if "environment" in declared and self.target.environment is not None:
            filled["environment"] = self.target.environment.id
        if "application" in declared:
            filled["application"] = id_of("Applications.Core/applications", self.application)
        return (
            filled
            | dict(self.compiled.arguments)
            | given(self.request.parameters, document, self.sources, self.request.restore, self.compiled.open)
        )

    def _with_application(self, desired: Desired) -> Desired:
        """The application that Ulna filled in, where neither the file nor the environment has it."""
        id = self.arguments.get("application")
        if not isinstance(id, str) or self.target.environment is None or "/providers/" not in id:
            return desired
        wanted = id.lower()
        if any(str(r.id).lower() == wanted for r in desired.resources):
            return desired
        for entry in self.state.entries.values():
            if str(entry.resource.id).lower() == wanted and not self.owns(entry.address):
                return desired
        address = join(self.deployment, "application")
        if any(r.address == address for r in desired.resources):
            return desired
        made = Resource(
            address,
            "Applications.Core/applications",
            "2023-10-01-preview",
            id.rpartition("/")[2],
            id,
            {"properties": {"environment": self.target.environment.id}},
        )
        return desired.replace(resources=(made, *desired.resources))

    def _refuse_another_file(self) -> None:
        """Two files of one name would each delete what the other made: the second has to say what it wants."""
        before = self.state.deployments.get(self.deployment)
        if before is None or not before.file or self.request.name is not None:
            return
        now = self.place()
        same = before.file == now or is_same(self.store, before.file, placed(self.store, now))
        if not same and any(self.owns(a) for a in self.state.entries):
            made = f"was made from '{before.file}'"
            if is_submitted(self.store, before.file):
                made = "was submitted from a file that says something else"
            message = f"The deployment '{self.deployment}' {made}, and this is '{now}'"
            help = f"Give this one a name of its own with --name, or pass --name {self.deployment} to take it over."
            raise UlnaError.of("ULN508", message, help)

    def place(self) -> str:
        """The template's file, as seen from the folder that holds the state."""
        template = self.compiled.file
        return os.path.relpath(self.sources.absolute(template), self.store.folder.absolute().parent)


def _needed(native: Native) -> set[str]:
    """Why nobody serves what others need parts of: without an operator it has none."""
    there = {r.address for r in native.resources}
    missing = {a for r in native.resources for a in (*r.depends_on, *needs(r.properties)) if a not in there}
    unserved = {a: n.reason for a, n in native.nominations.items() if n.operator is None}
    return {why for a, why in unserved.items() if any(m.startswith(f"{a}/") for m in missing)}


def open_store(place: Path | str | None) -> Store:
    """The store that is named, else the one of `ULNA_STATE`, else the nearest `.ulna` upward, else one to be made here.

    One in a database keeps in the nearest `.ulna` what providers have on this machine.
    """
    if place is None:
        place = os.environ.get("ULNA_STATE") or nearest(Path.cwd())
    if isinstance(place, str) and place.startswith(SCHEMES):
        return _of_database(place)
    return Store.open(Path(place))


def _of_database(url: str) -> Store:
    try:
        from engine.state.postgres_store import PostgresStore
    except ImportError as missing:
        if (missing.name or "psycopg").partition(".")[0] != "psycopg":
            raise
        message = "A state in PostgreSQL needs a library that is not installed"
        raise UlnaError.of("ULN718", message, "Run: pip install 'ulna[postgres]'") from None
    return PostgresStore.at(url, nearest(Path.cwd()))


def nearest(start: Path) -> Path:
    """The nearest `.ulna` upward, else the one to be made here."""
    for folder in (start, *start.parents):
        if (folder / FOLDER).is_dir():
            return folder / FOLDER
    return start / FOLDER


def deployment_name(name: str) -> str:
    """A name that may stand in an address; refuses others."""
    import re

    if re.fullmatch(r"[-\w.()]{1,64}", name):
        return name
    help = "Use letters, digits and - _ . ( ), 64 at most; --name gives another."
    raise UlnaError.of("ULN509", f"'{name}' cannot be the name of a deployment", help, exit_code=2)


def scope_of(deployment: str, target: Target) -> Scope:
    """Where and when a deployment happens: now, in its environment."""
    from time import gmtime, strftime

    now = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
    scope = Scope(deployment, target.partition, now=now, seed=os.urandom(16).hex())
    return scope.replace(**azure_scope(target.environment))


def _taken(desired: Desired, state: State, ours: Callable[[str], bool]) -> Iterator[Diagnostic]:
    """Resources of the app model that another deployment of the environment has: one id, two owners, and they would fight."""
    taken = {str(e.resource.id).lower(): e for a, e in state.entries.items() if not ours(a) and not e.resource.existing}
    for resource in desired.resources:
        other = taken.get(str(resource.id).lower())
        if other is None or resource.existing or not resource.type.lower().startswith("applications."):
            continue
        owner = deployment_of(other.address)
        message = f"'{resource.name}' is there already: the deployment '{owner}' owns that {resource.type}"
        help = f"Give it another name, deploy it to another environment, or destroy '{owner}' first."
        yield Diagnostic("ULN517", Severity.ERROR, message, resource.origin, help=help)
