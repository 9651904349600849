"""The steps strung together: a request comes in, what its verb gives goes out. Refusals are `UlnaError`s.

What verbs share: `request.py` what was asked and what came out · `reading.py` the disk, with a memory · `compiling.py` text to
template · `keeping.py` templates kept between runs · `arguments.py`, `parameterfile.py` parameters · `target.py` which environment ·
`azurescope.py` where on Azure · `preparing.py` template to native resources, against the state · `running.py` one run of the engine ·
`tracing.py`, `spans.py` its traces for OpenTelemetry.
Verbs: `planning.py` · `deploying.py` · `destroying.py` · `looking.py` status, logs, graph, native objects · `snapshotting.py` ·
`restoring.py`, `fetching.py`, `publishing.py`, `extending.py`, `archive.py` modules from elsewhere.
"""
