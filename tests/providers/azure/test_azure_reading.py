"""What the containers of a group wrote, and those of a set's groups."""

from __future__ import annotations

from typing import Any

from engine.contract.resource import Resource
from providers.azure.reading import lines
from providers.azure.refusals import Absent

SCOPE = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerInstance"


class Answers:
    """A client that knows some paths."""

    def __init__(self, known: dict[str, Any]) -> None:
        self.known = known

    def pages(self, path: str, version: str) -> Any:
        return self.ask(path, version)["value"]

    def ask(self, path: str, version: str) -> Any:
        if path not in self.known:
            raise Absent("not there")
        return self.known[path]


def made(type: str, properties: dict[str, Any]) -> Resource:
    id = f"{SCOPE}/{type}/web"
    return Resource(f"app/{type}", f"Microsoft.ContainerInstance/{type}", "1", "web", id, {"properties": properties})


def group(name: str, profile: str, *containers: str) -> dict[str, Any]:
    about = {
        "containerGroupProfile": {"id": f"{SCOPE}/containerGroupProfiles/{profile}"},
        "containers": [{"name": c} for c in containers],
    }
    return {"id": f"{SCOPE}/containerGroups/{name}", "name": name, "properties": about}


def test_a_set_is_read_group_by_group_and_others_are_left_out():
    stub = {"resource": {"id": f"{SCOPE}/CONTAINERGROUPPROFILES/web"}}
    groups = [group("web-1", "web", "web"), group("web-2", "web", "web", "agent"), group("web-x", "other", "web")]
    known: dict[str, Any] = {
        f"{SCOPE}/nGroups/web": {"properties": {"containerGroupProfiles": [stub]}},
        f"{SCOPE}/containerGroups": {"value": [*groups, {"id": "i", "name": "n", "properties": {"containers": []}}]},
        f"{SCOPE}/containerGroups/web-1/containers/web/logs": {"content": "one\n"},
        f"{SCOPE}/containerGroups/web-2/containers/web/logs": {"content": "two\n"},
        f"{SCOPE}/containerGroups/web-2/containers/agent/logs": {"content": "beside\n"},
        f"{SCOPE}/containerGroups/web-x/containers/web/logs": {"content": "another's\n"},
    }
    set_ = made("nGroups", {})
    assert [*lines(Answers(known), set_, str(set_.id), False)] == [  # type: ignore[arg-type]
        "web-1: one",
        "web-2/web: two",
        "web-2/agent: beside",
    ]


def test_what_is_gone_has_no_lines():
    for resource in (made("nGroups", {}), made("containerGroups", {"containers": [{"name": "web"}]})):
        assert [*lines(Answers({}), resource, str(resource.id), True)] == []  # type: ignore[arg-type]
