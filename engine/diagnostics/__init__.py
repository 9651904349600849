"""What is wrong with a user's program, as data.

Reading order: `source.py` a text, its spans and lines · `diagnostic.py` one problem · `suggest.py` did-you-mean ·
`codes.py` the codes of our own · `render/` how problems are shown.
"""
