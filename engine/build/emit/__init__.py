"""The constructs of the language as ARM JSON: nodes come in, text of expressions and JSON values go out.

Reading order: `text.py` pieces of expressions · `declared.py` resources as declared · `uses.py` what code refers to ·
`unit.py` a file being compiled · `expressions.py` `access.py` `calls.py` `lambdas` nodes to text · `values.py` nodes to
JSON · `loops.py` · `scopes.py` `identifiers.py` `references.py` what `res.x` means · `inlining.py` · `dependencies.py` ·
`types.py` `unions.py` `decorators.py` · `variables.py` `signature.py` `functions.py` `resources.py` `modules.py`
`extensions.py` the sections · `imports.py` `armimports.py` what other files bring in · `loads.py` file contents ·
`language.py` which form of template.
"""
