"""The schema of `runtimes.kubernetes`, made of Kubernetes' own; and the merge keys, which stand there too. ULNA_ACCEPT=1 writes it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from providers.kubernetes.kinds import MERGE_KEYS
from providers.kubernetes.merge import _KEYS

validate = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")

ROOT = Path(__file__).parents[3]
FILE = ROOT / "schemas" / "runtimes" / "kubernetes.json"
OPEN = ("resource.Quantity", "util.intstr.IntOrString", "apis.meta.v1.Time")
POD = "io.k8s.api.core.v1.PodSpec"


def definitions() -> dict[str, Any]:
    folder = Path(validate.__file__).parent / "kubernetes-json-schema"
    newest = max(folder.glob("v*-local"), key=lambda p: [int(n) for n in p.name[1:].split("-")[0].split(".")])
    read: dict[str, Any] = json.loads((newest / "_definitions.json").read_text())
    found: dict[str, Any] = read["$defs"]
    return found


def name_of(reference: str) -> str:
    return reference.rpartition("/")[2]


class Schema:
    """The parts of a pod's schema, as a patch of it: nothing is required, null removes, and directives are allowed."""

    def __init__(self) -> None:
        self.all = definitions()
        self.made: dict[str, Any] = {}

    def part(self, name: str) -> dict[str, Any]:
        short = name.removeprefix("io.k8s.").replace("api.core.v1.", "").replace("apimachinery.pkg.", "")
        if any(name.endswith(o) for o in OPEN):
            return {"type": ["string", "integer", "number", "null"]}
        if short not in self.made:
            self.made[short] = {}
            self.made[short] = self.object(self.all[name])
        return {"$ref": f"#/$defs/{short}"}

    def object(self, found: dict[str, Any]) -> dict[str, Any]:
        fields = {k: self.field(v) for k, v in found.get("properties", {}).items()}
        for key, value in found.get("properties", {}).items():
            if self.kind(value) == "array":
                fields[f"$setElementOrder/{key}"] = {"type": "array"}
                if "$ref" not in value.get("items", {}):
                    fields[f"$deleteFromPrimitiveList/{key}"] = {"type": "array"}
        fields["$patch"] = {"type": "string", "enum": ["delete", "replace", "merge"]}
        fields["$retainKeys"] = {"type": "array"}
        return {"type": ["object", "null"], "properties": dict(sorted(fields.items())), "additionalProperties": False}

    def kind(self, value: dict[str, Any]) -> str:
        kinds = value.get("type", "")
        return next((k for k in kinds if k != "null"), "") if isinstance(kinds, list) else kinds

    def field(self, value: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in value:
            return self.part(name_of(value["$ref"]))
        kind = self.kind(value)
        made: dict[str, Any] = {"type": [kind, "null"]} if kind else {}
        if kind == "array":
            made["items"] = self.field(value["items"])
        if kind == "object" and "additionalProperties" in value:
            made["additionalProperties"] = self.field(value["additionalProperties"])
        return made


def schema() -> dict[str, Any]:
    build = Schema()
    pod = build.part(POD)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "runtimes/kubernetes",
        "title": "runtimes.kubernetes",
        "type": "object",
        "description": "What only Kubernetes has: manifests to start from, and a patch of the pod.",
        "properties": {
            "base": {
                "type": "string",
                "description": "Manifests in YAML that the container is merged into: a Deployment, a Service, a ServiceAccount of its name, and any ConfigMaps and Secrets.",
            },
            "pod": {
                **pod,
                "description": "Fields of the pod's spec, merged last as Kubernetes' strategic merge does it.",
            },
        },
        "additionalProperties": False,
        "$defs": dict(sorted(build.made.items())),
    }


def test_the_block_is_kubernetes_own():
    wanted = json.dumps(schema(), indent=1) + "\n"
    if os.environ.get("ULNA_ACCEPT"):
        FILE.write_text(wanted)
    assert FILE.read_text() == wanted


def lists() -> dict[str, tuple[set[str], set[str]]]:
    """By the name of a field in a pod, its merge key for patches, and its keys for server-side apply."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    everything, seen, todo = definitions(), set[str](), [POD]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for key, value in everything[name].get("properties", {}).items():
            inner = value.get("items", value)
            if "$ref" in inner:
                todo.append(name_of(inner["$ref"]))
            if "x-kubernetes-patch-merge-key" in value:
                patch, apply = found.setdefault(key, (set(), set()))
                patch.add(value["x-kubernetes-patch-merge-key"])
                apply.update(value.get("x-kubernetes-list-map-keys") or ())
    return found


def test_lists_of_a_pod_are_merged_by_the_keys_that_kubernetes_names():
    found = lists()
    assert {f: k for f, k in _KEYS.items() if f in found} == {
        f: next(iter(patch)) for f, (patch, _) in found.items() if f not in ("ports", "ownerReferences")
    }
    assert set(_KEYS) - set(found) <= {"resourceClaims", "schedulingGates"}
    for field, (_, apply) in found.items():
        if field != "ports" and apply:
            assert set(MERGE_KEYS[field]) == apply, field
