"""References out of the program, to registries and repositories: where they lead in the cache, or what is said instead."""

from __future__ import annotations

from collections.abc import Mapping

from engine.diagnostics.source import Source
from engine.parse import tree
from engine.sources.confined import Confined
from engine.sources.port import Sources
from engine.sources.reference import Artifact, Commit, Image, Misnamed, Spec
from engine.sources.registry import Registry

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.model import Model
    from engine.check.report import Report


class Outside:
    """What one check knows of the world outside.

    `failures` says of artifacts why they could not be fetched. `artifacts` are those that were found, by their path, and
    `trees` the folders of commits, out of which nothing leads.
    """

    __slots__ = ("artifacts", "failures", "registry", "sources", "trees")

    def __init__(self, root_file: str, sources: Sources, failures: Mapping[str, str]) -> None:
        self.sources = sources
        self.registry = Registry(root_file, sources)
        self.failures = failures
        self.artifacts: dict[str, Artifact] = {}
        self.trees: dict[str, Commit] = {}

    def locate(self, model: Model, place: tree.Text, report: Report) -> str | None:
        """The path that a reference leads to; where there is none, the reason is reported."""
        text = place.literal or ""
        try:
            found = self.registry.locate(text, model.config.settings, model.config.path)
        except Misnamed as problem:
            report.error(problem.code, place, problem.message, problem.help)
            return None
        artifact = found.artifact
        if artifact is None:
            return found.path
        model.artifacts += (artifact,)
        if found.path is None:
            model.missing += (artifact,)
        if (reason := self.failures.get(str(artifact))) is not None:
            report.error("BCP192", place, f"'{artifact}' could not be restored: {reason}", _advice(reason))
            return None
        if found.path is None:
            help = "Run 'ulna restore' for the file, or this again without --no-restore."
            report.error("BCP190", place, f"'{artifact}' has not been restored", help)
            return None
        self.artifacts[found.path] = artifact
        if found.confined is not None and isinstance(artifact, Commit):
            self.trees[found.confined] = artifact
        return found.path

    def types(self, model: Model, text: str, place: tree.Node, report: Report) -> str | None:
        """The package of types that the reference of an extension leads to; None where it has not been fetched.

        Without it the extension's resources are merely not checked, so nothing is said unless fetching it was tried, and
        then only a warning.
        """
        try:
            found = self.registry.locate(text, model.config.settings, model.config.path, extension=True)
        except Misnamed as problem:
            report.error(problem.code, place, problem.message, problem.help)
            return None
        if (artifact := found.artifact) is None:
            return found.path
        model.artifacts += (artifact,)
        if found.path is None:
            model.unfetched += (artifact,)
        if (reason := self.failures.get(str(artifact))) is not None:
            help = _advice(reason) or "The file compiles all the same, but nothing of the extension is checked."
            report.warning("BCP192", place, f"'{artifact}' could not be restored: {reason}", help)
        return found.path

    def shown(self, path: str) -> str | None:
        """What people call a file that came from outside."""
        if (tree := self._tree(path)) is not None:
            return str(self.trees[tree].replace(path=path[len(tree) + 1 :]))
        return str(self.artifacts[path]) if path in self.artifacts else None

    def sources_of(self, path: str) -> Sources:
        """What a file may read: one from elsewhere no more than what came with it."""
        tree = self._tree(path)
        return self.sources if tree is None else Confined(self.sources, tree)

    def leaves(self, base: str, path: str) -> bool:
        """Whether a path leads out of the repository that the file `base` is from."""
        tree = self._tree(base)
        return tree is not None and not path.startswith(f"{tree}/")

    def _tree(self, path: str) -> str | None:
        return next((tree for tree in self.trees if path.startswith(f"{tree}/")), None)

    def name(self, path: str) -> str | None:
        """What a template from outside is called."""
        artifact = self.artifacts.get(path)
        return artifact.name if isinstance(artifact, Image | Spec) else None

    def unwrapped(self, path: str, source: Source) -> Source:
        """The template in a file: that of a template spec is a part of it."""
        if not isinstance(self.artifacts.get(path), Spec):
            return source
        import json

        try:
            document = json.loads(source.text)
            return Source(source.name, json.dumps(document["properties"]["mainTemplate"]))
        except (ValueError, TypeError, KeyError, RecursionError):
            return source


def _advice(reason: str) -> str:
    if "its tag has moved" in reason:
        return "If that is wanted, 'ulna restore --update' writes the new digest into ulna.lock."
    return ""
