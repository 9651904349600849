"""Local processes: the compute kind `process`, and the operators of `Ulna.Process/*`.

Pure: `platform.py` a workload to processes, ports and balancers · `capabilities.py` the
table. Effects: `processes.py`, `ports.py`, `balancers.py` one operator each · `client.py` starts, finds and stops · `shelf.py` the
folder of one process. Detached: `supervisor.py` one for each process, with `probes.py` and `output.py` · `balancer.py` the proxy.
"""


def __getattr__(name: str) -> object:
    """`provider`, loaded when it is asked for: a supervisor imports from this folder and needs nothing of it."""
    if name != "provider":
        raise AttributeError(name)
    from providers.process.plugin import provider

    return provider
