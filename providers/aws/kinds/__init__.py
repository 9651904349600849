"""The types that the compute kind `ecs` renders to, each with its calls: found by token, made, changed, removed.

`thing.py` what each of them answers · `table.py` all of them by type · `network.py`, `parts.py`, `security.py` of EC2 · `cluster.py`,
`definition.py`, `service.py`, `task.py`, `rollout.py` of ECS · `identity.py` of IAM · `logs.py` · `discovery.py` of Cloud Map ·
`balancing.py` of Elastic Load Balancing · `secrets.py` of Secrets Manager · `storage.py` of EFS · `scaling.py` · `certificates.py` of ACM.
"""
