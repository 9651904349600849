"""Every action and every cause of it."""

from __future__ import annotations

import pytest

from engine.contract.operator import Applied, Observed, Order
from engine.contract.resource import OUTPUTS
from engine.contract.value import Deferred, Output, Secret, Unknown
from engine.diagnostics.diagnostic import UlnaError
from engine.expand.desired import Pending, Unit
from engine.plan.change import Action
from engine.plan.known import Foresight
from engine.plan.plan import Basis, OnUnmanage
from engine.render.native import Nomination
from engine.state.entry import SESSION, Intent, Phase, Retiring


def only(plan):
    (change,) = plan.changes
    return change


def live(properties, message=""):
    return Observed("1", "t", {"properties": properties}, message=message)


# ---------------------------------------------------------------- one resource


def test_what_is_not_there_is_created(world):
    change = only(world.plan([world.resource("web", {"a": 1})]))
    assert change.action is Action.CREATE
    assert change.before is None and change.after == {"properties": {"a": 1}}


def test_what_is_as_wanted_does_not_change(world):
    web = world.resource("web", {"a": 1})
    plan = world.plan([web], [world.entry(web)])
    assert only(plan).action is Action.NO_CHANGE
    assert not plan.acts


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ({"applied": None, "token": None, "phase": Phase.PENDING}, ""),
        ({"applied": None, "intent": Intent("create", "t")}, "its creation was interrupted, and is settled first"),
        (
            {"applied": None, "token": None, "phase": Phase.FAILED, "reason": "no memory"},
            "failed before (no memory), is tried again",
        ),
        ({"token": None, "phase": Phase.STOPPED}, "it is stopped"),
        ({"token": None, "phase": Phase.EXITED}, "it is exited"),
        ({"detached": True}, ""),
    ],
)
def test_what_the_state_knows_and_the_world_has_not_is_created(world, state, reason):
    web = world.resource("web", {"a": 1})
    change = only(world.plan([web], [world.entry(web, **state)]))
    assert (change.action, change.reason) == (Action.CREATE, reason)


ASKED = "it is started only when that is asked for; to start it: ulna start web"
FOLLOWED = "it was stopped because 'app/db' lives anew; to start it: ulna start web"


@pytest.mark.parametrize(
    ("was", "tag", "state", "action", "reason"),
    [
        (False, False, {}, Action.NO_CHANGE, "it was stopped by a command; to start it: ulna start web"),
        (True, True, {"incarnation": 2}, Action.NO_CHANGE, "it was stopped by a command; to start it: ulna start web"),
        (True, True, {}, Action.NO_CHANGE, "it is started only when that is asked for; to start it: ulna start web"),
        (True, False, {}, Action.CREATE, "it is stopped"),
        (False, False, {"run": True}, Action.CREATE, "it is stopped"),
        (False, False, {"stopped_by": SESSION, "applied": None}, Action.CREATE, "it was stopped when its run ended"),
        (
            False,
            False,
            {"stopped_by": SESSION, "token": "t"},
            Action.MODIFY,
            "it was to stop when its run ended, and stays",
        ),
        (True, True, {"stopped_by": SESSION, "incarnation": 2}, Action.NO_CHANGE, ASKED),
        (False, False, {"stopped_by": "app/db"}, Action.NO_CHANGE, FOLLOWED),
    ],
)
def test_what_rests_is_left_so(world, was, tag, state, action, reason):
    web = world.resource("web", {"a": 1})
    given = {"run": False, "token": None, "phase": Phase.STOPPED, "incarnation": 0, **state}
    entry = world.entry(web.replace(explicit=was), **given)
    change = only(world.plan([web.replace(explicit=tag, properties={"properties": {"a": 2}})], [entry]))
    assert (change.action, change.reason) == (action, reason)


def test_what_vanished_is_created_again(world):
    web = world.resource("web", {"a": 1})
    change = only(world.plan([web], [world.entry(web)], seen={"app/web": None}))
    assert (change.action, change.reason) == (Action.CREATE, "it is gone, though nobody asked for that")


def test_what_nobody_could_look_at_is_taken_as_the_state_says(world):
    web = world.resource("web", {"a": 1})
    assert only(world.plan([web], [world.entry(web)], seen={})).action is Action.NO_CHANGE


