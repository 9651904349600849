"""Properties of connections, variables and schemas, whatever the input."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engine.app.amounts import seconds
from engine.app.overlay import merge
from engine.app.portable import Service
from engine.app.quick import satisfies
from engine.app.schema import folder
from engine.app.text import text
from engine.contract.conformance import TestView
from engine.contract.value import Deferred, Output, Secret, is_known
from engine.contract.variables import expand, resolve

names = st.from_regex(r"[A-Z_][A-Z0-9_]{0,5}", fullmatch=True)
words = st.text(alphabet="ab$(){}AB_ ", max_size=12)
json_values: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_what_a_variable_holds_is_a_text_without_exponents(value):
    made = text(value)
    assert isinstance(made, str)
    match value:
        case str():
            assert made == value
        case bool() | dict() | None:
            assert json.loads(made) == value
        case float():
            assert "e" not in made and not made.endswith(".0") and float(made) == value


@given(json_values)
def test_what_run_time_decides_becomes_a_text_later(value):
    leaf = Output("app/db", ("properties", "port"))
    assert text([value, leaf]) == Deferred("string", ([value, leaf],))
    assert text(Secret("s", "d")) == Secret("s", "d")


@given(st.dictionaries(names, words, max_size=5))
def test_variables_resolve_to_texts_whatever_they_refer_to(env):
    resolved = resolve(env)
    assert resolved.keys() == env.keys()
    assert all(isinstance(v, str) for v in resolved.values())
    for name, value in env.items():
        if "$" not in value:
            assert resolved[name] == value


@given(words, names)
def test_two_dollars_make_one_and_hide_a_reference(word, name):
    plain = word.replace("$", "")
    assert expand(f"{plain}$$({name})", {name: "x"}) == f"{plain}$({name})"
    assert expand(f"{plain}$({name})", {name: "x"}) == f"{plain}x"
    assert expand(f"{plain}$({name})", {}) == f"{plain}$({name})"


@given(words, names)
def test_what_is_not_known_yet_is_put_in_later(word, name):
    plain = word.replace("$", "")
    made = expand(f"{plain}$({name})", {name: Output("a")})
    assert not is_known(made)
    if not plain:
        assert made == Output("a"), "alone it stays what it is"
        return
    assert isinstance(made, Deferred)
    assert made.arguments[0].format("x") == f"{plain}x", "braces in the text stay braces"


@given(
    user=st.dictionaries(
        st.sampled_from(["A", "CONNECTION_C_HOST", "CONNECTION_C_URL", "PORT_X"]), st.text("xyz"), max_size=4
    ),
    host=st.sampled_from(["db", "cache.example"]),
    port=st.integers(1, 65535),
)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_users_variables_win_and_nothing_is_lost(world, user, host, port):
    env = world.env(
        "web",
        world.container(
            container={"env": {k: {"value": v} for k, v in user.items()}},
            connections={"c": {"source": f"tcp://{host}:{port}"}},
        ),
    )
    keys = {f"CONNECTION_C_{k}" for k in ("HOST", "HOSTNAME", "PORT", "SCHEME", "URL")}
    assert env.keys() == keys | user.keys()
    assert {k: env[k] for k in user} == user
    assert env["CONNECTION_C_PORT"] == str(port)
    assert list(env) == sorted(env)


patches: Any = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.text("ab", max_size=2) | st.lists(st.integers(0, 3), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.sampled_from("abc"), patches, max_size=3)


def without_nulls(value: Any) -> Any:
    return {k: without_nulls(v) for k, v in value.items() if v is not None} if isinstance(value, dict) else value


@given(objects, objects)
def test_merging_an_overlay_twice_is_merging_it_once_and_an_empty_one_changes_nothing(base, patch):
    base = without_nulls(base)
    once = merge(base, patch)
    assert merge(once, patch) == once == without_nulls(once)
    assert merge(base, {}) == base and merge({}, patch) == without_nulls(patch)
    assert all(once[k] == base[k] for k in base if k not in patch)


@given(st.integers(0, 99), st.integers(0, 59), st.integers(0, 59), st.integers(0, 999))
def test_a_duration_is_the_sum_of_its_parts(h, m, s, ms):
    assert seconds(f"{h}h{m}m{s}s{ms}ms") == pytest.approx(h * 3600 + m * 60 + s + ms / 1000)


@given(st.text("a:@/% é", min_size=1, max_size=6), st.text("p:@/% é", min_size=1, max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_url_says_who_logs_in_whatever_the_password(world, user, password):
    given_by_hand = {"resourceProvisioning": "manual", "host": "h.example", "port": 6380, "username": f"u{user}"}
    cache = world.resource(
        "c", "Applications.Datastores/redisCaches", {**given_by_hand, "secrets": {"password": f"x{password}"}}
    )
    url = urlsplit(Service(cache, TestView(world.environment, cache), None).secrets()["url"])
    assert (unquote(url.username or ""), unquote(url.password or "")) == (f"u{user}", f"x{password}")
    assert (url.scheme, url.hostname, url.port) == ("rediss", "h.example", 6380)


def schemas() -> list[dict[str, Any]]:
    return [json.loads(f.read_text()) for f in sorted(folder().rglob("*.json"))]


def test_every_schema_is_one_and_says_what_it_is():
    for schema in schemas():
        Draft202012Validator.check_schema(schema)
        assert schema["$schema"].endswith("2020-12/schema") and schema["title"] and schema["description"]
    for file in (folder() / "types").glob("*.json"):
        type, _, version = json.loads(file.read_text())["$id"].partition("@")
        assert file.name == f"{type.replace('/', '.').lower()}@{version}.json"


ALL = schemas()


def like(schema: Any, root: Any, depth: int = 0) -> Any:
    """Values that a schema may allow, and some that it does not."""
    if isinstance(schema, bool) or depth > 5:
        return json_values
    if "$ref" in schema:
        return like(root["$defs"][schema["$ref"].rpartition("/")[2]], root, depth + 1)
    if "const" in schema:
        return st.just(schema["const"]) | json_values
    if "enum" in schema:
        return st.sampled_from(schema["enum"]) | st.text(max_size=3)
    branches = [s["then"] for s in schema.get("allOf", ()) if "then" in s]
    if branches:
        return st.one_of([like(b, root, depth + 1) for b in branches])
    type = schema.get("type")
    if type == "object":
        known = {k: like(v, root, depth + 1) for k, v in schema.get("properties", {}).items()}
        required = {k: known[k] for k in schema.get("required", ()) if k in known}
        optional = {k: v for k, v in known.items() if k not in required}
        made = st.fixed_dictionaries(required, optional=optional)
        extra = schema.get("additionalProperties")
        if isinstance(extra, dict):
            more = st.dictionaries(st.sampled_from(["x", "y"]), like(extra, root, depth + 1), max_size=2)
            made = st.builds(lambda a, b: a | b, made, more)
        return made
    if type == "array":
        return st.lists(like(schema.get("items", True), root, depth + 1), max_size=2)
    simple = {
        "string": st.from_regex("[a-z]{1,4}", fullmatch=True),
        "integer": st.integers(-1, 70000),
        "boolean": st.booleans(),
    }
    return simple.get(type if isinstance(type, str) else "", json_values)


@given(st.sampled_from(ALL).flatmap(lambda s: st.tuples(st.just(s), like(s, s))))
@settings(deadline=None, max_examples=150)
def test_the_quick_check_agrees_with_the_library(pair):
    schema, value = pair
    assert satisfies(value, schema, schema) == Draft202012Validator(schema).is_valid(value)
