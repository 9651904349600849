"""Which findings the `#disable-…` lines of a file silence: all but the errors of the language."""

from __future__ import annotations

from engine.diagnostics.diagnostic import Diagnostic
from engine.parse import tree


class Suppressions:
    """The regions in which a code is silenced."""

    __slots__ = ("_regions",)

    def __init__(self, file: tree.File) -> None:
        self._regions: dict[str, list[tuple[int, int]]] = {}
        open_: dict[str, int] = {}
        for pragma in file.pragmas:
            for code in pragma.codes:
                match pragma.kind:
                    case "disable-next-line":
                        line, _ = file.source.position(pragma.start)
                        starts = file.source.starts
                        end = starts[line + 1] if line + 1 < len(starts) else len(file.source.text) + 1
                        self._regions.setdefault(code.text, []).append((pragma.start, end))
                    case "disable-diagnostics":
                        open_.setdefault(code.text, pragma.start)
                    case _:
                        if code.text in open_:
                            self._regions.setdefault(code.text, []).append((open_.pop(code.text), pragma.start))
        for text, start in open_.items():
            self._regions.setdefault(text, []).append((start, len(file.source.text) + 1))

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding on this file lies in a region that silences its code."""
        regions = self._regions.get(diagnostic.code)
        if not regions or diagnostic.primary is None:
            return False
        start = diagnostic.primary.span.start
        return any(low <= start < high for low, high in regions)
