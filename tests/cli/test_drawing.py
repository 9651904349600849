from __future__ import annotations

import json

import pytest

from engine.cli.drawing.document import document
from engine.cli.drawing.dot import dot
from engine.cli.drawing.mermaid import mermaid
from engine.cli.drawing.nodes import Kind, picture
from engine.cli.drawing.text import text
from engine.contract.resource import OUTPUTS, Resource, Wait
from engine.contract.value import Output

CORE = "Applications.Core"


def resource(name: str, type: str, properties=None, waits=(), owner=None) -> Resource:
    id = f"/planes/radius/local/resourceGroups/default/providers/{type}/{name.rpartition('/')[2]}"
    gates = tuple(Wait(f"demo/{w}") for w in waits)
    return Resource(
        f"demo/{name}",
        type,
        "2023-10-01-preview",
        name.rpartition("/")[2],
        id,
        {"properties": properties or {}},
        gates,
        owner=owner,
    )


@pytest.fixture
def demo():
    app = resource("app", f"{CORE}/applications")
    db = resource("db", f"{CORE}/extenders", waits=("app",))
    back = resource("back", f"{CORE}/containers", {"connections": {"db": {"source": db.id}}}, ("app", "db"))
    source = {"connections": {"back": {"source": "http://back:3000"}, "db": {"source": Output("demo/db", ("id",))}}}
    front = resource("front", f"{CORE}/containers", source, ("app",))
    front = front.replace(properties={**front.properties, OUTPUTS: {}})
    process = resource("front/front-0", "Ulna.Process/processes", owner="demo/front")
    job = resource("job", "Ulna.Core/values", {"input": Output("demo/front", ("properties", "x"))})
    return picture("demo", [app, db, back, process, front, job], {"demo/back": "ready"})


def test_containers_come_first_and_parts_are_in_their_owner(demo):
    assert [n.name for n in demo.nodes] == ["back", "front", "app", "db", "job"]
    assert [p.name for p in demo.find("demo/front").parts] == ["front-0"]


def test_edges_are_connections_or_dependencies_and_none_leads_to_the_application(demo):
    assert demo.find("demo/back").to == (("demo/db", Kind.CONNECTION),)
    assert demo.find("demo/front").to == (("demo/back", Kind.CONNECTION), ("demo/db", Kind.CONNECTION))
    assert demo.find("demo/job").to == (("demo/front", Kind.DEPENDENCY),)
    assert demo.leading_to("demo/app") == ()


def test_as_text(demo, snapshot):
    assert text(demo) == snapshot


def test_as_dot(demo, snapshot):
    assert dot(demo) == snapshot


def test_as_mermaid(demo, snapshot):
    assert mermaid(demo) == snapshot


def test_as_json(demo, snapshot):
    assert json.dumps(document(demo), indent=2) == snapshot


def test_names_cannot_break_out_of_a_picture():
    odd = resource("odd", 'T"/<x>')
    drawn = picture('a"b', [odd])
    assert r'digraph "a\"b"' in dot(drawn) and r"\"" in dot(drawn)
    assert "#quot;" in mermaid(drawn) and "#lt;x#gt;" in mermaid(drawn)


def test_nothing_is_an_empty_picture():
    assert text(picture("demo", [])) == "Displaying application: demo\n\n(empty)\n"
