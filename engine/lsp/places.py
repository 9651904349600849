"""What stands at an offset of a file."""

from __future__ import annotations

from typing import TypeVar

from engine.parse import tree

N = TypeVar("N", bound=tree.Node)


def chain(file: tree.File, offset: int) -> list[tree.Node]:
    """The nodes around an offset, the file first; one that ends there counts, and the later of two neighbours."""
    found: list[tree.Node] = [file]
    while True:
        inner = None
        for child in tree.children(found[-1]):
            if child.start <= offset <= child.end:
                inner = child
        if inner is None:
            return found
        found.append(inner)


def innermost(nodes: list[tree.Node], kind: type[N]) -> N | None:
    """The deepest of the nodes that is of a kind."""
    return next((n for n in reversed(nodes) if isinstance(n, kind)), None)


def open_string(text: str, offset: int) -> int | None:
    """Where the string starts that the offset is in, by its line alone; None in code, comments and `${…}`."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    open_: list[int | None] = [None]  # strings, and holes in them (None)
    braces: list[int] = [0]
    at = start
    while at < offset:
        here = text[at]
        if open_[-1] is None:
            if text.startswith("//", at):
                return None
            if here == "'":
                open_.append(at)
            elif here == "{":
                braces[-1] += 1
            elif here == "}":
                if braces[-1] == 0 and len(open_) > 1:
                    open_.pop()
                    braces.pop()
                else:
                    braces[-1] = max(0, braces[-1] - 1)
        elif here == "\\":
            at += 1
        elif text.startswith("${", at):
            if at + 1 >= offset:
                break
            open_.append(None)
            braces.append(0)
            at += 1
        elif here == "'":
            open_.pop()
        at += 1
    return open_[-1]


def in_comment(file: tree.File, offset: int) -> bool:
    """Whether an offset is inside a comment."""
    return any(c.start < offset <= c.end for c in file.comments)


def word_start(text: str, offset: int) -> int:
    """Where the word starts that ends at an offset."""
    while offset > 0 and (text[offset - 1].isalnum() or text[offset - 1] == "_"):
        offset -= 1
    return offset
