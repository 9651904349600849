"""Reads a file and all the files it leads to, each once, and checks them from the leaves up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.check.model import Model
from engine.check.passes import Checks
from engine.check.references import MISSING, Referring, is_registry, local_path, misplaced
from engine.check.report import Report
from engine.check.suppress import Suppressions
from engine.config.config import Config
from engine.config.find import find_config
from engine.diagnostics.diagnostic import Diagnostic, Severity, has_errors
from engine.diagnostics.source import Source, Span
from engine.parse import tree
from engine.parse.parser import parse
from engine.sources.port import Sources, Unreadable, as_written
from engine.sources.text import read_text
from engine.template.read import read
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.outside import Outside
    from engine.check.type_names import TypeNames

TYPES = ("ULNA_TYPES", "ULNA_TYPE_NAMES")
"""The variables that say where types are; without them the settings `ulna.types` and `ulna.typeNames` do."""

DEPTH = 100
"""No chain of modules is longer."""

TEMPLATES = (".json", ".jsonc", ".arm")
ENDINGS = (*TEMPLATES, ".bicep", ".bicepparam")
MAIN = "main.bicep"
"""What is meant in a folder that is referred to as a whole, without a final slash: that is an error in Bicep."""


class Refused(Exception):
    """A file that could not be used, as the code and words of the finding on the reference to it."""

    def __init__(self, code: str, message: str, help: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.help = code, message, help


class Loader:
    """The files of one check, by path; `root` is what people call the first of them."""

    __slots__ = (
        "_outside", "chain", "circles", "config", "failures", "files", "folder", "path", "root", "sources", "templates",
        "type_names",
    )  # fmt: skip

    def __init__(
        self, path: str, root: str, sources: Sources, config: Config | None, failures: Mapping[str, str] | None = None
    ) -> None:
        self.sources = sources
        self.path = path
        self.failures = failures or {}
        self._outside: Outside | None = None
        """What is known of registries; most programs name none, and need not know how."""
        self.type_names: TypeNames | None = None
        """The types that hold for all files: those given to the first."""
        self.config = config
        self.root = root
        self.folder = path.rpartition("/")[0]
        self.files: dict[str, Model | Template] = {}
        self.templates: dict[str, tuple[Diagnostic, ...]] = {}
        self.chain: list[str] = []
        self.circles: list[list[str]] = []
        """The paths of files that refer to each other, as they were met."""

    def shown(self, path: str) -> str:
        """How people would write a path, seen from where they are."""
        if self._outside is not None and (name := self._outside.shown(path)) is not None:
            return name
        return as_written(path, self.folder, self.root)

    @property
    def outside(self) -> Outside:
        """What is known of the world outside, from the first time on that a file refers to it."""
        if self._outside is None:
            from engine.check.outside import Outside

            self._outside = Outside(self.path, self.sources, self.failures)
        return self._outside

    def sources_of(self, path: str) -> Sources:
        """What the file at a path may read."""
        return self.sources if self._outside is None else self._outside.sources_of(path)

    def circular(self, circle: list[str]) -> Refused:
        """The finding on a reference that is part of a circle."""
        path = " → ".join(map(self.shown, [*circle, circle[0]]))
        return Refused("BCP095", f"Files refer to each other in a circle: {path}")

    def load(self, path: str) -> Model | Template:
        """The model or template at a path, or `Refused`."""
        if path in self.files:
            return self.files[path]
        if path in self.chain:
            circle = self.chain[self.chain.index(path) :]
            if len(circle) == 1:
                raise Refused("BCP278" if path.endswith(".bicepparam") else "BCP094", "The file refers to itself")
            self.circles.append(circle)
            raise self.circular(circle)
        if len(self.chain) >= DEPTH:
            raise Refused("BCP091", f"Files refer to files more than {DEPTH} deep")
        try:
            source = Source(self.shown(path), read_text(self.sources_of(path), path))
        except Unreadable as problem:
            code = "BCP275" if problem.reason == "it is a folder" else "BCP091"
            raise Refused(code, f"'{self.shown(path)}' cannot be read: {problem.reason}") from None
        if path.endswith(TEMPLATES):
            if self._outside is not None:
                source = self._outside.unwrapped(path, source)
            template, self.templates[path] = read(source)
            if self._outside is not None and (name := self._outside.name(path)) is not None:
                template = template.replace(name=name)
            self.files[path] = template
            return template
        self.chain.append(path)
        try:
            model = self.model(path, source)
        finally:
            self.chain.pop()
        self.files[path] = model
        return model

    def parse(self, path: str, source: Source) -> tuple[tree.File, tuple[Diagnostic, ...]]:
        """The tree of a text, and what is wrong with its syntax."""
        return parse(source)

    def model(self, path: str, source: Source) -> Model:
        """The checked model of a text."""
        file, syntax = self.parse(path, source)
        model = Model(file, path)
        sources = model.sources = self.sources_of(path)
        given = self.config if len(self.chain) <= 1 else None
        model.config = given if given is not None else find_config(path, sources, self.shown)
        if len(self.chain) <= 1:
            self.type_names = self.given_types(model.config)
        model.type_names = self.type_names
        report = Report(source)
        report.diagnostics.extend(syntax)
        for statement in file.statements:
            if isinstance(statement, Referring):
                self.follow(model, statement, report)
            elif isinstance(statement, tree.Extension):
                self.extend(model, statement, report)
        model.checks = Checks(model, report)
        self.complete(model, model.checks)
        return model

    def complete(self, model: Model, checks: Checks) -> None:
        """Completes a model whose symbols are known."""
        for _ in self.steps(model, checks):
            pass

    def steps(self, model: Model, checks: Checks) -> Iterator[None]:
        """The same, a little at each step."""
        first = len(self.chain) <= 1
        yield from checks.rest()
        suppressed = Suppressions(model.file)
        report = checks.infer.report
        found = [d for d in report.diagnostics if d.severity is Severity.ERROR or not suppressed.covers(d)]
        if first:
            found += model.config.diagnostics
            if self.type_names is not None and (problem := self.type_names.problem):
                message = f"The types of '{self.type_names.path}' cannot be used: {problem}"
                found.append(Diagnostic("ULN022", Severity.ERROR, message))
        model.diagnostics = tuple(sorted(found, key=lambda d: d.sort_key))
        model.checks = None

    def given_types(self, config: Config) -> TypeNames | None:
        """The types that the environment or the first file's settings give, not read yet; most programs have none."""
        wanted = (self.sources.environment(name) for name in TYPES)
        path = next(filter(None, wanted), None) or config.get("ulna", "types") or config.get("ulna", "typeNames")
        if not isinstance(path, str) or not path:
            return None
        from engine.check.type_sources import types_at

        return types_at(path, self.sources)

    def extend(self, model: Model, statement: tree.Extension, report: Report) -> None:
        """Finds the types of an extension, where they are given: in a registry, a package or a folder."""
        spec, base = statement.spec, model.path
        if isinstance(spec, tree.Name):
            reference = model.config.get("extensions", spec.text)
            base = model.config.path or base
        else:
            reference = spec.literal if isinstance(spec, tree.Text) else None
        if isinstance(reference, str) and reference and not reference.startswith("builtin:"):
            from engine.check.extension_data import types_of

            if (types := types_of(self, model, reference, base, spec, report)) is not None:
                model.extension_types[id(statement)] = types

    def follow(self, model: Model, statement: Referring, report: Report) -> None:
        """Loads what a statement refers to, and reports on the reference what is wrong with it."""
        place = statement.path
        if place is None:
            return
        path = self.followed(model, statement, place, report)
        if path is None:
            return
        if (problem := misplaced(statement, path)) and path not in self.chain:
            report.error(problem[0], place, problem[1], problem[2])
            return
        try:
            target = self.load(path)
        except Refused as refused:
            report.error(refused.code, place, refused.message, refused.help)
            return
        circle = next((c for c in self.circles if model.path in c and path in c), None)
        if circle is not None:
            report.error("BCP095", place, self.circular(circle).message)
            return
        model.modules[id(statement)] = target
        if isinstance(target, Template) and has_errors(self.templates.get(path, ())):
            first = self.templates[path][0]
            related = (first.primary,) if first.primary else ()
            report.error(
                "BCP188",
                place,
                f"The template has errors: {first.message[0].lower()}{first.message[1:]}",
                related=related,
            )
        elif isinstance(target, Model) and has_errors(target.diagnostics):
            where = from_clause(report.source, statement, place) if isinstance(statement, tree.Import) else place
            report.error(
                "BCP104",
                where,
                f"'{written(place)}' has errors of its own",
                "Mend them first; they are listed under its name.",
            )

    def followed(self, model: Model, statement: Referring, place: tree.Expression, report: Report) -> str | None:
        """The path that a reference leads to; None if it leads nowhere, which is then reported."""
        if isinstance(place, tree.Text) and is_registry(place):
            return self.outside.locate(model, place, report)
        text = local_path(place, report, MISSING.get(type(statement), "BCP090"))
        if text is None:
            return None
        path = self.sources.resolve(model.path, text)
        if self._outside is not None and self._outside.leaves(model.path, path):
            report.error("BCP091", place, f"'{text}' leads out of the repository that this file is from")
            return None
        if not text.endswith(("/", *ENDINGS)) and self.sources_of(model.path).exists(f"{path}/{MAIN}"):
            return f"{path}/{MAIN}"
        return path


def written(place: tree.Node) -> str:
    """A path as it is written."""
    return (place.literal if isinstance(place, tree.Text) else None) or ""


def from_clause(source: Source, statement: tree.Import, place: tree.Node) -> Span:
    """`from 'path'`, where an import's findings about its file point."""
    start = source.text.rfind("from", statement.start, place.start)
    return Span(start if start >= 0 else place.start, place.end)


def unreadable(path: str, reason: str) -> Diagnostic:
    """The finding on a file that was asked for by name and cannot be read."""
    codes = {"binary": "ULN005", "text": "ULN005", "large": "ULN006"}
    code = next((code for word, code in codes.items() if word in reason), "ULN004")
    return Diagnostic(code, Severity.ERROR, f"'{path}' cannot be read: {reason}")


def empty_model(path: str, name: str) -> Model:
    """The model of a file that could not be read."""
    return Model(tree.File(0, 0, Source(name, ""), (), (), ()), path)
