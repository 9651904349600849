"""Desired resources to native ones: each gets an operator, composites get their children, all in one flat graph. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from engine.app.environment import ENVIRONMENTS
from engine.app.schema import check_resource, meant_resource, schema_of, versions_of
from engine.contract.operator import Children, Environment, HandOff, Keep, Operator, Rendering, Undecided, View
from engine.contract.resource import OUTPUTS, Condition, Resource, Wait
from engine.contract.value import Output, Properties, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity, has_errors
from engine.diagnostics.suggest import did_you_mean
from engine.expand.desired import Desired, Pending, Unit
from engine.render.bids import choose, plain
from engine.render.drift import drifting
from engine.render.gates import Gates
from engine.render.graph import Graph, GraphView
from engine.render.native import Native, Nomination
from engine.render.once import once
from engine.render.start import starting

HOPS = 4
"""How often a resource may be handed on."""

UNDECIDED = "$undecided"
"""Among the outputs of an environment: what its infrastructure hangs on, where that is not known yet."""


class Registry(Protocol):
    """Where operators come from; `engine.contract.discover.Providers` is one."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The compute kinds there are."""

    def bidders(self, type: str, place: Properties | None = None) -> tuple[Operator, ...]:
        """The operators that may bid for a resource type, here or at another place."""

    def elsewhere(self, environment: Environment | None) -> Properties | None:
        """The place of what goes to an environment, if that is not the one the registry is for."""

    def schema(self, type: str, api_version: str) -> Mapping[str, Any] | None:
        """The JSON schema that a provider gives for its type."""


def render(
    desired: Desired,
    registry: Registry,
    environment: Environment | None = None,
    root: str = "",
    others: Iterable[Resource] = (),
) -> tuple[Native, tuple[Diagnostic, ...]]:
    """The native graph, and everything that is wrong with the desired one.

    `environment` is the one that is deployed to; a resource that names another declared one goes there. `root` is the folder
    that the names of the source files are relative to. `others` are resources of other deployments, to be referred to by id.
    """
    run = _Run(desired, registry, environment, root, others)
    for resource in run.graph.declared:
        run.resource(resource)
    pending = (*desired.pending, *run.pending)
    return Native((*run.early, *run.completed()), run.nominations, desired.outputs, pending), once(
        run.problems, run.graph.declared
    )


