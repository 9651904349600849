"""The queue alone, against a model: never lost, never doubled, the urgent first."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from engine.apply.queue import Priority, WorkQueue

KEYS = st.sampled_from("abcd")


class QueueMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.queue, self.now = WorkQueue(), 0.0
        self.dirty, self.busy, self.timers = {}, set(), {}

    @rule(key=KEYS, priority=st.sampled_from(Priority))
    def add(self, key, priority):
        self.queue.add(key, priority)
        self.dirty[key] = min(priority, self.dirty.get(key, priority))

    @rule(key=KEYS, delay=st.sampled_from([0.0, 1.0, 5.0]), idle=st.booleans())
    def add_after(self, key, delay, idle):
        self.queue.add_after(key, self.now + delay, idle=idle)
        self.timers[key] = (self.now + delay, idle)

    @rule(seconds=st.sampled_from([0.5, 1.0, 10.0]))
    def wait(self, seconds):
        self.now += seconds

    @rule()
    def take(self):
        for key, (due, idle) in list(self.timers.items()):
            if due <= self.now:
                del self.timers[key]
                priority = Priority.POLL if idle else Priority.CHANGE
                self.dirty[key] = min(priority, self.dirty.get(key, priority))
        key = self.queue.take(self.now)
        free = {k: p for k, p in self.dirty.items() if k not in self.busy}
        if key is None:
            assert not free, "lost"
            return
        assert key not in self.busy, "doubled"
        assert self.dirty[key] == min(free.values()), "not the most urgent"
        del self.dirty[key]
        self.timers.pop(key, None)
        self.busy.add(key)

    @rule(key=KEYS)
    def done(self, key):
        if key in self.busy:
            self.queue.done(key)
            self.busy.remove(key)

    @invariant()
    def agrees(self):
        assert self.queue.busy == self.busy
        assert self.queue.dirty == len(self.dirty)
        assert self.queue.timers == len(self.timers)
        assert self.queue.due() == min((d for d, _ in self.timers.values()), default=None)
        waited_for = any(not idle for _, idle in self.timers.values())
        assert self.queue.settled == (not self.dirty and not self.busy and not waited_for)
        assert len(self.queue._heap) <= 2 * len(self.timers) + 17


TestQueue = QueueMachine.TestCase
TestQueue.settings = settings(max_examples=60, stateful_step_count=40, deadline=None, database=None)


def test_keys_of_one_urgency_come_in_the_order_they_were_added():
    queue = WorkQueue()
    for key in "cab":
        queue.add(key)
    assert [queue.take(0.0) for _ in range(4)] == ["c", "a", "b", None]
