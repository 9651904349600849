"""What is told of a whole: a table, and what an entry that lost its readiness is called."""

import pytest

from engine.apply.report import health
from engine.apply.rollup import Told, rolled
from engine.contract.operator import Health, Observed
from engine.contract.resource import Resource
from engine.state.entry import Entry, Phase

WORDS = {
    "ok": Told("ready"),
    "done": Told("exited", "", 0),
    "bad": Told("failed", "no such image"),
    "ended": Told("exited", "", 3),
    "ill": Told("unhealthy", "its probe fails"),
    "slow": Told("starting"),
    "off": Told("stopped"),
}


@pytest.mark.parametrize(
    ("own", "parts", "state", "reason"),
    [
        ("ready", "", "ready", ""),
        ("ready", "ok done", "ready", ""),
        ("starting", "ok done", "starting", ""),
        ("starting", "slow bad", "failed", "'1' failed"),
        ("starting", "slow ended", "failed", "'1' failed"),
        ("ready", "ok ended", "failed", "'1' failed"),
        ("ready", "ill ok", "unhealthy", "'0' is unhealthy"),
        ("starting", "ill bad", "failed", "'1' failed"),
        ("starting", "off off", "stopped", ""),
        ("starting", "off ok", "stopped", ""),
        ("starting", "off slow", "starting", ""),
        ("ready", "slow ok", "starting", "'0' is starting"),
        ("stopped", "bad", "stopped", ""),
        ("waiting", "ok bad", "failed", "'1' failed"),
        ("waiting", "ended", "failed", "'0' failed"),
        ("waiting", "ill", "waiting", ""),
        ("waiting", "off ok", "stopped", ""),
        ("waiting", "ok", "waiting", ""),
        ("deleting", "bad", "deleting", ""),
        ("failed", "ok", "failed", ""),
    ],
)
def test_a_whole_is_as_well_as_its_worst_part(own, parts, state, reason):
    found = rolled(Told(own), ((str(n), WORDS[p]) for n, p in enumerate(parts.split())))
    assert (found.state, found.reason) == (state, reason)


def test_what_was_ready_and_is_not_any_more_is_unhealthy_until_it_lives_anew():
    resource = Resource("d/a", "T", "1", "a", "/a", {})
    entry = Entry("d/a", resource, phase=Phase.RUNNING, token="d/a#1", incarnation=1, operator="o")
    seen: list[tuple[str, str | None]] = []
    for told in (Health.STARTING, Health.NOT_READY, Health.READY, Health.NOT_READY, Health.STARTING, Health.READY):
        entry = entry.replace(**health(entry, Observed("i", "d/a#1", {}, {}, told))[0])
        seen.append((entry.word, entry.health))
    starting, healthy, unhealthy = ("starting", "starting"), ("ready", "healthy"), ("unhealthy", "unhealthy")
    assert seen == [starting, starting, healthy, unhealthy, unhealthy, healthy]
    lost = entry.replace(**health(entry, Observed("i", "d/a#1", {}, {}, Health.NOT_READY))[0])
    assert lost.replace(incarnation=2).word == "starting"
    failed = entry.replace(**health(entry, Observed("i", "d/a#1", {}, {}, Health.FAILED))[0])
    assert failed.health == "failed" and failed.replace(token=None).health is None
