"""Settings: in goes the path of a source file, out comes the `Config` that holds for it.

Reading order: `defaults.py` what holds anyway · `config.py` the settings, and how layers merge · `keys.py` what may be
set · `find.py` the nearest file, and what it extends.
"""
