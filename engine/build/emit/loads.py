"""`loadTextContent` and its kin: the content of files, read while building."""

from __future__ import annotations

from engine.build.emit.text import call, literal, plain, quote
from engine.build.emit.unit import Unit
from engine.build.emit.uses import LOADS
from engine.diagnostics.source import Source
from engine.parse import tree
from engine.sources.jsonc import Malformed, load
from engine.sources.port import Unreadable
from engine.sources.text import ENCODINGS, decode

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_PLAIN = frozenset({"loadTextContent", "loadFileAsBase64"})
"""Assigned to a variable, these are that variable's value; else a variable of their own holds it."""


def find_loads(unit: Unit) -> list[tuple[str, Any]]:
    """Give each load of the file a variable, in the order of the text; functions hold the value itself."""
    found: list[tuple[str, Any]] = []
    for statement in unit.model.file.statements:
        if isinstance(statement, tree.Func):
            continue
        own = statement.value if isinstance(statement, tree.Var) else None
        for node in tree.walk(statement):
            if isinstance(node, (tree.Call, tree.MethodCall)) and node.name.text in LOADS:
                if node is own and node.name.text in _PLAIN:
                    continue
                name = f"$fxv#{len(found)}"
                unit.loads[id(node)] = name
                found.append((name, plain(content(unit, node))))
    return sorted(found, key=lambda pair: pair[0])


def load_text(unit: Unit, node: tree.Call | tree.MethodCall) -> str:
    """A load within an expression."""
    name = unit.loads.get(id(node))
    return call("variables", quote(name)) if name is not None else literal(content(unit, node))


def load_value(unit: Unit, node: tree.Call | tree.MethodCall) -> Any:
    """A load where a value stands."""
    name = unit.loads.get(id(node))
    return f"[variables({quote(name)})]" if name is not None else plain(content(unit, node))


def content(unit: Unit, node: tree.Call | tree.MethodCall) -> Any:
    """What the file holds; None, and a diagnostic, if it cannot be read."""
    arguments = [a.literal if isinstance(a, tree.Text) else None for a in node.arguments]
    sources = unit.model.sources
    if not arguments or arguments[0] is None or sources is None:
        unit.error("BCP032", node, "The path of a file to load must be a string without holes")
        return None
    path = sources.resolve(unit.model.path, arguments[0])
    try:
        match node.name.text:
            case "loadFileAsBase64":
                return _base64(sources.read(path))
            case "loadDirectoryFileInfo":
                return _listing(unit, path, arguments[0], arguments[1] if len(arguments) > 1 else None)
            case "loadTextContent":
                return _text(unit, path, arguments[1:])
            case function:
                return _parsed(unit, node, function, path, arguments[1:])
    except Unreadable as problem:
        unit.error("BCP091", node.arguments[0], f"The file '{arguments[0]}' cannot be read: {problem.reason}")
        return None


def _text(unit: Unit, path: str, encoding: list[str | None]) -> str:
    assert unit.model.sources is not None
    name = encoding[0] if encoding and (encoding[0] or "").lower() in ENCODINGS else "utf-8"
    return decode(path, unit.model.sources.read(path), name)


def _json(path: str, text: str) -> Any:
    try:
        return load(Source(path, text))
    except Malformed:
        from engine.sources.unfinished import finished

        if (whole := finished(text)) is None:
            raise
        return load(Source(path, whole))


def _parsed(unit: Unit, node: tree.Call | tree.MethodCall, function: str, path: str, rest: list[str | None]) -> Any:
    text = _text(unit, path, rest[1:2])
    if function == "loadYamlContent":
        from engine.build.emit.yamlcontent import MalformedYaml, parse_yaml

        try:
            value = parse_yaml(text)
        except MalformedYaml as problem:
            unit.error("BCP340", node, f"The file holds no well-formed YAML: {problem}")
            return None
    else:
        try:
            value = _json(path, text)
        except Malformed as problem:
            unit.error("BCP186", node, f"The file holds no well-formed JSON: {problem.message}")
            return None
    if rest and rest[0]:
        from engine.build.emit.jsonpath import select

        found = select(value, rest[0])
        if not found:
            place = node.arguments[1] if len(node.arguments) > 1 else node
            unit.error("BCP235", place, f"Nothing in the file matches the path '{rest[0]}'")
            return None
        return found[0] if len(found) == 1 else found
    return value


def _base64(content: bytes) -> str:
    from binascii import b2a_base64

    return b2a_base64(content, newline=False).decode()


def _listing(unit: Unit, folder: str, written: str, pattern: str | None) -> list[dict[str, str]]:
    from fnmatch import fnmatchcase

    assert unit.model.sources is not None
    names = [entry.name for entry in unit.model.sources.entries(folder) if not entry.folder]
    shown = [part for part in written.split("/") if part not in ("", ".")]
    return [
        {
            "relativePath": "/".join([*shown, name]),
            "baseName": name,
            "extension": name[name.rindex(".") :] if "." in name else "",
        }
        for name in sorted(names, key=str.lower)
        if pattern is None or fnmatchcase(name, pattern)
    ]
