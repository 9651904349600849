"""Azure: the compute kind `aci`, and the operator of every `Microsoft.*` resource.

Pure: `platform.py` the kind, and what each part of an application becomes · `ground.py` the network of an environment ·
`naming.py` names and ids · `groups.py` a workload as the properties of a container group · `commands.py` its command lines and
probes · `sizes.py` CPU and memory · `replicas.py` several groups behind a load balancer · `gateways.py` Application Gateways ·
`stores.py` secrets · `volumes.py` file shares · `grants.py` identities and roles · `merging.py` the `runtimes.aci` block ·
`capabilities.py` the table · `alike.py` what is live in the words of the wish · `kinds.py` what is special of a type ·
`health.py` how a thing is.
Effects: `arm.py` the operator · `client.py` the only file that calls the SDK · `target.py` which cloud, which credentials ·
`refusals.py` what Azure says when it fails · `marks.py` whose a resource is · `late.py` values made as they are sent ·
`reading.py` logs.
"""

from providers.azure.plugin import provider as provider
