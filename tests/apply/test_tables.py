"""Tables: the gate, the lifecycle, the back-off."""

from itertools import pairwise
from math import inf

import pytest

from engine.apply.backoff import CAP, Backoff
from engine.apply.gate import Broken, Closed, Open, gate, next_deadline, next_incarnation, waited_since
from engine.apply.lifecycle import LEGAL, check
from engine.contract.operator import Applied
from engine.contract.resource import OUTPUTS, Condition, OnBroken, Resource, Wait
from engine.state.entry import Entry, Intent, Phase


def wish(address="d/a", *waits):
    return Resource(address, "T/t", "1", address, f"/{address}", {}, tuple(waits))


def entry(address="d/x", **fields):
    known = {
        "operator": "o",
        "token": f"{address}#1",
        "incarnation": 1,
        "applied_generation": 1,
        "phase": Phase.RUNNING,
    }
    return Entry(address, wish(address), **known | fields)


READY = {"ready_incarnation": 1}
GONE = {"token": None, "applied_generation": 0}

ROWS = [
    # condition, what is seen of the other, what the gate says
    ("ready", None, "closed: 'd/x' is not there yet"),
    ("ready", READY, "open"),
    ("ready", {}, "closed: 'd/x' is not ready yet"),
    ("ready", {**READY, "incarnation": 2}, "closed: 'd/x' is not ready yet"),
    ("ready", {**READY, "deleting": True}, "closed: 'd/x' is being deleted"),
    ("ready", {**READY, "generation": 2}, "closed: 'd/x' is not up to date yet"),
    ("ready", {**READY, "nonce": 1}, "closed: 'd/x' is not up to date yet"),
    ("ready", {**GONE, "phase": Phase.PENDING}, "closed: 'd/x' is not ready yet"),
    ("ready", {"phase": Phase.FAILED}, "broken: 'd/x' failed"),
    ("ready", {"phase": Phase.EXITED, "exit_code": 0}, "broken: 'd/x' ended with exit code 0"),
    ("started", {}, "open"),
    ("started", {"phase": Phase.EXITED, "exit_code": 3}, "open"),
    ("started", {"phase": Phase.STARTING}, "closed: 'd/x' is not started yet"),
    ("started", {**GONE, "phase": Phase.WAITING}, "closed: 'd/x' is not started yet"),
    ("exists", {"phase": Phase.STARTING}, "open"),
    ("exists", {**GONE, "phase": Phase.WAITING}, "closed: 'd/x' is not there yet"),
    ("completed", {}, "closed: 'd/x' is not completed yet"),
    ("completed", {"phase": Phase.EXITED, "exit_code": 0}, "open"),
    ("completed", {"phase": Phase.EXITED, "exit_code": 3}, "broken: 'd/x' ended with exit code 3, not 0"),
    ("completed", {"phase": Phase.FAILED}, "broken: 'd/x' failed"),
    ("completed", {"phase": Phase.FAILED, "exit_code": 1}, "broken: 'd/x' failed"),
    ("completed", {"phase": Phase.FAILED, "exit_code": 0}, "open"),
]


def said(verdict):
    match verdict:
        case Open():
            return "open"
        case Closed(reasons):
            return "closed: " + ", ".join(map(str, reasons))
        case Broken(reasons, fail):
            return ("fails: " if fail else "broken: ") + ", ".join(map(str, reasons))


@pytest.mark.parametrize(("condition", "seen", "verdict"), ROWS)
def test_a_gate_says_whether_its_condition_holds_now(condition, seen, verdict):
    me = Entry("d/me", wish("d/me", Wait("d/x", Condition(condition))))
    other = None if seen is None else entry(**seen)
    assert said(gate(me, lambda _: other)) == verdict


DEADLINES = [
    # seconds waited so far, what to do when broken, what the gate says
    (0.0, "fail", "closed: 'd/x' is not ready yet"),
    (29.9, "fail", "closed: 'd/x' is not ready yet"),
    (30.0, "fail", "fails: 'd/x' is not ready yet after 30 s"),
    (30.0, "hold", "broken: 'd/x' is not ready yet after 30 s"),
]


@pytest.mark.parametrize(("waited", "broken", "verdict"), DEADLINES)
def test_a_deadline_breaks_the_gate(waited, broken, verdict):
    me = Entry("d/me", wish("d/me", Wait("d/x", on_broken=OnBroken(broken), deadline=30.0)))
    assert said(gate(me, lambda _: entry(), waited=waited)) == verdict
    assert said(gate(me, lambda _: entry(**READY), waited=waited)) == "open"


@pytest.mark.parametrize(
    ("phase", "now", "waited", "left"),
    [
        (Phase.PENDING, 100.0, 0.0, 20.0),
        (Phase.WAITING, 110.0, 10.0, 10.0),
        (Phase.WAITING, 125.0, 25.0, 15.0),
        (Phase.WAITING, 200.0, 100.0, None),
        (Phase.FAILED, 110.0, inf, None),
    ],
)
def test_how_long_an_entry_has_waited_and_when_to_look_again(phase, now, waited, left):
    waits = Wait("d/x", deadline=20.0), Wait("d/y", deadline=40.0), Wait("d/z")
    me = Entry("d/me", wish("d/me", *waits), phase=phase, since=100.0)
    assert waited_since(me, now) == waited
    assert next_deadline(me, waited) == left


@pytest.mark.parametrize("since", [1.8, 0.1 + 0.2, 1_700_000_000.1])
def test_a_deadline_that_is_reached_is_not_missed_by_a_rounding(since):
    """Or it would be looked at again at once, and again."""
    me = Entry("d/me", wish("d/me", Wait("d/x", deadline=0.5)), phase=Phase.WAITING, since=since)
    assert next_deadline(me, waited_since(me, since + 0.5)) is None


