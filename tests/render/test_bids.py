"""Who owns a resource, and what a rendering may do."""

from __future__ import annotations

from typing import Any

import pytest

from engine.contract.operator import Bid, Children, HandOff, Keep, Undecided
from engine.contract.resource import OUTPUTS, Condition, Resource, Wait
from engine.contract.value import Output
from engine.expand.desired import Desired, Pending, Unit
from engine.render.native import Nomination
from engine.render.render import merge, render

TYPE = "Test.Things/thing"


class Fake:
    effects = True

    def __init__(self, name: str, score: int | None = 100, rendering: Any = None) -> None:
        self.name = name
        self.score = score
        self.rendering = rendering or (lambda resource: Keep())

    def bid(self, resource: Resource, view: Any) -> Bid | None:
        return None if self.score is None or not resource.type.startswith("Test.") else Bid(self.score)

    def render(self, resource: Resource, view: Any) -> Any:
        return self.rendering(resource)


class Registry:
    kinds = ("process",)

    def __init__(self, *operators: Fake) -> None:
        self.operators = operators

    def elsewhere(self, environment: Any) -> None:
        return None

    def bidders(self, type: str, place: Any = None) -> Any:
        return self.operators if type.startswith("Test.") else ()

    def schema(self, type: str, api_version: str) -> None:
        return None


def thing(address: str = "app/x", **more: Any) -> Resource:
    return Resource(address, TYPE, "2026-01-01", "x", f"/{address}", more.pop("properties", {"properties": {}}), **more)


def one(*operators: Fake, resource: Resource | None = None) -> tuple[Nomination, Any]:
    native, problems = render(Desired((resource or thing(),)), Registry(*operators))
    return native.nominations["app/x"], [(p.code, p.message, p.help) for p in problems]


def test_the_highest_bid_wins_whatever_the_order():
    high, low, none = Fake("high", 200), Fake("low", 100), Fake("none", None)
    assert one(low, high, none) == (Nomination("high"), [])
    assert one(none, high, low) == (Nomination("high"), [])


def test_a_tie_starts_nothing_and_says_what_settles_it():
    nomination, problems = one(Fake("b"), Fake("a"), Fake("low", 50))
    assert nomination.operator is None
    message = "The operators 'a' and 'b' bid the same (100) for 'app/x', so none of them owns it"
    assert problems == [("ULN302", message, "Settle it with the tag ulna.operator: 'a'.")]


@pytest.mark.parametrize(
    "pinned", [{"pin": "low"}, {"properties": {"properties": {}, "tags": {"ulna.operator": "low"}}}]
)
def test_a_pin_beats_every_bid(pinned):
    assert one(Fake("high", 200), Fake("low", 1), resource=thing(**pinned)) == (Nomination("low"), [])


def test_an_unknown_pin_names_the_known_operators():
    _, problems = one(Fake("docker"), Fake("azure"), resource=thing(pin="dokcer"))
    message = "'app/x' is pinned to the operator 'dokcer', which does not exist"
    help = "Did you mean 'docker'? Operators for 'Test.Things/thing': azure, docker."
    assert problems == [("ULN303", message, help)]


def test_a_pinned_operator_may_decline():
    nomination, problems = one(Fake("docker", None), Fake("azure"), resource=thing(pin="docker"))
    assert nomination.operator is None
    assert problems[0][:2] == ("ULN304", "'app/x' is pinned to the operator 'docker', which declines it")


def test_a_type_that_nobody_serves_is_named():
    native, problems = render(Desired((thing().replace(type="Radius.Data/redis"),)), Registry())
    assert native.nominations["app/x"].operator is None
    assert problems[0].code == "ULN301" and "Radius.Data/redis@2026-01-01" in problems[0].message
    assert "an Applications.Core/extenders can stand in" in problems[0].help


# ---------------------------------------------------------------- hand-offs


def to(name: str) -> Any:
    return lambda resource: HandOff(name, "an emulator")


def test_a_hand_off_is_recorded():
    assert one(Fake("azure", 200, to("docker")), Fake("docker", 10)) == (Nomination("docker", hops=("azure",)), [])


def test_at_most_four_hand_offs():
    chain = [Fake("a", 200, to("b")), Fake("b", 1, to("c")), Fake("c", 1, to("d")), Fake("d", 1, to("e"))]
    assert one(*chain, Fake("e", 1))[0] == Nomination("e", hops=("a", "b", "c", "d"))
    _, problems = one(*chain, Fake("e", 1, to("f")), Fake("f", 1))
    assert problems[0][:2] == ("ULN305", "'app/x' is handed on more than 4 times: a → b → c → d → e → f")


