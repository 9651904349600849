"""Takes over what exists already: from then on it is planned, changed and deleted as if Ulna had made it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from engine.apply.batch import Batch
from engine.apply.call import EngineCall
from engine.apply.gate import next_token
from engine.contract.errors import OperatorError
from engine.contract.operator import Adopts, Call, Observed, Operator, Releases
from engine.contract.resource import OUTPUTS, Resource, deployment_of
from engine.contract.value import Secret, Unknown, Value, needs, rewrite
from engine.diagnostics.diagnostic import Diagnostic, UlnaError
from engine.diagnostics.suggest import did_you_mean
from engine.expand.desired import Known
from engine.expand.functions.signature import EvaluationError
from engine.pipeline.preparing import Prepared, open_store
from engine.pipeline.request import Control, Request
from engine.pipeline.running import Run
from engine.pipeline.target import GLOBAL, choose
from engine.plan.unresolved import unresolved
from engine.record import Record
from engine.render.native import Native
from engine.state.fold import State


class Imported(Record):
    """What was taken over: its address, its type, and the native identity it has."""

    environment: str
    address: str
    type: str
    id: str
    diagnostics: tuple[Diagnostic, ...] = ()


def adopt(request: Request, address: str, id: str, control: Control | None = None) -> Imported:
    """The verb: the resource at `address` of the file becomes the owner of what the platform calls `id`.

    Nothing outside is changed but the mark of its owner; `plan` then shows how it differs from the file.
    """
    prepared = Prepared(request)
    native, diagnostics = prepared.native(_known(prepared.state))
    resource = _wanted(native, address)
    nomination = native.nominations[resource.address]
    operator = prepared.registry.operator(nomination.operator, resource)
    if operator is None or not isinstance(operator, Adopts):
        message = f"'{resource.address}' cannot be imported: a resource of type '{resource.type}' is never taken over"
        raise UlnaError.of("ULN531", message, "Let a deploy make it, or declare it as 'existing' to refer to it.")
    with Run(
        prepared.store,
        prepared.target.partition,
        prepared.deployment,
        prepared.registry,
        prepared.vault,
        control or Control(),
    ) as run:
        run.native = native
        run.start(request.wait)
        entry = run.engine.state.entries.get(resource.address)
        if entry is not None and entry.held:
            if entry.external_id != id:
                raise _held(resource, entry.external_id or entry.token or id)
            return Imported(prepared.target.partition, resource.address, resource.type, id, diagnostics)
        known = _known(run.engine.state)
        try:
            name, wanted = (run.resolve(v, known) for v in (resource.name, resource.properties))
        except EvaluationError as error:
            raise unresolved(resource, error, lambda v: run.resolve(v, known)) from None
        if unknown := needs(name):
            message = f"The name of '{resource.address}' hangs on '{min(unknown)}', which is not deployed yet"
            raise UlnaError.of("ULN531", message, "Deploy or import that one first.")
        # what it waits for and what it reads may not be there yet; the next deploy declares it whole
        added = resource.replace(waits=(), name=name, properties=rewrite(wanted, _shown))
        engine = run.engine
        if entry is None:
            engine.edit(Batch(prepared.deployment, add=(added,)))
        call = EngineCall(engine.log.writer, prepared.vault, lambda: False)
        try:
            observed: Observed = operator.adopt(added, id, next_token(engine.state.entries[resource.address]), call)
        except OperatorError as error:
            _release(operator, added, next_token(engine.state.entries[resource.address]), call)
            engine.forget(resource.address)
            raise UlnaError.of("ULN532", f"'{id}' cannot be taken over: {error.reason}", error.help) from None
        engine.adopted(resource.address, observed)
        run.remember(prepared.place())
    return Imported(prepared.target.partition, resource.address, resource.type, observed.id, diagnostics)


def file_of(address: str, environment: str | None, state: Path | str | None) -> str:
    """The file of the deployment that an address begins with, where it was deployed before."""
    store = open_store(state)
    target = choose(store, environment, None)
    name = deployment_of(address)
    for partition in (target.partition, GLOBAL):
        known = store.state(partition).deployments.get(name)
        if known is not None and known.file:
            return str((store.folder.absolute().parent / known.file).resolve())
    message = f"Nothing is known of a deployment '{name}'"
    raise UlnaError.of("ULN530", message, "Name the file that declares the resource with --file.", exit_code=2)


def _release(operator: Operator, resource: Resource, token: str, call: Call) -> None:
    """What could not be taken over is not left half marked."""
    if isinstance(operator, Releases):
        with suppress(OperatorError):
            operator.release(resource, token, call)


def _known(state: State) -> Known:
    """What resources report that are there already."""
    return {a: e.outputs for a, e in state.entries.items() if e.outputs}


def _wanted(native: Native, address: str) -> Resource:
    """The native resource that is meant: by its address, or by that of the one that it alone makes up."""
    by_address = {r.address: r for r in native.resources}
    found = by_address.get(address)
    if found is None:
        near = did_you_mean(address, by_address) or f"There are: {', '.join(sorted(by_address))}."
        raise UlnaError.of("ULN530", f"The file declares no resource '{address}'", near, exit_code=2)
    if found.existing:
        raise UlnaError.of("ULN531", f"'{address}' is declared as existing, and is only read", "Remove 'existing'.")
    if OUTPUTS in found.properties:
        parts = _list(r.address for r in native.resources if r.address.startswith(f"{address}/"))
        raise UlnaError.of("ULN531", f"'{address}' is made up of others", f"Import these one by one: {parts}.")
    return found


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _shown(leaf: Value) -> Value:
    """What only run time knows, as operators meet it."""
    return leaf if isinstance(leaf, Secret | Unknown) else Unknown(f"known once '{min(needs(leaf))}' is deployed")


def _held(resource: Resource, what: str) -> UlnaError:
    message = f"'{resource.address}' has '{what}' already"
    help = "Destroy it first ('--on-unmanage detach' keeps it alive), or give the resource in the file another name."
    return UlnaError.of("ULN533", message, help)
