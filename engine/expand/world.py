"""One expansion: what all its frames share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.contract.listing import is_call
from engine.contract.resource import Resource, join
from engine.contract.value import Output, Unknown, Value, Vault
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.expand.budget import Budget
from engine.expand.desired import Known, Scope
from engine.expand.functions.signature import EvaluationError
from engine.expand.once import Once
from engine.expand.resolve import follow, listed
from engine.expand.scopes import names_in, type_in
from engine.template.template import Template, numbered

if TYPE_CHECKING:
    from engine.expand.frame import Frame
    from engine.expand.unit import Instance


class World:
    """The template, what it is given, what was computed, and what was found wrong.

    `instances` are the resources of the graph by address; `frames` all templates in it, outer ones first; `foreign`, by address,
    resources outside of it that it reads; `lists` the list functions that are called of a resource.
    """

    __slots__ = (
        "_foreign_ids",
        "_seen",
        "budget",
        "diagnostics",
        "foreign",
        "frames",
        "instances",
        "known",
        "lists",
        "once",
        "scope",
        "template",
        "vault",
    )

    def __init__(self, template: Template, scope: Scope, vault: Vault | None, known: Known) -> None:
        self.template = template
        self.scope = scope
        self.vault = vault
        self.known = {address: _named(body, address, ()) for address, body in known.items()}
        self.lists: dict[str, set[str]] = {}
        self.once = Once()
        self.budget = Budget()
        self.frames: list[Frame] = []
        self.instances: dict[str, Instance] = {}
        self.foreign: dict[str, Resource] = {}
        self._foreign_ids: dict[str, str] = {}
        self.diagnostics: list[Diagnostic] = []
        self._seen: set[tuple[str, str]] = set()

    # ------------------------------------------------------------ problems

    def report(
        self, code: str, message: str, pointer: str, help: str = "", declared: str = "", address: str = ""
    ) -> None:
        """Add an error, once for each code and place; it may be about what is `declared` elsewhere.

        The `address` of what it is about tells of the modules around it which turn of a loop it is.
        """
        if (code, pointer) in self._seen:
            return
        self._seen.add((code, pointer))
        place = self.template.place(pointer)
        if place is not None and "[" in address:
            place = numbered(place, address)
        other = self.template.origin(declared) if declared else None
        related = () if other is None else (other.replace(text="it is declared here", calls=()),)
        self.diagnostics.append(Diagnostic(code, Severity.ERROR, message, place, related, help))

    def report_error(self, error: EvaluationError, pointer: str, address: str = "") -> None:
        """Add the error of an evaluation, at the place that it came from."""
        settle(error, pointer)
        message = error.message
        assert error.pointer is not None
        place = self.template.origin(error.pointer)
        told = place is not None and place.source.name.endswith(".bicep")  # the line says it, in its own language
        if error.expression and error.expression not in message and not told:
            text = error.expression
            message += f", in {text if len(text) <= 120 else text[:117] + '…'}"
        code = "ULN205" if error.cycle else error.code
        self.report(code, message, error.pointer, error.help, error.declared, address)

    # ------------------------------------------------------------ outputs

    def output(self, address: str, path: tuple[str | int, ...]) -> Value:
        """What the resource at an address reports at a path: now if it is known, else an `Output`."""
        body = self.known.get(address)
        call = str(path[0]) if path and is_call(path[0]) else ""
        if call:
            self.lists.setdefault(address, set()).add(call.removesuffix("()"))
        if body is None:
            return Output(address, path)
        if not path:
            return dict(body)
        if call:
            return listed(dict(body), call)
        return follow(Output(address, path), body, self.vault)

    def read_output(self, base: Output, key: str | int) -> Value:
        """One step further into an output; name, id, type and apiVersion are known of every resource in the graph."""
        if not base.path and type(key) is str:
            instance = self.instances.get(base.address)
            if instance is not None:
                static = instance.static(key.lower())
                if static is not None:
                    return static
            foreign = self.foreign.get(base.address) if instance is None else None
            if foreign is not None and key.lower() in ("id", "name", "type"):
                return getattr(foreign, key.lower())
        return Output(base.address, (*base.path, key))

    # ------------------------------------------------------------ resources outside

    def outside(self, id: str, api_version: str) -> str:
        """The address of a resource that is not in the graph, and so must exist already."""
        key = id.lower().rstrip("/")
        address = self._foreign_ids.get(key, "")
        found = self.foreign.get(address)
        if found is None:
            type, names = type_in(id), names_in(id)
            if not type or not names:
                raise EvaluationError(f"'{id}' is neither a resource of this template nor the id of one")
            scope = id[: id.lower().rfind("/providers/")] if "/providers/" in key else ""
            address = self._foreign_ids[key] = join(self.scope.deployment, id.strip("/"))
            found = Resource(
                address,
                _spelled(id, type),
                api_version,
                names[-1],
                id.rstrip("/"),
                {},
                scope=scope,
                existing=True,
            )
            self.foreign[address] = found
        elif api_version and not found.api_version:
            self.foreign[address] = found.replace(api_version=api_version)
        return found.address


def _named(value: Value, address: str, path: tuple[str | int, ...]) -> Value:
    """What is known of a resource, with the parts that are not known yet as outputs of it."""
    if isinstance(value, Mapping):
        return {k: _named(v, address, (*path, k)) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_named(v, address, (*path, i)) for i, v in enumerate(value)]
    return Output(address, path) if isinstance(value, Unknown) else value


def _spelled(id: str, lower: str) -> str:
    """The type, in the id's own case."""
    _, found, tail = id.rpartition("/providers/")
    parts = tail.split("/")
    return "/".join([parts[0], *parts[1::2]]) if found else lower


def settle(error: EvaluationError, pointer: str) -> EvaluationError:
    """Fix the place of an error, unless a place further in did so."""
    if error.pointer is None:
        escaped = (key.replace("~", "~0").replace("/", "~1") for key in reversed(error.place))
        error.pointer = "/".join([pointer, *escaped])
    return error
