"""From ARM JSON to Bicep: the text of a template comes in, the texts of a Bicep file and its modules go out.

Reading order: `decompile.py` the entry · `faults.py` what is refused, and where · `simplify.py` ARM's expressions in fewer
words · `names.py` names for what had none · `scope.py` what expressions can refer to · `writer.py` expressions and values
as text · `loops.py` copies · `types.py` definitions · `declarations.py` parameters,
variables, functions, outputs · `resources.py`, `modules.py`
resources and deployments · `outer.py` nested templates that see their surroundings.
"""
