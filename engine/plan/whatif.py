"""A plan as text, in the manner of Azure's what-if: a legend, the changes scope by scope, and a line that counts them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.contract.difference import dotted
from engine.plan.change import Action, Change, PropertyChange, PropertyKind, Undecided
from engine.plan.plan import Plan
from engine.plan.text import lines_of, nested, on_one_line, scalar

SYMBOLS = {
    Action.DELETE: "-",
    Action.DETACH: "^",
    Action.REPLACE: "±",
    Action.CREATE: "+",
    Action.DEPLOY: "!",
    Action.MODIFY: "~",
    Action.UNSUPPORTED: "x",
    Action.NO_CHANGE: "=",
    Action.IGNORE: "*",
}
"""In the order in which a plan lists them."""

COUNTED = {
    Action.DELETE: "to delete",
    Action.DETACH: "to detach",
    Action.REPLACE: "to replace",
    Action.CREATE: "to create",
    Action.DEPLOY: "to deploy",
    Action.MODIFY: "to modify",
    Action.UNSUPPORTED: "unsupported",
    Action.NO_CHANGE: "no change",
    Action.IGNORE: "to ignore",
}

_PROPERTY_SYMBOLS = {
    PropertyKind.DELETE: "-",
    PropertyKind.CREATE: "+",
    PropertyKind.MODIFY: "~",
    PropertyKind.ARRAY: "~",
    PropertyKind.NO_EFFECT: "x",
}

_GREEN, _ORANGE, _PURPLE, _BLUE, _GRAY, _RED = "38;5;77", "38;5;208", "38;5;141", "38;5;39", "38;5;246", "38;5;203"
_COLOURS = {
    "+": _GREEN,
    "-": _ORANGE,
    "~": _PURPLE,
    "!": _BLUE,
    "*": _GRAY,
    "x": _GRAY,
    "±": _RED,
    "^": _ORANGE,
    "?": _BLUE,
}


def whatif(plan: Plan, colour: bool = False) -> str:
    """The text; every line ends with a line feed."""
    lines = [*_legend(plan), *_scopes(plan), *_undecided(plan.undecided), ("", ""), ("", count(plan))]
    return "".join(f"{_painted(symbol, text) if colour else text}\n" for symbol, text in lines)


def count(plan: Plan) -> str:
    """The line that counts the changes."""
    counts = plan.counts
    parts = [f"{counts[action]} {words}" for action, words in COUNTED.items() if action in counts]
    if plan.undecided:
        parts.append(f"{len(plan.undecided)} decided after deploy")
    return f"Resource changes: {', '.join(parts) or 'none'}."


_Line = tuple[str, str]
"""The symbol that gives a line its colour, and its text."""


def _painted(symbol: str, text: str) -> str:
    code = _COLOURS.get(symbol)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


def _legend(plan: Plan) -> Iterator[_Line]:
    used = dict.fromkeys((SYMBOLS[c.action], c.action.value) for c in plan.changes)
    used |= dict.fromkeys((_PROPERTY_SYMBOLS[k], _word(k)) for c in plan.changes for k in _kinds(c.delta))
    if plan.undecided:
        used["?", "Decided after deploy"] = None
    if not used:
        return
    yield "", "Resource and property changes are indicated with these symbols:"
    order = [*SYMBOLS.values(), "?"]
    for symbol, word in sorted(used, key=lambda s: (order.index(s[0]), s[1])):
        yield symbol, f"  {symbol} {_LEGEND.get(word, word)}"


_LEGEND = {"NoChange": "No change", "Unsupported": "No operator"}


def _word(kind: PropertyKind) -> str:
    match kind:
        case PropertyKind.ARRAY:
            return "Modify"
        case PropertyKind.NO_EFFECT:
            return "No effect"
        case _:
            return kind.value


def _kinds(delta: Iterable[PropertyChange]) -> Iterator[PropertyKind]:
    for change in delta:
        yield change.kind
        yield from _kinds(change.children)


def _scopes(plan: Plan) -> list[_Line]:
    order = {action: n for n, action in enumerate(SYMBOLS)}
    parts: dict[str, list[Change]] = {}
    listed = {c.address for c in plan.changes}
    for change in plan.changes:
        if change.owner in listed:
            parts.setdefault(str(change.owner), []).append(change)

    def place(change: Change) -> tuple[int, str, str]:
        first = min(order[c.action] for c in (change, *parts.get(change.address, ())))
        return first, relative(change).lower(), change.address

    by_scope: dict[str, list[Change]] = {}
    for change in plan.changes:
        if change.owner not in listed:
            by_scope.setdefault(_scope(change, plan), []).append(change)
    lines: list[_Line] = []

    def tree(change: Change, indent: int) -> None:
        """A change with those of its parts below it."""
        lines.extend(_change(change, indent))
        for part in sorted(parts.get(change.address, ()), key=place):
            tree(part, indent + 4)

    for scope in sorted(by_scope, key=str.lower):
        lines += ("", ""), ("", f"Scope: {scope}")
        for change in sorted(by_scope[scope], key=place):
            tree(change, 2)
    return lines


def _scope(change: Change, plan: Plan) -> str:
    scope, found, _ = change.id.rpartition("/providers/")
    return scope if found and scope else plan.basis.environment or "global"


def relative(change: Change) -> str:
    """Type and name as in an id: `Ns/parents/parent/children/child`."""
    types, names = change.type.split("/"), change.name.split("/")
    if len(types) != len(names) + 1:
        return f"{change.type}/{change.name}"
    return "/".join([types[0], *(part for pair in zip(types[1:], names, strict=True) for part in pair)])


def _change(change: Change, indent: int) -> Iterator[_Line]:
    symbol = SYMBOLS[change.action]
    notes = [on_one_line(change.reason)] if change.reason else []
    if change.follows:
        notes.append(f"follows {', '.join(change.follows)}")
    version = f" [{change.api_version}]" if change.api_version else ""
    if change.action not in (Action.NO_CHANGE, Action.IGNORE):
        yield "", ""
    head = f"{' ' * indent}{symbol} {relative(change)}{version}"
    yield symbol, f"{head}  ({'; '.join(notes)})" if notes else head
    match change.action:
        case Action.CREATE if change.after:
            yield "", ""
            yield from [(symbol, line) for line in lines_of(change.after, indent + 4)]
        case Action.DELETE if change.before:
            yield "", ""
            yield from [(symbol, line) for line in lines_of(change.before, indent + 4)]
        case Action.MODIFY | Action.REPLACE | Action.DEPLOY:
            yield from _delta(change.delta, indent + 2)
        case _:
            pass


def _delta(changes: Iterable[PropertyChange], indent: int) -> Iterator[_Line]:
    shown = [(dotted(c.path) if not isinstance(c.path[0], int) else _item_path(c), c) for c in changes if c.path]
    width = max((len(path) for path, c in shown if _is_short(c)), default=0)
    pad = " " * indent
    for path, change in shown:
        symbol = _PROPERTY_SYMBOLS[change.kind]
        start = f"{pad}{symbol} {path}:"
        forces = "  (forces replacement)" if change.forces else ""
        if change.children:
            opening, closing = (" [", "]") if change.kind is PropertyKind.ARRAY else ("", "")
            yield symbol, f"{start}{opening}{forces}"
            yield from _delta(change.children, indent + 2)
            if closing:
                yield symbol, f"{pad}  {closing}"
        elif _is_short(change):
            yield symbol, f"{start:<{indent + 3 + width}} {_sides(change)}{forces}"
        else:
            yield symbol, f"{start}{forces}"
            sides = [v for k, v in ((0, change.before), (1, change.after)) if _has(change, k)]
            for n, side in enumerate(sides):
                if n:
                    yield symbol, f"{pad}  =>"
                yield from [(symbol, line) for line in lines_of(side, indent + 4)]


def _item_path(change: PropertyChange) -> str:
    index, *rest = change.path
    tail = dotted(tuple(rest))
    return f"{index}.{tail}" if tail else str(index)


def _has(change: PropertyChange, side: int) -> bool:
    match change.kind:
        case PropertyKind.CREATE:
            return side == 1
        case PropertyKind.DELETE:
            return side == 0
        case _:
            return True


def _is_short(change: PropertyChange) -> bool:
    return not change.children and not nested(change.before) and not nested(change.after)


def _sides(change: PropertyChange) -> str:
    return " => ".join(scalar(v) for n, v in enumerate((change.before, change.after)) if _has(change, n))


def _undecided(parts: Iterable[Undecided]) -> Iterator[_Line]:
    for n, part in enumerate(parts):
        if not n:
            yield "", ""
            yield "", "Decided after deploy:"
        needs = f"once the outputs of {', '.join(part.needs)} are known" if part.needs else "while it is deployed"
        yield "?", f"  ? {part.unit} {part.address}  ({needs})"
        yield from (("?", f"      there now: {address}") for address in part.present)
