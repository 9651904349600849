"""The calls that ask a resource for something, and the type that they name."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.contract.patterns import pattern
from engine.lint.names import bare, constant_text
from engine.parse import tree

_IDS = frozenset(
    {"resourceId", "subscriptionResourceId", "tenantResourceId", "managementGroupResourceId", "extensionResourceId"}
)
_TYPE = r"(?i)[a-z]+\.[a-z]+(?:/[a-z]+)+/?"


def asking(model: Model) -> Iterator[tree.Call | tree.MethodCall]:
    """The calls of `reference()` and of `listKeys()` and its kin that have arguments."""
    every: list[tree.Call | tree.MethodCall] = [*model.nodes(tree.Call), *model.nodes(tree.MethodCall)]
    for node in every:
        function = model.builtin(node)
        name = function.name if function is not None else ""
        if node.arguments and (name == "reference" or name.startswith("list")):
            yield node


def type_in(model: Model, node: tree.Node) -> tuple[str, list[str]] | None:
    """The type that is written out in what is asked, and the names behind it that are; None where there is none."""
    call = bare(node)
    function = model.builtin(call)
    if function is not None and function.name in _IDS and isinstance(call, tree.Call | tree.MethodCall):
        texts = [constant_text(model, argument) for argument in call.arguments]
    else:
        texts = [constant_text(model, node)]
    for place, text in enumerate(texts):
        if text is not None and pattern(_TYPE).fullmatch(text):
            names = texts[place + 1 :]
            known = names[: names.index(None)] if None in names else names
            return text.rstrip("/"), [name for name in known if name is not None]
    return None
