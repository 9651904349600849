"""From a tree back to text, in the one form there is: a `Source` comes in, its canonical text goes out.

Reading order: `options.py` what a project may choose · `document.py` the algebra of layouts · `fit.py` the choice of line
breaks · `cursor.py` the tokens with their comments · `brackets.py` what stands between brackets · `values.py`,
`accesses.py`, `types.py`, `statements.py` one function a construct · `layout.py` which function is whose · `lines.py` the
file, statement by statement · `format.py` the entry.
"""
