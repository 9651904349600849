"""What can be written at the cursor: in goes an analysis with an offset, out come items.

Reading order: `complete.py` the entry · `cursor.py` what is around the cursor · `item.py` one offer · then what is
offered where: `statements.py` `snippets.py` `decorators.py` `strings.py` `members.py` `keys.py` `typenames.py`
`values.py` `imports.py` `pragmas.py`.
"""
