"""Strategic merge, as Kubernetes has it for a pod: lists are merged item by item where their items have a key. Pure.

`null` removes a field. `$patch: delete` removes an item, `$patch: replace` puts an object or list in place of what is there;
`$retainKeys` names the only fields that stay; `$deleteFromPrimitiveList/NAME` takes values out of a list, and
`$setElementOrder/NAME` puts one in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.value import Value

_KEYS: Mapping[str, str] = {
    "containers": "name",
    "initContainers": "name",
    "ephemeralContainers": "name",
    "volumes": "name",
    "imagePullSecrets": "name",
    "hostAliases": "ip",
    "topologySpreadConstraints": "topologyKey",
    "schedulingGates": "name",
    "resourceClaims": "name",
    "evictionResponders": "name",
    "env": "name",
    "volumeMounts": "mountPath",
    "volumeDevices": "devicePath",
}
"""The merge keys of the lists in a pod, by the names of their fields; other lists are one value."""
_RETAINED = frozenset(["volumes"])
"""Lists whose items are of one kind at a time: another kind takes the place of the first."""
_UNIONS = frozenset(["name"])


def strategic(base: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """The object with the patch merged in."""
    if patch.get("$patch") == "replace":
        return {k: v for k, v in patch.items() if k != "$patch"}
    made = dict(base)
    for key, value in patch.items():
        if key == "$retainKeys":
            made = {k: v for k, v in made.items() if k in value}
        elif key.startswith("$deleteFromPrimitiveList/"):
            field = key.partition("/")[2]
            made[field] = [v for v in made.get(field) or () if v not in value]
        elif key.startswith("$"):
            continue
        elif value is None:
            made.pop(key, None)
        else:
            made[key] = _merged(key, made.get(key), value)
    for key, value in patch.items():
        if key.startswith("$setElementOrder/"):
            field = key.partition("/")[2]
            made[field] = _ordered(field, made.get(field) or [], value)
    return made


def _merged(field: str, before: Value, patch: Value) -> Value:
    if isinstance(patch, Mapping):
        return strategic(before if isinstance(before, Mapping) else {}, patch)
    if not isinstance(patch, list | tuple):
        return patch
    key = key_of(field, patch)
    if any(isinstance(i, Mapping) and i.get("$patch") == "replace" and len(i) == 1 for i in patch):
        return [i for i in patch if not (isinstance(i, Mapping) and i.get("$patch") == "replace" and len(i) == 1)]
    if not key or not all(isinstance(i, Mapping) for i in patch):
        return list(patch)
    return _items(field, key, before if isinstance(before, list | tuple) else [], patch)


def key_of(field: str, items: Any) -> str:
    """The merge key of a list; "" for one that is a value as a whole. Ports are of containers or of services."""
    if field == "ports":
        return "port" if any(isinstance(i, Mapping) and "port" in i for i in items) else "containerPort"
    return _KEYS.get(field, "")


def _items(field: str, key: str, before: Any, patch: Any) -> list[Any]:
    made = [dict(i) for i in before if isinstance(i, Mapping)]
    for item in patch:
        at = next((n for n, there in enumerate(made) if there.get(key) == item.get(key)), None)
        if item.get("$patch") == "delete":
            if at is not None:
                del made[at]
        elif at is None:
            made.append(strategic({}, item))
        elif field in _RETAINED and _is_another(made[at], item):
            made[at] = strategic({}, item)
        else:
            made[at] = strategic(made[at], item)
    return made


def _is_another(there: Mapping[str, Any], item: Mapping[str, Any]) -> bool:
    """Whether a volume is to come from elsewhere."""
    now, then = ({k for k in i if k not in _UNIONS and not k.startswith("$")} for i in (there, item))
    return bool(then) and not (now & then)


def _ordered(field: str, items: Any, order: Any) -> list[Any]:
    key = key_of(field, items)

    def place(item: Value) -> int:
        name = item.get(key) if isinstance(item, Mapping) else item
        names = [o.get(key) if isinstance(o, Mapping) else o for o in order]
        return names.index(name) if name in names else len(names)

    return sorted(items, key=place)
