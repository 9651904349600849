"""Carrying out the fixes of a file's findings: the text as it would be, and writing it back whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from engine.build.limits import limits
from engine.check.model import Model
from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError
from engine.lint.fixing import Fixed, Seen, fix
from engine.lint.run import lint, lint_all
from engine.pipeline.restoring import checked
from engine.sources.port import Entry, Sources, Unreadable
from engine.sources.text import ENCODINGS, decode, marked, read_text


class Draft:
    """What is read elsewhere, with other texts for some files, by path."""

    __slots__ = ("sources", "texts")

    def __init__(self, sources: Sources, texts: Mapping[str, str]) -> None:
        self.sources = sources
        self.texts = texts

    def read(self, path: str) -> bytes:
        """The content of a file, or the draft of it."""
        text = self.texts.get(path)
        return self.sources.read(path) if text is None else text.encode("utf-8", "replace")

    def absolute(self, path: str) -> str:
        """What identifies the file at a path as a person wrote it."""
        return self.sources.absolute(path)

    def resolve(self, base: str, reference: str) -> str:
        """Where a relative reference written in the file `base` leads."""
        return self.sources.resolve(base, reference)

    def exists(self, path: str) -> bool:
        """Whether there is a file, or a draft of it."""
        return path in self.texts or self.sources.exists(path)

    def blocked(self, path: str) -> bool:
        """Whether something else is where a file could be."""
        return path not in self.texts and self.sources.blocked(path)

    def entries(self, folder: str) -> tuple[Entry, ...]:
        """What is in a folder, by name."""
        return self.sources.entries(folder)

    def environment(self, name: str) -> str | None:
        """An environment variable."""
        return self.sources.environment(name)


def mended(path: str, sources: Sources, unsafe: bool = False, restore: bool = True) -> Fixed:
    """The text of one file with its fixes; those of the files it leads to are left alone. `UlnaError` if it cannot be read."""
    absolute = sources.absolute(path)
    try:
        text = read_text(sources, absolute)
    except Unreadable as problem:
        raise UlnaError.of("ULN004", f"'{path}' cannot be read: {problem.reason}") from None

    def look(text: str) -> Seen:
        model = checked(path, Draft(sources, {absolute: text}), restore)
        language, rules = tuple(_language(model)), lint(model)
        own = tuple(d for d in (*language, *rules) if d.primary is not None and d.primary.source is model.source)
        broken = _errors(language)
        return Seen(own, broken, broken + _errors(rules), model.file.comments)

    return fix(text, look, unsafe)


def findings(path: str, sources: Sources) -> tuple[Diagnostic, ...]:
    """What is wrong with a file and those it leads to, and what the rules find in them; nothing is fetched for it."""
    from engine.pipeline.compiling import all_diagnostics

    model = checked(path, sources, False)
    return (*all_diagnostics(model), *lint_all(model))


def write_back(path: str, fixed: Fixed) -> None:
    """Puts the new text in place of the old: in its encoding and with its permissions, whole or not at all."""
    try:
        target = os.path.realpath(path)
        with open(target, "rb") as file:  # noqa: PTH123
            content = file.read()
        if decode(path, content) != fixed.before:
            raise UlnaError.of(
                "ULN715", f"'{path}' was changed meanwhile, so its fixes are not written", "Run it again."
            )
        found = marked(content)
        mark = content[: found[1]] if found else b""
        encoding = ENCODINGS[found[0].lower()] if found else "utf-8"
        draft = f"{target}.{os.getpid()}.draft"
        try:
            mode = os.stat(target).st_mode & 0o7777  # noqa: PTH116
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
                out.write(mark + fixed.after.encode(encoding))
            os.chmod(draft, mode)  # noqa: PTH101  the mask of the process took some away
            os.replace(draft, target)  # noqa: PTH105
        finally:
            if os.path.exists(draft):  # noqa: PTH110
                os.unlink(draft)  # noqa: PTH108
    except OSError as problem:
        raise UlnaError.of("ULN715", f"'{path}' cannot be written: {problem.strerror}") from None


def _language(model: Model) -> Iterator[Diagnostic]:
    """What the language and the build find in a program."""
    for each in model.everything():
        yield from each.diagnostics
        if not each.path.endswith(".bicepparam"):
            yield from limits(each)


def _errors(found: Iterable[Diagnostic]) -> int:
    return sum(d.severity is Severity.ERROR for d in found)
