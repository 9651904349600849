"""What is wrong with a user's program, as data.

Reading order: `source.py` a text, its spans and lines · `diagnostic.py` one problem · `suggest.py` did-you-mean ·
`place.py`
where in a file a property is written · `codes.py` what each code means, by tables in `codes_ulna.py` and `codes_language.py`, and
`codes_unsaid.py` why the rest of Bicep's are never reported ·
`render/` how problems are shown.
"""
