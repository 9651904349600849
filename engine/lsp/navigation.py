"""From a name to where it is declared, and to where it is used."""

from __future__ import annotations

from engine.check.model import Model
from engine.diagnostics.source import Span
from engine.lsp.analysis import Analysis
from engine.lsp.occurrences import Target
from engine.lsp.places import chain
from engine.lsp.workspace import Workspace
from engine.parse import tree
from engine.record import Record
from engine.template.template import Template


class Location(Record):
    """A stretch of a file."""

    path: str
    span: Span


class Use(Record):
    """A place where a name stands in the file itself; `writes` where it is declared."""

    span: Span
    writes: bool


def definition(workspace: Workspace, analysis: Analysis, offset: int) -> Location | None:
    """Where the thing at an offset is declared; for a path, the file that it leads to."""
    nodes = chain(analysis.file, offset)
    for node in reversed(nodes):
        if isinstance(node, _LEADING) and isinstance(node.path, tree.Text) and _in(node.path, offset):
            target = analysis.model.modules.get(id(node))
            if isinstance(target, Model):
                return Location(target.path, Span(0, 0))
            if isinstance(target, Template):
                return Location(workspace.buffers.resolve(analysis.path, node.path.literal or ""), Span(0, 0))
    occurrence = analysis.occurrence(offset)
    if occurrence is None:
        return _loaded(workspace, analysis, nodes)
    if occurrence.target is None:
        return None
    return Location(occurrence.target.path, Span(occurrence.target.start, occurrence.target.end))


_LEADING = tree.Module | tree.Test | tree.Import | tree.Using | tree.Extends


def _in(node: tree.Node, offset: int) -> bool:
    return node.start <= offset <= node.end


def _loaded(workspace: Workspace, analysis: Analysis, nodes: list[tree.Node]) -> Location | None:
    """The file that a `load…` function reads."""
    if len(nodes) < 2 or not isinstance(nodes[-1], tree.Text) or not isinstance(nodes[-2], tree.Call):
        return None
    path, call = nodes[-1], nodes[-2]
    if not call.name.text.startswith("load") or call.arguments[0] is not path or not path.literal:
        return None
    found = workspace.buffers.resolve(analysis.path, path.literal)
    return Location(found, Span(0, 0)) if workspace.buffers.exists(found) else None


def references(workspace: Workspace, analysis: Analysis, offset: int, declaration: bool = True) -> list[Location]:
    """Every place, in all files that could have one, that means the thing at an offset."""
    occurrence = analysis.occurrence(offset)
    if occurrence is None:
        return []
    if occurrence.target is None:
        return [Location(analysis.path, o.span) for o in analysis.occurrences if o.symbol is occurrence.symbol]
    return places(workspace, occurrence.target, declaration)


def places(workspace: Workspace, target: Target, declaration: bool = True) -> list[Location]:
    """Every place that means a thing, file by file."""
    found = []
    for path, other in sorted(workspace.around(target.path).items()):
        for o in other.occurrences:
            itself = path == target.path and (o.start, o.end) == (target.start, target.end)
            if o.target == target and (declaration or not itself):
                found.append(Location(path, o.span))
    return found


def highlights(analysis: Analysis, offset: int) -> list[Use]:
    """Every place of this file that means the thing at an offset."""
    occurrence = analysis.occurrence(offset)
    if occurrence is None:
        return []
    target, symbol = occurrence.target, occurrence.symbol
    same = [o for o in analysis.occurrences if (o.target == target if target else o.symbol is symbol)]
    return [Use(o.span, o.declares) for o in same]
