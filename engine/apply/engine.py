"""The engine: takes keys from the queue, runs their passes, stores what they write, has their calls made.

Nothing happens but inside `pump`, which never blocks; `settled` pumps and sleeps in turn. Events are stored in groups: what a
round of passes wrote is one transaction, and only once it is durable do calls go out. Whatever has no effect outside
therefore runs through whole layers of a graph between two writes to the disk.
"""

from __future__ import annotations

from _thread import RLock  # what `threading` would hand out, without its price
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from engine.apply.backoff import Backoff, system_random
from engine.apply.call import EngineCall
from engine.apply.edit import Draft
from engine.apply.effects import Again, Done, Effect, End, Later, Pass, ProviderBug, Retry, Write
from engine.apply.feed import Feed, Subscription, Watcher
from engine.apply.model import Existing, Model, Resolve
from engine.apply.ownership import Nominate
from engine.apply.passes import run
from engine.apply.queue import Priority, WorkQueue
from engine.apply.runner import Runner, Task, Threads
from engine.apply.settlement import Settlement, deed, settlement
from engine.apply.undecided import ExpandAgain, Undecided
from engine.apply.wishes import Wishes
from engine.contract.errors import OperatorError
from engine.contract.operator import Operator
from engine.contract.resource import Condition, deployment_of
from engine.contract.value import Vault
from engine.diagnostics.diagnostic import UlnaError
from engine.state.entry import Entry
from engine.state.event import Event, Kind
from engine.state.fold import State
from engine.state.log import Log
from engine.state.owner import HEARTBEAT, Owner, this_process

if TYPE_CHECKING:
    from engine.apply.tracing import Steps, Trace

GROUP = 500
"""Passes between two commits, at most."""

SNAPSHOT = 500
"""Events since the last snapshot that make another worth it, at least."""

TICK = 0.2
"""Seconds between two signs of life for whoever shows progress."""


