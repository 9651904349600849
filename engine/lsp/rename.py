"""Renames a thing in every file that names it."""

from __future__ import annotations

import re

from engine.check.symbols import Kind
from engine.diagnostics.diagnostic import Edit
from engine.lsp.analysis import Analysis
from engine.lsp.navigation import places
from engine.lsp.occurrences import Occurrence, Target
from engine.lsp.workspace import Workspace
from engine.parse import tree

IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]*"
_FIXED = (Kind.NAMESPACE, Kind.UNKNOWN)


class Refused(Exception):
    """Why something cannot be renamed, as a sentence."""


def renameable(analysis: Analysis, offset: int) -> Occurrence | None:
    """The name at an offset, if it is one that a file of the project declares."""
    occurrence = analysis.occurrence(offset)
    if occurrence is None or occurrence.target is None or occurrence.symbol.kind in _FIXED:
        return None
    declaration = occurrence.symbol.declaration
    if isinstance(declaration, tree.Extension) and declaration.alias is None:
        return None
    if isinstance(declaration, tree.ImportItem) and declaration.alias is None and occurrence.symbol.original is None:
        return None  # it is declared in a template that is no Bicep
    return occurrence


def rename(workspace: Workspace, analysis: Analysis, offset: int, name: str) -> dict[str, list[Edit]]:
    """The edits that give the thing at an offset another name, by file; `Refused` where that cannot be."""
    occurrence = renameable(analysis, offset)
    if occurrence is None or occurrence.target is None:
        raise Refused("There is no name here that can be changed")
    if re.fullmatch(IDENTIFIER, name) is None:
        raise Refused(f"'{name}' is no name: letters, digits and '_' make one, and no digit is first")
    if _restored(workspace, analysis, occurrence.target.path):
        raise Refused("It is declared in a module from elsewhere, which is not ours to change")
    found: dict[str, list[Edit]] = {}
    for place in places(workspace, occurrence.target):
        found.setdefault(place.path, []).append(Edit(place.span, name))
    for path in found:
        _free(workspace.analysis(path), occurrence.target, name)
    return found


def _restored(workspace: Workspace, analysis: Analysis, path: str) -> bool:
    """Whether a file came from a registry or a repository."""
    from engine.sources.cache import cache_root

    config = analysis.model.config
    return path.startswith(f"{cache_root(config.settings, config.path, workspace.buffers.environment).rstrip('/')}/")


def _free(analysis: Analysis, target: Target, name: str) -> None:
    """Refuses a name that a file has for something else."""
    taken = analysis.model.symbols.get(name)
    if taken is None:
        return
    for other in analysis.occurrences:
        if other.symbol is taken and other.target == target:
            return
    uses = [o for o in analysis.occurrences if o.target == target]
    top = any(analysis.model.symbols.get(o.symbol.name) is o.symbol for o in uses)
    if top:
        raise Refused(f"'{name}' is declared in '{analysis.path.rpartition('/')[2]}' already")
