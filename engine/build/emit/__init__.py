"""The constructs of the language as ARM JSON: nodes come in, text of expressions and JSON values go out.

Reading order: `unit.py` a file being compiled · `text.py` pieces of expressions · `declared.py` resources as declared ·
`uses.py` what code refers to · `survey.py` that, for a whole file, and what is inlined · `language.py` which form of
template · nodes to text: `expressions.py` · `access.py` · `calls.py` · `loops.py` · nodes to JSON: `values.py` · what
`res.x` means: `names.py` · `scopes.py` · `identifiers.py` · `references.py` · `secure.py` · sections: `types.py` ·
`unions.py` · `decorators.py` · `signature.py` · `variables.py` · `resources.py` · `dependencies.py` · `modules.py` ·
`extensions.py` · from other files: `imports.py` · `armimports.py` · `loads.py` · `jsonpath.py` · `yamlcontent.py` ·
`constants.py` expressions of parameter files · `origins.py` where it all was written
"""
