"""Checks the calls that read files while compiling: the path is plain, the file is there, the encoding is known."""

from __future__ import annotations

from engine.check.functions.signature import Trait
from engine.check.infer import Infer
from engine.check.references import path_problem
from engine.check.types import StringLiteral
from engine.parse import tree
from engine.sources.port import Unreadable
from engine.sources.text import ENCODINGS, decode, marked

_ENCODING_AT = {"loadTextContent": 1, "loadJsonContent": 2, "loadYamlContent": 2}

_MOST = {"loadTextContent": (131_072, "characters"), "loadFileAsBase64": (98_304, "bytes")}


def check_loads(infer: Infer) -> None:
    """Every `load…` call of the file."""
    every: list[tree.Call | tree.MethodCall] = [*infer.model.nodes(tree.Call), *infer.model.nodes(tree.MethodCall)]
    for node in every:
        function = infer.model.builtin(node)
        if function is not None and Trait.LITERAL_PATH in function.traits and node.arguments:
            _check(infer, node, function.name)


def _check(infer: Infer, node: tree.Call | tree.MethodCall, name: str) -> None:
    place = node.arguments[0]
    known = infer.type(place)
    if not isinstance(known, StringLiteral):
        if isinstance(place, tree.Text) or not isinstance(place, tree.Broken):
            infer.report.error(
                "BCP032", place, "The path must be known when the file is compiled", "Write it as a plain string."
            )
        return
    if problem := path_problem(known.value):
        infer.report.error(problem[0], place, problem[1], problem[2])
        return
    sources = infer.model.sources
    assert sources is not None
    path = sources.resolve(infer.model.path, known.value)
    try:
        if name == "loadDirectoryFileInfo":
            sources.entries(path)
            return
        content = sources.read(path)
    except Unreadable as problem_:
        code = "BCP275" if "folder" in problem_.reason else "BCP091"
        if name == "loadDirectoryFileInfo":
            code = "BCP430" if sources.exists(path) else "BCP428"
        infer.report.error(code, place, f"'{known.value}' cannot be read: {problem_.reason}")
        return
    most, unit = _MOST.get(name, (1_048_576, "characters"))
    length = (
        len(content) if name == "loadFileAsBase64" else len(decode(path, content, _asked(infer, node, name) or "utf-8"))
    )
    if length > most:
        infer.report.error(
            "BCP184", place, f"'{known.value}' is too large: {length:,} {unit}, where {most:,} are allowed"
        )
    at = _ENCODING_AT.get(name)
    if at is not None and len(node.arguments) > at:
        _encoding(infer, node.arguments[at], content)


def _asked(infer: Infer, node: tree.Call | tree.MethodCall, name: str) -> str | None:
    """The encoding that the call names, if it is one."""
    at = _ENCODING_AT.get(name)
    type = infer.type(node.arguments[at]) if at is not None and len(node.arguments) > at else None
    return type.value if isinstance(type, StringLiteral) and type.value.lower() in ENCODINGS else None


def _encoding(infer: Infer, place: tree.Node, content: bytes) -> None:
    asked = infer.type(place)
    if not isinstance(asked, StringLiteral):
        return
    if asked.value.lower() not in ENCODINGS:
        help = f"Known are {', '.join(ENCODINGS)}."
        infer.report.error("BCP070", place, f"There is no encoding '{asked.value}'", help)
        return
    mark = marked(content)
    if mark is not None and mark[0].lower() != asked.value.lower():
        infer.report.info("BCP185", place, f"The file says itself that it is {mark[0]}, and is read so")