def test_every_condition_must_hold_at_one_instant():
    me = Entry("d/me", wish("d/me", Wait("d/x"), Wait("d/y"), Wait("d/z")))
    others = {"d/x": entry("d/x", **READY), "d/y": entry("d/y"), "d/z": entry("d/z", phase=Phase.FAILED)}
    assert said(gate(me, others.get)) == "broken: 'd/z' failed, 'd/y' is not ready yet"


def test_an_exit_code_other_than_zero_can_be_the_one_waited_for():
    me = Entry("d/me", wish("d/me", Wait("d/x", Condition.COMPLETED, 99)))
    assert said(gate(me, lambda _: entry(phase=Phase.EXITED, exit_code=99))) == "open"
    assert said(gate(me, lambda _: entry(phase=Phase.EXITED, exit_code=0))).startswith("broken")


def test_a_wait_may_ask_to_fail_when_it_is_broken():
    me = Entry("d/me", wish("d/me", Wait("d/x", on_broken=OnBroken.FAIL)))
    assert said(gate(me, lambda _: entry(phase=Phase.FAILED))) == "fails: 'd/x' failed"


def test_outputs_that_are_not_known_close_the_gate_even_when_it_is_forced():
    me = Entry("d/me", wish("d/me"), forced=1)
    assert said(gate(me, lambda _: None, ["d/x"])) == "closed: 'd/x' is not there yet"
    assert said(gate(me, lambda _: entry(), ["d/x"])) == "closed: 'd/x' has no outputs yet"


def test_forcing_overrides_one_incarnation_and_no_other():
    me = Entry("d/me", wish("d/me", Wait("d/x")), forced=1)
    assert said(gate(me, lambda _: None)) == "open"
    assert said(gate(me.replace(incarnation=1), lambda _: None)).startswith("closed")


WHOLE = Resource("d/w", "T/w", "1", "w", "/w", {OUTPUTS: {}}, (Wait("d/x"), Wait("d/w/p")))


@pytest.mark.parametrize(("forced", "token"), [(1, None), (1, "d/w#1")])
def test_what_is_made_of_parts_is_forced_past_all_but_these_and_stays_so(forced, token):
    me = Entry("d/w", WHOLE, forced=forced, token=token, incarnation=0 if token is None else 1)
    seen = {"d/w/p": entry("d/w/p", **READY)}
    assert said(gate(me, seen.get)) == "open"
    assert said(gate(me, {"d/w/p": entry("d/w/p")}.get)) == "closed: 'd/w/p' is not ready yet"
    assert said(gate(me.replace(forced=-1), seen.get)) == "closed: 'd/x' is not there yet"


def test_an_unanswered_create_is_tried_again_under_its_own_number():
    me = Entry("d/me", wish("d/me"), incarnation=3)
    assert next_incarnation(me) == 4
    assert next_incarnation(me.replace(intent=Intent("create", "d/me#3"))) == 3
    assert next_incarnation(me.replace(intent=Intent("delete", "d/me#3"))) == 4


# ---------------------------------------------------------------- lifecycle


def test_every_phase_has_its_row_and_nothing_comes_back_from_gone():
    assert LEGAL.keys() == set(Phase)
    assert not LEGAL[Phase.GONE]
    assert all(phase not in LEGAL[phase] for phase in Phase)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (entry(phase=Phase.WAITING, token=None), entry(phase=Phase.STOPPING)),
        (entry(phase=Phase.STOPPED, token=None), entry(phase=Phase.EXITED)),
        (entry(phase=Phase.PENDING, token=None), entry(phase=Phase.STOPPING)),
    ],
)
def test_an_illegal_transition_is_our_bug(before, after):
    with pytest.raises(AssertionError, match="went from"):
        check(before, after)


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (entry(phase=Phase.WAITING), "holds d/x#1"),
        (entry(token=None), "holds nothing"),
        (entry(epoch=-1), "the epoch of"),
        (entry(incarnation=0), "the incarnation of"),
        (entry(intent=Intent("update", "d/x#1"), operator=None), "without an owner"),
    ],
)
def test_a_phase_that_the_entry_belies_is_our_bug(after, words):
    with pytest.raises(AssertionError, match=words):
        check(entry(applied=Applied({})), after)


def test_nothing_goes_unasked_or_leaves_an_open_intent():
    with pytest.raises(AssertionError, match="unasked"):
        check(entry(), None)
    with pytest.raises(AssertionError, match="leaves"):
        check(entry(deleting=True, intent=Intent("delete", "d/x#1")), None)
    check(entry(deleting=True, token=None), None)
    check(None, Entry("d/n", wish("d/n")))


# ---------------------------------------------------------------- back-off


def test_delays_double_up_to_a_minute():
    backoff = Backoff(lambda: 1.0)
    assert [backoff.next("k") for _ in range(9)] == [0.5, 1, 2, 4, 8, 16, 32, 60, 60]


def test_the_delay_stays_bounded_after_years():
    backoff = Backoff(lambda: 1.0)
    assert max(backoff.next("k") for _ in range(3000)) == CAP


def test_jitter_reaches_from_nothing_to_the_whole():
    assert Backoff(lambda: 0.0).next("k") == 0.0
    assert Backoff(lambda: 0.5).next("k") == 0.25


def test_the_other_side_may_ask_for_more_time():
    assert Backoff(lambda: 1.0).next("k", at_least=7.0) == 7.0


def test_a_success_starts_anew_and_keys_do_not_share():
    backoff = Backoff(lambda: 1.0)
    first, second = backoff.next("k"), backoff.next("k")
    assert first < second
    assert backoff.next("other") == first
    backoff.reset("k")
    assert backoff.next("k") == first
    assert all(a <= b for a, b in pairwise([first, second]))
