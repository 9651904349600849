"""What files name in registries and repositories: fetched into the cache, many at a time, and written into lock files.

A file is checked with what the cache has; only if something is missing is it fetched, and the file checked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.check.check import check
from engine.check.model import Model
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.record import Record
from engine.sources.port import Sources

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.pipeline.fetching import Wanted

ROUNDS = 10
"""A module of a repository may name further ones, which are known only when it is there: no chain is longer."""

NOT_RESTORED = "BCP192"
"""For a file that compiles without, it is a warning; for who wants it restored, an error."""

CODES = frozenset(
    {*(f"BCP{n}" for n in (190, *range(192, 201), *range(211, 225))), "ULN004", "ULN005", "ULN006", "ULN030"}
)
"""The codes of findings on references."""


def checked(path: str, sources: Sources, restore: bool = True) -> Model:
    """The model of a file, with what it names in registries; nothing is fetched if not to `restore`."""
    model = check(path, sources)
    tried: set[Wanted] = set()
    failed: dict[Wanted, str] = {}
    for _ in range(ROUNDS if restore else 0):
        wanted = [w for w in _named(model, sources, missing=True) if w not in tried]
        if not wanted:
            break
        from engine.pipeline.fetching import fetch_all

        tried.update(wanted)
        failed |= fetch_all(wanted)[1]
        model = check(path, sources, failures=_reasons(failed))
    return model


class Restored(Record):
    """What became of a reference: `digest` is None for what has none; `fetched` says whether it came over the network."""

    reference: str
    digest: str | None
    fetched: bool


def restore(
    paths: Iterable[str], force: bool = False, update: bool = False
) -> tuple[tuple[Restored, ...], tuple[Diagnostic, ...]]:
    """Fetches what files name and is not in the cache, and writes what their tags mean into the lock files beside them.

    With `force` all is fetched again; with `update` also what a tag means is taken anew, whatever the lock file says.
    """
    from engine.pipeline.fetching import fetch_all
    from engine.sources.local import LocalSources

    sources = LocalSources()
    files = list(dict.fromkeys(paths))
    models = {path: check(path, sources) for path in files}
    digests: dict[Wanted, str | None] = {}
    failed: dict[Wanted, str] = {}
    for _ in range(ROUNDS):
        wanted = {
            w
            for model in models.values()
            for w in _named(model, sources, missing=not (force or update), update=update)
            if w not in digests and w not in failed
        }
        if not wanted:
            break
        more, problems = fetch_all(wanted, fresh=force)
        digests |= more
        failed |= problems
        models = {path: check(path, sources, failures=_reasons(failed)) for path in files}
    found: dict[str, Restored] = {}
    for model in models.values():
        for reference, digest in _lock(model, sources, digests, failed, update).items():
            fetched = any(str(w.artifact) == reference for w in digests)
            found[reference] = Restored(reference, digest, fetched)
    final = [check(path, sources, failures=_reasons(failed)) for path in files] if update else models.values()
    told = dict.fromkeys(d for root in final for m in root.everything() for d in m.diagnostics if d.code in CODES)
    errors = (d.replace(severity=Severity.ERROR) if d.code == NOT_RESTORED else d for d in told)
    return tuple(found[r] for r in sorted(found)), tuple(errors)


def _reasons(failed: Mapping[Wanted, str]) -> dict[str, str]:
    return {str(w.artifact): reason for w, reason in failed.items()}


def _named(root: Model, sources: Sources, missing: bool, update: bool = False) -> list[Wanted]:
    """What the files of a program name outside of it, modules and types of extensions, or only what is not in the cache."""
    found: dict[Wanted, None] = {}
    lock: Mapping[str, str] | None = None
    for model in root.everything():
        for artifact in (*model.missing, *model.unfetched) if missing else model.artifacts:
            from engine.pipeline.fetching import Wanted
            from engine.sources.cache import cache_root
            from engine.sources.lockfile import lock_path, read_lock

            if lock is None:
                lock = {} if update else read_lock(lock_path(root.path), sources)
            cache = cache_root(model.config.settings, model.config.path, sources.environment)
            found[Wanted(artifact, cache, lock.get(str(artifact)))] = None
    return list(found)


def _lock(
    root: Model, sources: Sources, digests: Mapping[Wanted, str | None], failed: Mapping[Wanted, str], update: bool
) -> dict[str, str | None]:
    """Writes the lock file of a root file, if it says something new; gives what every reference of the program means."""
    meanings: dict[str, str | None] = {}
    tagged: dict[str, str] = {}
    named = _named(root, sources, missing=False, update=update)
    if not named:
        return {}
    from engine.sources.cache import cached_digest
    from engine.sources.lockfile import add_to_lock, lock_path
    from engine.sources.reference import Image

    for wanted in named:
        artifact = wanted.artifact
        if wanted in failed:
            continue
        digest = digests.get(wanted) or wanted.locked
        if isinstance(artifact, Image):
            digest = digest or cached_digest(wanted.cache, artifact, sources)
            if artifact.tag and digest:
                tagged[str(artifact)] = digest
        meanings[str(artifact)] = digest
    add_to_lock(lock_path(root.path), tagged, sources)
    return meanings
