"""Gathering: which resources and modules there are, of all templates, and which of them are still undecided."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine.expand.desired import Pending
from engine.expand.desired import Unit as Kind
from engine.expand.frame import Frame
from engine.expand.functions.signature import EvaluationError
from engine.expand.modules import frame_of
from engine.expand.once import Waiting
from engine.expand.unit import Instance, Unit
from engine.expand.world import World

T = TypeVar("T")


class Module:
    """A module that is deployed: its instance, the module around, and the addresses inside, undecided ones included."""

    __slots__ = ("around", "instance", "members", "waits")

    def __init__(self, instance: Instance, around: Module | None) -> None:
        self.instance = instance
        self.around = around
        self.members: dict[str, None] = {}
        self.waits: dict[str, None] = {}


class Graph:
    """What was found: `found` are the resources in the order of the templates, `modules` the modules, inner ones first."""

    __slots__ = ("found", "modules", "pending", "world")

    def __init__(self, world: World) -> None:
        self.world = world
        self.found: dict[str, tuple[Instance, Module | None]] = {}
        self.modules: dict[str, Module] = {}
        self.pending: dict[str, Pending] = {}

    def gather(self, frame: Frame, around: Module | None = None) -> None:
        """Add everything in a frame, and in the modules of it."""
        for unit in frame.units:
            instances = self._try(unit, unit.instances, Kind.LOOP, around)
            for instance in instances or ():
                if self._try(instance, instance.present, Kind.CONDITION, around):
                    self._add(instance, around)

    def _add(self, instance: Instance, around: Module | None) -> None:
        address = instance.address
        self.world.instances[address] = instance
        if not instance.unit.is_module:
            self.found[address] = (instance, around)
            self._member(address, around)
            return
        frame = self._try(instance, lambda: frame_of(instance), Kind.MODULE, around)
        if frame is not None:
            module = Module(instance, around)
            self.gather(frame, module)
            self.modules[address] = module

    def _member(self, address: str, around: Module | None) -> None:
        while around is not None:
            around.members[address] = None
            around = around.around

    def _try(self, of: Unit | Instance, compute: Callable[[], T], kind: Kind, around: Module | None) -> T | None:
        unit = of if isinstance(of, Unit) else of.unit
        try:
            return compute()
        except Waiting as waiting:
            self.wait(of, kind, waiting.needs, around)
        except EvaluationError as error:
            self.world.report_error(error, unit.pointer, of.address)
        return None

    def wait(self, of: Unit | Instance, kind: Kind, needs: frozenset[str], around: Module | None) -> None:
        """Note that something is undecided."""
        unit = of if isinstance(of, Unit) else of.unit
        address = of.address
        self.found.pop(address, None)
        id = _id(of) if unit.is_module and isinstance(of, Instance) else ""
        place = self.world.template.origin(unit.pointer)
        self.pending[address] = Pending(address, kind, needs, place, id, unit.api_version if id else "")
        self._member(address, around)

    def is_there(self, address: str) -> bool:
        """Whether waiting for an address makes sense: a resource is there, or may turn out to be."""
        if address in self.found or address in self.pending or address in self.world.foreign:
            return True
        return any(pending.covers(address) for pending in self.pending.values())


def _id(module: Instance) -> str:
    try:
        return module.identity().id
    except (Waiting, EvaluationError):
        return ""
