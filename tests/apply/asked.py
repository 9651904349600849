"""What people ask for as operations: ended by what is observed, and then the world must show that it is so.

The oracle looks at things, not at what the log says of them; of the log it asks only which thing is meant.
"""

from __future__ import annotations

from engine.apply import rollup
from engine.apply.why import why
from engine.live import goal
from engine.state.entry import Phase
from engine.state.event import Kind, Progress


class Asked:
    """The operations of one world, over the lives of its engines."""

    def __init__(self, world):
        self.world = world
        self.before = {}
        """By operation, the thing that was there when a new life was asked for."""
        self.touched = set()
        """The tokens of what somebody else changed: nobody knows what they should look like."""
        self._ended = set()
        self._read = 0

    def begin(self, engine, command, want, of, old=None, **more):
        """What a desk does once a command was accepted; `old` is the thing that has to be another afterwards."""
        found = engine.operate(None, target=of, command=command, goal=goal.goal(want, (of,)), **more)
        assert found.id not in self.before, f"{found.id} is given twice"
        self.before[found.id] = old

    def judge(self, engine):
        """What a desk does whenever something happened."""
        for operation in list(engine.state.operations.values()):
            verdict = self._verdict(engine, operation)
            if verdict is None:
                continue
            if verdict.ok:
                self._prove(engine, operation)
            else:
                assert verdict.message, f"{operation.id} failed, and nobody knows why"
                self._prove_failure(engine, operation)
            progress = Progress.SUCCEEDED if verdict.ok else Progress.FAILED
            engine.operate(operation.id, progress=progress, message=verdict.message)

    def _verdict(self, engine, operation):
        if operation.progress is not Progress.RUNNING:
            return None
        model = engine.model
        return goal.reached(operation.goal, model.find, lambda whole: rollup.below(whole, model))

    # ---------------------------------------------------------------- the oracle

    def _prove(self, engine, operation):
        for address in operation.goal["of"]:
            entry = engine.state.entries.get(address)
            match operation.goal["want"]:
                case "stopped":
                    there = [t.token for t in self.world.things.values() if t.address == address]
                    assert not there, f"{address} is stopped, and there is {there}"
                case "completed":
                    thing = self._thing(entry)
                    assert thing.ends_at <= self.world.now, f"{address} is completed and still runs"
                    assert not thing.properties.get("exit"), f"{address} ended badly"
                case "ready":
                    self._prove_ready(engine, entry)
                    old = self.before[operation.id]
                    assert old is None or entry.token != old, f"{address} lives as it did before"

    def _prove_failure(self, engine, operation):
        """What failed did so since it was asked for, as the log tells."""
        (address,) = operation.goal["of"]
        entry = engine.state.entries.get(address)
        if entry is None or entry.deleting or entry.phase is not Phase.FAILED or operation.goal["want"] != "ready":
            return
        began = int(operation.id.removeprefix("op-"))
        since = [e.data for e in engine.log.shelf.events[began:] if e.key == address]
        assert any(d.get("failed_at") or d.get("phase") is Phase.FAILED for d in since), f"{address} had failed before"

    def _prove_ready(self, engine, entry):
        if entry.operator == "composite":
            parts = [e for e in engine.state.entries.values() if e.resource.owner == entry.address and e.declared]
            assert len(parts) == len(entry.resource.waits), f"{entry.address} has not as many parts as it should"
            for part in parts:
                self._prove_ready(engine, part)
        elif entry.operator != "values":
            thing = self._thing(entry)
            if thing.ends_at is None:
                assert thing.ready_at <= self.world.now, f"{thing.token} is not ready"
            if thing.token not in self.touched:
                image = thing.properties.get("image")
                assert image == entry.resource.properties.get("image"), f"{thing.token} is still what it was"

    def _thing(self, entry):
        """What is there, or was before it was taken away behind everybody's back."""
        found = self.world.things.get(entry.token) or self.world.taken.get(entry.token)
        assert found is not None, f"{entry.address} is said to be there"
        return found

    # ---------------------------------------------------------------- always, and at the end

    def ended_once(self, events):
        """An operation that has ended stays as it is; to be asked of all events that there are."""
        for event in events[self._read :]:
            if event.kind is Kind.OPERATION:
                assert event.key not in self._ended, f"{event.key} had ended"
                if event.data.get("progress", Progress.RUNNING) is not Progress.RUNNING:
                    self._ended.add(event.key)
        self._read = len(events)

    def nobody_waits_in_vain(self, engine):
        """Once all is settled: what runs still waits for something that can be told, and for nothing that has failed."""
        assert self.before.keys() <= engine.state.operations.keys(), "an operation was forgotten"
        for operation in engine.state.operations.values():
            if operation.progress is not Progress.RUNNING:
                continue
            assert operation.goal["want"] != "stopped", f"{operation} never ends"
            entries = [
                e
                for e in engine.state.entries.values()
                if e.address in operation.goal["of"] or (e.resource.owner in operation.goal["of"] and e.declared)
            ]
            assert any(why(e, engine.model) for e in entries), f"{operation} never ends"
            for entry in entries:
                # what stays as it is, for want of an owner or at its gate, failed before and at another wish
                before = entry.held and not entry.current and not entry.has_failed
                assert before or entry.phase is not Phase.FAILED, f"{operation} never ends: {entry.address} has failed"
