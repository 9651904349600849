"""Expand: a template with its arguments, in one place, becomes one flat graph of resources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.contract.resource import Resource, Wait
from engine.contract.value import Unknown, Value, Vault, needs
from engine.diagnostics.diagnostic import Diagnostic
from engine.expand.body import Body, body_of, resource_of
from engine.expand.desired import Desired, Known, Scope
from engine.expand.desired import Unit as Kind
from engine.expand.frame import ABSENT, Frame, Given
from engine.expand.functions.signature import EvaluationError
from engine.expand.graph import Graph
from engine.expand.once import Waiting
from engine.expand.order import order
from engine.expand.parameters import check_root, check_values, check_variables
from engine.expand.placeholders import is_open
from engine.expand.scopes import level_of
from engine.expand.waits import Waits, share
from engine.expand.world import World
from engine.template.template import Template

_NOTHING: Known = {}


def expand(
    template: Template, arguments: Mapping[str, Value], scope: Scope, vault: Vault | None, known: Known = _NOTHING
) -> tuple[Desired, tuple[Diagnostic, ...]]:
    """The graph a template asks for, and what is wrong with it.

    What rests on outputs that are not in `known` stays deferred where it is a value, and is pending where the graph's own
    shape rests on it: call again when more is known. Without a vault, what is made of secrets stays deferred too.
    """
    world = World(template, scope, vault, known)
    try:
        return _expand(world, arguments)
    except RecursionError:
        world.report("ULN209", "The template nests too deeply", "")
        return Desired(()), _sorted(world)


def _expand(world: World, arguments: Mapping[str, Value]) -> tuple[Desired, tuple[Diagnostic, ...]]:
    template, scope = world.template, world.scope
    given = {name.lower(): _given(value) for name, value in arguments.items()}
    frame = Frame(world, template.document, "", scope.deployment, level_of(template.document, scope), given)
    before = len(world.diagnostics)
    check_root(frame, arguments)
    if len(world.diagnostics) > before:
        return Desired(()), _sorted(world)
    graph = Graph(world)
    graph.gather(frame)
    for inner in world.frames[1:]:
        check_values(inner)
    for each in world.frames:
        if scope.placeholders is not None:
            check_variables(each)
        if "asserts" in each.document:
            from engine.expand.assertions import check_assertions

            check_assertions(each)
    resources = _resources(graph)
    outputs = _outputs(frame)
    resources = [*(f for f in world.foreign.values() if f.address not in graph.found), *resources]
    told = tuple(
        r.replace(lists=tuple(sorted(found))) if (found := world.lists.get(r.address)) else r for r in resources
    )
    return Desired(told, outputs, tuple(graph.pending.values())), _sorted(world)


def _given(value: Value) -> Given:
    return lambda: (value, ())


def _sorted(world: World) -> tuple[Diagnostic, ...]:
    return tuple(sorted(world.diagnostics, key=lambda d: d.sort_key))


def _resources(graph: Graph) -> list[Resource]:
    """Every resource with its waits, dependencies first."""
    world = graph.world
    made: dict[str, Body] = {}
    for address, (instance, around) in [*graph.found.items()]:
        try:
            made[address] = body_of(instance)
            if address in instance.touched and address in needs(made[address].properties):
                world.report("ULN205", f"'{instance.label}' refers to an output of its own", instance.unit.pointer)
        except Waiting as waiting:
            graph.wait(instance, Kind.RESOURCE, waiting.needs, around)
        except EvaluationError as error:
            world.report_error(error, instance.unit.pointer, instance.address)
            del graph.found[address]
    waits = _waits(graph, made)
    _check_ids(graph, made)
    placed, cycle = order(waits)
    if cycle:
        labels = [a.partition("/")[2] for a in cycle]
        pointer = graph.found[cycle[0]][0].unit.pointer
        world.report("ULN205", f"These resources wait for each other: {' → '.join(labels)}", pointer)
        placed = [*made]
    elif world.scope.placeholders is not None:
        from engine.expand.deployment_order import deployment_order  # only who predicts asks for it

        placed = deployment_order(graph, made)
    gates = {address: Wait(address) for found in waits.values() for address in found}  # one a target, shared
    return [resource_of(graph.found[a][0], made[a], [gates[w] for w in waits[a]]) for a in placed]


def _waits(graph: Graph, made: Iterable[str]) -> dict[str, dict[str, None]]:
    """By address, the addresses each resource waits for."""
    of = Waits(graph)
    waits = {address: of.resource(graph.found[address][0]) for address in made}
    for module in graph.modules.values():
        share(waits, module, of.module(module))
    return waits


def _check_ids(graph: Graph, made: Iterable[str]) -> None:
    """Report resources that are declared twice.

    Where nothing is deployed, as in Azure, two modules may declare the same one: nobody has to own it.
    """
    first: dict[tuple[str, str], str] = {}
    is_owned = graph.world.scope.placeholders is None
    for address in made:
        instance = graph.found[address][0]
        id = instance.identity().id
        if instance.unit.existing or is_open(id):
            continue
        other = first.setdefault((id.lower(), "" if is_owned else instance.unit.frame.address), address)
        if other != address:
            one, two = other.partition("/")[2], address.partition("/")[2]
            graph.world.report(
                "ULN208",
                f"'{two}' and '{one}' are the same resource: both are '{id}'",
                instance.unit.pointer,
                "Give them different names, or deploy them to different scopes",
            )


def _outputs(frame: Frame) -> dict[str, Value]:
    """The outputs of the root template."""
    evaluator = frame.evaluator()
    values: dict[str, Value] = {}
    for name in frame.output_names():
        try:
            value = frame.output(name, evaluator)
        except Waiting:
            value = Unknown()
        except EvaluationError as error:
            frame.world.report_error(error, f"/outputs/{name}")
            continue
        if value is not ABSENT:
            values[name] = value
    return values
