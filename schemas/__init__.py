"""JSON schemas (2020-12): `types/` one file a resource type, `runtimes/` one a compute kind.

A file is found by the name of what it describes: `types/<namespace>.<type>@<version>.json` in lower case. What is ours in a
compatible type is marked `"x-ulna-addition": true`.
"""
