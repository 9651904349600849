"""Azure's published API files, and what of a request or an answer is not as they say.

The schemas are taken as closed: a property that they do not name is a fault, be it misspelt or of another version.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILES = Path(__file__).parents[4] / "shared" / "data" / "azure-openapi" / "specification"
_ANYTHING = ("/{resourceId}", "/{roleAssignmentId}", "{parentResourcePath}")
_LONG = ("scope", "resourceId")

Json = Any


class Operation:
    """One operation of a file: its parameters, its schemas and whether it takes long."""

    def __init__(self, file: Path, path: str, method: str, said: Mapping[str, Json], shared: list[Json]) -> None:
        self.file = file
        self.path = path
        self.method = method
        self.id: str = said.get("operationId", "")
        self.version: str = _read(file)["info"]["version"]
        self.long = bool(said.get("x-ms-long-running-operation"))
        self.responses: Mapping[str, Json] = said["responses"]
        self.parameters = [_deref(file, p) for p in (*shared, *said.get("parameters", ()))]

    @property
    def body(self) -> tuple[Path, Json] | None:
        """The schema of the body, with the file that its references start from."""
        return next(((f, p["schema"]) for f, p in self.parameters if p["in"] == "body"), None)

    def faults(self, query: Mapping[str, str], body: Json) -> Iterator[str]:
        """What of a request is not as the file says."""
        known = {p["name"].lower() for _, p in self.parameters if p["in"] == "query"}
        for name in query:
            if name.lower() not in known:
                yield f"query: '{name}' is not known to {self.id}"
        for _, p in self.parameters:
            if p["in"] == "query" and p.get("required") and p["name"] not in query:
                yield f"query: '{p['name']}' is missing"
        if self.body is not None and body is not None:
            yield from check(self.body[0], self.body[1], body, "")
        elif body is not None and self.body is None:
            yield f"body: {self.id} takes none"
        elif self.method == "put" and self.body is not None:
            yield "body: it is missing"

    def answer_faults(self, status: int, body: Json) -> Iterator[str]:
        """What of an answer is not as the file says; what it leaves out is none."""
        said = self.responses.get("default" if status >= 400 else str(status))
        if said is None:
            yield f"answer: {self.id} has no status {status}"
        elif body is not None and "schema" in said:
            yield from check(self.file, said["schema"], body, "", complete=False)


@cache
def operations() -> tuple[tuple[re.Pattern[str], Operation], ...]:
    """Every operation there is, those with the fewest open segments first."""
    found: list[tuple[int, re.Pattern[str], Operation]] = []
    for file in sorted(FILES.rglob("*.json")):
        if "examples" in file.parts:
            continue
        for path, methods in _read(file).get("paths", {}).items():
            if any(a in path for a in _ANYTHING):
                continue
            shared = methods.get("parameters", [])
            for method, said in methods.items():
                if method != "parameters":
                    operation = Operation(file, path, method, said, shared)
                    found.append((path.count("{scope}") * 100 + path.count("{"), _pattern(path), operation))
    return tuple((p, o) for _, p, o in sorted(found, key=lambda f: f[0]))


def find(method: str, path: str, version: str) -> tuple[Operation | None, tuple[str, ...]]:
    """The operation of a request; and, where there is none, the versions that have one."""
    versions: dict[str, None] = {}
    for pattern, operation in operations():
        if operation.method == method.lower() and pattern.fullmatch(path):
            if operation.version == version:
                return operation, ()
            versions[operation.version] = None
    return None, tuple(versions)


def _pattern(path: str) -> re.Pattern[str]:
    def open_segment(name: re.Match[str]) -> str:
        return "(.*)" if name[1] in _LONG else "([^/]+)"

    text = re.sub(r"\\\{(\w+)\\\}", open_segment, re.escape(path))
    return re.compile(text.replace("/(.*)", "(.*)", 1) if text.startswith("/(.*)") else text, re.I)


@cache
def _read(file: Path) -> Json:
    return json.loads(file.read_bytes())


def _deref(file: Path, node: Json) -> tuple[Path, Json]:
    """What a reference leads to, with its file; what is none is itself."""
    while isinstance(node, dict) and "$ref" in node:
        where, _, pointer = node["$ref"].partition("#")
        file = (file.parent / where).resolve() if where else file
        node = _read(file)
        for step in pointer.strip("/").split("/"):
            node = node[step]
    return file, node


# ---------------------------------------------------------------- schemas


def check(file: Path, schema: Json, value: Json, at: str, complete: bool = True) -> Iterator[str]:
    """What of a value a schema does not allow; `complete`: what it requires must be there."""
    file, schema = _deref(file, schema)
    where = at or "body"
    if value is None:
        if not schema.get("x-nullable"):
            yield f"{where}: null"
        return
    kind = schema.get("type") or ("object" if "properties" in schema or "allOf" in schema else None)
    if kind is not None and not _is(kind, value):
        yield f"{where}: {json.dumps(value)[:60]} is no {kind}"
        return
    if "enum" in schema and value not in schema["enum"] and str(value).lower() not in map(str.lower, schema["enum"]):
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if isinstance(value, dict):
        yield from _object(file, schema, value, at, complete)
    elif isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from check(file, schema["items"], item, f"{at}[{index}]", complete)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            yield f"{where}: {value} is out of range"
    elif isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} does not match {schema['pattern']}"


def members(file: Path, schema: Json) -> tuple[dict[str, tuple[Path, Json]], set[str], Json]:
    """The properties of an object with those it inherits, the required ones, and what else it may hold."""
    file, schema = _deref(file, schema)
    named: dict[str, tuple[Path, Json]] = {}
    required = set(schema.get("required", ()))
    more = schema.get("additionalProperties")
    more = (file, more) if more is not None else None
    for part in schema.get("allOf", ()):
        inner, needed, open_ = members(file, part)
        named |= inner
        required |= needed
        more = more or open_
    named |= {k: (file, v) for k, v in schema.get("properties", {}).items()}
    return named, required, more


def _object(file: Path, schema: Json, value: dict[str, Json], at: str, complete: bool) -> Iterator[str]:
    named, required, more = members(file, schema)
    if not named and more is None:
        return  # anything
    for key, inner in value.items():
        path = f"{at}.{key}" if at else key
        if key in named:
            yield from check(*named[key], inner, path, complete)
        elif more is None or more[1] is False:
            yield f"{path}: not known"
        elif isinstance(more[1], dict) and more[1]:
            yield from check(*more, inner, path, complete)
    if complete:
        for key in sorted(required - value.keys()):
            if not _deref(*named[key])[1].get("readOnly") and not named[key][1].get("readOnly"):
                yield f"{at or 'body'}: '{key}' is missing"


def _is(kind: str, value: Json) -> bool:
    match kind:
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case _:
            return True


def without_secrets(file: Path, schema: Json, value: Json) -> Json:
    """The value as Azure shows it: without what the schema marks as secret."""
    file, schema = _deref(file, schema)
    if isinstance(value, list):
        return [without_secrets(file, schema["items"], v) for v in value] if "items" in schema else value
    if not isinstance(value, dict):
        return value
    named, _, more = members(file, schema)
    shown: dict[str, Json] = {}
    for key, inner in value.items():
        if key in named:
            if not named[key][1].get("x-ms-secret"):
                shown[key] = without_secrets(*named[key], inner)
        elif more is not None and isinstance(more[1], dict):
            shown[key] = without_secrets(*more, inner)
        else:
            shown[key] = inner
    return shown
