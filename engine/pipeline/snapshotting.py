"""Snapshot: what a parameter file and its template come to, told without a place to deploy them to, and compared with before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.contract.difference import dotted
from engine.contract.resource import Resource
from engine.contract.value import Unknown, Value
from engine.diagnostics.diagnostic import Diagnostic, UlnaError, has_errors
from engine.expand.desired import Desired, Pending, Scope, Unit
from engine.expand.expand import expand
from engine.expand.placeholders import CLOSER, OPENER, Placeholders, told_by
from engine.expand.schema import is_secure
from engine.expand.scopes import GROUP, SUBSCRIPTION, kind_of_schema
from engine.expand.writer import Writer, of_extension
from engine.pipeline.compiling import compile_parameters
from engine.plan.change import Action, Change, PropertyChange, PropertyKind
from engine.plan.diff import delta
from engine.plan.plan import Basis, Plan
from engine.record import Record
from engine.sources.port import Sources
from engine.template.template import Template

_OWN = ("id", "type", "name")


class Place(Record):
    """What is told of the place; whatever is empty stays open."""

    tenant: str = ""
    subscription: str = ""
    group: str = ""
    management_group: str = ""
    location: str = ""
    deployment: str = ""


def take(
    path: str, sources: Sources, place: Place, restore: bool = True
) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """The snapshot document of a `.bicepparam` file, and what compiling it found; raises `UlnaError` if it has none."""
    made = compile_parameters(path, sources, symbolic=True, restore=restore)
    if made.used is None:
        help = "Begin it with: using 'main.bicep'"
        raise UlnaError.of("ULN516", f"'{path}' uses no template, so there is nothing to predict", help)
    template, open = made.used.template, Placeholders()
    _check(place, kind_of_schema(template.document))
    desired, found = expand(template, _arguments(made.document), _scope(place, open), None)
    found = tuple(d.replace(message=_readable(d.message), help=_readable(d.help)) for d in found)
    if has_errors(found):
        raise UlnaError(*made.diagnostics, *found)
    return _document(template, desired, open), (*made.diagnostics, *found)


def _check(place: Place, kind: str) -> None:
    """What is told of the place must be of use at the scope of the template."""
    for told, flag, kinds in (
        (place.subscription, "--subscription-id", (SUBSCRIPTION, GROUP)),
        (place.group, "--resource-group", (GROUP,)),
    ):
        if told and kind not in kinds:
            message = f"{flag} says nothing of a template for the scope {kind}"
            raise UlnaError.of("ULN701", message, f"Leave {flag} out.", exit_code=2)


def _arguments(document: Mapping[str, Any]) -> dict[str, Value]:
    """The values of a parameters document; references to secrets, and what comes from outside, stay open."""
    values: dict[str, Value] = {}
    for name, entry in document["parameters"].items():
        if "value" in entry:
            values[name] = entry["value"]
        else:
            text = entry.get("expression") or f"[parameters('{name}')]"
            values[name] = told_by(text[1:-1])
    return values


def _scope(place: Place, open: Placeholders) -> Scope:
    return Scope(
        place.deployment or open.keep(told_by("deployment()", "name")),
        subscription_id=place.subscription or open.keep(told_by("subscription()", "subscriptionId")),
        resource_group=place.group or open.keep(told_by("resourceGroup()", "name")),
        management_group=place.management_group or open.keep(told_by("managementGroup()", "name")),
        tenant_id=place.tenant,
        location=place.location,
        placeholders=open,
    )


def _readable(text: str) -> str:
    """A message without the marks of placeholders."""
    return text.replace(OPENER, "<open ").replace(CLOSER, ">")


# ---------------------------------------------------------------- the document


def _document(template: Template, desired: Desired, open: Placeholders) -> dict[str, Any]:
    writer = Writer(open, {r.address: r for r in desired.resources}, desired.pending)
    versioned = "extensions" in template.document  # types of extensions have their version apart
    resources = [_resource(r, writer, versioned) for r in desired.resources if not r.existing]
    return {
        "predictedResources": sorted(resources, key=lambda r: "id" not in r),  # those of extensions last
        "diagnostics": [_pending(p) for p in desired.pending],
        "outputs": dict(_outputs(template, desired, writer)),
    }


def _resource(resource: Resource, writer: Writer, versioned: bool) -> dict[str, Any]:
    """A resource as a template would write it, its id before it; one of an extension has none."""
    body: dict[str, Any] = writer.json(dict(resource.properties))
    if of_extension(resource):
        if versioned:
            return {"type": resource.type, "apiVersion": resource.api_version, "properties": body}
        return {"type": f"{resource.type}@{resource.api_version}", "properties": body}
    return {
        "id": writer.id(resource),
        "type": resource.type,
        "name": writer.json(resource.name),
        "apiVersion": resource.api_version,
        **body,
    }


def _key(resource: Mapping[str, Any]) -> tuple[bool, str, str, str]:
    """What identifies a resource in a snapshot, and where it stands: by id, those of extensions last."""
    id = resource.get("id")
    rest = "" if id is not None else _named(resource)
    return id is None, str(id or "").lower(), str(resource.get("type", "")).lower(), rest


def _named(resource: Mapping[str, Any]) -> str:
    """What a resource without an id is called, if anything in its properties says it."""
    properties = resource.get("properties")
    inside = properties if isinstance(properties, Mapping) else {}
    metadata = inside.get("metadata")
    own = inside.get("name", metadata.get("name") if isinstance(metadata, Mapping) else None)
    return own if isinstance(own, str) else ""


def _pending(pending: Pending) -> str:
    """What a snapshot says of a part that cannot be told."""
    code = "NestedDeploymentShortCircuited" if pending.unit is Unit.MODULE or pending.id else "NotPredicted"
    target = _readable(pending.address.partition("/")[2])
    return f"{target} Warning {code}: Which resources this {pending.unit} deploys is known only in the deployment"


def _outputs(template: Template, desired: Desired, writer: Writer) -> Iterator[tuple[str, Any]]:
    for name, value in desired.outputs.items():
        declaration = template.document["outputs"][name]
        shown = writer.whole(value)
        if isinstance(value, Unknown) or is_secure(declaration, template.document):
            text = declaration.get("value")
            shown = text if isinstance(text, str) and text[:1] == "[" and text[1:2] != "[" else None
        yield name, shown


# ---------------------------------------------------------------- comparing


def difference(before: Any, after: Mapping[str, Any], file: str) -> tuple[Plan, tuple[PropertyChange, ...]]:
    """From the snapshot in a file to another: the changes of resources as a plan, and those of outputs; raises `UlnaError`."""
    resources = before.get("predictedResources") if isinstance(before, Mapping) else None
    if not isinstance(resources, list) or not all(isinstance(r, Mapping) for r in resources):
        raise UlnaError.of("ULN714", f"'{file}' is no snapshot: it has no list 'predictedResources'", _AGAIN)
    changes = tuple(_changes(resources, after["predictedResources"]))
    outputs = before.get("outputs", after["outputs"])
    return Plan(Basis(_SOMEWHERE, ""), changes), delta(outputs, after["outputs"], ("outputs",))


_SOMEWHERE = "<unknown>"
"""The scope of what has no id, or one that is open."""

_AGAIN = "Write it anew with --mode overwrite."


def _changes(before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]]) -> Iterator[Change]:
    old, new = _by_key(before), _by_key(after)
    for key in sorted(old.keys() | new.keys()):
        was, will = old.get(key), new.get(key)
        if was is None:
            assert will is not None
            yield _change(will, Action.CREATE, after=_body(will))
        elif will is None:
            yield _change(was, Action.DELETE, before=_body(was))
        elif found := delta(dict(was), dict(will)):
            yield _change(will, Action.MODIFY, delta=found)


def _by_key(resources: Iterable[Mapping[str, Any]]) -> dict[tuple[Any, ...], Mapping[str, Any]]:
    """By what identifies them; those that nothing tells apart, by their place too."""
    found: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for resource in resources:
        key, number = _key(resource), 0
        while (*key, number) in found:
            number += 1
        found[*key, number] = resource
    return found


def _body(resource: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in resource.items() if k not in (*_OWN, "apiVersion")}


def _change(resource: Mapping[str, Any], action: Action, **rest: Any) -> Change:
    id, type, name, version = (str(resource.get(k) or "") for k in (*_OWN, "apiVersion"))
    place = "" if id.startswith("[") else id
    return Change(id, place, type, version, name or _named(resource), action, **rest)


def output_lines(changes: Iterable[PropertyChange]) -> Iterator[str]:
    """The changes of outputs, a line each."""
    from json import dumps

    symbols = {PropertyKind.CREATE: "+", PropertyKind.DELETE: "-"}
    for change in changes:
        sides = [dumps(change.before, ensure_ascii=False), dumps(change.after, ensure_ascii=False)]
        shown = {PropertyKind.CREATE: sides[1], PropertyKind.DELETE: sides[0]}.get(change.kind, " => ".join(sides))
        yield f"  {symbols.get(change.kind, '~')} {dotted(change.path)}: {shown}"
