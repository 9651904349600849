"""Loads files for an editor: what has not changed since it was last checked, nor anything it was made of, is kept."""

from __future__ import annotations

from collections.abc import Iterable

from engine.check.load import Loader, Refused, empty_model, unreadable
from engine.check.model import Model
from engine.check.passes import Checks
from engine.check.type_names import TypeNames
from engine.config.config import Config
from engine.diagnostics.diagnostic import Diagnostic
from engine.diagnostics.source import Source
from engine.lsp.buffers import Buffers, Stamp
from engine.lsp.growing import Growing
from engine.parse import tree
from engine.template.template import Template

_types: dict[str, tuple[Stamp, TypeNames]] = {}
"""The types that were given, by their path, as they were at a time."""


class Kept:
    """A model or template, with the stamps of everything that was read for it, and the steps that are left to complete it.

    What is in a circle of files depends on where one started, and is kept for `alone`: as the file that one starts from.
    """

    __slots__ = ("alone", "problems", "result", "stamps", "steps")

    def __init__(
        self,
        result: Model | Template,
        stamps: dict[str, Stamp],
        problems: tuple[Diagnostic, ...] | None,
        alone: bool,
        steps: Iterable[None],
    ) -> None:
        self.alone = alone
        self.result = result
        self.stamps = stamps
        self.problems = problems
        self.steps = steps

    def fresh(self, buffers: Buffers) -> bool:
        """Whether nothing has changed."""
        return all(buffers.stamp(path) == stamp for path, stamp in self.stamps.items())


class KeepingLoader(Loader):
    """A loader that takes from `kept` what is fresh there, and leaves there what it loads; it completes all but the first.

    Of the open files it has the trees `grown`, and reads no more of them than has changed.
    """

    __slots__ = ("buffers", "grown", "kept", "left")

    def __init__(self, path: str, buffers: Buffers, kept: dict[str, Kept], grown: dict[str, Growing]) -> None:
        super().__init__(path, path, buffers, None)
        self.grown = grown
        self.buffers = buffers
        self.kept = kept
        self.left: Iterable[None] = ()

    def parse(self, path: str, source: Source) -> tuple[tree.File, tuple[Diagnostic, ...]]:
        """The tree of a text, of which what is still as it was is not read again."""
        if path not in self.buffers.texts:
            return super().parse(path, source)
        return self.grown.setdefault(path, Growing()).read(source)

    def complete(self, model: Model, checks: Checks) -> None:
        """Leaves the file that was asked for to whoever asks more of it."""
        if (grown := self.grown.get(model.path)) is not None and model.path in self.buffers.texts:
            model.listing = grown.listing
        if len(self.chain) > 1:
            super().complete(model, checks)
        else:
            self.left = self.steps(model, checks)

    def given_types(self, config: Config) -> TypeNames | None:
        """The types that are given: read anew only when they have changed."""
        given = super().given_types(config)
        if given is None:
            return None
        stamp = self.buffers.stamp(f"{given.path}/index.json") or self.buffers.stamp(given.path)
        known = _types.get(given.path)
        if known is None or known[0] != stamp:
            _types[given.path] = known = (stamp, given)
        return known[1]

    def load(self, path: str) -> Model | Template:
        """The model or template at a path, or `Refused`."""
        if path in self.files or path in self.chain:
            return super().load(path)
        known = self.kept.get(path)
        if known is not None and not (known.alone and self.chain) and known.fresh(self.buffers):
            for _ in known.steps if self.chain else ():
                pass
            self.files[path] = known.result
            if known.problems is not None:
                self.templates[path] = known.problems
            if self.buffers.readers:
                self.buffers.readers[-1].update(known.stamps)
            return known.result
        self.buffers.readers.append({path: self.buffers.stamp(path)})
        try:
            result = super().load(path)
        finally:
            read = self.buffers.readers.pop()
            if self.buffers.readers:
                self.buffers.readers[-1].update(read)
        circular = any(path in circle for circle in self.circles)
        if not (circular and self.chain):
            steps = () if self.chain else self.left
            self.kept[path] = Kept(result, read, self.templates.get(path), circular, steps)
        if not self.chain and isinstance(result, Model) and result.sources is self.buffers:
            result.sources = self.buffers.told_to(read)
        return result


def load(path: str, buffers: Buffers, kept: dict[str, Kept], grown: dict[str, Growing]) -> Model:
    """The model of a file, of which the parts that are fresh in `kept` are not made again; `Kept.steps` complete it."""
    buffers.readers.clear()
    try:
        result = KeepingLoader(path, buffers, kept, grown).load(path)
    except Refused as refused:
        result = empty_model(path, path)
        result.diagnostics = (unreadable(path, refused.message),)
    finally:
        buffers.readers.clear()
    return result if isinstance(result, Model) else empty_model(path, path)
