"""How a set of groups is: as its groups are, which the set itself does not say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from engine.contract.conformance import TOKEN
from engine.contract.operator import Applied, Health, Observed, Update
from engine.contract.resource import Resource

VERSION = "2025-09-01"
PROBE = {"httpGet": {"path": "/", "port": 80}, "periodSeconds": 5, "timeoutSeconds": 1}


@pytest.fixture
def observed(lab, make) -> Callable[..., Observed]:
    """What the operator sees of a set of three, once something was done to its world."""

    def look(before: Callable[[], Any] = lambda: None, **container: Any) -> Observed:
        before()
        for one in made(make, **container):
            seen = lab.operator.create(one, TOKEN, lab.call)
        return seen  # type: ignore[no-any-return]

    return look


def made(make: Any, image: str = "web:1", probe: Any = None, revision: int = 1) -> list[Resource]:
    properties = {"image": image, "resources": {"requests": {"cpu": 1, "memoryInGB": 1}}}
    container = {"name": "web", "properties": {**properties, **({"readinessProbe": probe} if probe else {})}}
    wish = {"osType": "Linux", "restartPolicy": "Always", "containers": [container]}
    kind = "Microsoft.ContainerInstance/"
    profile = make(f"{kind}containerGroupProfiles", "web", VERSION, wish, location="westeurope")
    stub = {"resource": {"id": profile.id}, "revision": revision}
    naming = {"guidNamingPolicy": {"prefix": "web-"}}
    elastic = {"desiredCount": 3, "maintainDesiredCount": True, "containerGroupNamingPolicy": naming}
    all_ = {"elasticProfile": elastic, "containerGroupProfiles": [stub]}
    return [profile, make(f"{kind}nGroups", "web", VERSION, all_, location="westeurope")]


def group_ids(lab) -> list[str]:
    return [i for i in lab.arm.world.all() if "/containerGroups/" in i]


def test_a_set_is_ready_once_all_its_groups_are(lab, observed):
    seen = observed()
    assert (seen.health, seen.message, len(group_ids(lab))) == (Health.READY, "", 3)


def test_a_readiness_probe_that_fails_in_one_group_is_told_with_its_name(lab, make, observed):
    observed(probe=PROBE)
    ids = group_ids(lab)
    world = lab.arm.world
    for id in ids:
        world.pods.started[id.lower()] = datetime(2026, 1, 1, tzinfo=UTC)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    event = {"name": "Unhealthy", "type": "Warning", "message": "Readiness probe failed: 503", "lastTimestamp": now}
    name = ids[1].rpartition("/")[2]
    world.pods.events[name] = [event]
    _, set_ = made(make, probe=PROBE)
    seen = lab.operator.observe(set_, TOKEN, lab.call)
    assert seen is not None and seen.health is Health.NOT_READY and seen.look_again
    assert seen.message == f"{name}: 'web': Readiness probe failed: 503"


def test_containers_that_end_again_and_again(lab, observed):
    seen = observed(lambda: lab.arm.world.pods.crashing.update({"web:1": 7}))
    assert seen.health is Health.NOT_READY and "'web' ended with exit code 7" in seen.message


def test_an_image_that_cannot_be_pulled_and_the_next_one_that_can(lab, make, observed):
    seen = observed(lambda: lab.arm.world.pods.missing.add("web:1"))
    assert seen.health is Health.FAILED and "'web:1'" in seen.message and seen.message.startswith("web-")
    assert seen.mends, "a new revision goes through the set as it is"
    profile, set_ = made(make, image="web:2", revision=2)
    lab.operator.update(profile, TOKEN, None, lab.call)
    difference = lab.operator.diff(set_, Applied(made(make)[1].properties), seen)
    assert isinstance(difference, Update)
    assert lab.operator.update(set_, TOKEN, seen, lab.call).health is Health.READY


def test_groups_that_are_not_there_yet_are_waited_for(lab, make, observed):
    observed()
    del lab.arm.world.stored[group_ids(lab)[0].lower()]
    seen = lab.operator.observe(made(make)[1], TOKEN, lab.call)
    assert seen is not None and (seen.health, seen.message) == (Health.STARTING, "2 of 3 groups are there")


def test_the_list_of_groups_is_read_page_by_page(lab, make, observed):
    lab.arm.page = 1
    assert observed().health is Health.READY
    _, set_ = made(make)
    named = sorted(i.rpartition("/")[2] for i in group_ids(lab))
    assert sorted({line.partition(":")[0] for line in lab.operator.logs(set_, TOKEN, False)}) == named
