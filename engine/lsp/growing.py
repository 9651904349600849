"""The tree of a text that is being edited: only the statements that an edit touches are read again.

A text is cut where statements start at the margin. What stands before the edit is kept as it is. What stands behind it
is kept too, once a sound statement there comes out of the new reading as it was: then the parser, whatever the edit did to
it, is again where it would be anyway; if none does, all that follows is read. What is kept is moved in
place, which is why a tree belongs to one text only until it is read as the next.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from engine.diagnostics.diagnostic import Diagnostic, Label
from engine.diagnostics.source import Source, Span
from engine.parse import tree
from engine.parse.lexer import MARGIN
from engine.parse.parser import parse

Nodes = dict[type[tree.Node], list[tree.Node]]
"""The nodes of something by their kind, in their order."""


class Stretch:
    """A piece of the text with what was read in it; `sound` if nothing in it, nor right beside it, is wrong."""

    __slots__ = ("_nodes", "comments", "end", "pragmas", "problems", "sound", "start", "statements")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.statements: list[tree.Statement] = []
        self.comments: list[Span] = []
        self.pragmas: list[tree.Pragma] = []
        self.problems: list[Diagnostic] = []
        self.sound = True
        self._nodes: Nodes | None = None

    @property
    def nodes(self) -> Nodes:
        """The nodes of its statements by kind: it is walked once, however often it is moved."""
        if self._nodes is None:
            self._nodes = tree.by_kind(self.statements)
        return self._nodes

    @property
    def reach(self) -> int:
        """Where the last that began in it ends: what was never closed ends where that was found out."""
        return max((s.end for s in self.statements), default=self.end)

    @property
    def firm(self) -> bool:
        """Whether it begins with what stands in no brackets, however many are left open before it."""
        start = self.statements[0] if self.statements else None
        return (
            start is not None and not start.decorators and not isinstance(start, tree.Resource | tree.BrokenStatement)
        )

    def loose(self, text: str) -> bool:
        """Whether it may depend on what is before it: where a comma is wrong, the lexer looks back for its bracket."""
        return not self.sound and "," in text[self.start : self.end]

    def agrees(self, before: Stretch, by: int) -> bool:
        """Whether it is what another was that stood elsewhere."""
        return (
            self.sound
            and (self.start, self.end) == (before.start + by, before.end + by)
            and [(type(s), s.start, s.end) for s in self.statements]
            == [(type(s), s.start + by, s.end + by) for s in before.statements]
        )


class Growing:
    """One text as it grows."""

    __slots__ = ("problems", "stretches", "text")

    def __init__(self) -> None:
        self.text: str | None = None
        self.stretches: list[Stretch] = []
        self.problems: tuple[Diagnostic, ...] = ()

    def read(self, source: Source) -> tuple[tree.File, tuple[Diagnostic, ...]]:
        """As `parse` does; the trees given before are of no use from then on."""
        before, self.text = self.text, None  # which it stays if this fails
        if before is None:
            self.stretches = _read(source, 0, len(source.text))
        elif before != source.text:
            self.stretches = self._edited(before, source)
        self.text = source.text
        parts = self.stretches
        file = tree.File(
            0,
            len(source.text),
            source,
            tuple(s for part in parts for s in part.statements),
            tuple(c for part in parts for c in part.comments),
            tuple(p for part in parts for p in part.pragmas),
        )
        problems = [d.replace(primary=Label(source, d.primary.span)) for p in parts for d in p.problems if d.primary]
        self.problems = tuple(sorted(problems, key=lambda d: d.sort_key))
        return file, self.problems

    @property
    def listing(self) -> Callable[[], Nodes]:
        """What lists the nodes of the tree that was given last, as `tree.by_kind` does but for the file itself."""
        return partial(_listed, self.stretches)

    def _edited(self, before: str, source: Source) -> list[Stretch]:
        text, parts = source.text, self.stretches
        ahead, behind = _common(before, text)
        by = len(text) - len(before)
        first = bisect_right(parts, ahead, key=lambda p: p.start) - 1
        while first > 0 and not (
            parts[first - 1].sound
            and MARGIN.match(text, parts[first].start)
            and all(p.reach <= parts[first].start for p in parts[:first])
        ):
            first -= 1
        after = bisect_left(parts, len(before) - behind, key=lambda p: p.start)
        while after < len(parts) and not MARGIN.match(text, parts[after].start + by):
            after += 1
        unsound = next((n for n, p in enumerate(parts[:first]) if not p.sound), first)
        for witness in _witnesses(parts, after):
            known = parts[witness] if witness < len(parts) else None
            end = known.end + by if known else len(text)
            begin = unsound if "," in text[parts[first].start : end] else first
            fresh = _read(source, parts[begin].start, end)
            rest = parts[witness + 1 :]
            clear = all(p.sound for p in fresh)
            spoilt = not clear or not all(p.sound for p in parts[begin:witness])
            if known is None or (
                fresh[-1].agrees(known, by)
                and (clear or known.firm)
                and all(p.reach <= fresh[-1].start for p in fresh[:-1])
                and not (spoilt and any(p.loose(before) for p in rest))
            ):
                break
        _move(rest, by)
        return [*parts[:begin], *fresh, *rest]


def _witnesses(parts: list[Stretch], after: int) -> Iterator[int]:
    """The stretches that can tell whether what follows is as it was, the likeliest first; last the end of the text."""
    sound = [n for n in range(after, len(parts)) if parts[n].sound]
    yield from dict.fromkeys([*sound[:1], *(n for n in sound if parts[n].firm)][:2])
    yield len(parts)


def _read(source: Source, begin: int, end: int) -> list[Stretch]:
    """The stretches of a part of a text, which starts where a statement does."""
    text = source.text
    file, problems = parse(Source(source.name, text[begin:end]))
    whole = Stretch(0, end - begin)
    whole.statements += file.statements
    whole.comments += file.comments
    whole.pragmas += file.pragmas
    whole.problems += problems
    _move([whole], begin)
    cuts = margins(whole.statements, text, begin)
    parts = [Stretch(start, stop) for start, stop in zip([begin, *cuts], [*cuts, end], strict=True)]

    def part(at: int) -> Stretch:
        return parts[bisect_right(cuts, at)]

    for statement in whole.statements:
        part(statement.start).statements.append(statement)
    for comment in whole.comments:
        part(comment.start).comments.append(comment)
    for pragma in whole.pragmas:
        part(pragma.start).pragmas.append(pragma)
    for problem in whole.problems:
        if problem.primary is not None:
            part(problem.primary.span.start).problems.append(problem)
    for each in parts if problems else ():
        each.sound = _sound(each, whole.problems)
    return parts


def margins(statements: Iterable[tree.Statement], text: str, begin: int = 0) -> list[int]:
    """Where a text can be cut behind its beginning: each piece then starts with a statement at the margin."""
    return [s.start for s in statements if s.start > begin and MARGIN.match(text, s.start)]


def _sound(part: Stretch, problems: list[Diagnostic]) -> bool:
    spans = [p.primary.span for p in problems if p.primary is not None]
    if any(s.start <= part.end and s.end >= part.start for s in spans):
        return False
    return part.nodes.keys().isdisjoint((tree.Broken, tree.BrokenStatement))


def _common(one: str, other: str) -> tuple[int, int]:
    """How much of two texts is the same at their beginning, and behind that at their end."""
    most = min(len(one), len(other))
    ahead = _longest(most, lambda n: one[:n] == other[:n])
    return ahead, _longest(most - ahead, lambda n: one[len(one) - n :] == other[len(other) - n :])


def _longest(most: int, holds: Any) -> int:
    """The greatest number up to `most` of which something holds that holds of all lesser ones."""
    return bisect_left(range(1, most + 1), True, key=lambda n: not holds(n))


def _listed(parts: list[Stretch]) -> Nodes:
    """The nodes of stretches by kind."""
    found: Nodes = {}
    for nodes in (*(part.nodes for part in parts), tree.by_kind(p for part in parts for p in part.pragmas)):
        for kind, some in nodes.items():
            found.setdefault(kind, []).extend(some)
    return found


def _move(parts: list[Stretch], by: int) -> None:
    """Moves stretches and all that is in them."""
    if not by:
        return
    gaps: dict[int, Any] = {}
    for part in parts:
        part.start += by
        part.end += by
        part.comments = [Span(c.start + by, c.end + by) for c in part.comments]
        part.problems = [_moved(p, by) for p in part.problems]
        every: list[tuple[type, list[Any]]] = [*part.nodes.items(), *tree.by_kind(part.pragmas).items()]
        for kind, nodes in every:  # nodes are not changed but here
            if kind is tree.Broken:  # one gap can stand for several things that are missing: it is moved once
                gaps |= {id(node): node for node in nodes}
                continue
            for node in nodes:
                node.start += by
                node.end += by
            if kind is tree.Binary:
                for node in nodes:
                    node.operator_start += by
            elif issubclass(kind, tree.Statement):
                for node in nodes:
                    node.keyword = Span(node.keyword.start + by, node.keyword.end + by)
    for gap in gaps.values():
        gap.start += by
        gap.end += by


def _moved(problem: Diagnostic, by: int) -> Diagnostic:
    label = problem.primary
    if label is None:
        return problem
    return problem.replace(primary=Label(label.source, Span(label.span.start + by, label.span.end + by)))
