"""What the arguments of the call at the cursor are, and which of them comes next."""

from __future__ import annotations

from engine.lsp.analysis import Analysis
from engine.lsp.describe import described, func_signature, overload_signature
from engine.lsp.occurrences import origin
from engine.lsp.places import chain, in_comment
from engine.lsp.words import DECORATORS, function_word
from engine.parse import tree
from engine.record import Record


class Signature(Record):
    """One way to call: the whole, its parameters as they stand in it, and what it is for."""

    label: str
    parameters: tuple[str, ...]
    text: str = ""


class Signatures(Record):
    """All ways to call, the best of them and the parameter at the cursor."""

    all: tuple[Signature, ...]
    best: int
    parameter: int


def signatures(analysis: Analysis, offset: int) -> Signatures | None:
    """The ways to call what is being called at an offset; None outside of parentheses."""
    if in_comment(analysis.file, offset):
        return None
    call = _call(analysis, offset)
    if call is None:
        return None
    place = 0
    for number, argument in enumerate(call.arguments):
        if argument.end < offset + 1 and "," in analysis.text[argument.end : offset]:
            place = number + 1
    found = tuple(_own(analysis, call) or _built_in(analysis, call))
    if not found:
        return None
    best = next((n for n, s in enumerate(found) if place < len(s.parameters) or _variadic(s)), 0)
    last = max(0, len(found[best].parameters) - 1)
    return Signatures(found, best, min(place, last) if _variadic(found[best]) else place)


def _variadic(signature: Signature) -> bool:
    return any(p.startswith("...") for p in signature.parameters)


def _call(analysis: Analysis, offset: int) -> tree.Call | tree.MethodCall | None:
    """The innermost call whose parentheses are around an offset; what is typed last may end before trailing blanks."""
    text = analysis.text
    back = len(text[:offset].rstrip(" \t"))
    for at in (offset, back):
        for node in reversed(chain(analysis.file, at)):
            if isinstance(node, tree.Call | tree.MethodCall):
                opening = text.find("(", node.name.end)
                closed = node.end < offset or (node.end == offset and text[node.end - 1 : node.end] == ")")
                last = max((a.end for a in node.arguments), default=opening + 1)
                if node.end == back and last <= back and text[back - 1] in "(,":
                    closed = False
                if 0 <= opening < offset and not closed:
                    return node
    return None


def _own(analysis: Analysis, call: tree.Call | tree.MethodCall) -> list[Signature]:
    symbol = analysis.model.symbol(call)
    if symbol is None:
        return []
    home, itself = origin(analysis.model, symbol)
    if not isinstance(itself.declaration, tree.Func):
        return []
    label, each = func_signature(home, itself, itself.declaration)
    return [Signature(label, tuple(each), described(itself.declaration))]


def _built_in(analysis: Analysis, call: tree.Call | tree.MethodCall) -> list[Signature]:
    function = analysis.model.builtin(call)
    if function is None:
        return []
    decorates = any(d.expression is call for d in analysis.model.nodes(tree.Decorator))
    word = DECORATORS[function.name] if decorates and function.name in DECORATORS else function_word(function.name)
    found = []
    for overload in function.overloads:
        label, each = overload_signature(function.name, overload, word, returns=not decorates)
        found.append(Signature(label, tuple(each), word.text))
    return found
