"""What files name in registries and repositories: fetched into the cache, many at a time, and written into lock files.

A file is checked with what the cache has; only if something is missing is it fetched, and the file checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from engine.check.check import check
from engine.check.model import Model
from engine.diagnostics.diagnostic import Diagnostic
from engine.record import Record
from engine.sources.port import Sources

if TYPE_CHECKING:
    from engine.sources.reference import Artifact

A = TypeVar("A")
B = TypeVar("B")

ROUNDS = 10
"""A module of a repository may name further ones, which are known only when it is there: no chain is longer."""

AT_ONCE = 8

CODES = frozenset(
    {*(f"BCP{n}" for n in (190, *range(192, 201), *range(211, 225))), "ULN004", "ULN005", "ULN006", "ULN030"}
)
"""The codes of findings on references."""


def checked(path: str, sources: Sources, restore: bool = True) -> Model:
    """The model of a file, with what it names in registries; nothing is fetched if not to `restore`."""
    model = check(path, sources)
    failures: dict[str, str] = {}
    for _ in range(ROUNDS if restore else 0):
        wanted = [w for w in _named(model, sources, missing=True) if str(w.artifact) not in failures]
        if not wanted:
            break
        _, failed = fetch_all(wanted)
        failures |= {str(w.artifact): reason for w, reason in failed.items()}
        model = check(path, sources, failures=failures)
    return model


class Wanted(Record):
    """An artifact, the cache it goes to, and the digest that a lock file has for its tag."""

    artifact: Artifact
    cache: str
    locked: str | None = None


class Restored(Record):
    """What became of a reference: `digest` is None for what has none; `fetched` says whether it came over the network."""

    reference: str
    digest: str | None
    fetched: bool


def restore(paths: Iterable[str], force: bool = False, update: bool = False) -> tuple[tuple[Restored, ...], tuple[Diagnostic, ...]]:  # fmt: skip # noqa: E501
    """Fetches what files name and is not in the cache, and writes what their tags mean into the lock files beside them.

    With `force` all is fetched again; with `update` also what a tag means is taken anew, whatever the lock file says.
    """
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
    return tuple(found[r] for r in sorted(found)), tuple(told)


def _reasons(failed: Mapping[Wanted, str]) -> dict[str, str]:
    return {str(w.artifact): reason for w, reason in failed.items()}


def _named(root: Model, sources: Sources, missing: bool, update: bool = False) -> list[Wanted]:
    """What the files of a program name outside of it, or only what of that is not in the cache."""
    found: dict[Wanted, None] = {}
    lock: Mapping[str, str] | None = None
    for model in root.everything():
        for artifact in model.missing if missing else model.artifacts:
            from engine.sources.cache import cache_root
            from engine.sources.lockfile import lock_path, read_lock

            if lock is None:
                lock = {} if update else read_lock(lock_path(root.path), sources)
            cache = cache_root(model.config.settings, model.config.path, sources.environment)
            found[Wanted(artifact, cache, lock.get(str(artifact)))] = None
    return list(found)


def fetch_all(wanted: Iterable[Wanted], fresh: bool = False) -> tuple[dict[Wanted, str | None], dict[Wanted, str]]:
    """Fetches many at a time: the digests of those that came, and why the others did not."""
    from engine.sources.cache import Store
    from engine.sources.fetch import fetch
    from engine.sources.transport import RegistryError

    def one(each: Wanted) -> tuple[str | None, str]:
        try:
            return fetch(each.artifact, Store(each.cache), each.locked, fresh=fresh), ""
        except RegistryError as error:
            return None, error.reason

    each = list(wanted)
    answers = _at_once(one, each)
    came = {w: digest for w, (digest, reason) in zip(each, answers, strict=True) if not reason}
    return came, {w: reason for w, (_, reason) in zip(each, answers, strict=True) if reason}


def _at_once(call: Callable[[A], B], items: Sequence[A]) -> list[B]:
    """The answers for all items, in their order, from a few threads.

    They are such that Ctrl-C need not wait for: what they leave behind is whole, whenever they end.
    """
    from queue import SimpleQueue
    from threading import Thread

    todo: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, B | None, BaseException | None]] = SimpleQueue()
    for number in range(len(items)):
        todo.put(number)

    def work() -> None:
        while not todo.empty():
            try:
                number = todo.get_nowait()
            except Exception:  # another thread was quicker
                return
            try:
                done.put((number, call(items[number]), None))
            except BaseException as error:
                done.put((number, None, error))

    for _ in range(min(AT_ONCE, len(items))):
        Thread(target=work, daemon=True).start()
    answers: dict[int, B] = {}
    for _ in items:
        number, answer, error = done.get()
        if error is not None:
            raise error
        answers[number] = cast("B", answer)
    return [answers[number] for number in range(len(items))]


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
