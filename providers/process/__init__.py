"""Local processes: the compute kind `process`, and the operators of `Ulna.Process/*`.

Pure: `platform.py` the app model to parts of this machine · `launch.py` the processes of a replica · `addresses.py` ports, and what
stands in front of them · `gateway.py` a gateway's proxy · `capabilities.py` the table. Effects: `processes.py`, `ports.py`,
`balancers.py`, `gateways.py`, `folders.py` one operator each · `client.py` starts, finds and stops · `executing.py` runs a
program beside one · `inheriting.py` which variables they get · `shelf.py` the folder of one process. Detached: `supervisor.py` one
for each process, with `probes.py` and `output.py` · `balancer.py` the proxy.
"""


def __getattr__(name: str) -> object:
    """`provider`, loaded when it is asked for: a supervisor imports from this folder and needs nothing of it."""
    if name != "provider":
        raise AttributeError(name)
    from providers.process.plugin import provider

    return provider
