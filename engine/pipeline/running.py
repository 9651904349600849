"""One run of the engine over a partition of the state: what deploy, apply and destroy share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from engine.apply.batch import Batch, edits
from engine.apply.engine import Engine
from engine.apply.settlement import Settlement
from engine.contract.discover import Providers
from engine.contract.operator import Operator
from engine.contract.resource import Resource
from engine.contract.value import Value, Vault
from engine.expand.desired import Known
from engine.expand.resolve import resolve
from engine.pipeline.request import Control, Endpoint, Failure, Outcome, Skip, Watch
from engine.render.native import Native, Nomination
from engine.state.entry import Entry
from engine.state.event import Event
from engine.state.owner import this_process
from engine.state.store import Store

if TYPE_CHECKING:
    from engine.apply.tracing import Trace

NOTHING = Native(())
WORDS = {"create": "create", "update": "modify", "replace": "replace", "delete": "delete"}


class Run:
    """The engine with everything it asks for, for one deployment; a context that holds the lease."""

    def __init__(
        self,
        store: Store,
        partition: str,
        deployment: str,
        registry: Providers,
        vault: Vault,
        control: Control,
        watch: Watch | None = None,
        again: Callable[[Known], Native] | None = None,
        detach: bool = False,
        trace: Trace | None = None,
    ) -> None:
        self.native = NOTHING
        self.added: dict[str, Nomination] = {}
        """Who owns what was added while it ran."""
        self._again = again
        self._control = control
        self._detach = detach
        self._detached: set[str] = set()
        self._partition = partition
        self._deployment = deployment
        self._registry = registry
        self._vault = vault
        self._watch = watch
        self._shadow: dict[str, Entry] = {}
        self._begun = monotonic()
        self.engine = Engine(
            store.log(partition),
            (),
            self._nominate,
            self.resolve,
            deployment=deployment,
            vault=vault,
            expand_again=self._expand_again if again is not None else None,
            trace=trace,
        )

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._control.ended()
        self.engine.close()

    def start(self, wait: float | None, stays: bool = False) -> None:
        """Take the lease; `stays` says that it is kept until somebody ends this."""
        self.engine.start(owner=this_process(stays), wait=wait, on_wait=self._control.on_wait)
        self._shadow = dict(self.engine.state.entries)
        for entry in self.engine.state.entries.values():
            self.registered(entry.operator, entry.resource)
        self._control.began(self.engine)

    def want(self, native: Native, whole: bool = False) -> None:
        """Make the deployment what this graph says; with `whole`, what was added while it ran goes as well."""
        self.engine.edit(self._batch(native, whole))
        self._shadow |= {a: e for a, e in self.engine.state.entries.items() if a in self._detached}

    def remember(self, place: str) -> None:
        """Remember where the deployment's file is, whatever becomes of the run; what it gave before stays."""
        known = self.engine.state.deployments.get(self._deployment)
        self.engine.deployed(self._deployment, place, known.outputs if known is not None else {})

    def settle(self) -> Settlement:
        """Run until nothing is left to do."""
        return self.engine.settled(self._control.timeout, self._progress if self._watch is not None else None)

    def resolve(self, value: Value, outputs: Known) -> Value:
        """A value with all that is known filled in."""
        return resolve(value, outputs.get, self._vault)

    def outcome(self, settlement: Settlement, outputs: Mapping[str, Value]) -> Outcome:
        """What the run came to."""
        late = settlement.timed_out
        succeeded = set(settlement.succeeded)
        origins = {r.address: r.origin for r in self.native.resources}
        failed = [Failure(a, reason, origin=origins.get(a)) for a, reason in settlement.failed.items()]
        unfinished = [
            (a, f"not finished in time: {why}" if late else f"not finished: {why}")
            for a, why in settlement.unfinished.items()
        ]
        failed += [Failure(a, why, origin=origins.get(a)) for a, why in unfinished if late or not settlement.stopped]
        skipped = [Skip(a, why) for a, why in settlement.skipped.items()]
        skipped += [Skip(a, why) for a, why in unfinished if settlement.stopped and not late]
        changed = {a: WORDS[word] for a, word in settlement.acted.items() if a not in settlement.failed}
        changed |= dict.fromkeys((a for a in settlement.gone if a in self._detached), "detach")
        return Outcome(
            self._partition,
            self._deployment,
            changed,
            sum(a not in changed for a in settlement.succeeded),
            tuple(failed),
            tuple(skipped),
            outputs,
            endpoints(e for e in self.engine.state.entries.values() if e.address in succeeded),
            settlement.problems,
            settlement.stopped,
            monotonic() - self._begun,
            settlement.resting,
        )

    # ---------------------------------------------------------------- what the engine asks

    def _nominate(self, resource: Resource) -> Nomination:
        known = self.native.nominations.get(resource.address) or self.added.get(resource.address)
        return known or Nomination(None, "nothing in the file declares it")

    def registered(self, name: str | None, resource: Resource) -> Operator | None:
        """The operator of a name for a resource, which takes part from now on."""
        operator = self._registry.operator(name, resource)
        if operator is not None:
            self.engine.register(operator)
        return operator

    def _expand_again(self, outputs: Known) -> Batch | None:
        assert self._again is not None
        return self._batch(self._again(outputs))

    def batch_of(self, native: Native) -> Batch:
        """What it would take for the deployment to be what this graph says."""
        return edits(native.resources, self.engine.state.entries, self._deployment, native.pending, detach=self._detach)

    def _batch(self, native: Native, whole: bool = False) -> Batch:
        self.native = native
        for resource in native.resources:
            self.registered(native.nominations[resource.address].operator, resource)
        entries = self.engine.state.entries
        batch = edits(native.resources, entries, self._deployment, native.pending, detach=self._detach, whole=whole)
        self._detached |= set(batch.detach)
        return batch

    def _progress(self, events: Sequence[Event]) -> None:
        assert self._watch is not None
        for event in events:
            before, after = self._shadow.get(event.key), self.engine.state.entries.get(event.key)
            if after is not None:
                self._shadow[event.key] = after
            else:
                self._shadow.pop(event.key, None)
            if before is not after:
                self._watch(before, after)


def endpoints(entries: Iterable[Entry]) -> tuple[Endpoint, ...]:
    """Where people reach what these entries stand for: the URLs among their outputs, if they are not for the inside alone."""
    found: list[Endpoint] = []
    for entry in entries:
        properties = entry.outputs.get("properties")
        if not isinstance(properties, Mapping) or properties.get("internal") is True:
            continue
        name, type = str(entry.resource.name), entry.resource.type
        reported = properties.get("endpoints")
        if type.lower() == "applications.core/gateways":
            reported = {"url": properties.get("url")}
        if isinstance(reported, Mapping):
            found += [Endpoint(name, type, url) for url in reported.values() if isinstance(url, str)]
    return tuple(found)
