"""Events fold to a state, and both survive the way to JSON and back."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.contract.operator import Applied
from engine.contract.resource import Condition, OnBroken, Resource, Wait
from engine.contract.value import Deferred, Output, Secret, Unknown
from engine.state import codec
from engine.state.entry import Entry, Intent, Phase
from engine.state.event import Deployment, Event, Kind, Progress
from engine.state.fold import KEPT, State, fold

texts = st.text(max_size=6)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
leaves = (
    st.builds(Secret, texts, texts)
    | st.builds(lambda a, p: Output(a, tuple(p)), texts, st.lists(texts | st.integers(0, 9), max_size=2))
    | st.builds(Unknown, texts)
)
keys = texts | st.sampled_from(["$secret", "$output", "$call", "$unknown", "$literal", "$else"])
values = st.recursive(
    scalars | leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(keys, inner, max_size=3)
        | st.builds(lambda f, a: Deferred(f, tuple(a)), texts, st.lists(inner, max_size=2))
    ),
    max_leaves=8,
)
bodies = st.dictionaries(keys, values, max_size=3)
names = st.sampled_from(["d/a", "d/b", "e/c"])
waits = st.builds(Wait, names, st.sampled_from(Condition), st.integers(0, 3), st.sampled_from(OnBroken))


@st.composite
def resources(draw, address):
    return Resource(
        address,
        draw(texts),
        draw(texts),
        draw(values),
        draw(values),
        draw(bodies),
        tuple(draw(st.lists(waits, max_size=2))),
        scope=draw(texts),
        existing=draw(st.booleans()),
        owner=draw(st.none() | names),
        pin=draw(st.none() | texts),
    )


@st.composite
def statuses(draw):
    """The data of a status event."""
    return draw(
        st.fixed_dictionaries(
            {},
            optional={
                "phase": st.sampled_from(Phase),
                "reason": texts,
                "applied": st.none() | st.builds(Applied, bodies, bodies, values),
                "intent": st.none()
                | st.builds(
                    Intent, texts, texts, st.integers(0, 3), st.just(0), bodies, st.lists(names, max_size=2).map(tuple)
                ),
                "outputs": bodies,
                "wired": st.lists(names, max_size=2).map(tuple),
                "hops": st.lists(texts, max_size=2).map(tuple),
                "failed_at": st.none() | st.tuples(st.integers(0, 3), st.integers(0, 3)),
                "exit_code": st.none() | st.integers(0, 255),
                "token": st.none() | texts,
                "run": st.booleans(),
            },
        )
    )


@st.composite
def histories(draw):
    """Events as an engine would write them, as far as the fold cares."""
    events, alive = [], set()
    for seq in range(1, draw(st.integers(1, 8)) + 1):
        key = draw(names)
        if draw(st.integers(0, 9)) == 0:
            kind = draw(st.sampled_from([Kind.DEPLOYED, Kind.UNDEPLOYED]))
            data = {"file": draw(texts), "outputs": draw(bodies)} if kind is Kind.DEPLOYED else {}
            key = "d"
        elif key not in alive:
            kind, data = Kind.ADDED, {"resource": draw(resources(key))}
            alive.add(key)
        elif draw(st.integers(0, 5)) == 0:
            kind, data = Kind.GONE, {}
            alive.remove(key)
        else:
            kind, data = Kind.STATUS, draw(statuses())
        events.append(Event(seq, float(seq), 1, kind, key, 0, data))
    return events


@settings(max_examples=60, deadline=None)
@given(histories())
def test_events_survive_the_way_to_json_and_back(events):
    for event in events:
        assert event.replace(data=codec.event_data(event.key, codec.dumps(event.data))) == event


@settings(max_examples=60, deadline=None)
@given(histories(), st.data())
def test_a_snapshot_and_its_tail_fold_to_what_all_events_fold_to(events, data):
    cut = data.draw(st.integers(0, len(events)))
    snapshot = codec.state_of(codec.state_text(fold(events[:cut])))
    assert fold(events[cut:], snapshot) == fold(events)


def test_the_snapshot_itself_stays_as_it_was():
    resource = Resource("d/a", "T", "1", "a", "/a", {})
    snapshot = fold([Event(1, 1.0, 1, Kind.ADDED, "d/a", 0, {"resource": resource})])
    fold([Event(2, 2.0, 1, Kind.STATUS, "d/a", 0, {"phase": Phase.WAITING})], snapshot)
    assert snapshot.seq == 1
    assert snapshot.entries["d/a"].phase is Phase.PENDING


def test_a_property_called_like_a_mark_stays_a_property():
    body = {"a": {"$secret": ["x", "y"]}, "b": [{"$literal": 1}], "c": Secret("x", "y")}
    data = {"resource": Resource("d/a", "T", "1", "a", "/a", body), "outputs": {"$output": ["d/b"]}}
    assert codec.event_data("d/a", codec.dumps(data)) == data


def test_plain_text_is_compact_and_leaves_defaults_out():
    resource = Resource("d/a", "T", "1", "a", "/a", {"p": 1}, (Wait("d/b"),))
    assert json.loads(codec.dumps({"resource": resource})) == {
        "resource": {
            "type": "T",
            "api_version": "1",
            "name": "a",
            "id": "/a",
            "properties": {"p": 1},
            "waits": [["d/b", "ready", 0, "hold"]],
        }
    }


def test_the_time_of_an_entry_is_that_of_its_last_change_of_phase():
    resource = Resource("d/a", "T", "1", "a", "/a", {})
    events = [
        Event(1, 10.0, 1, Kind.ADDED, "d/a", 0, {"resource": resource}),
        Event(2, 20.0, 1, Kind.STATUS, "d/a", 0, {"phase": Phase.WAITING}),
        Event(3, 30.0, 1, Kind.STATUS, "d/a", 0, {"reason": "x"}),
    ]
    assert fold(events).entries["d/a"].since == 20.0


def test_deployments_are_remembered_and_forgotten():
    told = Event(1, 5.0, 1, Kind.DEPLOYED, "app", 0, {"file": "app.bicep", "outputs": {"url": "u"}})
    assert fold([told]).deployments == {"app": Deployment("app", "app.bicep", 5.0, {"url": "u"})}
    assert fold([told, Event(2, 6.0, 1, Kind.UNDEPLOYED, "app")]) == State(2)


def test_an_entry_is_current_only_if_made_for_the_wish_of_today():
    entry = Entry("d/a", Resource("d/a", "T", "1", "a", "/a", {}), token="t", applied_generation=1)
    assert entry.current
    assert not entry.replace(generation=2).current
    assert not entry.replace(nonce=1).current
    assert not entry.replace(token=None).current


def operation(seq, id, progress=Progress.RUNNING):
    return Event(seq, float(seq), 1, Kind.OPERATION, id, data={"progress": progress})


def test_operations_keep_the_order_in_which_they_began():
    events = [operation(1, "op-1"), operation(2, "op-2"), operation(3, "op-1", Progress.SUCCEEDED)]
    assert list(fold(events).operations) == ["op-1", "op-2"]


def test_the_operation_that_ended_first_is_forgotten_first():
    began = [operation(n, f"op-{n}") for n in range(1, KEPT + 1)]
    ended = [operation(KEPT + n, id, Progress.FAILED) for n, id in ((1, "op-2"), (2, "op-1"))]
    one, two = (operation(KEPT + n, f"op-{KEPT + n}") for n in (3, 4))
    state = fold([*began, *ended, one])
    assert "op-2" not in state.operations and len(state.operations) == KEPT
    assert "op-1" not in fold([two], state).operations
