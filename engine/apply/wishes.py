"""What an engine is asked for: edits of the model, commands, and facts to be remembered. Each is one durable step."""

from __future__ import annotations

from _thread import RLock
from collections.abc import Iterable, Mapping
from typing import Any

from engine.apply import report
from engine.apply.batch import Batch
from engine.apply.edit import Command, Draft, commanded, drafts
from engine.apply.gate import next_incarnation
from engine.apply.model import Model
from engine.apply.ownership import is_due
from engine.apply.queue import Priority
from engine.apply.runner import Runner
from engine.apply.undecided import Undecided
from engine.contract.operator import Health, Observed, Operator
from engine.contract.resource import Resource, deployment_of
from engine.contract.value import Properties
from engine.state.entry import Entry, Phase
from engine.state.event import Kind, Operation
from engine.state.fold import State


class Wishes:
    """The half of an `Engine` that people and faces speak to; the other half carries out."""

    model: Model
    _lock: RLock
    runner: Runner
    _undecided: Undecided

    @property
    def state(self) -> State:
        """The model as it is; to be read only."""
        return self.model.state

    def edit(self, batch: Batch) -> None:
        """Change the model by one atomic batch; raises `UlnaError` and changes nothing where it would break it."""
        with self._lock:
            asked = drafts(batch, self.model, self._undecided.with_those_of(batch))
            self._undecided.accept(batch)
            self._ask(asked)

    def command(self, address: str, command: Command) -> None:
        """Change what is wished for one resource; done when observation satisfies it."""
        with self._lock:
            self._ask((commanded(address, command, self.model),), Priority.COMMAND)

    def launch(self, resource: Resource) -> None:
        """Add a resource at run time, a job for example: it lives and goes with its owner."""
        self.edit(Batch(deployment_of(resource.address), add=(resource,), declared=False))

    def look(self, address: str) -> None:
        """Look at a resource again now: something outside changed."""
        with self._lock:
            self._want(address)
            self.runner.wake()

    def register(self, operator: Operator) -> None:
        """Let an operator take part from now on; what waits for one, and what is its own already, looks again."""
        with self._lock:
            new = operator.name not in self.model.operators
            self.model.operators[operator.name] = operator
            if new:
                for entry in self.state.entries.values():
                    if entry.operator == operator.name or is_due(entry):
                        self._want(entry.address)
                self.runner.wake()

    def adopted(self, address: str, observed: Observed) -> None:
        """Remember that a resource is what was there already; how that differs from what is wanted, the next pass finds."""
        with self._lock:
            entry = self.state.entries[address]
            live = entry.resource.replace(properties=observed.properties)
            outputs = report.outputs(live, observed)
            changes = {
                "token": observed.token,
                "external_id": observed.id,
                "incarnation": next_incarnation(entry),
                "ready_incarnation": next_incarnation(entry) if observed.health is Health.READY else -1,
                "applied": report.applied(live, outputs),
                "applied_generation": -1,  # none of ours: who depends on it waits until a pass has looked at it
                "applied_nonce": entry.nonce,
                "observed_generation": entry.generation,
                "outputs": outputs,
                "phase": Phase.RUNNING if observed.exit_code is None else Phase.EXITED,
                "exit_code": observed.exit_code,
            }
            self._write(address, Kind.STATUS, changes)
            self._commit()

    def forget(self, address: str) -> None:
        """Take back a resource that was added and never made."""
        with self._lock:
            self._write(address, Kind.DELETING, {"deleting": True})
            self._write(address, Kind.GONE, {})
            self._commit()

    def deployed(self, name: str, file: str, outputs: Properties) -> None:
        """Remember of a deployment where it came from and what it gave."""
        with self._lock:
            known = self.state.deployments.get(name)
            if known is None or (known.file, known.outputs) != (file, outputs):
                self._ask((Draft(Kind.DEPLOYED, name, {"file": file, "outputs": outputs}),))

    def operate(self, id: str | None, **changes: Any) -> Operation:
        """Remember how far an operation is; without an id a new one is begun. See `state.event.Operation` for the fields."""
        with self._lock:
            id = id or f"op-{self.state.seq + 1}"
            self._ask((Draft(Kind.OPERATION, id, changes),))
            return self.state.operations[id]

    def undeployed(self, name: str) -> None:
        """Forget a deployment that has nothing left."""
        with self._lock:
            if name in self.state.deployments:
                self._ask((Draft(Kind.UNDEPLOYED, name, {}),))

    # ---------------------------------------------------------------- what the other half does

    def _want(self, key: str, priority: Priority | None = None) -> None:
        raise NotImplementedError

    def _ask(self, asked: Iterable[Draft], priority: Priority | None = None) -> None:
        raise NotImplementedError

    def _write(self, key: str, kind: Kind, changes: Mapping[str, Any]) -> Entry | None:
        raise NotImplementedError

    def _commit(self) -> None:
        raise NotImplementedError
