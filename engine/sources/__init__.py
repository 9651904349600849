"""The one port for reading: in goes a path, out come bytes, a text, a listing or a refusal.

Reading order: `port.py` the `Sources` protocol and its refusal · `text.py` bytes to text, by mark or by name of the
encoding · `local.py` the disk · `memory.py` a dictionary, for tests and editors.
"""
