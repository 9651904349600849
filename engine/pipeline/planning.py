"""What a deploy would change, and what it was found from."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.operator import Operator
from engine.contract.resource import deployment_of
from engine.contract.value import Secret, Value, Vault
from engine.diagnostics.diagnostic import Diagnostic
from engine.expand.desired import Known
from engine.expand.resolve import resolve
from engine.expand.vault import MemoryVault
from engine.observe.observer import Seen, observe
from engine.pipeline.arguments import declared
from engine.pipeline.preparing import Prepared
from engine.pipeline.request import Request
from engine.plan.known import Foresight
from engine.plan.plan import Basis, Plan
from engine.plan.planner import plan as compare
from engine.record import Record
from engine.render.native import Native
from engine.state.entry import Entry


class Planned(Record):
    """A plan, the graph it compares with the state, the outputs it relies on, and what there is to say."""

    plan: Plan
    native: Native
    known: Known
    diagnostics: tuple[Diagnostic, ...] = ()


class Looking:
    """The `Call` of an observation: it may open secrets, and holds no lease."""

    __slots__ = ("_vault",)

    fence = 0

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def reveal(self, secret: Secret) -> Value:
        """The value of a secret of this run; a verb that was given none knows none."""
        return self._vault.open(secret)

    def seal(self, value: Value, name: str) -> Secret:
        """What an operator reads and nobody may see."""
        return self._vault.seal(value, name)

    def stopping(self) -> bool:
        """Looking is quick."""
        return False


def plan(request: Request, to_save: bool = False) -> Planned:
    """The verb: what deploying a file would change; `to_save` adds the digests that a later apply compares."""
    return plan_of(Prepared(request), to_save)


def plan_of(prepared: Prepared, to_save: bool = False) -> Planned:
    """The plan for a prepared request.

    A loop or condition over outputs that will not change, or that operators foresee, is expanded here already: the
    graph is made again with what the plan before it knew, until that is all there is to know.
    """
    entries = prepared.state.entries
    seen, unseen = look(prepared, entries)
    basis = basis_of(prepared, to_save)
    known: dict[str, Mapping[str, Value]] = {}
    while True:
        native, diagnostics = prepared.native(known)
        foresight = Foresight(lambda value, outputs: _resolve(prepared, value, outputs))
        made = compare(
            basis, native, entries, prepared.registry.operator, lambda v, k: _resolve(prepared, v, k), seen, foresight
        )
        needed = {address for pending in native.pending for address in pending.needs}
        there = foresight.known()
        learned = {a: there[a] for a in needed if a in there and a not in known}
        if not learned:
            return Planned(made, native, known, (*diagnostics, *unseen))
        known |= learned


def look(prepared: Prepared, entries: Mapping[str, Entry]) -> tuple[Seen, tuple[Diagnostic, ...]]:
    """What is live of this deployment."""

    def operator(entry: Entry) -> Operator | None:
        return prepared.registry.operator(entry.operator, entry.resource)

    ours = [e for e in entries.values() if deployment_of(e.address) == prepared.deployment and not e.detached]
    return observe(ours, operator, Looking(prepared.vault))


def basis_of(prepared: Prepared, to_save: bool = True) -> Basis:
    """What the plan rests on, with digests if it is to be saved; secure parameters are in that of the arguments alone."""
    request, document = prepared.request, prepared.compiled.template.document
    shown = [
        text
        for text in request.parameters
        if text.startswith("@") or not declared(text.partition("=")[0], document).startswith("secure")
    ]
    return Basis(
        prepared.target.partition,
        prepared.deployment,
        request.path,
        request.application or "",
        tuple(shown),
        request.on_unmanage,
        prepared.state.seq,
        prepared.sources.digests() if to_save else {},
        _digest(prepared) if to_save else "",
        request.operators,
    )


def _digest(prepared: Prepared) -> str:
    """A digest of all arguments; under the key of the state where one of them is secure."""
    document = prepared.compiled.template.document
    if any(declared(name, document).startswith("secure") for name in prepared.arguments):
        return prepared.vault.seal(prepared.arguments, "arguments").digest
    return MemoryVault(b"").seal(prepared.arguments, "arguments").digest


def _resolve(prepared: Prepared, value: Value, outputs: Known) -> Value:
    return resolve(value, outputs.get, prepared.vault)
