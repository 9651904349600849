"""Makes it so: plans, and carries the plan out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from engine.apply.batch import same
from engine.apply.settlement import at_rest
from engine.contract.resource import Resource, join
from engine.contract.value import Value
from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.planning import Planned, basis_of, plan_of
from engine.pipeline.preparing import Prepared
from engine.pipeline.request import Control, Outcome, Request, Watch
from engine.pipeline.running import Run, endpoints
from engine.pipeline.target import DEFAULT, GLOBAL
from engine.pipeline.tracing import Untraced, traced
from engine.plan.plan import OnUnmanage, Plan, stale
from engine.plan.stored import from_json
from engine.plan.unresolved import worked_out
from engine.render.native import Native, Nomination
from engine.render.registry import open_registry


def deploy(request: Request, watch: Watch | None = None, control: Control | None = None) -> Outcome:
    """The verb: a file becomes what runs."""
    begun = monotonic()
    prepared = Prepared(request)
    control = control or Control()
    with traced("deploy", prepared.target.partition, prepared.deployment, control) as trace:
        planned = plan_of(prepared)
        if prepared.target.invented:
            make_default(prepared, control)
        done = _is_done(prepared, planned)
        outcome = _unchanged(prepared, planned) if done else _carry_out(prepared, planned, control, watch, trace)
        trace.came_to(outcome)
    return outcome.replace(diagnostics=(*planned.diagnostics, *outcome.diagnostics), seconds=monotonic() - begun)


def apply(
    path: str,
    parameters: tuple[str, ...] = (),
    state: Path | str | None = None,
    watch: Watch | None = None,
    control: Control | None = None,
) -> Outcome:
    """The verb: a saved plan is carried out, unless something it was made from has moved on.

    `parameters` are given again for what is not kept in a plan: secure ones.
    """
    basis = load_plan(path).basis
    request = Request(
        basis.path,
        basis.environment,
        basis.application or None,
        (*basis.parameters, *parameters),
        basis.deployment,
        state,
        basis.on_unmanage,
        operators=basis.operators,
    )
    prepared = Prepared(request)
    moved = stale(basis, basis_of(prepared))
    if moved:
        raise UlnaError(*moved)
    control = control or Control()
    with traced("apply", prepared.target.partition, prepared.deployment, control) as trace:
        planned = plan_of(prepared, to_save=True)
        if prepared.target.invented:
            make_default(prepared, control)
        outcome = _carry_out(prepared, planned, control, watch, trace, as_planned=True)
        trace.came_to(outcome)
    return outcome


def load_plan(path: str) -> Plan:
    """The plan in a file."""
    import json

    try:
        document: Any = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise UlnaError.of("ULN601", f"'{path}' cannot be read: {(error.strerror or '').lower()}") from None
    except ValueError:
        document = None
    return from_json(document)


def _carry_out(
    prepared: Prepared,
    planned: Planned,
    control: Control,
    watch: Watch | None,
    trace: Untraced,
    as_planned: bool = False,
) -> Outcome:
    """Run the engine until the plan is true; `as_planned` refuses where the state moved since, else it is planned anew."""

    def again(known: Mapping[str, Any]) -> Native:
        return prepared.native(known)[0]

    detach = prepared.request.on_unmanage is OnUnmanage.DETACH
    with Run(
        prepared.store,
        prepared.target.partition,
        prepared.deployment,
        prepared.registry,
        prepared.vault,
        control,
        watch,
        again,
        detach,
        trace.passed,
    ) as run:
        run.start(prepared.request.wait)
        if run.engine.state.seq != prepared.state.seq:
            before = planned.plan.basis
            prepared.state = run.engine.state.copy()
            if as_planned:
                raise UlnaError(*stale(before, basis_of(prepared)))
            planned = plan_of(prepared)
        run.remember(prepared.place())
        run.want(planned.native)
        settlement = run.settle()
        outputs = worked_out(
            run.native.outputs, lambda v: run.resolve(v, run.engine.model.outputs), prepared.compiled.template
        )
        if settlement.ok:
            run.engine.deployed(prepared.deployment, prepared.place(), outputs)
        return run.outcome(settlement, outputs)


def _is_done(prepared: Prepared, planned: Planned) -> bool:
    """Whether nothing is to do, not even to remember the outputs anew."""
    if planned.plan.acts or any(_is_another(r, prepared) for r in planned.native.resources):
        return False
    before = prepared.state.deployments.get(prepared.deployment)
    return before is not None and before.file == prepared.place() and before.outputs == _outputs(prepared, planned)


def _is_another(resource: Resource, prepared: Prepared) -> bool:
    """Whether something of which nothing is there, as it is only read or rests, is another than before."""
    before = prepared.state.entries.get(resource.address)
    if before is None:
        return True
    return (resource.existing or before.token is None) and not same(before.resource, resource)


def _outputs(prepared: Prepared, planned: Planned) -> Mapping[str, Value]:
    from engine.expand.resolve import resolve

    there = {a: e.outputs for a, e in prepared.state.entries.items() if e.outputs}
    template = prepared.compiled.template
    return worked_out(planned.native.outputs, lambda v: resolve(v, there.get, prepared.vault), template)


def _unchanged(prepared: Prepared, planned: Planned) -> Outcome:
    ours = [e for a, e in prepared.state.entries.items() if prepared.owns(a)]
    return Outcome(
        prepared.target.partition,
        prepared.deployment,
        unchanged=len(ours),
        resting=at_rest(ours),
        outputs=_outputs(prepared, planned),
        endpoints=endpoints(ours),
    )


def make_default(prepared: Prepared, control: Control) -> None:
    """Make the environment that nobody made, as a deployment of its own."""
    environment = prepared.target.environment
    assert environment is not None
    type = "Applications.Core/environments"
    address = join(DEFAULT, "environment")
    wanted = Resource(
        address, type, "2023-10-01-preview", environment.name, environment.id, {"properties": environment.properties}
    )
    registry = open_registry(prepared.store.folder / GLOBAL, None)
    with Run(prepared.store, GLOBAL, DEFAULT, registry, prepared.vault, control) as run:
        run.start(prepared.request.wait)
        if address not in run.engine.state.entries:
            run.want(Native((wanted,), {address: Nomination("app")}))
            run.settle()
