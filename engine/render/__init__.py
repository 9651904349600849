"""Desired resources in, native resources out, each with the operator that owns it, or the reason why none does.

Reading order: `native.py` what comes out · `bids.py` who owns a resource · `graph.py` what operators may look at ·
`render.py` the step itself · `registry.py` the operators of an environment.
"""
