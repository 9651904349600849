"""Records of the state as JSON text, and back.

The common case is fast: the encoder of the standard library walks the values itself and calls back for records only. Text
without a `{"$` holds no mark of `contract.value`, so it needs no decoding walk either.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from engine.contract.operator import Applied
from engine.contract.resource import Condition, Drift, OnBroken, Reaction, Resource, Wait
from engine.contract.value import Deferred, Output, Secret, Unknown, decode, encode
from engine.record import Record
from engine.state.entry import Entry, Intent, Phase, Retiring
from engine.state.event import Deployment, Operation, Progress
from engine.state.fold import State

_MARK = '{"$'
_LITERAL = '{"$literal":'
_COMPACT = (",", ":")
_VALUES = frozenset({"properties", "outputs", "name", "id", "place", "inputs", "goal", "result"})


def dumps(data: Any) -> str:
    """Compact JSON for plain data with records of the state and values of the contract inside."""
    marks = 0

    def plain(item: object) -> Any:
        nonlocal marks
        if isinstance(item, Secret | Output | Deferred | Unknown):
            marks += 1
            return _mark(item)
        return to_plain(item, _same)

    text = json.dumps(data, default=plain, separators=_COMPACT)
    if text.count(_MARK) == marks:
        return text
    # someone's own property is called like one of our marks: say that it is meant literally
    if isinstance(data, dict):
        data = {field: encode(content) if field in _VALUES else content for field, content in data.items()}
    return json.dumps(data, default=_careful, separators=_COMPACT)


def _same(value: Any) -> Any:
    return value


def _mark(item: Secret | Output | Deferred | Unknown) -> Any:
    match item:
        case Secret(name, digest):
            return {"$secret": [name, digest]}
        case Output(address, path):
            return {"$output": [address, *path]}
        case Deferred(function, arguments):
            return {"$call": [function, *arguments]}
        case Unknown(why):
            return {"$unknown": why}


def _careful(item: object) -> Any:
    return to_plain(item, encode)


def to_plain(item: object, value: Callable[[Any], Any] = encode) -> Any:
    """A record as plain data, defaults left out; `value` encodes what holds values."""
    kind = type(item)
    if kind is Wait:
        assert isinstance(item, Wait)
        plain: list[Any] = [item.address, item.condition, item.exit_code, item.on_broken]
        return plain if item.deadline is None and item.keep is None else [*plain, item.deadline, item.keep]
    get, fields = _SHAPES[kind]
    return {
        field: value(content) if is_value else content
        for (field, default, is_value), content in zip(fields, get(item), strict=True)
        if content is not default and content != default
    }


def _shape(kind: type[Record]) -> tuple[Callable[[object], Any], tuple[tuple[str, Any, bool], ...]]:
    """How to read all fields at once, and for each its default and whether it holds values."""
    names = [f for f in kind.__fields__ if f not in ("origin", "address")]
    fields = tuple((f, kind.__defaults__.get(f, _REQUIRED), f in _VALUES) for f in names)
    return attrgetter(*names), fields


_REQUIRED = object()
_SHAPES: dict[type, tuple[Callable[[object], Any], tuple[tuple[str, Any, bool], ...]]] = {
    kind: _shape(kind) for kind in (Applied, Intent, Retiring, Resource, Entry, Deployment, Operation)
}


# ---------------------------------------------------------------- back


def event_data(key: str, text: str) -> Mapping[str, Any]:
    """The data of an event about `key`."""
    data, value = _loads(text)
    return _read(key, data, value)


def _loads(text: str) -> tuple[dict[str, Any], Callable[[Any], Any]]:
    """Parsed text, and what is left to do with the values in it: mostly nothing."""
    if _MARK not in text:
        return json.loads(text), _same
    if _LITERAL in text:  # what stands in a literal must not be touched, and the parser works from the inside out
        return json.loads(text), decode
    return json.loads(text, object_hook=_unmark), _same


def _unmark(data: dict[str, Any]) -> Any:
    """What `decode` makes of an object whose insides are decoded."""
    if len(data) != 1:
        return data
    match data:
        case {"$secret": [name, digest]}:
            return Secret(name, digest)
        case {"$output": [address, *path]}:
            return Output(address, tuple(path))
        case {"$call": [function, *arguments]}:
            return Deferred(function, tuple(arguments))
        case {"$unknown": why}:
            return Unknown(why)
        case _:
            return data


def entry_of(key: str, data: dict[str, Any], value: Callable[[Any], Any] = decode) -> Entry:
    """The entry that `to_plain` made this of."""
    return Entry(key, **_read(key, data, value))


def _read(key: str, data: dict[str, Any], value: Callable[[Any], Any]) -> dict[str, Any]:
    for field, content in data.items():
        read = _READERS.get(field)
        if read is not None and content is not None:
            data[field] = read(key, content, value)
    return data


def _wait(plain: list[Any]) -> Wait:
    address, condition, exit_code, broken, *more = plain
    deadline, keep = more or (None, None)
    return Wait(address, Condition(condition), exit_code, OnBroken(broken), deadline, Reaction(keep) if keep else None)


def _resource(key: str, data: dict[str, Any], value: Callable[[Any], Any]) -> Resource:
    for field in ("name", "id", "properties"):
        data[field] = value(data[field])
    if "place" in data:
        data["place"] = value(data["place"])
    if "drift" in data:
        data["drift"] = Drift(data["drift"])
    if "waits" in data:
        data["waits"] = tuple(map(_wait, data["waits"]))
    if "lists" in data:
        data["lists"] = tuple(data["lists"])
    return Resource(key, **data)


def _applied(key: str, data: dict[str, Any], value: Callable[[Any], Any]) -> Applied:
    return Applied(**{field: value(content) for field, content in data.items()})


def _intent(key: str, data: dict[str, Any], value: Callable[[Any], Any]) -> Intent:
    if "properties" in data:
        data["properties"] = value(data["properties"])
    if "wired" in data:
        data["wired"] = tuple(data["wired"])
    return Intent(**data)


def _retiring(key: str, data: dict[str, Any], value: Callable[[Any], Any]) -> Retiring:
    return Retiring(data["token"], _applied(key, data["applied"], value), tuple(data.get("wired", ())))


_READERS: dict[str, Callable[[str, Any, Callable[[Any], Any]], Any]] = {
    "resource": _resource,
    "applied": _applied,
    "intent": _intent,
    "retiring": _retiring,
    "outputs": lambda key, data, value: value(data),
    "phase": lambda key, data, value: Phase(data),
    "progress": lambda key, data, value: Progress(data),
    "launched": lambda key, data, value: tuple(data),
    "inputs": lambda key, data, value: value(data),
    "goal": lambda key, data, value: value(data),
    "result": lambda key, data, value: value(data),
    "wired": lambda key, data, value: tuple(data),
    "hops": lambda key, data, value: tuple(data),
    "failed_at": lambda key, data, value: tuple(data),
}


# ---------------------------------------------------------------- snapshots


def state_text(state: State) -> str:
    """A whole state as JSON."""
    return dumps({part: getattr(state, part) for part in ("seq", "entries", "deployments", "operations")})


def state_of(text: str) -> State:
    """The state that `state_text` made this of."""
    data, value = _loads(text)
    deployments = {
        name: Deployment(**{f: value(v) if f == "outputs" else v for f, v in fields.items()})
        for name, fields in data["deployments"].items()
    }
    operations = {id: Operation(**_read(id, fields, value)) for id, fields in data.get("operations", {}).items()}
    return State(data["seq"], {k: entry_of(k, e, value) for k, e in data["entries"].items()}, deployments, operations)
