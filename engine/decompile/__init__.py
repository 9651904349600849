"""From ARM JSON to Bicep: the text of a template comes in, the texts of a Bicep file and its modules go out.

Reading order: `decompile.py` the entry · `faults.py` what is refused, and where · `simplify.py` ARM's expressions in fewer
words · `names.py` names for what had none · `scope.py` what expressions can refer to · `identify.py` which resource an id
means · `writer.py` expressions and values as text · `loops.py` copies · `types.py` definitions · `declarations.py` parameters,
variables, functions, outputs · `extensions.py`, `resources.py`, `modules.py` resources and deployments · `existing.py` what
they point at · `given.py` what modules are given · `outer.py` nested templates that see their surroundings.
"""
