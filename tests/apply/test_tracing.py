"""What a trace is told of passes: each that did something, its tries, and why it is not well, without secrets."""

from __future__ import annotations

from world import PLANTED, World, boot, resource

from engine.apply.batch import Batch
from engine.contract.value import Secret


def told_of(world, *resources, seconds=5.0):
    told = []
    engine = boot(world, trace=told.append)
    engine.edit(Batch("d", add=resources))
    world.run_for(seconds)
    return engine, told


def short(told):
    return [(p.entry.address, p.action, p.outcome, p.attempt) for p in told if p.news]


def test_each_try_is_a_pass_of_its_own_and_counts():
    world = World()
    world.faults["d/a"] = ["transient", "transient"]
    engine, told = told_of(world, resource("a", key=Secret("s", "digest")), seconds=20.0)
    assert short(told)[:3] == [
        ("d/a", "create", "retrying", 1),
        ("d/a", "create", "retrying", 2),
        ("d/a", "create", "starting", 3),
    ]
    assert short(told)[-1] == ("d/a", "look", "ready", 1)
    first, second = told[:2]
    assert (first.error, first.problem) == ("Transient", "retrying: try ••• later")
    assert first.began < first.ended <= second.began
    assert [call for call, _ in second.calls] == ["observe", "create"]
    assert PLANTED not in repr(told)
    assert engine.is_settled


def test_a_failure_is_told_once_and_looking_at_what_is_well_is_no_news():
    world = World()
    world.faults["d/b"] = ["terminal"]
    engine, told = told_of(world, resource("a"), resource("b"), seconds=30.0)
    before = short(told)
    assert [p.error for p in told if p.entry.address == "d/b" and p.news] == ["Terminal"]
    for address in ("d/a", "d/b"):
        engine.look(address)
    world.run_for(5.0)
    assert short(told) == before and len(told) > len(before)


def test_what_was_replaced_deleted_and_given_up_says_so():
    world = World()
    engine, told = told_of(world, resource("a", triggers=0))
    told.clear()
    engine.edit(Batch("d", change=(resource("a", triggers=1),)))
    world.run_for(5.0)
    assert ("d/a", "replace") in {x[:2] for x in short(told)}
    told.clear()
    engine.edit(Batch("d", remove=("d/a",)))
    world.run_for(5.0)
    assert short(told) == [("d/a", "delete", "deleted", 1)]
    told.clear()
    engine.edit(Batch("d", add=(resource("c"),)))
    world.pump()
    engine.close()
    assert short(told) == [("d/c", "create", "unfinished", 1)]


def test_what_lives_in_the_log_alone_is_traced_too():
    _, told = told_of(World(), resource("v", "value"), seconds=0.0)
    assert short(told) == [("d/v", "create", "ready", 1)]
