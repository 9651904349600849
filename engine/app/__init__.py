"""The app model: resources of `Applications.*` in, platform-neutral records out, handed to the environment's platform.

Reading order: `schema.py` what a type may hold (`quick.py` says fast that all is well, `explain.py` says in words what is
not) · `sealing.py` what nobody may see · `environment.py` where a resource goes, `overlay.py` what that sets over it,
`policy.py` what that forbids · `ports.py`, `text.py`, `connections.py` its ports and variables, `portable.py` caches,
databases and queues given by hand · `lowered.py` what lowering comes to: `lower.py` a container (`container.py`,
`imagesource.py`, `extensions.py`, `identity.py`, `amounts.py`), `gateways.py`, `stores.py`, `volumes.py`, `dapr.py` ·
`capability.py` what a platform can do of it · `runtimes.py` the blocks for one kind · `surroundings.py` what is wrong
around a resource · `operator.py` the operator `app`.
"""
