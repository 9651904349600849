"""From a checked file to an ARM template: a `Model` comes in, a `Template` and diagnostics go out.

Reading order: `build.py` the entry · `limits.py` what it would refuse · `emit/` one construct of the language a file ·
`hash.py` a template's fingerprint · `render.py` its text · `parameters.py` a `.bicepparam` file to values ·
`arguments.py` an ARM parameters file to values.
"""
