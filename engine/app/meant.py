"""A value that its schema does not allow, as it was probably meant: for what else there is to say of it.

Misspelt keys and choices are those they are near to, keys that are near to nothing are left out, and what is wrong or missing
otherwise is unknown, as what only run time knows: nothing follows from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.app.explain import is_open
from engine.contract.difference import Path
from engine.contract.value import Unknown, Value
from engine.diagnostics.suggest import nearest

ROUNDS = 8
"""What is put right may show what else is wrong in it; so often."""


def meant(value: Value, schema: Mapping[str, Any], whole: int = 2) -> Value | None:
    """The value; None where so much is wrong that nobody can tell, as with what stands less than `whole` steps deep.

    Nothing in `value` is changed.
    """
    from jsonschema import Draft202012Validator

    made, validator = _copy(value), Draft202012Validator(schema)
    for _ in range(ROUNDS):
        errors = [e for e in validator.iter_errors(made) if not is_open(e)]
        if not errors:
            return made
        for error in errors:
            if not _put_right(made, error, whole):
                return None
    return None


def _put_right(made: Value, error: Any, whole: int) -> bool:
    path: Path = tuple(error.absolute_path)
    there = _at(made, path)
    match error.validator:
        case _ if "propertyNames" in error.absolute_schema_path:
            there.pop(error.instance, None)
        case "additionalProperties" if isinstance(there, dict):
            allowed = sorted(error.schema.get("properties", {}))
            for name in [n for n in there if n not in allowed]:
                near = nearest(name, [a for a in allowed if a not in there])
                given = there.pop(name)
                if near:
                    there[near] = given
        case "required" if isinstance(there, dict):
            there |= {name: Unknown() for name in error.validator_value if name not in there}
        case _:
            if len(path) < whole:
                return False
            _at(made, path[:-1])[path[-1]] = _likely(error)
    return True


def _likely(error: Any) -> Value:
    """What a wrong value was to be: a number without its quotes, the choice that it is near to, the bound that it is beyond."""
    given, wanted = error.instance, error.validator_value
    match error.validator:
        case "type" if wanted == "integer" and isinstance(given, str) and given.isascii() and given.isdigit():
            return int(given)
        case "type" if wanted == "string" and type(given) is int:
            return str(given)
        case "minimum" | "maximum":
            return wanted
        case "enum":
            return nearest(str(given), [w for w in wanted if isinstance(w, str)]) or Unknown()
        case _:
            return Unknown()


def _at(value: Any, path: Path) -> Any:
    """What stands at a path; nothing where it was put right already."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return {}
    return value


def _copy(value: Value) -> Value:
    if isinstance(value, Mapping):
        return {k: _copy(v) for k, v in value.items()}
    return [_copy(v) for v in value] if isinstance(value, list | tuple) else value
