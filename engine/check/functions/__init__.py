"""The built-in functions and decorators: in goes a namespace and a name, out comes a `Function`.

Reading order: `signature.py` the record and the notation · `sys.py` `az.py` `this.py` one table a namespace ·
`decorators.py` those of `sys` · `lookup.py` who asks.
"""
