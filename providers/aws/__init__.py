"""Amazon Web Services: the compute kind `ecs`, the native types it renders to, and any `AWS.*` type through Cloud Control.

Pure: `platform.py` what becomes what · `definition.py` a task definition · `service.py` a service or a task that ends ·
`gateway.py` a load balancer · `network.py` what an environment owns · `storage.py` stores and volumes ·
`site.py` what an environment says · `sizes.py` Fargate's sizes · `checks.py` probes as health checks · `block.py` the `runtimes` block,
merged last · `capabilities.py` the table · `words.py` names of properties here and there.
Effects: `native.py` the operator of the types in `kinds/` · `cloudcontrol.py` the operator of all other types, with `shelf.py` ·
`reading.py` logs · `client.py` the only file that calls the SDK · `refusals.py` what it says when it fails ·
`target.py` which account and region.
"""

from providers.aws.plugin import provider as provider
