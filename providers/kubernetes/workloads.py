"""A workload to its objects: who it is, what it keeps secret, what runs, how it is reached and scaled. Pure.

web                       Applications.Core/containers
├── ServiceAccount        whom its pods act as; with a Role and a RoleBinding that let them read secrets
├── Secret                values of its variables that nobody may see
├── registry              a Secret with the credentials for its image's registry
├── Deployment            its pods; a Job where it is meant to end
├── Service               its ports by a name
└── HorizontalPodAutoscaler

The order of merging: the base manifest, what the container says, `runtimes.kubernetes.pod`, Dapr's annotations, replicas,
labels and annotations of kubernetesMetadata.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.app import Autoscale, RestartPolicy, Workload
from engine.contract.operator import Children, Undecided, View
from engine.contract.resource import Resource, Wait
from engine.contract.value import Properties, Value, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place
from providers.kubernetes.identity import account_metadata, identity_problems, pod_labels
from providers.kubernetes.manifests import Base, pod_onto, ports_onto, read_base
from providers.kubernetes.merge import strategic
from providers.kubernetes.naming import refused
from providers.kubernetes.places import Maker, has_extension, homeless, namespace_for, open_parts, slug
from providers.kubernetes.pods import Pods, hashed


def objects_of(workload: Workload, view: View) -> Children | Undecided:
    """The objects of a workload."""
    resource, runtime = workload.resource, workload.runtime
    if waiting := needs(open_parts(runtime)):
        return Undecided(waiting)
    if (lost := homeless(resource, workload.application, view)) is not None:
        return Children((), {}, (lost,))
    text = runtime.get("base")
    base = read_base(text, resource) if isinstance(text, str) and text.strip() else Base()
    ends = workload.restart is not RestartPolicy.ALWAYS
    problems = [*base.problems, *identity_problems(workload), *_ending(workload, base, ends)]
    problems += refused(workload, namespace_for(resource, workload.application, view))
    if any(p.severity is Severity.ERROR for p in problems):
        return Children((), {}, tuple(problems))
    return _Objects(workload, view, base, ends, problems).children()


def _ending(workload: Workload, base: Base, ends: bool) -> Iterator[Diagnostic]:
    """What does not go together with an end."""
    origin = workload.resource.origin
    if ends and base.deployment:
        message = (
            f"'{workload.resource.name}' has restartPolicy '{workload.restart}', which makes it a Job, "
            "and a Deployment in runtimes.kubernetes.base"
        )
        help = "Remove one of them; what a pod needs besides goes into runtimes.kubernetes.pod."
        yield Diagnostic("ULN335", Severity.ERROR, message, place(origin, ("restartPolicy",)), help=help)
    if ends and workload.autoscale is not None:
        message = (
            f"'{workload.resource.name}' has restartPolicy '{workload.restart}', "
            "and what is meant to end cannot be scaled automatically"
        )
        where = place(origin, ("extensions",))
        yield Diagnostic("ULN328", Severity.ERROR, message, where, help="Remove one of them.")


class _Objects:
    """The objects of one workload in the making."""

    def __init__(self, workload: Workload, view: View, base: Base, ends: bool, problems: list[Diagnostic]) -> None:
        self.workload = workload
        self.base = base
        self.ends = ends
        self.problems = problems
        namespace = namespace_for(workload.resource, workload.application, view)
        self.maker = Maker(workload.resource, workload.application, namespace, workload.labels, workload.annotations)
        self.pods = Pods(workload, namespace, view)
        self.made: list[Resource] = []

    def children(self) -> Children:
        """All of them, in the order they are needed."""
        spec = self.pods.spec(self.ends)
        self.problems += self.pods.problems
        if any(p.severity is Severity.ERROR for p in self.problems):
            return Children((), {}, tuple(self.problems))
        self._account()
        self._secrets()
        for other in self.base.others:
            kind, name = str(other["kind"]), str(other["metadata"]["name"])
            self._add(f"core/{kind}@v1", _bare(other), f"{kind}-{name}", name)
        template = self._template(spec)
        waits = tuple(Wait(r.address) for r in self.made)
        runs = self._job(template, waits) if self.ends else self._deployment(template, waits)
        if self.workload.ports or self.base.service:
            self._service()
        if self.workload.autoscale is not None:
            scaler = _scaler(self.workload.autoscale, self.maker.name)
            self._add("autoscaling/HorizontalPodAutoscaler@v2", scaler, waits=(Wait(runs.address),))
        ending = frozenset([runs.address]) if self.ends else frozenset[str]()
        return Children(tuple(self.made), {}, tuple(self.problems), ending=ending)

    def _add(
        self, type: str, body: Properties, symbol: str = "", name: str = "", waits: tuple[Wait, ...] = ()
    ) -> Resource:
        made = self.maker.make(type, body, symbol, name, waits)
        self.made.append(made)
        return made

    # ------------------------------------------------------------ parts

    def _account(self) -> None:
        name = self.maker.name
        own = _bare(self.base.account)
        self._add(
            "core/ServiceAccount@v1",
            {**own, "metadata": strategic(own.get("metadata") or {}, account_metadata(self.workload))},
        )
        rules = [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list"]}]
        role = self._add("rbac.authorization.k8s.io/Role@v1", {"rules": rules})
        binding = {
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": self.maker.namespace}],
        }
        self._add("rbac.authorization.k8s.io/RoleBinding@v1", binding, waits=(Wait(role.address),))

    def _secrets(self) -> None:
        if self.pods.secrets:
            self._add("core/Secret@v1", {"type": "Opaque", "stringData": hashed(self.pods.secrets)})
        if self.pods.registries:
            data = {".dockerconfigjson": self.pods.registry_text()}
            body = {"type": "kubernetes.io/dockerconfigjson", "stringData": data}
            self._add("core/Secret@v1", body, "registry", f"{self.maker.name}-registry")

    def _template(self, spec: dict[str, Value]) -> dict[str, Value]:
        """The pod's template: ours merged into the base, then the block, Dapr's annotations, and the metadata."""
        workload, maker = self.workload, self.maker
        base = (self.base.deployment.get("spec") or {}).get("template") or {}
        spec = pod_onto(base.get("spec") or {}, spec, maker.name)
        if isinstance(patch := workload.runtime.get("pod"), Mapping):
            spec = strategic(spec, patch)
        own = base.get("metadata") or {}
        annotations = {**(own.get("annotations") or {}), **_dapr(workload), **maker.annotations}
        meta: dict[str, Value] = {
            "labels": {**(own.get("labels") or {}), **pod_labels(workload), **maker.labels},
            **({"annotations": annotations} if annotations else {}),
        }
        return {"metadata": meta, "spec": spec}

    def _deployment(self, template: dict[str, Value], waits: tuple[Wait, ...]) -> Resource:
        workload = self.workload
        base = _bare(self.base.deployment)
        spec = {**(base.get("spec") or {})}
        spec["selector"] = {"matchLabels": self.maker.selector(workload.application)}
        spec["template"] = template
        if workload.autoscale is not None:
            spec.pop("replicas", None)  # they are the autoscaler's
        elif has_extension(workload.resource, "manualScaling") or workload.replicas != 1:
            spec["replicas"] = workload.replicas
        return self._add("apps/Deployment@v1", {**base, "spec": spec, **self._hash()}, waits=waits)

    def _job(self, template: dict[str, Value], waits: tuple[Wait, ...]) -> Resource:
        """To the end, once: as many pods as replicas; one that fails is started again only under `OnFailure`."""
        workload = self.workload
        spec: dict[str, Value] = {"restartPolicy": str(workload.restart), **template["spec"]}
        body: dict[str, Value] = {"template": {**template, "spec": spec}}
        if workload.restart is RestartPolicy.NEVER:
            body["backoffLimit"] = 0
        if has_extension(workload.resource, "manualScaling"):
            body["parallelism"] = body["completions"] = workload.replicas
        return self._add("batch/Job@v1", {"spec": body, **self._hash()}, waits=waits)

    def _hash(self) -> Properties:
        return {"secretHash": hashed(self.pods.hashed)} if self.pods.hashed else {}

    def _service(self) -> None:
        base = _bare(self.base.service)
        own: list[dict[str, Value]] = [
            {"name": slug(p.name), "port": p.port, "protocol": str(p.protocol), "targetPort": p.container_port}
            for p in self.workload.ports
        ]
        spec = {
            **(base.get("spec") or {}),
            "type": "ClusterIP",
            "selector": self.maker.selector(self.workload.application),
            "ports": ports_onto((base.get("spec") or {}).get("ports") or [], own),
        }
        self._add("core/Service@v1", {**base, "spec": spec})


def _bare(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest without what its type says."""
    return {k: v for k, v in manifest.items() if k not in ("apiVersion", "kind", "status")}


def _dapr(workload: Workload) -> dict[str, str]:
    """What Dapr's injector reads."""
    dapr = workload.dapr
    if dapr is None:
        return {}
    asked = {
        "enabled": "true",
        "app-id": dapr.app_id,
        "app-port": str(dapr.port) if dapr.port is not None else None,
        "config": dapr.config,
        "app-protocol": dapr.protocol if dapr.port is not None else None,
    }
    return {f"dapr.io/{k}": v for k, v in asked.items() if v}


def _scaler(scale: Autoscale, name: str) -> dict[str, Value]:
    aims = {"cpu": scale.cpu, "memory": scale.memory}
    return {
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
            "minReplicas": scale.minimum,
            "maxReplicas": scale.maximum,
            "metrics": [
                {
                    "type": "Resource",
                    "resource": {"name": k, "target": {"type": "Utilization", "averageUtilization": v}},
                }
                for k, v in aims.items()
                if v is not None
            ],
        }
    }