class _Run:
    """One rendering: the graph, and what came out so far."""

    def __init__(
        self,
        desired: Desired,
        registry: Registry,
        environment: Environment | None,
        root: str,
        others: Iterable[Resource],
    ) -> None:
        self.graph = Graph(desired.resources, environment, root, others)
        self.gates = Gates(self.graph)
        self.registry = registry
        self.early: list[Resource] = []
        self.out: list[Resource] = []
        self.told: set[str] = set()
        self.ending: dict[str, tuple[str, ...]] = {}
        self.nominations: dict[str, Nomination] = {}
        self.grounds: dict[str, Properties] = {}
        self.begun: set[str] = set()
        self.pending: list[Pending] = []
        self.problems: list[Diagnostic] = [*self.gates.problems]
        self._known_types: dict[tuple[str, str], Mapping[str, Any] | None] = {}

    def resource(self, resource: Resource) -> None:
        """Give one declared resource its operator, and render it; its environment comes first."""
        if resource.address in self.begun:
            return
        self.begun.add(resource.address)
        resource = self.gates.of(resource)
        where = self.graph.environment_of(resource)
        resource = self._tagged(resource, starting(resource))
        if not isinstance(where, Diagnostic):
            resource = self._tagged(resource, drifting(resource, where))
        if isinstance(where, Diagnostic):
            cause = where.message.partition(" goes to ")[2]
            if cause in self.told:  # what belongs to an application with a wrong environment is not wrong itself
                self._keep(resource, Nomination(None, where.message))
            else:
                self.told.add(cause)
                self._fail(resource, where)
            return
        if where is not None:
            where = self._grounded(where, resource)
            place = self.registry.elsewhere(where)
            unknown = needs([where.outputs.get(UNDECIDED), place])
            if unknown:
                self.pending.append(Pending(resource.address, Unit.RESOURCE, unknown, resource.origin))
                return
        view = GraphView(self.graph, where)
        if not resource.existing:
            wrong = self._check(resource)
            self.problems.extend(wrong)
            if has_errors(wrong):
                self._keep(resource, Nomination(None, wrong[0].message))
                self._foresee(resource, view)
                return
        operator = self._owner(resource, view)
        if isinstance(operator, Diagnostic):
            if resource.existing:
                self._keep(resource, Nomination(None, operator.message))
            else:
                self._fail(resource, operator)
            return
        if resource.existing:
            self._keep(self._placed(resource, operator, view), Nomination(operator.name))
            return
        self._render(resource, operator, view, ())

    def _foresee(self, resource: Resource, view: View) -> None:
        """What else is wrong with a resource that its type does not allow: so that all of it can be mended at once."""
        schema = self._known_types.get((resource.type, resource.api_version))
        if schema is None or resource.type.lower() == ENVIRONMENTS:  # on what an environment says, all the rest hangs
            return
        guess = meant_resource(resource, schema)
        operator = self._owner(guess, view) if guess is not None else None
        if guess is None or operator is None or isinstance(operator, Diagnostic):
            return
        rendering = self._ask(guess, operator, view)
        if isinstance(rendering, Children):
            self.problems.extend(rendering.diagnostics)

    def _tagged(self, resource: Resource, read: Resource | Diagnostic) -> Resource:
        """The resource as its tags have it, where they are right."""
        if not isinstance(read, Diagnostic):
            return read
        self.problems.append(read)
        return resource

    def _grounded(self, where: Environment, resource: Resource) -> Environment:
        """The environment with what it reports, where it is declared here as well."""
        declared = self.graph.find(where.id) if where.id else None
        if declared is None or declared is resource or declared.address not in self.graph.addresses:
            return where
        self.resource(declared)
        return where.replace(outputs=self.grounds.get(declared.address, {}))

    def completed(self) -> list[Resource]:
        """What came out, in which who waits for a composite's completion waits for that of its children."""
        return [self._completing(r) if any(_completion(w) for w in r.waits) else r for r in self.out]

    def _completing(self, resource: Resource) -> Resource:
        waits: list[Wait] = []
        for wait in resource.waits:
            ending = self.ending.get(wait.address) if _completion(wait) else None
            if ending is None:
                waits.append(wait)
            elif ending:
                waits += [wait.replace(condition=Condition.STARTED), *(wait.replace(address=a) for a in ending)]
            elif resource.owner is None:
                message = f"'{resource.name}' waits for the completion of '{wait.address}', which is started again whenever it ends"
                help = "Set restartPolicy: 'Never' or 'OnFailure' there, or wait for 'ready' or 'started'."
                self.problems.append(Diagnostic("ULN325", Severity.ERROR, message, resource.origin, help=help))
        return resource.replace(waits=merge(waits, ()))

    def _render(self, resource: Resource, operator: Operator, view: View, hops: tuple[str, ...]) -> None:
        rendering = self._ask(resource, operator, view)
        match rendering:
            case Keep():
                self._keep(self._placed(resource, operator, view), Nomination(operator.name, hops=hops))
            case Children():
                self._composite(resource, operator, rendering, view, hops)
            case HandOff(to, why):
                self._hand_off(resource, operator, to, why, view, hops)
            case Undecided(unknown):
                self.grounds[resource.address] = {UNDECIDED: [Output(a) for a in sorted(unknown)]}
                self.pending.append(Pending(resource.address, Unit.RESOURCE, unknown, resource.origin))
            case Diagnostic():
                self._fail(resource, rendering)

    def _ask(self, resource: Resource, operator: Operator, view: View) -> Rendering | Diagnostic:
        try:
            return operator.render(resource, view)
        except Exception as error:
            return _bug(resource, operator, f"its render failed with {type(error).__name__}: {error}")

    def _composite(
        self, resource: Resource, operator: Operator, made: Children, view: View, hops: tuple[str, ...]
    ) -> None:
        """The children, then the parent, which waits for them and holds its outputs."""
        self.problems.extend(made.diagnostics)
        if has_errors(made.diagnostics):
            reason = next(d.message for d in made.diagnostics if d.severity is Severity.ERROR)
            self._keep(resource, Nomination(None, reason))
            return
        own = resource.waits if made.waits is None else made.waits
        if (stray := self._stray(resource, made.resources)) is not None:
            self._fail(resource, _bug(resource, operator, stray))
            return
        for child in made.resources:
            early = child.address in made.early
            self._child(_child(child, resource, () if early else own), view, early)
        if not made.resources and not made.outputs:
            self._keep(resource.replace(waits=own), Nomination(operator.name, hops=hops))
            return
        self.ending[resource.address] = tuple(sorted(made.ending))
        joins = (
            (c.address, Condition.STARTED if c.address in made.ending else Condition.READY) for c in made.resources
        )
        waits = merge(own, (Wait(address, condition) for address, condition in joins))
        self.grounds[resource.address] = made.outputs
        properties = {**resource.properties, OUTPUTS: dict(made.outputs)}
        self._keep(resource.replace(waits=waits, properties=properties), Nomination(operator.name, hops=hops))

    def _stray(self, parent: Resource, children: Iterable[Resource]) -> str | None:
        """What is wrong with the addresses of children, if anything is."""
        taken: set[str] = set()
        for child in children:
            if not child.address.startswith(parent.address + "/"):
                return f"its child '{child.address}' is not below '{parent.address}'"
            if child.address in taken or child.address in self.nominations:
                return f"its child '{child.address}' is there twice"
            taken.add(child.address)
        return None

    def _child(self, child: Resource, view: View, early: bool) -> None:
        at = len(self.out)
        operator = self._owner(child, view)
        if isinstance(operator, Diagnostic):
            self._fail(child, operator)
        else:
            self._render(child, operator, view, ())
        if early:
            self.early.extend(self.out[at:])
            del self.out[at:]

    def _hand_off(
        self, resource: Resource, operator: Operator, to: str, why: str, view: View, hops: tuple[str, ...]
    ) -> None:
        """Let another operator own it: never the same one twice, and not without end."""
        chain = (*hops, operator.name)
        by_name = {plain(o.name): o for o in self._bidders(resource, view)}
        path = " → ".join((*chain, to))
        if to not in by_name:
            message = f"'{resource.address}' is handed to the operator '{to}' ({why}), which does not exist"
            help = did_you_mean(to, by_name) or f"Operators for '{resource.type}': {', '.join(sorted(by_name))}."
        elif to in map(plain, chain):
            message = f"'{resource.address}' is handed round in a circle: {path}"
            help = f"Pin it to one of them with the tag ulna.operator: '{to}'."
        elif len(chain) > HOPS:
            message = f"'{resource.address}' is handed on more than {HOPS} times: {path}"
            help = f"Pin it to one of them with the tag ulna.operator: '{to}'."
        else:
            self._render(resource, by_name[to], view, chain)
            return
        self._fail(resource, Diagnostic("ULN305", Severity.ERROR, message, resource.origin, help=help))

    def _check(self, resource: Resource) -> tuple[Diagnostic, ...]:
        """What its type does not allow."""
        key = (resource.type, resource.api_version)
        if key not in self._known_types:
            self._known_types[key] = schema_of(*key) or self.registry.schema(*key)
        schema = self._known_types[key]
        if schema is not None:
            return check_resource(resource, schema)
        versions = versions_of(resource.type)
        if not versions:
            return ()
        message = f"'{resource.type}' has no API version '{resource.api_version}'"
        help = did_you_mean(resource.api_version, versions) or f"Versions: {', '.join(versions)}."
        return (Diagnostic("ULN306", Severity.ERROR, message, resource.origin, help=help),)

    def _owner(self, resource: Resource, view: View) -> Operator | Diagnostic:
        """Who owns a resource, or why nobody does."""
        operators = self._bidders(resource, view)
        try:
            return choose(resource, operators, view, lambda: absent(resource.type, self.registry.kinds))
        except Exception as error:
            names = ", ".join(o.name for o in operators)
            message = f"Provider bug among the operators that bid for '{resource.address}' ({names}): {type(error).__name__}: {error}"
            help = "Report it to the provider's authors, or pin the resource to another operator with the tag ulna.operator."
            return Diagnostic("ULN307", Severity.ERROR, message, resource.origin, help=help)

    def _bidders(self, resource: Resource, view: View) -> tuple[Operator, ...]:
        return self.registry.bidders(resource.type, self.registry.elsewhere(view.environment))

    def _keep(self, resource: Resource, nomination: Nomination) -> None:
        self.out.append(resource)
        self.nominations[resource.address] = nomination

    def _placed(self, resource: Resource, operator: Operator, view: View) -> Resource:
        """The resource with the place where its operator finds it, unless that is here."""
        place = self.registry.elsewhere(view.environment) if operator.effects else None
        return resource if place is None else resource.replace(place=place)

    def _fail(self, resource: Resource, problem: Diagnostic) -> None:
        self.problems.append(problem)
        self._keep(resource, Nomination(None, problem.message))


