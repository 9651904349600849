"""Takes away what a deployment owns."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from engine.app.environment import ENVIRONMENTS
from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.suggest import did_you_mean
from engine.expand.vault import MemoryVault
from engine.pipeline.places import is_same, is_submitted, placed
from engine.pipeline.preparing import open_store
from engine.pipeline.request import Control, Outcome, Watch, Where
from engine.pipeline.running import NOTHING, Run
from engine.pipeline.target import GLOBAL, Target, choose, environments
from engine.pipeline.tracing import traced
from engine.record import Record
from engine.render.registry import open_registry
from engine.sources.port import Unreadable
from engine.state.entry import Entry
from engine.state.fold import State
from engine.state.store import Store

SUFFIXES = (".bicep", ".bicepparam", ".json", ".jsonc", ".arm")


class Doomed(Record):
    """What a destroy would take away: shown before it is asked whether to go on."""

    environment: str
    deployment: str
    entries: tuple[Entry, ...]


def doomed(where: Where) -> Doomed:
    """What belongs to a deployment; refuses one that is not there."""
    store = open_store(where.state)
    target, deployment = find(store, where)
    state = store.state(target.partition)
    return Doomed(target.partition, deployment, _owned(state, deployment))


def destroy(where: Where, watch: Watch | None = None, control: Control | None = None, detach: bool = False) -> Outcome:
    """The verb: everything a deployment owns is deleted, users before what they use; or with `detach` stays, and is nobody's."""
    store = open_store(where.state)
    target, deployment = find(store, where)
    _refuse_in_use(store, target, deployment)
    registry = open_registry(store.folder / target.partition, target.environment)
    vault = MemoryVault(store.vault_key)
    control = control or Control()
    leaving = [e.resource for e in _owned(store.state(target.partition), deployment)]
    with (
        traced("destroy", target.partition, deployment, control) as trace,
        Run(store, target.partition, deployment, registry, vault, control, watch, None, detach, trace.passed) as run,
    ):
        run.start(where.wait)
        run.want(NOTHING, whole=True)
        settlement = run.settle()
        if settlement.ok:
            run.engine.undeployed(deployment)
            _tidy(store, target.partition, [str(r.name) for r in leaving if r.type.lower() == ENVIRONMENTS])
        outcome = run.outcome(settlement, {})
        trace.came_to(outcome)
    return outcome


def _tidy(store: Store, partition: str, environments: Iterable[str]) -> None:
    """Remove what providers kept of environments that are gone, and folders that have become empty."""
    from shutil import rmtree

    gone = [e for e in environments if not store.state(e).entries]
    if partition == GLOBAL and not store.state(GLOBAL).entries:
        gone.append(GLOBAL)
    for name in gone:
        rmtree(store.folder / name, ignore_errors=True)
    for folder, _, _ in os.walk(store.folder / partition, topdown=False):
        with suppress(OSError):  # it is not empty
            os.rmdir(folder)  # noqa: PTH106


def find(store: Store, where: Where) -> tuple[Target, str]:
    """The partition and the name of a deployment that is named, or whose file is."""
    assert where.name is not None, "a deployment to destroy is named"
    name = _template_of(where.name)
    targets = _candidates(store, where)
    stem = _stem(name)
    for target in targets:
        for deployment in store.state(target.partition).deployments.values():
            if _is_file(store, deployment.file, name):
                return target, deployment.name
    for target in targets:
        state = store.state(target.partition)
        if stem in state.deployments or _owned(state, stem):
            _refuse_another_file(store, target, stem, name)
            return target, stem
    there = sorted({d for t in targets for d in _names(store.state(t.partition))})
    places = " or ".join(f"'{t.partition}'" for t in targets)
    help = did_you_mean(stem, there) or (f"There are: {', '.join(there)}." if there else "Nothing is deployed there.")
    raise UlnaError.of("ULN511", f"There is no deployment '{stem}' in {places}", help)


def _candidates(store: Store, where: Where) -> tuple[Target, ...]:
    """Where a deployment may be: the environment that is named, or the one that would be chosen, then `global`."""
    if where.environment is not None:
        return (choose(store, where.environment, None),)
    try:
        chosen = choose(store, None, None)
    except UlnaError:  # several environments: a name that only one of them has is no riddle
        return (*(Target(n, e) for n, e in sorted(environments(store).items())), Target(GLOBAL))
    return (chosen, Target(GLOBAL))


def _template_of(name: str) -> str:
    """The template that a parameter file uses; anything else is what it is."""
    if not name.endswith(".bicepparam") or not Path(name).is_file():
        return name
    from engine.diagnostics.source import Source
    from engine.parse.parser import parse
    from engine.parse.tree import Text, Using
    from engine.sources.local import LocalSources
    from engine.sources.text import read_text

    sources = LocalSources()
    path = sources.absolute(name)
    try:
        file, _ = parse(Source(name, read_text(sources, path)))
    except Unreadable:
        return name
    using = next((s.path for s in file.statements if isinstance(s, Using)), None)
    return sources.resolve(path, using.literal) if isinstance(using, Text) and using.literal else name


def _stem(name: str) -> str:
    return Path(name).name.rpartition(".")[0] if name.endswith(SUFFIXES) else name


def _is_file(store: Store, file: str, name: str) -> bool:
    return bool(file) and name.endswith(SUFFIXES) and placed(store, file) == Path(name).resolve()


def _refuse_another_file(store: Store, target: Target, deployment: str, name: str) -> None:
    """A file that is there is not meant for what another file of the same name made."""
    made = store.state(target.partition).deployments.get(deployment)
    if made is None or not made.file or not Path(name).is_file() or not placed(store, made.file).is_file():
        return
    if is_same(store, made.file, Path(name)):
        return
    origin = f"made from '{made.file}', not from '{name}'"
    if is_submitted(store, made.file):
        origin = f"submitted from a file that says something else than '{name}'"
    message = f"The deployment '{deployment}' in '{target.partition}' was {origin}"
    help = f"If it is what you mean, name it: ulna destroy {deployment} -e {target.partition}"
    raise UlnaError.of("ULN508", message, help)


def _names(state: State) -> set[str]:
    return {*state.deployments, *(a.partition("/")[0] for a in state.entries)}


def _owned(state: State, deployment: str) -> tuple[Entry, ...]:
    return tuple(e for a, e in state.entries.items() if a.partition("/")[0] == deployment)


def _refuse_in_use(store: Store, target: Target, deployment: str) -> None:
    """An environment goes only once nothing is deployed to it: it knows how to reach what is."""
    if target.partition != GLOBAL:
        return
    ours = {str(e.resource.name) for e in _owned(store.state(GLOBAL), deployment)}
    for name in sorted(ours & environments(store).keys()):
        used = sorted(_names(store.state(name)))
        if used:
            message = f"The environment '{name}' is in use: {', '.join(used)} {'is' if len(used) == 1 else 'are'} deployed to it"
            raise UlnaError.of("ULN512", message, f"Destroy what is deployed first: ulna destroy {used[0]} -e {name}")
