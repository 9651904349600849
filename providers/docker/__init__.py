"""A Docker engine: the compute kind `docker`, and the operators of `Ulna.Docker/*`.

Pure: `platform.py` the app model to an engine's things · `parts.py` the containers of a replica · `gateway.py` a gateway's proxy ·
`surroundings.py` names, networks and volumes around them · `options.py` create options, and the block merged into them ·
`healthcheck.py` probes as a health check · `capabilities.py` the table · `shape.py` what an engine reports in our words.
Effects: `containers.py`, `gateways.py`, `networks.py`, `volumes.py` one operator each · `client.py` the only file that calls the SDK ·
`refusals.py` what it says when it fails · `images.py` pulling · `target.py` which engine · `health.py` how a container is ·
`probing.py` probes from here · `publishing.py` which ports · `reading.py` logs · `executing.py` programs in a container.
"""

from providers.docker.plugin import provider as provider
