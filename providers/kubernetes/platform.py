"""The compute kind `kubernetes`: what belongs to the app model, as objects of a cluster. Pure.

prod                     Applications.Core/environments
├── namespace            Ulna.Kubernetes/namespaces    made if it is not there, and deleted only then
└── cluster              Ulna.Kubernetes/clusters      what the cluster has: how it is reached from outside
shop                     Applications.Core/applications
└── namespace            Ulna.Kubernetes/namespaces    prod's namespace and the application's name
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.app import DaprComponent, Endpoint, Gateway, Port, SecretStore, Volume, Workload
from engine.contract.operator import Children, Undecided, View
from engine.contract.platform import Capability, Shipped, shipped_schema
from engine.contract.resource import Resource, join
from engine.contract.value import Output
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.kubernetes import stores
from providers.kubernetes.capabilities import CAPABILITIES
from providers.kubernetes.places import environment_namespace, label, namespace_for, namespace_of, own_type
from providers.kubernetes.workloads import objects_of


class KubernetesPlatform(Shipped):
    """See the module."""

    kind = "kubernetes"
    capabilities: Mapping[str, Capability] = CAPABILITIES

    def block_schema(self, type: str) -> Mapping[str, Any] | None:
        """What `runtimes.kubernetes` of a volume may hold; a gateway has none."""
        return shipped_schema("kubernetes.volume.json") if type == "volumes" else None

    # ------------------------------------------------------------ names

    def endpoint(self, workload: Workload, port: Port) -> Endpoint:
        """The name of its service, as its own namespace knows it."""
        return Endpoint(label(str(workload.resource.name)), port.port, port.scheme)

    def endpoint_in(self, workload: Workload, port: Port, view: View) -> Endpoint:
        """The name of its service, as every namespace knows it."""
        name = label(str(workload.resource.name))
        return Endpoint(
            f"{name}.{namespace_for(workload.resource, workload.application, view)}", port.port, port.scheme
        )

    # ------------------------------------------------------------ what things become

    def environment(self, resource: Resource, view: View) -> Children:
        """Its namespace; and a look at what the cluster has, which decides how gateways are made."""
        namespace = own_type(resource, "namespaces", "namespace", {"name": environment_namespace(view)})
        cluster = own_type(resource, "clusters", "cluster", {"look": 1})
        address = join(resource.address, "cluster")
        return Children(
            (namespace, cluster),
            {
                "namespace": environment_namespace(view),
                "gateways": Output(address, ("properties", "gateways")),
                "version": Output(address, ("properties", "version")),
            },
        )

    def application(self, resource: Resource, view: View) -> Children:
        """Its namespace."""
        name = namespace_of(str(resource.name), resource, view)
        if (problem := _too_long(name, resource)) is not None:
            return Children((), {}, (problem,))
        wish = {"name": name, "application": str(resource.name)}
        return Children((own_type(resource, "namespaces", "namespace", wish),), {"namespace": name})

    def workload(self, workload: Workload, view: View) -> Children | Undecided:
        """See `workloads.py`."""
        return objects_of(workload, view)

    def gateway(self, gateway: Gateway, view: View) -> Children | Undecided:
        """See `gateways.py`."""
        from providers.kubernetes.gateways import objects_of_gateway

        return objects_of_gateway(gateway, view)

    def secret_store(self, store: SecretStore, view: View) -> Children:
        """A Secret."""
        return stores.secret_store(store, view)

    def volume(self, volume: Volume, view: View) -> Children:
        """A PersistentVolumeClaim."""
        return stores.volume(volume, view)

    def dapr_component(self, component: DaprComponent, view: View) -> Children:
        """A Component of Dapr."""
        return stores.dapr_component(component, view)


def _too_long(name: str, resource: Resource) -> Diagnostic | None:
    if len(name) <= 63:
        return None
    message = f"The namespace '{name}' of '{resource.name}' would have {len(name)} characters, and a cluster allows 63"
    help = "Name a shorter one with the extension kubernetesNamespace."
    return Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help)
