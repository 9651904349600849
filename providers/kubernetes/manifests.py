"""`runtimes.kubernetes.base`: manifests of the user's own that a container is merged into. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.resource import Resource
from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place
from engine.record import Record
from providers.kubernetes.merge import strategic
from providers.kubernetes.places import label

_ONE = ("Deployment", "Service", "ServiceAccount")
_MANY = ("ConfigMap", "Secret")
_GROUPS = {"Deployment": "apps/v1"}


class Base(Record):
    """The manifests: at most one of the first three, any number of `others` (ConfigMaps and Secrets)."""

    deployment: Mapping[str, Any] = {}
    service: Mapping[str, Any] = {}
    account: Mapping[str, Any] = {}
    others: tuple[Mapping[str, Any], ...] = ()
    problems: tuple[Diagnostic, ...] = ()


def read_base(text: str, resource: Resource) -> Base:
    """The manifests in a text of YAML, checked."""
    import yaml

    try:
        documents = [d for d in yaml.load_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)) if d is not None]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark is not None else ""
        why = getattr(error, "problem", None) or str(error)
        return Base(problems=(_wrong(resource, f"is no YAML{where}: {why}", "Correct the manifest."),))
    problems = list(_problems(documents, resource))
    if problems:
        return Base(problems=tuple(problems))
    one = {d["kind"]: d for d in documents if d["kind"] in _ONE}
    return Base(
        one.get("Deployment", {}),
        one.get("Service", {}),
        one.get("ServiceAccount", {}),
        tuple(d for d in documents if d["kind"] in _MANY),
    )


def _problems(documents: list[Any], resource: Resource) -> Iterator[Diagnostic]:
    name = label(str(resource.name))
    seen: set[str] = set()
    for number, document in enumerate(documents):
        kind = document.get("kind") if isinstance(document, Mapping) else None
        meta = document.get("metadata") if isinstance(document, Mapping) else None
        if not isinstance(kind, str) or not isinstance(meta, Mapping) or not meta.get("name"):
            yield _wrong(resource, f"has no kind or no metadata.name in manifest {number + 1}", "Add them.")
            continue
        if kind not in (*_ONE, *_MANY):
            help = f"Allowed are {', '.join((*_ONE, *_MANY))}. Declare others beside it, with 'extension kubernetes'."
            yield _wrong(resource, f"has a {kind}", help)
            continue
        wanted = _GROUPS.get(kind, "v1")
        if document.get("apiVersion") != wanted:
            yield _wrong(
                resource, f"has a {kind} of apiVersion '{document.get('apiVersion')}'", f"Write apiVersion: {wanted}."
            )
        if meta.get("namespace"):
            help = "Remove metadata.namespace: the namespace is that of the application."
            yield _wrong(resource, f"has a {kind} with a namespace", help)
        if kind in _ONE:
            if kind in seen:
                yield _wrong(resource, f"has more than one {kind}", "Keep one of them.")
            if meta["name"] != name:
                yield _wrong(resource, f"has a {kind} named '{meta['name']}'", f"Name it '{name}', as the container.")
        seen.add(kind)
    account = next((d for d in documents if isinstance(d, Mapping) and d.get("kind") == "ServiceAccount"), None)
    deployment = next((d for d in documents if isinstance(d, Mapping) and d.get("kind") == "Deployment"), None)
    if account is not None and deployment is not None:
        spec = ((deployment.get("spec") or {}).get("template") or {}).get("spec") or {}
        named = spec.get("serviceAccountName")
        if named and named != (account.get("metadata") or {}).get("name"):
            help = "Let both have one name."
            yield _wrong(resource, f"names the service account '{named}' in the Deployment, and has another one", help)


BASE = ("runtimes", "kubernetes", "base")


def _wrong(resource: Resource, what: str, help: str) -> Diagnostic:
    message = f"runtimes.kubernetes.base of '{resource.name}' {what}"
    return Diagnostic("ULN335", Severity.ERROR, message, place(resource.origin, BASE), help=help)


# ---------------------------------------------------------------- merging


def pod_onto(base: Mapping[str, Any], pod: Mapping[str, Value], main: str) -> dict[str, Value]:
    """The pod of a manifest with ours merged in: a container of our name is ours, whatever its case."""
    if not base:
        return dict(pod)
    containers = [
        {**c, "name": main} if str(c.get("name", "")).lower() == main else c for c in base.get("containers") or ()
    ]
    started = {**base, "containers": containers} if containers else dict(base)
    return strategic(started, pod)


def ports_onto(base: list[Mapping[str, Any]], ports: list[dict[str, Value]]) -> list[dict[str, Value]]:
    """The ports of a service with ours: those of the same name, number or target take the place of what is there."""
    made = [dict(p) for p in base]
    for port in ports:
        same = next((p for p in made if any(k in p and p[k] == port[k] for k in ("name", "port", "targetPort"))), None)
        if same is None:
            made.append(port)
        else:
            same.update(port)
    return [{"protocol": "TCP", **p} for p in made]
