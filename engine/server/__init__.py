"""Deployments of many environments, queued by a server and carried out by many workers.

`ulna submit` packs a file with all that its compiler reads (`bundle.py`, `job.py`) and sends it to the server (`client.py`,
`api.py`, `serving.py`). The server keeps it, sealed (`sealing.py`), in the database beside the state (`database.py`) and puts a
durable workflow into a queue of DBOS (`queue.py`): one at a time for each environment. A worker (`worker.py`) takes it and
deploys (`carrying.py`, `unpacking.py`), telling what happens line by line (`lines.py`). A worker that dies is found by its
silence (`roll.py`): what it carried out goes back into the queue, and the next one goes on from the log of the environment.
The lease of the environment, and the fence that is checked with every append, keep the promise where clocks and networks do not.
"""
