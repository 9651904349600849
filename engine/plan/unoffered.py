"""What is read of a resource that will never report it, told before anything is deployed.

What a resource will report is known where it lives in the log alone: one that others make up, and the parts of the app model
that nobody has to make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.contract.operator import Operator
from engine.contract.resource import OUTPUTS, Resource
from engine.contract.value import PLAIN, Deferred, Output, Properties, Value, needs
from engine.diagnostics.diagnostic import Diagnostic
from engine.plan.known import body
from engine.render.native import Native
from engine.template.template import Template

Find = Callable[[str | None, Resource], Operator | None]


def unoffered(native: Native, find: Find, template: Template) -> Iterator[Diagnostic]:
    """An error for each resource and output that reads such a thing."""
    offers = _Offers(native, find)
    for resource in native.resources:
        if not needs([resource.properties, resource.name]):
            continue  # most read nothing
        for output in offers.read([resource.properties, resource.name]):
            yield from offers.refused(output, resource, template)
    for name, value in native.outputs.items():
        for output in offers.read(value):
            yield from offers.refused(output, name, template)


class _Offers:
    """What each of the resources will report, worked out when it is first asked for."""

    __slots__ = ("_find", "_native", "_resources", "_there")

    def __init__(self, native: Native, find: Find) -> None:
        self._native = native
        self._find = find
        self._resources = {r.address: r for r in native.resources}
        self._there: dict[str, Properties | None] = {}

    def of(self, address: str) -> Properties | None:
        """All that the resource at an address will report; None where only the deployment tells."""
        if address not in self._there:
            self._there[address] = self._whole(self._resources.get(address))
        return self._there[address]

    def read(self, value: Value) -> Iterator[Output]:
        """The outputs in a value that are read whatever the rest of it comes to."""
        kind = type(value)
        if kind in PLAIN:
            return
        if kind is dict or isinstance(value, Mapping):
            for inner in value.values():
                yield from self.read(inner)
        elif kind is list or kind is tuple:
            for inner in value:
                yield from self.read(inner)
        elif kind is Output:
            if len(value.path) > 1 and value.path[0] == "properties":
                yield value
        elif kind is Deferred and not _is_special(value.function):
            yield from self.read(value.arguments)

    def refused(self, output: Output, reader: Resource | str, template: Template) -> Iterator[Diagnostic]:
        """The error of who reads what is not there."""
        from engine.expand.functions.signature import EvaluationError

        try:
            self._follow(output)
        except EvaluationError as error:
            from engine.plan.unresolved import told, unresolved

            if isinstance(reader, str):
                yield from told(error, template.place(f"/outputs/{reader}")).diagnostics
            else:
                yield from unresolved(reader, error, self._work).diagnostics

    def _work(self, value: Value) -> None:
        for output in self.read(value):
            self._follow(output)

    def _follow(self, output: Output) -> None:
        offered = self.of(output.address)
        if offered is not None:
            from engine.expand.resolve import follow

            follow(output, offered, None)

    def _whole(self, resource: Resource | None) -> Properties | None:
        if resource is None or resource.existing:
            return None
        if OUTPUTS in resource.properties:
            return body(resource, resource.properties[OUTPUTS])
        nomination = self._native.nominations.get(resource.address)
        operator = self._find(nomination.operator, resource) if nomination is not None else None
        if operator is None or operator.effects:
            return None
        return body(resource, operator.outputs(resource))


def _is_special(function: str) -> bool:
    """Whether a function may leave out some of its arguments."""
    from engine.expand.functions.find import find

    found = find(function)
    return found is None or found.special
