"""The app model: `Applications.Core` resources in, platform-neutral workloads out, handed to the environment's platform.

Reading order: `schema.py` what a type may hold (`quick.py` says fast that all is well, `explain.py` says in words what is
not) · `environment.py` where a resource goes · `ports.py`, `text.py`, `connections.py` its ports and variables · `lower.py` a
container to a `Workload` · `capability.py` what a platform can do of it · `runtimes.py` the blocks for one kind ·
`operator.py` the operator `app`.
"""
