"""The order in which Azure tells what it would deploy: deployment by deployment, each with its own resources first."""

from __future__ import annotations

from collections.abc import Iterable

from engine.expand.frame import Frame
from engine.expand.functions.signature import EvaluationError
from engine.expand.graph import Graph
from engine.expand.modules import frame_of
from engine.expand.once import Waiting
from engine.expand.order import order
from engine.expand.unit import Instance, Unit
from engine.expand.waits import explicit


def deployment_order(graph: Graph, made: Iterable[str]) -> list[str]:
    """The addresses: the root's resources, then those of its modules, then those of the modules in these.

    Within a template they stand as it has them, but each after all that it depends on.
    """
    placed: dict[str, None] = {}
    frames = [graph.world.frames[0]]
    for frame in frames:
        inside = {i.address: i for i in _instances(graph, frame)}
        for address in order({a: _needs(i, inside) for a, i in inside.items()})[0]:
            if address in graph.modules:
                frames.append(frame_of(inside[address]))
            else:
                placed[address] = None
    known = dict.fromkeys(made)
    return [a for a in dict.fromkeys((*placed, *known)) if a in known]


def _instances(graph: Graph, frame: Frame) -> list[Instance]:
    """What a template declares and is there, in its order."""
    return [
        instance
        for unit in frame.units
        for instance in _of(unit)
        if instance.address in graph.found or instance.address in graph.modules
    ]


def _needs(instance: Instance, inside: dict[str, Instance]) -> list[str]:
    """The addresses in the same template that an instance depends on."""
    targets = [i for t in explicit(instance) for i in ((t,) if isinstance(t, Instance) else _of(t))]
    needs = dict.fromkeys(i.address for i in targets)
    for touched in instance.touched:
        parts = touched.split("/")
        above = ("/".join(parts[:n]) for n in range(len(parts), 0, -1))
        needs |= dict.fromkeys(a for a in above if a in inside and a != instance.address)
    return [a for a in needs if a in inside]


def _of(unit: Unit) -> list[Instance]:
    try:
        return list(unit.instances())
    except (Waiting, EvaluationError):
        return []