def test_no_operator_twice():
    _, problems = one(Fake("a", 200, to("b")), Fake("b", 1, to("a")))
    assert problems[0][:2] == ("ULN305", "'app/x' is handed round in a circle: a → b → a")


def test_a_hand_off_to_nobody_is_refused():
    _, problems = one(Fake("azure", 200, to("dokcer")), Fake("docker", 1))
    assert problems[0][1:] == (
        "'app/x' is handed to the operator 'dokcer' (an emulator), which does not exist",
        "Did you mean 'docker'?",
    )


# ---------------------------------------------------------------- composites


def part(parent: Resource, name: str, **more: Any) -> Resource:
    return thing(f"{parent.address}/{name}", **more)


def test_children_are_owned_and_wait_and_the_parent_waits_for_them():
    def made(resource: Resource) -> Any:
        if "/" in resource.address.removeprefix("app/"):
            return Keep()
        port = part(resource, "port")
        job = part(resource, "job", properties={"properties": {"p": Output(port.address, ("properties", "port"))}})
        outputs = {"url": Output(port.address, ("properties", "port"))}
        return Children((port, job), outputs, early=frozenset({port.address}), ending=frozenset({job.address}))

    first = thing("app/first")
    x = thing(waits=(Wait("app/first", Condition.EXISTS),))
    native, problems = render(
        Desired((first, x), {"o": 1}, (Pending("app/l", Unit.LOOP, frozenset({"a"})),)), Registry(Fake("f", 1, made))
    )
    assert not problems
    by = {r.address: r for r in native.resources}
    assert list(by)[:2] == ["app/first/port", "app/x/port"], "ports come before everything"
    assert by["app/x/port"].owner == "app/x" and by["app/x/port"].waits == ()
    assert by["app/x/job"].waits == (Wait("app/x/port"), Wait("app/first", Condition.EXISTS))
    assert by["app/x"].waits == (
        Wait("app/first", Condition.EXISTS),
        Wait("app/x/port"),
        Wait("app/x/job", Condition.STARTED),
    )
    assert by["app/x"].properties[OUTPUTS] == {"url": Output("app/x/port", ("properties", "port"))}
    assert native.outputs == {"o": 1} and native.pending[0].address == "app/l"
    assert set(native.nominations) == set(by)


def test_what_hangs_on_outputs_is_pending():
    native, problems = render(Desired((thing(),)), Registry(Fake("f", 1, lambda r: Undecided(frozenset({"app/db"})))))
    assert native.resources == () and not problems
    assert native.pending == (Pending("app/x", Unit.RESOURCE, frozenset({"app/db"})),)


@pytest.mark.parametrize(
    ("rendering", "words"),
    [
        (lambda r: 1 / 0, "its render failed with ZeroDivisionError: division by zero"),
        (lambda r: Children((thing("app/elsewhere"),), {}), "its child 'app/elsewhere' is not below 'app/x'"),
        (lambda r: Children((part(r, "a"), part(r, "a")), {}), "its child 'app/x/a' is there twice"),
    ],
)
def test_a_bug_of_a_provider_is_said_to_be_one(rendering, words):
    nomination, problems = one(Fake("buggy", 1, rendering))
    assert nomination.operator is None
    assert problems[0][0] == "ULN307" and words in problems[0][1]
    assert problems[0][1].startswith("Provider bug in the operator 'buggy' at 'app/x'")


def test_a_bid_that_fails_is_a_bug_of_a_provider():
    crooked = Fake("crooked")
    crooked.bid = lambda resource, view: 1 / 0  # type: ignore[assignment, return-value]
    nomination, problems = one(crooked, Fake("other"))
    assert nomination.operator is None
    message = (
        "Provider bug among the operators that bid for 'app/x' (crooked, other): ZeroDivisionError: division by zero"
    )
    assert problems[0][:2] == ("ULN307", message)


def test_an_existing_resource_is_neither_checked_nor_rendered():
    nomination, problems = one(Fake("f", 1, lambda r: 1 / 0), resource=thing(existing=True))
    assert (nomination, problems) == (Nomination("f"), [])
    native, problems = render(Desired((thing(existing=True).replace(type="Nobody.Knows/it"),)), Registry())
    assert native.nominations["app/x"].operator is None and not problems


def test_of_two_gates_on_one_address_the_first_holds():
    first, second = Wait("a", Condition.STARTED), Wait("a", Condition.READY)
    assert merge((first,), (second, Wait("b"))) == (first, Wait("b"))
