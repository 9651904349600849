"""Objects as they are sent, and as they are read: secrets opened, encoded and hidden, quantities and ports written out."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from engine.contract.blotting import blotted
from engine.contract.operator import Call
from engine.contract.resource import Resource
from engine.contract.value import Leaf, Secret, Unknown, Value, encode, is_known, rewrite
from providers.kubernetes.client import Object
from providers.kubernetes.kinds import group_and_kind, metadata_of
from providers.kubernetes.live import MEASURED
from providers.kubernetes.marks import HASH


def native_of(resource: Resource, call: Call | None) -> dict[str, Any]:
    """The object as it is sent: without what is ours alone; with secrets opened where there is a call to open them."""
    group, kind = group_and_kind(resource.type)
    version = resource.api_version if group == "core" else f"{group}/{resource.api_version}"
    wish: dict[str, Any] = {
        k: v for k, v in resource.properties.items() if k not in ("secretHash", "apiVersion", "kind")
    }
    meta = dict(metadata_of(resource))
    meta.setdefault("name", resource.name)
    body: dict[str, Any] = {"apiVersion": version, "kind": kind, **wish, "metadata": meta}
    if (hashed := resource.properties.get("secretHash")) is not None:
        _annotate_template(body, digest(hashed))
    if call is None:
        return body
    opened: dict[str, Any] = _measured(rewrite(body, lambda leaf: _open(leaf, call)))
    if group in ("core", "apps", "batch"):
        opened = _with_protocols(opened)
    return _encoded(opened) if resource.type == "core/Secret" else opened


def _open(leaf: Leaf, call: Call) -> Value:
    return call.reveal(leaf) if isinstance(leaf, Secret) else leaf


def _measured(value: Value, field: str = "") -> Any:
    """Quantities as texts, which is what an older API server wants."""
    if isinstance(value, Mapping):
        return {k: _measured(v, field if field in MEASURED else k) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_measured(v) for v in value]
    number = field in MEASURED and isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:g}" if number else value


def _with_protocols(value: Value, field: str = "") -> Any:
    """Ports with their protocol, by which an older API server tells them apart."""
    if isinstance(value, Mapping):
        return {k: _with_protocols(v, k) for k, v in value.items()}
    if not isinstance(value, list):
        return value
    items = [_with_protocols(v) for v in value]
    if field != "ports":
        return items
    return [{"protocol": "TCP", **i} if isinstance(i, Mapping) else i for i in items]


def digest(values: Value) -> Value:
    """A digest of variables that come from secrets: pods are made anew when it changes."""
    if not is_known(values):
        return Unknown()
    text = json.dumps(encode(values), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _annotate_template(body: dict[str, Any], hashed: Value) -> None:
    spec = dict(body["spec"])
    template = dict(spec["template"])
    meta = dict(template.get("metadata") or {})
    meta["annotations"] = {**(meta.get("annotations") or {}), HASH: hashed}
    body["spec"] = {**spec, "template": {**template, "metadata": meta}}


def _encoded(body: dict[str, Any]) -> dict[str, Any]:
    """A Secret with its plain text encoded, once; applied as `data`, so that a key that is left out goes."""
    plain = body.pop("stringData", None) or {}
    data = {k: base64.b64encode(_text(v).encode()).decode() for k, v in plain.items()}
    return {**body, "data": {**(body.get("data") or {}), **data}} if data or body.get("data") else body


def _text(value: Value) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def readable(resource: Resource, live: Object) -> Object:
    """A Secret as it was written: plain text where that was given, and no other key's value."""
    if resource.type != "core/Secret":
        return live
    data = live.get("data") or {}
    shown = {k: v for k, v in live.items() if k not in ("data", "stringData")}
    notes = (live["metadata"].get("annotations") or {}).items()
    quiet = {k: v for k, v in notes if not k.startswith("kubectl.kubernetes.io/last-applied")}
    shown["metadata"] = {**live["metadata"], "annotations": quiet}
    for field, decode in (("stringData", True), ("data", False)):
        wanted = resource.properties.get(field)
        if isinstance(wanted, Mapping):
            shown[field] = {k: _decoded(data[k]) if decode else data[k] for k in wanted if k in data}
    return shown


def _decoded(text: str) -> str:
    return base64.b64decode(text).decode(errors="replace")


def without_secrets(text: str, body: Mapping[str, Any]) -> str:
    """A message without the encoded values of a Secret."""
    values = (body.get("data") or {}).values() if body.get("kind") == "Secret" else ()
    return blotted(text, (v for v in values if isinstance(v, str)))