def test_a_change_in_the_file_modifies(world):
    before, after = world.resource("web", {"a": 1, "b": 1}), world.resource("web", {"a": 2, "b": 1})
    change = only(world.plan([after], [world.entry(before)]))
    assert (change.action, change.reason) == (Action.MODIFY, "")
    assert [(p.path, p.before, p.after) for p in change.delta] == [(("properties", "a"), 1, 2)]


def test_a_change_outside_modifies_it_back_and_says_so(world):
    web = world.resource("web", {"a": 1})
    change = only(world.plan([web], [world.entry(web)], seen={"app/web": live({"a": 5})}))
    assert (change.action, change.reason) == (Action.MODIFY, "was changed outside of Ulna")
    assert [(p.before, p.after) for p in change.delta] == [(5, 1)]


def test_defaults_of_the_other_side_are_no_change(world):
    web = world.resource("web", {"a": 1})
    assert (
        only(world.plan([web], [world.entry(web)], seen={"app/web": live({"a": 1, "sku": "Basic"})})).action
        is Action.NO_CHANGE
    )


def test_an_operator_may_say_why_in_what_it_saw(world):
    web = world.resource("web", {"a": 1})
    change = only(world.plan([web], [world.entry(web)], seen={"app/web": live({"a": 1}, "ended with 1")}))
    assert (change.action, change.reason) == (Action.MODIFY, "ended with 1")


@pytest.mark.parametrize(
    ("state", "action", "reason"),
    [
        ({"phase": Phase.FAILED, "reason": "oops"}, Action.REPLACE, "it failed (oops), and is made anew"),
        (
            {"phase": Phase.FAILED, "reason": "oops", "failed_at": (1, 0)},
            Action.NO_CHANGE,
            "it failed before (oops), and is tried again",
        ),
        ({"nonce": 1}, Action.REPLACE, "a restart was asked for"),
        ({"applied_generation": 0}, Action.MODIFY, "an update was interrupted, and is done again"),
        (
            {"retiring": Retiring("t", Applied({}))},
            Action.MODIFY,
            "the one before it is still there, and goes once nobody uses it",
        ),
        ({"deleting": True, "phase": Phase.DELETING}, Action.NO_CHANGE, ""),
    ],
)
def test_what_is_there_and_not_well_is_mended_as_the_running_pass_does(world, state, action, reason):
    web = world.resource("web", {"a": 1})
    change = only(world.plan([web], [world.entry(web, **state)]))
    assert (change.action, change.reason) == (action, reason)


def test_what_cannot_be_changed_in_place_is_replaced(world):
    before, after = world.resource("web", {"image": "a", "x": 1}), world.resource("web", {"image": "b", "x": 2})
    change = only(world.plan([after], [world.entry(before)]))
    assert change.action is Action.REPLACE
    assert change.forced_by == ("properties.image",)
    assert change.order is Order.DELETE_FIRST
    assert {p.path[1]: p.forces for p in change.delta} == {"image": True, "x": False}


def test_another_operator_of_a_changed_wish_means_a_replacement(world):
    before, after = world.resource("web", {"a": 1}), world.resource("web", {"a": 2})
    change = only(world.plan([after], [world.entry(before, operator="other")]))
    assert (change.action, change.reason) == (Action.REPLACE, "moves from operator 'other' to 'fake'")


def test_an_owner_stays_while_the_wish_is_what_it_was(world):
    web = world.resource("web", {"a": 1})
    other = world.FakeOperator("other")
    plan = world.plan(
        [web], [world.entry(web, operator="other")], operator=other, nominations={"app/web": Nomination("fake")}
    )
    assert (only(plan).action, only(plan).operator) == (Action.NO_CHANGE, "other")


def test_a_value_that_cannot_be_computed_is_no_plan(world):
    web = world.resource("web", {"a": Output("app/db", ("properties", "nope"))})
    db = world.resource("db")
    with pytest.raises(UlnaError) as call:
        world.plan([db, web], [world.entry(db)])
    (told,) = call.value.diagnostics
    assert told.code == "ULN510" and "nope" in told.message


def test_what_no_operator_takes_is_unsupported(world):
    web = world.resource("web")
    change = only(world.plan([web], nominations={"app/web": Nomination(None, "a tie")}))
    assert (change.action, change.reason) == (Action.UNSUPPORTED, "a tie")


