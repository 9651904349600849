"""What an environment would say of a file, without asking anything outside: for `lint -e`.

The findings are those of plan and deploy, with the same codes. The environment is one that was deployed, or a file that
declares it. Parameters without values stay unknown, no key is made, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.app.environment import ENVIRONMENTS, from_resource
from engine.app.sealing import sealed
from engine.contract.resource import Resource
from engine.contract.value import Unknown, Value
from engine.diagnostics.diagnostic import Diagnostic, UlnaError, has_errors
from engine.expand.desired import Desired, Known
from engine.expand.expand import expand
from engine.expand.vault import MemoryVault
from engine.pipeline.arguments import given
from engine.pipeline.compiling import compile
from engine.pipeline.preparing import Prepared, deployment_name, scope_of
from engine.pipeline.reading import RememberingSources
from engine.pipeline.request import Request
from engine.pipeline.target import GLOBAL, Target

FILES = (".bicep", ".bicepparam", ".json", ".jsonc", ".arm")


def findings(request: Request) -> tuple[Diagnostic, ...]:
    """What expanding and rendering a file for an environment finds; `environment` is a name, or the path of a file."""
    try:
        return _Foreseen(request).native({})[1]
    except UlnaError as error:
        own = tuple(
            d for d in error.diagnostics if d.primary is not None and d.primary.source.name == request.environment
        )
        return own if has_errors(own) else error.diagnostics  # what follows of a wrong environment is not wrong itself


class _Foreseen(Prepared):
    """A request that is only looked at."""

    __slots__ = ("_ground", "_theirs")

    def desired(self, known: Known) -> tuple[Desired, tuple[Diagnostic, ...]]:
        """The graph of the file, with the environment's own where a file declares that."""
        desired, found = super().desired(known)
        there = {r.address for r in desired.resources}
        ground = tuple(r for r in self._ground if r.address not in there)
        return desired.replace(resources=(*ground, *desired.resources)), found

    def _target(self) -> Target:
        self._ground: tuple[Resource, ...] = ()
        self._theirs: frozenset[str] = frozenset()
        file = self.request.environment
        if file is None or not file.endswith(FILES):
            return super()._target()
        self._ground, self._theirs = _resources(file, self.request)
        declared = [r for r in self._ground if r.type.lower() == ENVIRONMENTS and not r.existing]
        if len(declared) != 1:
            names = ", ".join(sorted(str(r.name) for r in declared)) or "none"
            help = "Name a file that declares one environment, or one that was deployed."
            raise UlnaError.of("ULN501", f"'{file}' declares {len(declared)} environments: {names}", help, exit_code=2)
        environment = from_resource(declared[0])
        return Target(environment.name, environment)

    def _vault(self) -> MemoryVault:
        return MemoryVault(b"lint")

    def _arguments(self) -> dict[str, Value]:
        """What is given; what is not, and has no default, stays unknown. What is for the environment's file is left to that."""
        document = self.compiled.template.document
        own = {name.lower() for name in document.get("parameters", {})}
        known = {k: v for k, v in super()._arguments().items() if k.lower() in own or k.lower() not in self._theirs}
        return {**_missing(document, known), **known}

    def _refuse_another_file(self) -> None:
        """Nothing is deployed, so nothing can be taken over."""


def _missing(document: Mapping[str, Any], known: Mapping[str, Value]) -> dict[str, Value]:
    """The parameters that must be given and are not."""
    names = {name.lower() for name in known}
    return {
        name: Unknown("given when it is deployed")
        for name, declared in document.get("parameters", {}).items()
        if name.lower() not in names and "defaultValue" not in declared and declared.get("nullable") is not True
    }


def _resources(file: str, request: Request) -> tuple[tuple[Resource, ...], frozenset[str]]:
    """What a file declares, expanded for no environment, and the names of its parameters, in lower case.

    A text that has to be given stands for itself by its name: a place that is made of it has a form at least.
    """
    sources = RememberingSources()
    compiled = compile(file, sources, request.restore)
    document = compiled.template.document
    declared = {name.lower(): kind for name, kind in document.get("parameters", {}).items()}
    passed = given(request.parameters, document, sources, request.restore)
    arguments = {**compiled.arguments, **{k: v for k, v in passed.items() if k.lower() in declared}}
    for name, value in _missing(document, arguments).items():
        kind = declared[name.lower()]
        arguments[name] = name if kind.get("type") == "string" and "allowedValues" not in kind else value
    vault = MemoryVault(b"lint")
    name = deployment_name(compiled.template.name)
    desired, found = expand(compiled.template, arguments, scope_of(name, Target(GLOBAL)), vault)
    resources, more = sealed(desired.resources, vault)
    if has_errors((*found, *more)):
        raise UlnaError(*found, *more)
    return resources, frozenset(declared)
