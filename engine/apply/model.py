"""The model at this moment, with the indexes that make every question cheap: who waits for whom, who leans on whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.apply import composite
from engine.apply.lifecycle import check
from engine.apply.ownership import Nominate
from engine.apply.retiring import left_behind
from engine.apply.rollup import Told, begun, failing, fails, parts, resting, started
from engine.contract.errors import Terminal, Unreachable
from engine.contract.operator import Operator
from engine.contract.resource import Resource
from engine.contract.value import Output, Properties, Secret, Value, has_secret, is_known, leaves
from engine.expand.desired import Known
from engine.expand.functions.signature import EvaluationError
from engine.render.native import Nomination
from engine.state.entry import Entry, Phase
from engine.state.event import Event
from engine.state.fold import State, advance

Resolve = Callable[[Value, Known], Value]
"""Evaluates what can be with the outputs that are known; the rest stays as it is."""

Existing = Callable[[Resource], Properties | None]
"""What is known elsewhere of an existing resource that lives in a log alone; None if nothing is."""

MOVING = frozenset({"applied", "applied_generation", "intent", "met", "retiring"})
"""Fields whose change may mean that somebody uses another life of what it leans on."""

OUTWARD = frozenset(
    {
        "phase",
        "ready_incarnation",
        "incarnation",
        "token",
        "deleting",
        "exit_code",
        "applied_generation",
        "applied_nonce",
        "generation",
        "nonce",
        "outputs",
        "failed_at",
    }
)
"""What others can see of an entry: when one of these changes, those who wait for it look again."""


class Links:
    """What a resource depends on, read out of it once."""

    __slots__ = ("addresses", "outputs", "plain")

    def __init__(self, resource: Resource) -> None:
        found: dict[str, None] = {}
        self.plain = True
        for leaf in leaves([resource.properties, resource.name, resource.id]):
            if isinstance(leaf, Output):
                found[leaf.address] = None
            self.plain = self.plain and isinstance(leaf, Secret)
        self.outputs = tuple(sorted(found))
        self.addresses = tuple(dict.fromkeys((*resource.depends_on, *self.outputs)))


class Outputs(Mapping[str, Properties]):
    """What is known of the outputs of resources now: those of the ready ones that are up to date.

    `unread` are those in whose outputs an operator sealed something in an earlier run, until it does so again in this one.
    """

    __slots__ = ("_entries", "unread")

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = entries
        self.unread = {a for a, e in entries.items() if _seals(e)}

    def __getitem__(self, address: str) -> Properties:
        entry = self._entries[address]
        if not is_settled(entry) or address in self.unread:
            raise KeyError(address)
        return entry.outputs

    def __iter__(self) -> Iterator[str]:
        return (a for a, e in self._entries.items() if is_settled(e) and a not in self.unread)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def is_settled(entry: Entry) -> bool:
    """Whether an entry is where its wish says, so that its outputs can be relied on."""
    if not entry.current or entry.deleting:
        return False
    return entry.phase is Phase.EXITED or (entry.phase is Phase.RUNNING and entry.ready)


def _seals(entry: Entry) -> bool:
    """Whether its operator may have sealed what it read; all other secrets are told to every run."""
    return bool(entry.resource.lists or entry.resource.existing) and has_secret(entry.outputs)


class Model:
    """See the module; the `Surroundings` of every pass."""

    def __init__(
        self,
        state: State,
        operators: Mapping[str, Operator],
        nominate: Nominate,
        resolve: Resolve,
        existing: Existing | None = None,
    ) -> None:
        self.state = state
        self.operators: dict[str, Operator] = {**operators, composite.NAME: composite.COMPOSITE}
        self.outputs = Outputs(state.entries)
        self.held_back = False
        self.stays = False
        self.now: Callable[[], float] = float  # nobody waits where nobody has a clock
        self._nominate = nominate
        self._resolve = resolve
        self._existing = existing
        self._links: dict[str, Links] = {}
        self._waiters: dict[str, dict[str, None]] = {}
        self._leaning: dict[str, dict[str, None]] = {}
        self._children: dict[str, dict[str, None]] = {}
        self._ids: dict[str, str] = {}
        self._fresh: dict[str, tuple[Properties, Links]] = {}
        self._retiring: dict[str, None] = {}
        for entry in state.entries.values():
            self._index(None, entry)

    # ---------------------------------------------------------------- questions

    def gives_up(self, error: BaseException) -> bool:
        """See `Surroundings`; who stays waits for a place that nobody has answered at yet."""
        return isinstance(error, Terminal) or (isinstance(error, Unreachable) and not self.stays)

    def find(self, address: str) -> Entry | None:
        """See `Surroundings`."""
        return self.state.entries.get(address)

    def nominate(self, resource: Resource) -> Nomination:
        """See `Surroundings`; what nobody can look for may still be found in the state."""
        made_of_others = composite.is_composite(resource)
        try:
            nominee = self._nominate(resource)
            if made_of_others:  # who was asked is told of where it was handed on
                handed = nominee.hops and nominee.operator is not None
                return Nomination(composite.NAME, hops=(*nominee.hops, str(nominee.operator)) if handed else ())
            return Nomination(composite.NAME) if resource.existing and nominee.operator is None else nominee
        except Exception as error:
            if made_of_others:
                return Nomination(composite.NAME)
            return Nomination(None, f"provider bug: {type(error).__name__}: {error}")

    def resolved(self, entry: Entry) -> tuple[Resource, tuple[str, ...]]:
        """See `Surroundings`; raises `Terminal` for an expression that has no value with what is known now."""
        links = self._links[entry.address]
        if links.plain:
            return entry.resource, ()
        unknown = tuple(a for a in links.outputs if a not in self.outputs)
        if unknown:
            return entry.resource, unknown
        wish = entry.resource
        try:
            name, id, properties = (self._resolve(v, self.outputs) for v in (wish.name, wish.id, wish.properties))
        except EvaluationError as error:
            raise Terminal(error.message, error.help) from error
        if not is_known([name, id, properties]):
            return wish, links.outputs or (entry.address,)
        return wish.replace(name=name, id=id, properties=properties), ()

    def leaning(self, address: str) -> str | None:
        """See `Surroundings`."""
        return next((a for a in self._leaning.get(address, ()) if a != address), None)

    def in_the_way(self, address: str) -> str | None:
        """See `Surroundings`."""
        entry = self.find(address)
        if entry is not None and entry.deleting:
            return self.leaning(address)
        if entry is None or entry.run:
            return None
        todo, found = [address], dict[str, None]()
        while todo:  # those that lean on it and are to stop as well, at any remove
            stopping = [
                a for a in self.users(todo.pop()) if a not in found and (e := self.find(a)) is not None and not e.run
            ]
            found.update(dict.fromkeys(stopping))
            todo += stopping
        return None if address in found else next(iter(found), None)

    def left_behind(self, address: str) -> str | None:
        """See `Surroundings`."""
        return left_behind(self, address)

    def users(self, address: str) -> tuple[str, ...]:
        """Those who were wired to an entry and still live."""
        return tuple(a for a in self._leaning.get(address, ()) if a != address)

    def dependencies(self, address: str) -> tuple[str, ...]:
        """See `Surroundings`."""
        return self._links[address].addresses

    def failing(self, whole: Entry) -> Told | None:
        """See `Surroundings`."""
        return failing(whole, self)

    def resting(self, whole: Entry) -> Entry | None:
        """See `Surroundings`."""
        return resting(whole, self)

    def begun(self, whole: Entry) -> bool:
        """See `Surroundings`."""
        return begun(whole, self)

    def lives(self, address: str) -> Mapping[str, int]:
        """See `Surroundings`."""
        entry = self.find(address)
        if entry is None:
            return {}
        below = {a: n for p in parts(entry, self) for a, n in self.lives(p.address).items()}
        return below or {address: entry.incarnation}

    def existing(self, resource: Resource) -> Properties | None:
        """See `Surroundings`: of this environment first, then wherever the engine was told to look."""
        ours = self._ids.get(str(resource.id).lower())
        if ours is not None:
            return self.outputs.get(ours)
        return None if self._existing is None else self._existing(resource)

    def links(self, resource: Resource) -> Links:
        """What a resource that is about to be added or changed depends on."""
        found = self._fresh[resource.address] = (resource.properties, Links(resource))
        return found[1]

    def waiters(self, address: str) -> tuple[str, ...]:
        """Those who wait for an entry or read its outputs."""
        return tuple(self._waiters.get(address, ()))

    def children(self, address: str) -> tuple[str, ...]:
        """Those whose owner an entry is."""
        return tuple(self._children.get(address, ()))

    # ---------------------------------------------------------------- changes

    def advance(self, event: Event) -> tuple[str, ...]:
        """Move by one event, and give the addresses that should look again because of it."""
        before = self.state.entries.get(event.key)
        advance(self.state, event)
        after = self.state.entries.get(event.key)
        if before is None and after is None:
            return ()
        check(before, after)
        leaned, was = _leans_on(before), _as_a_part(before)
        woken = list(self._waiters.get(event.key, ())) if after is None or not OUTWARD.isdisjoint(event.data) else []
        if was != _as_a_part(after):
            woken += self._waiting_for_wholes_of(before or after)
        self._index(before, after)
        # what it was wired to and no longer is may be deletable now
        for address in leaned - _leans_on(after):
            dependency = self.state.entries.get(address)
            if dependency is not None and (dependency.deleting or not dependency.run):
                woken.append(address)
        if before is not None and after is not None and before.run != after.run:
            woken += _leans_on(after)  # they wait until it has stopped, or do not any more
        if self._retiring and (after is None or (after.intent is None and not MOVING.isdisjoint(event.data))):
            woken += self._retiring.keys() - {event.key}  # it may be the last that used what one of them replaces
        return tuple(woken)

    def _waiting_for_wholes_of(self, part: Entry | None) -> Iterator[str]:
        """Those who wait for what an entry is a part of, at any remove."""
        while part is not None and (owner := part.resource.owner) is not None:
            yield from self._waiters.get(owner, ())
            part = self.find(owner)

    def answered(self, address: str, changes: Mapping[str, Any]) -> tuple[str, ...]:
        """Take note of what an operator answered, be it news or not: who may go on, since its secrets are known to this run now."""
        if address not in self.outputs.unread or "outputs" not in changes:
            return ()
        self.outputs.unread.discard(address)
        return self.waiters(address)

    def _linked(self, resource: Resource) -> Links:
        fresh = self._fresh.pop(resource.address, None)
        return fresh[1] if fresh is not None and fresh[0] is resource.properties else Links(resource)

    def _index(self, before: Entry | None, after: Entry | None) -> None:
        if before is None or after is None or before.resource is not after.resource:
            if before is not None:
                for address in self._links.pop(before.address).addresses:
                    _drop(self._waiters, address, before.address)
                if before.resource.owner is not None:
                    _drop(self._children, before.resource.owner, before.address)
                self._ids.pop(str(before.resource.id).lower(), None)
            if after is not None:
                links = self._links[after.address] = self._linked(after.resource)
                for address in links.addresses:
                    self._waiters.setdefault(address, {})[after.address] = None
                if after.resource.owner is not None:
                    self._children.setdefault(after.resource.owner, {})[after.address] = None
                if not after.resource.existing:
                    self._ids[str(after.resource.id).lower()] = after.address
        if after is not None and after.retiring is not None:
            self._retiring[after.address] = None
        elif before is not None and before.retiring is not None:
            del self._retiring[before.address]
        old, new = _leans_on(before), _leans_on(after)
        if old != new:
            key = after.address if after is not None else before.address if before is not None else ""
            for address in old - new:
                _drop(self._leaning, address, key)
            for address in new - old:
                self._leaning.setdefault(address, {})[key] = None


_NOTHING: frozenset[str] = frozenset()


def _as_a_part(entry: Entry | None) -> tuple[bool, bool]:
    """What those who wait for a whole see of an entry that is a part of it."""
    return (False, False) if entry is None else (fails(entry), started(entry))


def _leans_on(entry: Entry | None) -> frozenset[str]:
    """What must not be deleted while this lives, or may come to live."""
    if entry is None or not entry.held:
        return _NOTHING
    if entry.intent is None and entry.retiring is None:
        return frozenset(entry.wired) if entry.wired else _NOTHING
    others = (entry.intent, entry.retiring)
    return frozenset((*entry.wired, *(a for each in others if each is not None for a in each.wired)))


def _drop(index: dict[str, dict[str, None]], address: str, key: str) -> None:
    found = index.get(address)
    if found is not None:
        found.pop(key, None)
        if not found:
            del index[address]
