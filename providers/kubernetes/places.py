"""Where things go in a cluster, what they are called there, and how they are labelled. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import View
from engine.contract.resource import Resource, Wait, body, join, short
from engine.contract.value import Leaf, Properties, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.kubernetes.kinds import native_id

VERSION = "2026-12-01"
MANAGED_BY = "ulna"


def compute_of(view: View) -> Mapping[str, Any]:
    """The compute block of the environment."""
    compute = view.environment.properties.get("compute") if view.environment is not None else None
    return compute if isinstance(compute, Mapping) else {}


def environment_namespace(view: View) -> str:
    """The namespace of what belongs to the environment itself."""
    return str(compute_of(view).get("namespace") or "default")


def namespace_of(application: str, declared: Resource | None, view: View) -> str:
    """The namespace of an application: its extension kubernetesNamespace, else `<environment's>-<application>`."""
    if not application:
        return environment_namespace(view)
    for extension in _extensions(declared):
        if extension.get("kind") == "kubernetesNamespace" and extension.get("namespace"):
            return str(extension["namespace"])
    return f"{environment_namespace(view)}-{application.lower()}"


def namespace_for(resource: Resource, application: str, view: View) -> str:
    """The namespace of something that belongs to an application, or to the environment alone."""
    return namespace_of(application, application_of(resource, view), view)


def application_of(resource: Resource, view: View) -> Resource | None:
    """The application of a resource, where it is declared."""
    id = body(resource).get("application")
    return view.find(id) if isinstance(id, str) and id else None


def homeless(resource: Resource, application: str, view: View) -> Diagnostic | None:
    """That the namespace of an application goes with it, and nobody declares it."""
    if not application or application_of(resource, view) is not None:
        return None
    message = f"The application '{application}' of '{resource.name}' is not declared, and its namespace goes with it"
    help = "Declare the application, here or in a file that is deployed first."
    return Diagnostic("ULN326", Severity.ERROR, message, resource.origin, help=help)


def _extensions(resource: Resource | None) -> list[Mapping[str, Any]]:
    found = body(resource).get("extensions") if resource is not None else None
    return [e for e in found if isinstance(e, Mapping)] if isinstance(found, list | tuple) else []


def has_extension(resource: Resource, kind: str) -> bool:
    """Whether a resource has an extension of a kind."""
    return any(e.get("kind") == kind for e in _extensions(resource))


def label(name: str) -> str:
    """A name as objects have it: in lower case."""
    return name.lower()


def slug(name: str) -> str:
    """A name of a port, volume or container: lower case letters, digits and hyphens."""
    kept = "".join(c if c.isalnum() and c.isascii() else "-" for c in name.lower()).strip("-")
    return kept or "x"


class Maker:
    """Makes the objects of one resource: in its namespace, with its labels and annotations."""

    __slots__ = ("annotations", "labels", "name", "namespace", "parent")

    def __init__(
        self, parent: Resource, application: str, namespace: str, labels: Properties, annotations: Properties
    ) -> None:
        self.parent = parent
        self.name = label(str(parent.name))
        self.namespace = namespace
        part_of = {"app.kubernetes.io/part-of": application} if application else {}
        self.labels: dict[str, Value] = {
            **labels,
            **self.selector(application),
            "radapp.io/resource-type": str(parent.type).lower().replace("/", "-"),
            "app.kubernetes.io/name": self.name,
            **part_of,
            "app.kubernetes.io/managed-by": MANAGED_BY,
        }
        self.annotations = dict(annotations)

    def selector(self, application: str) -> dict[str, Value]:
        """The labels that find the pods."""
        found: dict[str, Value] = {"radapp.io/resource": self.name}
        return {"radapp.io/application": application, **found} if application else found

    def make(
        self, type: str, body: Properties, symbol: str = "", name: str = "", waits: tuple[Wait, ...] = ()
    ) -> Resource:
        """An object: `type` is `GROUP/Kind@VERSION`, `symbol` the last segment of its address."""
        kind, _, version = type.partition("@")
        own = body.get("metadata") or {}
        meta: dict[str, Value] = {
            "name": name or self.name,
            "namespace": self.namespace,
            "labels": {**(own.get("labels") or {}), **self.labels},
        }
        annotations = {**(own.get("annotations") or {}), **self.annotations}
        if annotations:
            meta["annotations"] = annotations
        address = join(self.parent.address, symbol or kind.rpartition("/")[2])
        id = native_id(kind, self.namespace, meta["name"])
        rest = {k: v for k, v in body.items() if k != "metadata"}
        return Resource(address, kind, version, meta["name"], id, {"metadata": meta, **rest}, waits)


def own_type(parent: Resource, type: str, symbol: str, wish: Properties) -> Resource:
    """A resource of one of our own types."""
    id = f"{parent.id}/{type}/{symbol}"
    name = str(wish.get("name") or symbol)
    return Resource(join(parent.address, symbol), f"Ulna.Kubernetes/{type}", VERSION, name, id, {"properties": wish})


def secret_of(store: str, view: View) -> tuple[str, str | None]:
    """The name and namespace of the Secret that a secret store is, by its id or the cluster's own name; None where it does not say."""
    if not store.startswith("/"):
        namespace, _, name = store.rpartition("/")
        return name, namespace or None
    found = view.find(store)
    if found is None:
        return label(short(store)), None
    reference = body(found).get("resource")
    application = body(found).get("application")
    home = namespace_for(found, short(application) if isinstance(application, str) else "", view)
    if isinstance(reference, str) and reference:
        namespace, _, name = reference.rpartition("/")
        return name, namespace or home
    return label(str(found.name)), home


def open_parts(value: Value) -> list[Leaf]:
    """What in a block decides how it is merged, and is not known: whole objects and lists, and the names in them."""
    found: list[Leaf] = []
    if isinstance(value, Leaf):
        return [value]
    if isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(item, Leaf):
                if key in (
                    "name",
                    "metadata",
                    "spec",
                    "env",
                    "containers",
                    "initContainers",
                    "volumes",
                    "volumeMounts",
                ):
                    found.append(item)
            else:
                found += open_parts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            found += open_parts(item) if isinstance(item, Mapping | list | tuple) else []
    return found