def test_a_secret_is_changed_by_its_digest_only(world):
    one, renamed, other = (
        world.resource("web", {"p": s}) for s in (Secret("p", "1"), Secret("q", "1"), Secret("p", "2"))
    )
    assert only(world.plan([renamed], [world.entry(one)])).action is Action.NO_CHANGE
    assert only(world.plan([other], [world.entry(one)])).action is Action.MODIFY


def test_a_secret_that_is_live_stays_unseen(world):
    one, other = world.resource("web", {"p": Secret("p", "1")}), world.resource("web", {"p": Secret("p", "2")})
    plan = world.plan([other], [world.entry(one)], seen={"app/web": live({"p": "hunter2"})})
    assert "hunter2" not in repr(plan)


# ---------------------------------------------------------------- what leaves


def test_what_left_the_file_is_deleted_in_the_order_it_was_wired(world):
    db, web = world.resource("db"), world.resource("web", waits=("db",))
    plan = world.plan([], [world.entry(db), world.entry(web, wired=("app/db",))])
    assert [(c.address, c.action) for c in plan.changes] == [("app/web", Action.DELETE), ("app/db", Action.DELETE)]
    assert plan.changes[0].reason == "no longer in the file"


def test_what_left_the_file_may_live_on(world):
    basis = Basis("local", "app", on_unmanage=OnUnmanage.DETACH)
    change = only(world.plan([], [world.entry(world.resource("web"))], basis=basis))
    assert change.action is Action.DETACH


def test_what_another_deployment_owns_is_ignored(world):
    change = only(world.plan([], [world.entry(world.resource("web", deployment="other"))]))
    assert change.action is Action.IGNORE


def test_what_was_forgotten_is_not_mentioned(world):
    assert world.plan([], [world.entry(world.resource("web"), detached=True)]).changes == ()


def test_a_child_that_is_no_longer_rendered_is_deleted(world):
    web, child = world.resource("web"), world.resource("web/web-1", owner="app/web")
    plan = world.plan([web], [world.entry(web), world.entry(child)])
    assert [(c.address, c.action) for c in plan.changes] == [
        ("app/web", Action.NO_CHANGE),
        ("app/web/web-1", Action.DELETE),
    ]


# ---------------------------------------------------------------- values that follow


HOST = Output("app/db", ("properties", "host"))


def pair(world, before=1, after=1, reads=HOST, foreseen=None, was="h1"):
    """`web` reads the host of `db`, whose `a` changes."""
    db, web = world.resource("db", {"a": after}), world.resource("web", {"host": reads}, ("db",))
    old = world.entry(world.resource("db", {"a": before}), {"host": was})
    applied = world.resource("web", {"host": was})
    operator = world.FakeOperator(foreseen=foreseen)
    plan = world.plan([web, db], [old, world.entry(applied)], operator=operator)
    return {c.address: c for c in plan.changes}


def test_outputs_of_what_does_not_change_are_known(world):
    changes = pair(world)
    assert changes["app/web"].action is Action.NO_CHANGE
    assert changes["app/web"].after == {"properties": {"host": "h1"}}


def test_outputs_of_what_changes_are_known_after_deploy(world):
    changes = pair(world, after=2)
    web = changes["app/web"]
    assert changes["app/db"].action is Action.MODIFY
    assert (web.action, web.follows) == (Action.DEPLOY, ("app/db",))
    assert isinstance(web.after["properties"]["host"], Unknown)


def test_outputs_that_the_operator_foresees_are_known(world):
    assert pair(world, after=2, foreseen={"host": "h1"})["app/web"].action is Action.NO_CHANGE
    changed = pair(world, after=2, foreseen={"host": "h2"})["app/web"]
    assert changed.action is Action.MODIFY
    assert changed.after == {"properties": {"host": "h2"}}


def test_an_operator_may_foresee_that_it_does_not_know(world):
    web = pair(world, after=2, foreseen={"host": Unknown("the address is given out")})["app/web"]
    assert web.action is Action.DEPLOY


def test_properties_as_written_are_known_of_what_changes(world):
    web = pair(world, before=1, after=2, reads=Output("app/db", ("properties", "a")), was="h1")["app/web"]
    assert web.after == {"properties": {"host": 2}}