class Engine(Wishes):
    """See the module. One environment, under one lease; of one deployment, or of all of them if that is None."""

    def __init__(
        self,
        log: Log,
        operators: Iterable[Operator],
        nominate: Nominate,
        resolve: Resolve,
        *,
        deployment: str | None = None,
        runner: Runner | None = None,
        vault: Vault | None = None,
        existing: Existing | None = None,
        expand_again: ExpandAgain | None = None,
        random: Callable[[], float] | None = None,
        group: int = GROUP,
        trace: Trace | None = None,
    ) -> None:
        self.log = log
        self.runner: Runner = Threads() if runner is None else runner
        self.expand_again = expand_again
        self.deployment = deployment
        self.queue = WorkQueue()
        self._arguments = ({o.name: o for o in operators}, nominate, resolve, existing)
        self._vault = vault
        self._trace = trace
        self._group = group
        self._backoff = Backoff(random or system_random)
        self._passes: dict[str, _Pass] = {}
        self._buffer: list[Event] = []
        self._parked: list[Task] = []
        self._undecided = Undecided()
        self._acted: dict[str, str] = {}
        self._gone: dict[str, None] = {}
        self._stage = 0
        self._dead: BaseException | None = None
        self._beat = 0.0
        self._lock = RLock()
        self._snapshot_at = 0
        self.model = self._model(State())
        self.feed = Feed(0, log.events)

    # ---------------------------------------------------------------- life

    def start(
        self, *, owner: Owner | None = None, wait: float | None = 0.0, on_wait: Callable[[str], None] | None = None
    ) -> None:
        """Take the lease, fold the log, and queue everything; nothing is waited for but the lease, for `wait` seconds at most."""
        self.log.acquire(owner or this_process(), wait, on_wait)
        state = self.log.state()
        self._snapshot_at = state.seq
        self.model = self._model(state)
        self.feed = Feed(state.seq, self.log.events)
        self._beat = self.runner.now()
        for key in state.entries:
            self._want(key)

    def _model(self, state: State) -> Model:
        model = Model(state, *self._arguments)
        model.now = self.runner.wall
        return model

    def stop(self) -> None:
        """Once: begin nothing new and let running calls finish. Twice: do not wait for them either. May be called by a signal
        handler.
        """
        self._stage += 1
        if self._stage == 1:
            self.model.held_back = True
        self.runner.wake()

    def close(self) -> None:
        """Let go of the lease; what is under way is settled by the next start."""
        with self._lock:
            self.runner.close()
            for key, steps in self._passes.items():
                self._tell(key, steps, None)
            try:
                if self._dead is None and self.state.seq - self._snapshot_at >= max(SNAPSHOT, len(self.state.entries)):
                    self.log.snapshot(self.state)
            finally:
                self.log.release()

    def subscribe(self) -> Subscription:
        """The state as it is, and all that comes after it."""
        with self._lock:
            return Subscription(self.feed, self.state.copy())

    # ---------------------------------------------------------------- until it settles

    def settled(self, timeout: float | None = None, on_progress: Watcher | None = None) -> Settlement:
        """Run until nothing is to do but what is blocked or failed, or time is up; `on_progress` is told events, and () now and then."""
        end = None if timeout is None else self.runner.now() + timeout
        unwatch = self.feed.watch(on_progress) if on_progress is not None else None
        try:
            while True:
                with self._lock:
                    self.pump()
                    late = end is not None and self.runner.now() >= end
                    if self.is_settled or late or self._stage > 1:
                        return self._settlement(late and not self.is_settled)
                    pause = self._pause(end, TICK if on_progress else HEARTBEAT)
                self.runner.wait(pause)
                if on_progress is not None:
                    on_progress(())
        finally:
            if unwatch is not None:
                unwatch()

    def serve(self) -> None:
        """Run until somebody asks to stop: what `settled` does, for as long as it takes, without an account of it at the end."""
        self.model.stays = True
        while True:
            with self._lock:
                self.pump()
                self._acted.clear()
                self._gone.clear()
                if self._stage > 1 or (self._stage and not self._passes):
                    return
                pause = self._pause(None, HEARTBEAT)
            self.runner.wait(pause)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is to do, now or at a time somebody waits for."""
        if self._passes or self._stage:
            return not self._passes
        return self.queue.settled and not any(map(self._is_awaited, self.queue.watched))

    def pump(self) -> None:
        """Do all that can be done now, without waiting for anything."""
        with self._lock:
            if self._dead is not None:
                raise self._dead
            try:
                while self._round():
                    pass
                if self.runner.now() - self._beat >= HEARTBEAT:
                    self.log.heartbeat()
                    self._beat = self.runner.now()
            except BaseException as error:
                self._dead = error  # memory is ahead of the log, or not what we thought: only a new start knows
                raise

    def _round(self) -> bool:
        """Answers, passes, one commit; whether there was anything."""
        answers = self.runner.answers()
        for task in answers:
            self._answer(task)
        passes = 0
        while self._stage == 0 and passes < self._group and (key := self.queue.take(self.runner.now())) is not None:
            passes += 1
            self._begin(key)
        self._commit()
        return bool(answers or passes) or self._expand()

    def _pause(self, end: float | None, most: float) -> float:
        now = self.runner.now()
        due = self.queue.due() if self._stage == 0 else None
        return max(0.0, min(t for t in (now + most, self._beat + HEARTBEAT, end, due) if t is not None) - now)

    # ---------------------------------------------------------------- passes

    def _begin(self, key: str) -> None:
        assert key not in self._passes, f"two passes of {key}"
        steps = _Pass(run(key, self.model))
        before = self.model.find(key)
        if self._trace is not None and before is not None:
            from engine.apply.tracing import Steps  # few want traces

            steps.traced = Steps(before, self.runner.wall(), self._backoff.attempt(key))
        self._passes[key] = steps
        self._go_on(key, steps)

    def _answer(self, task: Task) -> None:
        steps = self._passes.get(task.key)
        if steps is None or steps.task is not task:
            return
        steps.task = None
        if task.error is None:
            self._note(task.key, task.effect)
        self._go_on(task.key, steps, task.answer, task.error)

    def _go_on(self, key: str, steps: _Pass, answer: Any = None, error: BaseException | None = None) -> None:
        """Run a pass to its next call, or to its end."""
        while True:
            if error is not None and steps.traced is not None:
                steps.traced.error = _told(error)
            try:
                wanted = steps.generator.send(answer) if error is None else steps.generator.throw(_told(error))
            except StopIteration as end:
                del self._passes[key]
                self._tell(key, steps, end.value)
                self._end(key, end.value)
                return
            answer = error = None
            if isinstance(wanted, Write):
                answer = self._write(key, wanted.kind, wanted.changes)
                continue
            if steps.traced is not None:
                steps.traced.calls.append((wanted, self.runner.wall()))
            task = Task(key, wanted, EngineCall(self.log.writer, self._vault, lambda: self._stage > 1))
            if wanted.operator.effects:
                steps.task = task
                self._parked.append(task)
                return
            task.run()
            answer, error = task.answer, task.error
            if error is None:
                self._note(key, wanted)

    def _end(self, key: str, end: End) -> None:
        self.queue.done(key)
        now = self.runner.now()
        match end:
            case Retry(at_least):
                self.queue.add_after(key, now + self._backoff.next(key, at_least))
                return
            case Later(after, idle):
                self.queue.add_after(key, now + after, idle=idle)
            case Again():
                self._want(key)
            case Done():
                pass
        self._backoff.reset(key)

    def _tell(self, key: str, steps: _Pass, end: End | None) -> None:
        """Tell whoever traces of a pass that is over, or that is given up if `end` is None."""
        if self._trace is not None and steps.traced is not None:
            from engine.apply.tracing import Passed

            self._trace(Passed.of(steps.traced, self.model.find(key), end, self.runner.wall()))

    def _is_awaited(self, key: str) -> bool:
        """Whether something waits for this to end."""
        waiters = map(self.model.find, self.model.waiters(key))
        return any(
            wait.address == key and wait.condition is Condition.COMPLETED
            for waiter in waiters
            if waiter is not None and (waiter.token is None or not waiter.current)
            for wait in waiter.resource.waits
        )

    def _note(self, key: str, effect: Effect) -> None:
        """Keep in mind what was done, for the summary."""
        self._acted[key] = deed(self._acted.get(key, ""), effect)

    # ---------------------------------------------------------------- writing

    def _want(self, key: str, priority: Priority | None = None) -> None:
        if self.deployment is not None and deployment_of(key) != self.deployment:
            return
        entry = self.model.find(key)
        if entry is not None:
            self.queue.add(key, priority or (Priority.DELETE if entry.deleting else Priority.CHANGE))

    def _ask(self, asked: Iterable[Draft], priority: Priority | None = None) -> None:
        """Store what people asked for, and have it done."""
        if self._dead is not None:
            raise self._dead
        try:
            for draft in asked:
                self._append(draft.kind, draft.key, draft.data)
                self._want(draft.key, priority)
            self._commit()
            self.runner.wake()
        except BaseException as error:
            self._dead = error
            raise

    def _write(self, key: str, kind: Kind, changes: Mapping[str, Any]) -> Entry | None:
        entry = self.model.find(key)
        assert entry is not None
        data = {f: v for f, v in changes.items() if getattr(entry, f) != v}
        if data or kind is Kind.GONE:
            self._append(kind, key, data)
            if kind is Kind.GONE:
                self._gone[key] = None
        for other in self.model.answered(key, changes):
            self._want(other)
        return self.model.find(key)

    def _append(self, kind: Kind, key: str, data: Mapping[str, Any]) -> None:
        entry = self.model.find(key)
        epoch = data.get("epoch", entry.epoch if entry is not None else 0)
        event = Event(self.state.seq + 1, self.runner.wall(), self.log.writer, kind, key, epoch, data)
        woken = self.model.advance(event)
        self._buffer.append(event)
        for other in woken:
            self._want(other)

    def _commit(self) -> None:
        """Make durable what was written, then let out the calls that relied on it."""
        if self._buffer:
            events, self._buffer = self._buffer, []
            self.log.append(events)
            self.feed.publish(events)
        parked, self._parked = self._parked, []
        for task in parked:
            self.runner.submit(task)

    # ---------------------------------------------------------------- what is decided while it runs

    def _expand(self) -> bool:
        """Have undecided parts expanded whose needs are known now; whether anything came of it."""
        if self.expand_again is None or self._stage:
            return False
        if not self._undecided.are_due(self.model.outputs):
            return False
        try:
            batch = self.expand_again(self.model.outputs)
            if batch is None:
                return False
            self.edit(batch)
        except UlnaError as error:
            if self._dead is not None:
                raise
            self._undecided.problems += error.diagnostics
            return False
        return True

    def _settlement(self, late: bool) -> Settlement:
        scope = [a for a in self.state.entries if self.deployment is None or deployment_of(a) == self.deployment]
        return settlement(
            self.model,
            scope,
            self._undecided.of(self.deployment),
            gone=tuple(self._gone),
            acted={a: d for a, d in self._acted.items() if d},
            problems=self._undecided.problems,
            stopped=self._stage > 0,
            timed_out=late,
        )


class _Pass:
    """A pass under way, and the call it waits for."""

    __slots__ = ("generator", "task", "traced")

    def __init__(self, generator: Pass) -> None:
        self.generator = generator
        self.task: Task | None = None
        self.traced: Steps | None = None


def _told(error: BaseException) -> BaseException:
    """What a pass is told of an error: the contract's own as it is, anything else as a bug of the provider."""
    return error if isinstance(error, OperatorError | ProviderBug) else ProviderBug.of(error)
