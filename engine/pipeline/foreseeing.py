"""What an environment would say of a file, without asking anything outside: for `lint -e`.

The findings are those of plan and deploy, with the same codes. The environment is one that was deployed, or a file that
declares it. Parameters without values stay unknown, no key is made, and nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.app.environment import ENVIRONMENTS, from_resource
from engine.app.sealing import sealed
from engine.contract.resource import Resource, body
from engine.contract.value import Leaf, Unknown, Value
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

_PLACES = {
    "azure": ("/subscriptions/[^/]+/resourceGroups/[^/]+", "/subscriptions/unknown/resourceGroups/unknown"),
    "aws": ("/planes/aws/aws/accounts/[^/]+/regions/[^/]+", "/planes/aws/aws/accounts/000000000000/regions/us-east-1"),
}
"""The form of a provider's scope, and an example of one."""

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

    What has to be given and is not stays unknown, or becomes an example where the place asks for a form (see `_exemplary`).
    """
    sources = RememberingSources()
    compiled = compile(file, sources, request.restore)
    document = compiled.template.document
    declared = {name.lower(): kind for name, kind in document.get("parameters", {}).items()}
    passed = given(request.parameters, document, sources, request.restore)
    arguments = {**compiled.arguments, **{k: v for k, v in passed.items() if k.lower() in declared}}
    missing = _missing(document, arguments)
    scope = scope_of(deployment_name(compiled.template.name), Target(GLOBAL))

    def expanded(arguments: Mapping[str, Value]) -> tuple[Resource, ...]:
        vault = MemoryVault(b"lint")
        desired, found = expand(compiled.template, arguments, scope, vault)
        resources, more = sealed(desired.resources, vault)
        if has_errors((*found, *more)):
            raise UlnaError(*found, *more)
        return resources

    resources = expanded({**arguments, **missing})
    if missing:
        texts = {name: name for name in missing if _is_text(declared[name.lower()])}
        named = {r.address: r for r in expanded({**arguments, **missing, **texts})}
        resources = tuple(_exemplary(r, named.get(r.address, r), file, missing) for r in resources)
    return resources, frozenset(declared)


def _is_text(declared: Mapping[str, Any]) -> bool:
    return declared.get("type") == "string" and "allowedValues" not in declared


def _exemplary(resource: Resource, named: Resource, file: str, missing: Mapping[str, Value]) -> Resource:
    """An environment with examples for the places that it names by parameters without values, since nothing can be rendered
    for nowhere. `named` is the same with the name of each parameter in place of its value, for texts that are made of some.
    """
    if resource.type.lower() != ENVIRONMENTS or resource.existing:
        return resource
    properties, texts = body(resource), body(named)
    compute = properties.get("compute")
    if isinstance(compute, Leaf) or (isinstance(compute, Mapping) and isinstance(compute.get("kind"), Leaf)):
        message = f"The compute kind of '{resource.name}' in '{file}' hangs on a parameter without a value"
        help = f"Give it with '-p': {', '.join(missing)}."
        raise UlnaError.of("ULN501", message, help, exit_code=2)
    new = dict(properties)
    if isinstance(compute, Mapping):
        new["compute"] = _settled(compute)
    providers, others = properties.get("providers"), texts.get("providers")
    if isinstance(providers, Mapping) and isinstance(others, Mapping):
        new["providers"] = {name: _placed(name, block, others.get(name)) for name, block in providers.items()}
    inner = "properties" in resource.properties
    return resource.replace(properties={**resource.properties, "properties": new} if inner else new)


def _settled(block: Mapping[str, Value]) -> dict[str, Value]:
    """Without the settings that are not known, which are taken for the defaults, and without what holds nothing else."""
    inner = {k: _settled(v) if isinstance(v, Mapping) and v else v for k, v in block.items()}
    return {k: v for k, v in inner.items() if not isinstance(v, Leaf) and not (v == {} and block[k])}


def _placed(provider: str, block: Value, named: Value) -> Value:
    """The block of a provider with a scope that has a form, where that is not known."""
    if not isinstance(block, Mapping) or not isinstance(block.get("scope"), Leaf) or provider not in _PLACES:
        return block
    form, example = _PLACES[provider]
    text = named.get("scope") if isinstance(named, Mapping) else None
    return {**block, "scope": text if isinstance(text, str) and re.match(form, text, re.I) else example}