def test_case_does_not_count_in_what_is_read(world):
    web = pair(world, before=1, after=2, reads=Output("app/db", ("Properties", "A")))["app/web"]
    assert web.after == {"properties": {"host": 2}}


def test_the_whole_of_what_changes_is_known_after_deploy(world):
    web = pair(world, after=2, reads=Output("app/db"))["app/web"]
    assert isinstance(web.after["properties"]["host"], Unknown)


def test_a_function_of_known_values_is_evaluated(world):
    url = Deferred("concat", ("http://", HOST))
    assert pair(world, reads=url)["app/web"].after == {"properties": {"host": "http://h1"}}
    assert isinstance(pair(world, after=2, reads=url)["app/web"].after["properties"]["host"], Unknown)


def test_what_follows_something_new_is_created_with_values_known_later(world):
    db, web = world.resource("db"), world.resource("web", {"host": HOST, "b": 1}, ("db",))
    changes = world.plan([web, db]).changes
    assert [c.address for c in changes] == ["app/db", "app/web"]
    assert changes[1].action is Action.CREATE and changes[1].follows == ("app/db",)


def test_a_change_beside_an_unknown_value_is_a_change(world):
    db, web = world.resource("db", {"a": 2}), world.resource("web", {"host": HOST, "b": 2}, ("db",))
    state = [world.entry(world.resource("db", {"a": 1})), world.entry(world.resource("web", {"host": "h", "b": 1}))]
    assert world.plan([db, web], state).changes[1].action is Action.MODIFY


def test_what_was_changed_outside_is_put_back_whatever_else_is_unknown(world):
    db, web = world.resource("db", {"a": 2}), world.resource("web", {"host": HOST, "b": 1}, ("db",))
    state = [world.entry(world.resource("db", {"a": 1})), world.entry(world.resource("web", {"host": "h", "b": 1}))]
    change = world.plan([db, web], state, seen={"app/web": live({"host": "h", "b": 5})}).changes[1]
    assert change.action is Action.MODIFY


def test_an_unknown_value_that_would_replace_may_replace(world):
    db, web = world.resource("db", {"a": 2}), world.resource("web", {"fixed": HOST}, ("db",))
    state = [world.entry(world.resource("db", {"a": 1})), world.entry(world.resource("web", {"fixed": "h"}))]
    change = world.plan([db, web], state).changes[1]
    assert change.action is Action.DEPLOY
    assert change.reason.startswith("may be replaced") and change.forced_by == ("properties.fixed",)


def test_uncertainty_is_passed_on(world):
    db, web = world.resource("db", {"a": 2}), world.resource("web", {"host": HOST}, ("db",))
    page = world.resource("page", {"url": Output("app/web", ("properties", "url"))}, ("web",))
    state = [
        world.entry(world.resource("db", {"a": 1}), {"host": "h"}),
        world.entry(world.resource("web", {"host": "h"}), {"url": "u"}),
        world.entry(world.resource("page", {"url": "u"})),
    ]
    assert [c.action for c in world.plan([db, web, page], state).changes] == [
        Action.MODIFY,
        Action.DEPLOY,
        Action.DEPLOY,
    ]


@pytest.mark.parametrize(
    ("foreseen", "known"),
    [({}, False), ({"host": "h"}, True), ({"host": "h", "port": Unknown()}, False)],
)
def test_what_is_foreseen_in_full_can_be_expanded_with(world, foreseen, known):
    foresight = Foresight(world.resolve)
    stays, changes = world.resource("stays"), world.resource("changes")
    world.plan(
        [stays, changes], [world.entry(stays)], operator=world.FakeOperator(foreseen=foreseen), foresight=foresight
    )
    assert ("app/changes" in foresight.known()) is known


def test_a_name_may_be_known_later(world):
    web = world.resource("web").replace(name=HOST, id=Deferred("concat", ("/x/", HOST)))
    change = world.plan([world.resource("db"), web]).changes[1]
    assert change.name == "(known after 'app/db' is deployed)"