def _child(child: Resource, parent: Resource, inherited: Iterable[Wait]) -> Resource:
    """A child in its place: owned, waiting for what it refers to and for what its parent waits for."""
    own = tuple(inherited)
    referred = (_reference(address, own) for address in sorted(needs(child.properties)))
    waits = merge(merge(child.waits, referred), own)
    return child.replace(
        owner=parent.address,
        waits=waits,
        origin=child.origin or parent.origin,
        scope=parent.scope,
        drift=parent.drift,
        explicit=parent.explicit,
    )


def _reference(address: str, inherited: Iterable[Wait]) -> Wait:
    """The gate that a reference is; no stricter than one that is there for what it refers to a part of."""
    whole = next((w for w in inherited if address.startswith(f"{w.address}/")), None)
    started = whole is not None and whole.condition is Condition.STARTED
    return Wait(address, Condition.STARTED if started else Condition.READY)


def merge(first: Iterable[Wait], second: Iterable[Wait]) -> tuple[Wait, ...]:
    """Both lists of gates, one for each address; the first list wins."""
    merged: dict[str, Wait] = {}
    for wait in (*first, *second):
        merged.setdefault(wait.address, wait)
    return tuple(merged.values())


def _completion(wait: Wait) -> bool:
    return wait.condition is Condition.COMPLETED


