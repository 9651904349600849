"""A stand-in for Azure Resource Manager: an HTTP server on the loopback that holds each request against Azure's own API files.

`openapi.py` the files, and what of a request or an answer is not as they say · `world.py` the resources, references between them,
long-running operations · `filling.py` what Azure itself fills in · `faults.py` what goes wrong on demand · `server.py` the socket ·
`pods.py` container groups as real containers · `removal.py` their end · `names.py` private DNS ·
`gateways.py` Application Gateways and load balancers that pass requests on.
"""
