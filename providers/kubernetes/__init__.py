"""Kubernetes: the compute kind `kubernetes`, and the operator of any object of a cluster.

Pure: `platform.py` the app model to objects · `places.py` namespaces, names, labels · `workloads.py` a container with all that
it needs · `pods.py` its pod · `manifests.py`, `merge.py` what `runtimes.kubernetes` merges into it · `identity.py` · `gateways.py`,
`ingress.py`, `caddy.py` the three ways in · `stores.py` secrets, volumes, Dapr · `capabilities.py` the table · `kinds.py` what is
true of kinds · `marks.py` what is ours · `bodies.py` objects as they are sent and read · `live.py` one in the shape
of what was asked for.
Effects: `objects.py` any object · `namespaces.py` those that have to be there · `clusters.py` what a cluster has · `client.py` the only
file that calls the SDK · `target.py` which cluster · `refusals.py` what it says when it fails · `health.py`, `trouble.py` how an
object is, and why its pods are not ready · `reading.py` logs, without the
secrets that `blotting.py` knows.
"""

from providers.kubernetes.plugin import provider as provider