def _bug(resource: Resource, operator: Operator, what: str) -> Diagnostic:
    message = f"Provider bug in the operator '{operator.name}' at '{resource.address}': {what}"
    return Diagnostic("ULN307", Severity.ERROR, message, resource.origin, help="Report it to the provider's authors.")


_SERVERS: Mapping[str, str] = {
    "microsoft.": "Azure resources need a provider for Azure.",
    "aws.": "AWS resources need a provider for AWS.",
    "applications.core/": "Of Applications.Core, applications, containers, environments, extenders, "
    "gateways, secretStores and volumes are served.",
    "applications.dapr/": "Of Applications.Dapr, configurationStores, pubSubBrokers, secretStores and stateStores are served.",
    "applications.datastores/": "Of Applications.Datastores, mongoDatabases, redisCaches and sqlDatabases are served.",
    "applications.messaging/": "Of Applications.Messaging, rabbitMQQueues are served.",
    "applications.": "An Applications.Core/extenders can stand in for it.",
    "radius.": "Types of Radius.* need recipes; an Applications.Core/extenders can stand in for one.",
    "ulna.process/": "Its types are served by the provider 'process', which is not installed.",
    "ulna.docker/": "Its types are served by the provider 'docker', which is not installed.",
    "ulna.kubernetes/": "Its types are served by the provider 'kubernetes', which is not installed.",
    "ulna.core/": "Of Ulna.Core, values are served.",
}


def absent(type: str, kinds: tuple[str, ...]) -> str:
    """What to do about a type that nobody serves."""
    lower = type.lower()
    hint = next((text for prefix, text in _SERVERS.items() if lower.startswith(prefix)), "")
    return " ".join(
        s
        for s in (
            hint,
            f"Install a provider for it, or remove the resource. Installed compute kinds: {', '.join(kinds) or 'none'}.",
        )
        if s
    )
