"""The commands that a template declares: `Ulna.Core/commands`, read from the entries, and what was given checked against it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from math import isfinite
from typing import Any

from engine.contract.resource import body
from engine.contract.value import Properties, Value
from engine.contract.variables import expand
from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.suggest import did_you_mean
from engine.record import Record
from engine.state.entry import Entry

COMMANDS = "ulna.core/commands"
MASK = "•••"


class Input(Record):
    """One thing that a command asks for."""

    name: str
    type: str = "string"
    title: str = ""
    description: str = ""
    default: Value = None
    required: bool = False
    minimum: float | None = None
    maximum: float | None = None
    pattern: str = ""
    allowed: tuple[Value, ...] = ()
    secure: bool = False


class Declared(Record):
    """A command: `action` is `exec`, `http` or `launch`, and `details` what that block holds; `address` is its own."""

    name: str
    target: str
    title: str
    action: str
    details: Properties
    description: str = ""
    icon: str = ""
    confirmation: str = ""
    inputs: tuple[Input, ...] = ()
    address: str = ""


def declared(entries: Iterable[Entry]) -> tuple[Declared, ...]:
    """The commands among these entries, by target and name."""
    found = [e for e in entries if e.resource.type.lower() == COMMANDS and e.applied is not None and not e.deleting]
    by_id = {str(e.resource.id).lower(): e.address for e in entries}
    return tuple(sorted((c for e in found if (c := _command(e, by_id)) is not None), key=lambda c: (c.target, c.name)))


def _command(entry: Entry, by_id: Mapping[str, str]) -> Declared | None:
    assert entry.applied is not None
    properties = body(entry.resource.replace(properties=entry.applied.properties))
    target = by_id.get(str(properties.get("target")).lower())
    action = next((a for a in ("exec", "http", "launch") if a in properties), None)
    if target is None or action is None:
        return None
    name = str(entry.resource.name)
    return Declared(
        name,
        target,
        str(properties.get("displayName") or name),
        action,
        properties[action],
        str(properties.get("description") or ""),
        str(properties.get("icon") or ""),
        str(properties.get("confirmation") or ""),
        tuple(_input(n, i) for n, i in (properties.get("inputs") or {}).items()),
        entry.address,
    )


def _input(name: str, given: Mapping[str, Any]) -> Input:
    return Input(
        name,
        given.get("type") or "string",
        given.get("displayName") or name,
        given.get("description") or "",
        given.get("default"),
        "default" not in given,
        given.get("minValue"),
        given.get("maxValue"),
        given.get("pattern") or "",
        tuple(given.get("allowed") or ()),
        given.get("secure") is True,
    )


# ---------------------------------------------------------------- what is given


def accept(command: Declared, given: Mapping[str, Value]) -> dict[str, Value]:
    """The inputs of a call, each of its type; texts are read as what is wanted. Raises `UlnaError` for what does not fit."""
    known = {i.name: i for i in command.inputs}
    for name in given:
        if name not in known:
            help = did_you_mean(name, known) or (
                f"It asks for: {', '.join(known)}." if known else "It asks for nothing."
            )
            raise _wrong(command, f"there is no input '{name}'", help)
    values: dict[str, Value] = {}
    for input in command.inputs:
        if input.name in given:
            values[input.name] = _value(command, input, given[input.name])
        elif input.required:
            raise _wrong(command, f"'{input.name}' is missing", input.description or f"Give it with -p {input.name}=…")
        else:
            typed = _typed(input.type, input.default)
            values[input.name] = input.default if typed is None else typed
    return values


def _value(command: Declared, input: Input, given: Value) -> Value:
    value = _typed(input.type, given)
    if value is None:
        raise _wrong(command, f"'{input.name}' must be of type {input.type}", "")
    if input.allowed and value not in input.allowed:
        allowed = ", ".join(map(str, input.allowed))
        raise _wrong(command, f"'{input.name}' cannot be '{_shown(input, value)}'", f"It is one of: {allowed}.")
    if input.pattern and isinstance(value, str) and not re.fullmatch(input.pattern, value):
        raise _wrong(command, f"'{input.name}' does not fit", f"It must match {input.pattern}")
    low, high = input.minimum, input.maximum
    if isinstance(value, int | float) and not isinstance(value, bool):
        if low is not None and value < low:
            raise _wrong(command, f"'{input.name}' is {value}", f"It is {low:g} at least.")
        if high is not None and value > high:
            raise _wrong(command, f"'{input.name}' is {value}", f"It is {high:g} at most.")
    return value


def _shown(input: Input, value: Value) -> Value:
    return MASK if input.secure else value


def _typed(type: str, given: Value) -> Value:
    """What was given, as this type; None if it is not."""
    text = given if isinstance(given, str) else None
    match type:
        case "bool":
            return (
                {"true": True, "false": False}.get(text.lower())
                if text is not None
                else given
                if isinstance(given, bool)
                else None
            )
        case "int" | "number":
            number = given if text is None else _number(text)
            if isinstance(number, bool) or not isinstance(number, int | float) or not isfinite(number):
                return None
            if type == "int":
                return int(number) if number == int(number) else None
            return number
        case _:
            return text if text is not None else str(given)


def _number(text: str) -> int | float | None:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return None


def _wrong(command: Declared, what: str, help: str) -> UlnaError:
    return UlnaError.of("ULN551", f"The command '{command.name}' of '{command.target}': {what}", help, exit_code=2)


def shown(command: Declared, values: Mapping[str, Value]) -> dict[str, Value]:
    """The inputs as they may be kept and shown."""
    secure = {i.name for i in command.inputs if i.secure}
    return {n: MASK if n in secure else v for n, v in values.items()}


def filled(value: Value, inputs: Mapping[str, Value]) -> Value:
    """A value with `$(NAME)` replaced by inputs, in all its texts; a text that is one reference keeps the input's type."""
    texts = {n: v if isinstance(v, str) else text_of(v) for n, v in inputs.items()}
    if isinstance(value, Mapping):
        return {k: filled(v, inputs) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [filled(v, inputs) for v in value]
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)", value)
        return inputs[whole[1]] if whole and whole[1] in inputs else expand(value, texts)
    return value


def text_of(value: Value) -> str:
    """A value as it stands within a text."""
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