def test_what_exists_elsewhere_in_the_environment_is_read_from_the_state(world):
    there = world.resource("net", deployment="base", id="/net")
    reads = world.resource("web", {"host": Output("app/net", ("properties", "host"))}, ("net",))
    existing = world.resource("net", id="/NET", existing=True)
    plan = world.plan([existing, reads], [world.entry(there, {"host": "h"})])
    assert [(c.address, c.action) for c in plan.changes] == [("app/web", Action.CREATE), ("base/net", Action.IGNORE)]
    assert plan.changes[0].after == {"properties": {"host": "h"}}


def test_what_exists_outside_is_known_after_deploy(world):
    existing = world.resource("net", existing=True)
    reads = world.resource("web", {"host": Output("app/net", ("properties", "host"))}, ("net",))
    assert isinstance(only(world.plan([existing, reads])).after["properties"]["host"], Unknown)


# ---------------------------------------------------------------- composites and parts decided later


def composite(world, properties, outputs):
    parent = world.resource("web", properties)
    return parent.replace(properties={**parent.properties, OUTPUTS: outputs})


def test_a_composite_changes_as_it_is_declared_and_reports_what_its_children_do(world):
    child = world.resource("web/p", {"a": 1}, owner="app/web")
    outputs = {"port": Output("app/web/p", ("properties", "port"))}
    parent = composite(world, {"x": 1}, outputs)
    reader = world.resource("page", {"port": Output("app/web", ("properties", "port"))}, ("web",))
    state = [
        world.entry(child, {"port": 80}),
        world.entry(world.resource("web", {"x": 1}), {"port": 80}, token=None),
        world.entry(world.resource("page", {"port": 80})),
    ]
    assert {c.action for c in world.plan([child, parent, reader], state).changes} == {Action.NO_CHANGE}

    changed = world.resource("web/p", {"a": 2}, owner="app/web")
    actions = {c.address: c.action for c in world.plan([changed, parent, reader], state).changes}
    assert actions == {"app/web/p": Action.MODIFY, "app/web": Action.DEPLOY, "app/page": Action.DEPLOY}

    foreseen = world.plan([changed, parent, reader], state, operator=world.FakeOperator(foreseen={"port": 80}))
    actions = {c.address: c.action for c in foreseen.changes}
    assert actions == {"app/web/p": Action.MODIFY, "app/web": Action.NO_CHANGE, "app/page": Action.NO_CHANGE}

    moved = world.plan([changed, parent, reader], state, operator=world.FakeOperator(foreseen={"port": 81}))
    assert {c.action for c in moved.changes} == {Action.MODIFY}


def test_what_a_composite_reports_is_no_part_of_its_body(world):
    parent = composite(world, {"x": 2}, {"port": 1})
    old = composite(world, {"x": 1}, {"port": 2})
    change = only(world.plan([parent], [world.entry(old, token=None)]))
    assert change.action is Action.MODIFY
    assert [p.path for p in change.delta] == [("properties", "x")]
    assert OUTPUTS not in change.after and OUTPUTS not in change.before


def test_a_part_decided_later_is_listed_with_what_is_there_now(world):
    parts = [Pending("app/jobs", Unit.LOOP, frozenset({"app/config"}))]
    state = [world.entry(world.resource("jobs[0]")), world.entry(world.resource("jobsite"))]
    plan = world.plan([world.resource("config")], state, pending=parts)
    (part,) = plan.undecided
    assert (part.address, part.unit, part.needs, part.present) == (
        "app/jobs",
        "loop",
        ("app/config",),
        ("app/jobs[0]",),
    )
    assert {c.address: c.action for c in plan.changes} == {"app/config": Action.CREATE, "app/jobsite": Action.DELETE}
    assert plan.acts


def test_what_was_made_at_run_time_goes_with_its_owner_only(world):
    web, job = world.resource("web"), world.resource("web/load", owner="app/web")
    state = [world.entry(web), world.entry(job, declared=False)]
    assert [c.address for c in world.plan([web], state).changes] == ["app/web"]
    assert {c.address for c in world.plan([], state).changes} == {"app/web", "app/web/load"}


def test_changes_come_in_the_order_they_are_made(world):
    a, b, c = world.resource("a", waits=("b",)), world.resource("b", waits=("c",)), world.resource("c")
    plan = world.plan([a, b, c], [world.entry(world.resource("old"))])
    assert [change.address for change in plan.changes] == ["app/c", "app/b", "app/a", "app/old"]
