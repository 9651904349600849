"""Objects of Kubernetes among the resources of a template: which extension they belong to, their namespace, their id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.contract.value import Value

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator
    from engine.expand.unit import Unit

PLANE = "/planes/kubernetes/local"


def is_object(unit: Unit) -> bool:
    """Whether a resource is of the extension `kubernetes`, whatever that is called here."""
    return (
        unit.extension and str(_declared(unit).get("provider") or _declared(unit).get("name")).lower() == "kubernetes"
    )


def namespace_of(unit: Unit, evaluator: Evaluator) -> Value:
    """The namespace that an object names, or that its extension is declared with; None where neither does."""
    properties = unit.body.get("properties")
    metadata = properties.get("metadata") if isinstance(properties, Mapping) else None
    own = metadata.get("namespace") if isinstance(metadata, Mapping) else None
    written = own if own is not None else _setting(unit, "namespace")
    return evaluator.value(written) if written not in (None, "") else None


def refuse_kubeconfig(unit: Unit, evaluator: Evaluator) -> None:
    """A cluster that the file itself names is not the one that would be reached: better said than found out."""
    if evaluator.value(_setting(unit, "kubeConfig")) in (None, ""):
        return
    for section, key in (("imports", "import"), ("extensions", "extension")):
        if isinstance(alias := unit.body.get(key), str):
            message = f"The extension '{alias}' is declared with a kubeConfig, which is not used"
            help = "Leave it empty: the cluster is that of the environment's compute block, else of KUBECONFIG."
            pointer = f"{unit.frame.pointer}/{section}/{alias}/config/kubeConfig"
            unit.frame.world.report("ULN212", message, pointer, help)


def id_of(unit: Unit, namespace: Value, name: str) -> str:
    """`/planes/kubernetes/local/namespaces/NS/providers/GROUP/Kind/NAME`; without a namespace, what the environment has."""
    where = f"{PLANE}/namespaces/{namespace}" if isinstance(namespace, str) and namespace else PLANE
    return f"{where}/providers/{unit.type}/{name}"


def placed(properties: dict[str, Value], namespace: Value) -> dict[str, Value]:
    """The object in its namespace."""
    metadata = properties.get("metadata")
    if namespace is None or not isinstance(metadata, dict) or metadata.get("namespace") is not None:
        return properties
    return {**properties, "metadata": {**metadata, "namespace": namespace}}


def _declared(unit: Unit) -> Mapping[str, Any]:
    """The entry of the template that declares the extension of a resource."""
    for section, key in (("imports", "import"), ("extensions", "extension")):
        alias, known = unit.body.get(key), unit.frame.document.get(section)
        if isinstance(alias, str) and isinstance(known, Mapping) and isinstance(known.get(alias), Mapping):
            found: Mapping[str, Any] = known[alias]
            return found
    return {}


def _setting(unit: Unit, name: str) -> Any:
    """A value of the extension's configuration, in either of the ways that templates write it."""
    config = _declared(unit).get("config")
    written = config.get(name) if isinstance(config, Mapping) else None
    if isinstance(written, Mapping):
        return written.get("value", written.get("defaultValue"))
    return written
