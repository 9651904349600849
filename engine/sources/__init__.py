"""The one port for reading: in goes a path, out come bytes, a text, a listing or a refusal.

Reading order: `port.py` the `Sources` protocol and its refusal · `text.py` bytes to text, by mark or by name of the
encoding · `local.py` the disk · `memory.py` a dictionary, for tests and editors · `confined.py` one folder of another ·
`packed.py` the files of a `.tgz` · `clock.py` what day it is.

From elsewhere: `reference.py` what a reference means · `registry.py` where it leads, by `lockfile.py` and `cache.py` and
without the network · `fetch.py` one artifact into the cache, through `oci.py` (`transport.py`, `credentials.py`) or `git.py`.
"""
